import { describe, expect, it } from "vitest";
import { seededRandom } from "../base";
import { diffTrees, memoryFile, SnapshotTree } from "../fs";
import { ChangeIndex } from "./changeIndex";
import { mountAt } from "./mountAt";
import type { MountView } from "./mountView";
import { directoriesAbove } from "./directoriesAbove";
import { rowByTyping, treeRows, type TreeRow, type TreeRows, type TreeRowsInput } from "./treeRows";

function tree(...paths: string[]): SnapshotTree {
  return SnapshotTree.empty.withFiles(paths.map((path) => [path, memoryFile(path, 0)] as const));
}

function mount(prefix: string): MountView {
  return {
    id: prefix,
    prefix,
    kind: "memory",
    source: { kind: "memory" },
    readOnly: false,
    state: "ready",
    color: 1,
    fileCount: 0,
    sizeBytes: 0,
    hides: [],
  };
}

function lines(input: Partial<TreeRowsInput>): string[] {
  const rows = treeRows({
    snapshot: SnapshotTree.empty,
    mounts: [],
    changes: ChangeIndex.none,
    expanded: new Set(),
    ...input,
  });
  return Array.from(rows, lineOf);
}

function lineOf(row: TreeRow): string {
  const arrow = row.kind === "file" ? "" : row.expanded ? "▾ " : "▸ ";
  return `${"  ".repeat(row.level - 1)}${arrow}${row.names.join(" / ")}${row.isMount ? " @" : ""}${row.mark ? ` ${row.mark}` : ""} ${row.position}/${row.setSize}`;
}

describe("treeRows", () => {
  it("puts directories first, sorts numbers as numbers, and walks only what is open", () => {
    const snapshot = tree("/b.txt", "/file10", "/file2", "/dir/x/y", "/dir/z", "/closed/hidden/a");
    expect(lines({ snapshot, expanded: new Set(["/dir"]) })).toEqual([
      "▸ closed / hidden 1/5",
      "▾ dir 2/5",
      "  ▸ x 1/2",
      "  z 2/2",
      "b.txt 3/5",
      "file2 4/5",
      "file10 5/5",
    ]);
  });

  it("shows mounts with nothing in them, and never folds over one", () => {
    const mounts = [mount("/a"), mount("/a/b/c"), mount("/agent/skills")];
    expect(lines({ snapshot: tree("/a/b/c/f"), mounts, expanded: new Set(["/a", "/a/b/c"]) })).toEqual([
      "▾ a @ 1/2",
      "  ▾ b / c @ 1/1",
      "    f 1/1",
      "▸ agent / skills @ 2/2",
    ]);
  });

  it("keeps what was deleted in its place, directories too", () => {
    const before = tree("/repo/gone/deep/a", "/repo/kept", "/repo/lost");
    const snapshot = tree("/repo/kept", "/repo/fresh");
    const changes = ChangeIndex.between(before, snapshot);
    expect(lines({ snapshot, changes, expanded: new Set(["/repo", "/repo/gone", "/repo/gone/deep"]) })).toEqual([
      "▾ repo inside 1/1",
      "  ▾ gone D 1/4",
      "    ▾ deep D 1/1",
      "      a D 1/1",
      "  fresh A 2/4",
      "  kept 3/4",
      "  lost D 4/4",
    ]);
  });
});

describe("treeRows over mounts that hide others", () => {
  const mounts = [mount("/repo"), mount("/repo/src")];
  const trees = new Map([
    ["/repo", tree("/src/a", "/src/b", "/src/deep/er/c", "/top")],
    ["/repo/src", tree("/b", "/own")],
  ]);
  const rows = treeRows({
    snapshot: tree("/repo/src/b", "/repo/src/own", "/repo/top"),
    mounts,
    trees,
    changes: ChangeIndex.none,
    expanded: new Set(["/repo", "/repo/src", "/repo/src/deep/er"]),
  });

  it("show what is hidden where it would stand, by which mount, and in the colour of its own", () => {
    expect(
      Array.from(rows, ({ path, mountId, hiddenBy, hides, mark }) =>
        [path, mountId, hiddenBy, hides, mark].join(" ").trimEnd(),
      ),
    ).toEqual([
      "/repo /repo",
      "/repo/src /repo/src",
      "/repo/src/deep/er /repo /repo/src",
      "/repo/src/deep/er/c /repo /repo/src",
      "/repo/src/a /repo /repo/src",
      "/repo/src/b /repo/src  /repo",
      "/repo/src/own /repo/src",
      "/repo/top /repo",
    ]);
  });
});

describe("treeRows of an overlay", () => {
  it("tell which layer has a file, and whose they hide", () => {
    const mounts = [
      mount("/a"),
      mount("/b"),
      { ...mount("/both"), source: { kind: "overlay", upper: "/a", lower: "/b" } as const },
    ];
    const [upper, lower, both] = [tree("/x", "/d/y"), tree("/x", "/z"), tree("/d/y", "/x", "/z")];
    const trees = new Map([
      ["/a", upper],
      ["/b", lower],
      ["/both", both],
    ]);
    const snapshot = tree("/both/d/y", "/both/x", "/both/z");
    const rows = treeRows({
      snapshot,
      mounts,
      trees,
      changes: ChangeIndex.none,
      expanded: new Set(["/both", "/both/d"]),
    });
    expect(Array.from(rows, ({ path, layerId, hides }) => [path, layerId, hides])).toEqual([
      ["/a", undefined, undefined],
      ["/b", undefined, undefined],
      ["/both", undefined, undefined],
      ["/both/d", undefined, undefined],
      ["/both/d/y", "/a", undefined],
      ["/both/x", "/a", "/b"],
      ["/both/z", "/b", undefined],
    ]);
  });
});

describe("mountAt", () => {
  it("is the mount with the longest path above, by whole names", () => {
    const mounts = [mount("/"), mount("/agent"), mount("/agent/skills")];
    expect(mountAt(mounts, "/agent/skills/x")?.prefix).toBe("/agent/skills");
    expect(mountAt(mounts, "/agent-tools/x")?.prefix).toBe("/");
    expect(mountAt([mount("/agent")], "/agent-tools/x")).toBeUndefined();
  });
});

describe("rowByTyping", () => {
  const rows = treeRows({
    snapshot: tree("/alpha", "/beta", "/bravo"),
    mounts: [],
    changes: ChangeIndex.none,
    expanded: new Set(),
  });
  it.each([
    [0, "b", 1],
    [1, "b", 2],
    [2, "b", 1],
    [1, "br", 2],
    [0, "z", -1],
  ])("from row %i, %s leads to %i", (from, text, row) => {
    expect(rowByTyping(rows, from, text)).toBe(row);
  });
});

describe("treeRows, made from the last ones", () => {
  /** Paths that share few names, so that files, folders and what is gone come to stand in each other's place. */
  const random = seededRandom("tree rows");
  const somePath = () =>
    Array.from(
      { length: 1 + Math.floor(random() * 3) },
      () => `/${"abcd"[Math.floor(random() * 4)]}${Math.floor(random() * 3)}`,
    ).join("");

  it("are what they would be made anew, whatever changed between", () => {
    const mounts = [mount("/"), mount("/a1/b1")];
    let snapshot = SnapshotTree.empty;
    let [before, changes, expanded] = [snapshot, ChangeIndex.none, new Set<string>()];
    let last: TreeRows | undefined;
    for (let round = 0; round < 400; round++) {
      const path = somePath();
      if (random() < 0.3) snapshot = snapshot.without(path);
      else if (
        snapshot.entry(path)?.kind !== "directory" &&
        directoriesAbove(path).every((above) => snapshot.file(above) === undefined)
      )
        snapshot = snapshot.withFile(path, memoryFile(String(round), 0));
      if (round % 40 === 0) before = snapshot;
      if (random() < 0.4) expanded = new Set([...expanded, path, ...directoriesAbove(path)]);
      else if (random() < 0.1) expanded = new Set();
      changes = ChangeIndex.between(before, snapshot, changes);
      const afresh = ChangeIndex.between(before, snapshot);
      expect(changes.count).toBe(afresh.list().length);
      expect(changes.list()).toEqual(diffTrees(before, snapshot));

      const trees = new Map([["/", SnapshotTree.empty.withFile("/a1/b1/hidden/x", memoryFile("", 0))]]);
      const rows = treeRows({ snapshot, mounts, trees, changes, expanded }, last);
      const all = [...rows];
      expect(all).toEqual([...treeRows({ snapshot, mounts, trees, changes: afresh, expanded })]);
      expect(all.map((row) => rows.indexOf(row.path))).toEqual([...all.keys()]);
      expect(all.map((row, index) => rows.nameAt(index) === row.names.at(-1))).not.toContain(false);
      expect(all.map((row) => rows.indexBelow(row.path))).toEqual(
        all.map(({ level }, index) => {
          const next = all.findIndex((other, at) => at > index && other.level <= level);
          return next < 0 ? all.length : next;
        }),
      );
      last = rows;
    }
  });
});
