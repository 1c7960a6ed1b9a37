import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { until, workbenchFixture, type WorkbenchFixtureOptions } from "../testing/workbenchFixture";
import type { MountRecord } from "./mountRecord";
import { treeRows } from "./treeRows";

const MOUNTS: readonly MountRecord[] = [
  {
    id: "repo",
    prefix: "/repo",
    kind: "idb",
    readOnly: false,
    color: 1,
    disk: "repo",
    firstFiles: { "/src/a.ts": "a", "/src/b.ts": "b", "/README.md": "hello" },
  },
  { id: "plans", prefix: "/plans", kind: "memory", readOnly: false, color: 2, seed: { "/next.md": "soon" } },
  { id: "skills", prefix: "/agent/skills", kind: "memory", readOnly: true, color: 3, seed: { "/x/SKILL.md": "skill" } },
];

async function zippedPaths(zip = new Blob()): Promise<string[]> {
  return Object.keys(unzipSync(new Uint8Array(await zip.arrayBuffer()))).toSorted();
}

async function mountsFixture(options: WorkbenchFixtureOptions = {}) {
  const fixture = await workbenchFixture({ document: { mounts: MOUNTS }, ...options });
  const { mounts, notices, project } = fixture.workbench;
  return {
    ...fixture,
    project,
    notices,
    state: () => mounts.getState(),
    paths: async () => [...(await mounts.getState().currentSnapshot()).files()].map(([path]) => path),
    marks: () =>
      mounts
        .getState()
        .changes.list()
        .map(({ path, kind }) => `${kind} ${path}`),
    undo: () =>
      notices
        .getState()
        .notices.findLast((notice) => notice.action?.label === "Undo")
        ?.action?.run(),
    settled: (condition: () => boolean) => until(condition, "the mounts to follow"),
  };
}

describe("the mount table", () => {
  it("shows each mount with what is in it, and one merged tree", async () => {
    const { state, paths } = await mountsFixture();
    expect(
      state().mounts.map(({ prefix, kind, readOnly, fileCount, sizeBytes }) => ({
        prefix,
        kind,
        readOnly,
        fileCount,
        sizeBytes,
      })),
    ).toEqual([
      { prefix: "/repo", kind: "idb", readOnly: false, fileCount: 3, sizeBytes: 7 },
      { prefix: "/plans", kind: "memory", readOnly: false, fileCount: 1, sizeBytes: 4 },
      { prefix: "/agent/skills", kind: "memory", readOnly: true, fileCount: 1, sizeBytes: 5 },
    ]);
    expect(await paths()).toEqual([
      "/agent/skills/x/SKILL.md",
      "/plans/next.md",
      "/repo/README.md",
      "/repo/src/a.ts",
      "/repo/src/b.ts",
    ]);
    expect(state().mountOf("/repo/src/a.ts")?.id).toBe("repo");
    expect(state().mountOf("/elsewhere")).toBeUndefined();
  });

  it("refuses a path that is taken, relative, climbing or too long, each with its reason", async () => {
    const { state } = await mountsFixture();
    const add = (prefix: string) => state().addMount({ prefix, kind: "memory", readOnly: false });
    expect(await add("/repo/")).toBe("There is a mount at /repo already.");
    expect(await add("repo")).toBe("A mount's path begins with /.");
    expect(await add("")).toBe("A mount needs a path, e.g. /repo.");
    expect(await add("/a/../b")).toBe("This cannot be used: its path holds “..”.");
    expect(await add(`/${"n".repeat(256)}`)).toBe("A name may have at most 255 bytes.");
    expect(await state().editMount("plans", { prefix: "/repo", readOnly: false })).toBe(
      "There is a mount at /repo already.",
    );
    expect(state().mounts).toHaveLength(3);
  });

  it("says which files of another mount a new one hides", async () => {
    const { state, settled } = await mountsFixture();
    expect(await state().addMount({ prefix: "/repo/src", kind: "memory", readOnly: false })).toBeUndefined();
    await settled(() => state().mounts.length === 4);
    expect(state().mounts[3]?.hides).toEqual([{ prefix: "/repo", fileCount: 2 }]);
  });

  it("puts a removed mount back in the place of one that came there meanwhile, which can be had back, too", async () => {
    const { state, paths, undo } = await mountsFixture();
    const before = await paths();
    await state().removeMount("plans");
    expect(await state().addMount({ prefix: "/plans", kind: "memory", readOnly: false })).toBeUndefined();
    await state().createFile("/plans", "new.md");
    undo();
    await expect.poll(paths).toEqual(before);
    expect(state().mounts.filter(({ prefix }) => prefix === "/plans")).toHaveLength(1);
    undo();
    const inPlans = async () => (await paths()).filter((path) => path.startsWith("/plans/"));
    await expect.poll(inPlans).toEqual(["/plans/new.md"]);
  });

  it("offers a removed mount's files as a zip and brings it back with them, memory or not", async () => {
    const { state, paths, undo, settled, notices } = await mountsFixture();
    await state().createFile("/plans", "later.md");
    const before = await paths();
    for (const id of ["repo", "plans"]) {
      await state().removeMount(id);
      await settled(() => state().mounts.length === 2);
      const file = await notices.getState().notices.at(-1)?.file?.();
      expect([file?.name, await zippedPaths(file?.contents)]).toEqual([
        `${id}.zip`,
        before.filter((path) => path.startsWith(`/${id}/`)).map((path) => path.slice(id.length + 2)),
      ]);
      undo();
      await settled(() => state().mounts.length === 3);
      expect(await paths()).toEqual(before);
    }
    expect(state().mounts.map(({ id }) => id)).toEqual(["repo", "plans", "skills"]);
  });

  it("keeps the order and the paths a person chose", async () => {
    const { state, settled, project } = await mountsFixture();
    await state().reorderMount("skills", -1);
    await state().editMount("plans", { prefix: "/notes", readOnly: true });
    await settled(() => state().mounts.some(({ prefix }) => prefix === "/notes"));
    expect(project.getState().mounts.map(({ id, prefix, readOnly }) => [id, prefix, readOnly])).toEqual([
      ["repo", "/repo", false],
      ["skills", "/agent/skills", true],
      ["plans", "/notes", true],
    ]);
  });
});

describe("changes since the run began", () => {
  it("marks added, modified and deleted files and puts them back, which can be undone", async () => {
    const { state, marks, paths, undo, settled } = await mountsFixture();
    await state().markRunBegin();
    await state().write("/repo/src/a.ts", "changed");
    await state().createFile("/plans", "new.md");
    await state().remove(["/repo/README.md"]);
    await settled(() => marks().length === 3);
    expect(marks()).toEqual(["added /plans/new.md", "deleted /repo/README.md", "modified /repo/src/a.ts"]);

    const { snapshot, mounts, changes } = state();
    const rows = treeRows({ snapshot, mounts, changes, expanded: new Set(["/repo", "/plans"]) });
    expect(
      Array.from(
        rows,
        (row) =>
          `${"  ".repeat(row.level - 1)}${row.names.join(" / ")}${row.mark ? ` ${row.mark}` : ""}${row.isGone ? " gone" : ""}`,
      ),
    ).toEqual([
      "agent / skills",
      "plans inside",
      "  new.md A",
      "  next.md",
      "repo inside",
      "  src inside",
      "  README.md D gone",
    ]);

    expect(await state().revert()).toBeUndefined();
    await settled(() => marks().length === 0);
    expect(await paths()).toEqual([
      "/agent/skills/x/SKILL.md",
      "/plans/next.md",
      "/repo/README.md",
      "/repo/src/a.ts",
      "/repo/src/b.ts",
    ]);
    undo();
    await settled(() => marks().length === 3);
  });

  it("are known again after a reload", async () => {
    const first = await mountsFixture();
    await first.state().markRunBegin();
    await first.state().write("/repo/src/a.ts", "changed");
    await first.settled(() => first.project.getState().baseline !== undefined);
    await first.workbench.dispose();
    const second = await mountsFixture({ from: first });
    expect(second.marks()).toEqual(["modified /repo/src/a.ts"]);
  });
});

describe("a mount table that changes after a run began", () => {
  const begun = async () => {
    const fixture = await mountsFixture();
    await fixture.state().markRunBegin();
    await fixture.state().write("/repo/README.md", "changed");
    await fixture.settled(() => fixture.marks().length === 1);
    return fixture;
  };

  it("marks nothing a new mount hides, and what it brings or gets only from then on", async () => {
    const { state, marks, settled } = await begun();
    await state().addMount({ prefix: "/repo/src", kind: "memory", readOnly: false });
    await settled(() => state().mounts.length === 4);
    expect(marks()).toEqual(["modified /repo/README.md"]);
    expect(state().hiddenAt("/repo/src/a.ts")).toEqual({ by: "/repo/src", of: "/repo" });
    await state().createFile("/repo/src", "a.ts");
    await settled(() => marks().length === 2);
    expect(marks()).toEqual(["modified /repo/README.md", "added /repo/src/a.ts"]);
  });

  it("marks nothing of a mount that moved or went, and finds its changes again", async () => {
    const { state, marks, settled, undo } = await begun();
    await state().write("/plans/next.md", "now");
    await state().editMount("plans", { prefix: "/docs", readOnly: false });
    await settled(() => marks().includes("modified /docs/next.md"));
    expect(marks()).toEqual(["modified /docs/next.md", "modified /repo/README.md"]);
    await state().removeMount("plans");
    await settled(() => state().mounts.length === 2);
    expect(marks()).toEqual(["modified /repo/README.md"]);
    undo();
    await settled(() => marks().length === 2);
    expect(marks()).toEqual(["modified /docs/next.md", "modified /repo/README.md"]);
  });

  it("reverts only within the mounts the files were in, and so does an undo", async () => {
    const { state, paths, notices, undo } = await begun();
    await state().remove(["/repo/src"]);
    const undoRemoval = notices.getState().notices.at(-1)?.action?.run;
    await state().addMount({ prefix: "/repo/src", kind: "memory", readOnly: false });
    const before = await paths();
    expect(await state().revert(["/repo/src/a.ts", "/repo/src/b.ts"])).toBeUndefined();
    undo();
    undoRemoval?.();
    await until(() => notices.getState().notices.some(({ tone }) => tone === "bad"), "the refusal");
    expect(notices.getState().notices.find(({ tone }) => tone === "bad")?.text).toBe(
      "Not put back: the mount that /repo/src was in no longer serves it.",
    );
    expect(await paths()).toEqual(before);
  });

  it("is known again after a reload, the mounts that joined included", async () => {
    const first = await begun();
    await first.state().addMount({ prefix: "/more", kind: "idb", readOnly: false });
    await first.state().createFile("/more", "new.md");
    await first.settled(() => first.marks().length === 2);
    await first.workbench.dispose();
    const second = await mountsFixture({ from: first });
    expect(second.marks()).toEqual(["added /more/new.md", "modified /repo/README.md"]);
  });
});

describe("files", () => {
  it("are deleted with an offer to undo, folders with all below them", async () => {
    const { state, paths, undo, settled } = await mountsFixture();
    const before = await paths();
    expect(await state().remove(["/repo/src"])).toBeUndefined();
    expect(await paths()).toEqual(["/agent/skills/x/SKILL.md", "/plans/next.md", "/repo/README.md"]);
    await settled(() => state().snapshot.fileCount === 3);
    undo();
    await settled(() => state().snapshot.fileCount === 5);
    expect(await paths()).toEqual(before);
  });

  it("move within a mount and between mounts", async () => {
    const { state, paths } = await mountsFixture();
    expect(await state().move("/repo/src/a.ts", "/repo/src/c.ts")).toBeUndefined();
    expect(await state().move("/repo/src", "/plans/src")).toBeUndefined();
    expect(await paths()).toEqual([
      "/agent/skills/x/SKILL.md",
      "/plans/next.md",
      "/plans/src/b.ts",
      "/plans/src/c.ts",
      "/repo/README.md",
    ]);
  });

  it("are refused with a sentence, and nothing changes", async () => {
    const { state, paths } = await mountsFixture();
    const before = await paths();
    expect(await state().createFile("/repo", "README.md")).toBe("There is a file called README.md already.");
    expect(await state().createFile("/repo", "../x")).toBe("This cannot be used: its path holds “..”.");
    expect(await state().createFile("/agent/skills", "x.md")).toBe("read-only mount: /agent/skills/x.md");
    expect(await state().move("/repo/src", "/repo/src/inner")).toBe("A folder cannot be moved into itself.");
    expect(await state().move("/repo/src/a.ts", "/repo/src/b.ts")).toBe(
      "There is something at /repo/src/b.ts already.",
    );
    expect(await state().remove(["/agent/skills/x/SKILL.md"])).toBe("read-only mount: /agent/skills/x/SKILL.md");
    expect(await paths()).toEqual(before);
  });

  it("leave as they are, folders as zips", async () => {
    const { state } = await mountsFixture();
    const file = await state().download("/repo/README.md");
    expect([file?.name, await file?.contents.text()]).toEqual(["README.md", "hello"]);
    const folder = await state().download("/repo");
    expect(folder?.name).toBe("repo.zip");
    await state().createFolder("/plans", "copy");
    const { itemsFromZip } = await import("./importFiles");
    const report = await state().importInto("/plans/copy", {
      label: "repo.zip",
      items: itemsFromZip(folder?.contents ?? new Blob()),
    });
    expect(report).toEqual({ files: 3, bytes: 7, refused: [], stopped: false });
  });
});
