import { describe, expect, it } from "vitest";
import { customFs } from "./customFs.suite";
import { describeFileSystem } from "./fileSystem.suite";
import { describeSearchOver } from "./searchCases.suite";
import type { FileSystem } from "./fileSystem";
import { overlayFs } from "./overlayFs";
import { FileNotFoundError, UnavailableError } from "./pathError";
import { entriesOf, expectError, pathsOf } from "./suiteCase.suite";
import { tempFs } from "./tempFs";
import { emptyFs } from "./treeFs";
import { isVersionedTree } from "./versionedTree";

const skips = {
  write: "it is for reading only",
  edit: "it is for reading only",
  snapshot: "nothing changes through it",
};
const halves = (files: Readonly<Record<string, string | Uint8Array>>, make: (part: typeof files) => FileSystem) => {
  const parts: Record<string, string | Uint8Array>[] = [{}, {}, {}];
  for (const [index, [path, contents]] of Object.entries(files).entries()) (parts[index % 3] ?? {})[path] = contents;
  return overlayFs(parts.map(make));
};
describeFileSystem("overlayFs of tempFs", (files) => halves(files, tempFs), { skips });
describeFileSystem("overlayFs of custom trees", (files) => halves(files, customFs), {
  skips: { ...skips, search: "a custom tree has no index" },
});
describeSearchOver("overlayFs", (tree) => overlayFs([tree, emptyFs()]));
describeFileSystem(
  "overlayFs over what it hides",
  (files) => {
    const hidden = Object.fromEntries(Object.keys(files).map((path) => [path, "one hidden"]));
    return overlayFs([tempFs(files), tempFs(hidden)]);
  },
  { skips },
);

/** A tree whose store does not answer. */
function downFs(reason = "down"): FileSystem {
  const fail = (): never => {
    throw new UnavailableError("/", reason);
  };
  const failing = async function* (): AsyncGenerator<never> {
    fail();
  };
  const refuse = async () => fail();
  return {
    list: failing,
    glob: failing,
    grep: failing,
    search: failing,
    stat: refuse,
    read: refuse,
    write: refuse,
    delete: refuse,
  };
}

const linesOf = async (tree: FileSystem, pattern: string, maxResults?: number) =>
  (await entriesOf(tree.grep({ pattern, maxResults }))).map(({ path, line }) => `${path} ${line}`);

describe("overlayFs", () => {
  it("shows of each path what the first layer has there", async () => {
    const tree = overlayFs([tempFs({ "/a": "top", "/d/x": "1" }), tempFs({ "/a": "below", "/d/y": "2", "/z": "3" })]);
    expect(await pathsOf(tree.list())).toEqual(["/a", "/d", "/d/x", "/d/y", "/z"]);
    expect([await tree.read("/a"), await tree.read("/d/y")]).toEqual(["top", "2"]);
    expect(await pathsOf(tree.glob("**"))).toEqual(["/a", "/d/x", "/d/y", "/z"]);
    expect((await tree.stat("/a")).sizeBytes).toBe(3);
  });

  it("hides the hits of a lower layer on what a higher one holds, and caps what is left", async () => {
    const tree = overlayFs([tempFs({ "/b": "no hit" }), tempFs({ "/a": "one", "/b": "one\none", "/c": "one" })]);
    expect(await linesOf(tree, "one")).toEqual(["/a one", "/c one"]);
    expect(await linesOf(tree, "one", 2)).toEqual(["/a one", "/c one"]);
    expect(await linesOf(tree, "one", 1)).toEqual(["/a one"]);
    const found = await entriesOf(tree.search({ query: "one" }));
    expect(found.map(({ path }) => path).toSorted()).toEqual(["/a", "/c"]);
  });

  it("lets a file hide a directory below it with all it holds, and a directory a file", async () => {
    const file = { "/p": "file one" };
    const directory = { "/p/q/r": "one", "/p-q": "one" };
    const over = overlayFs([tempFs(file), customFs(directory)]);
    expect(await pathsOf(over.list())).toEqual(["/p", "/p-q"]);
    expect([await pathsOf(over.list("/p")), await pathsOf(over.list("/p/q")), (await over.stat("/p/q")).kind]).toEqual([
      [],
      [],
      "missing",
    ]);
    await expectError(over.read("/p/q/r"), "not-found", "not found: /p/q/r", "/p/q/r");
    expect(await linesOf(over, "one")).toEqual(["/p file one", "/p-q one"]);
    const under = overlayFs([tempFs(directory), customFs(file)]);
    expect(await pathsOf(under.list())).toEqual(["/p", "/p-q", "/p/q", "/p/q/r"]);
    await expectError(under.read("/p"), "not-a-file", "not a file: /p", "/p");
    expect(await linesOf(under, "file")).toEqual([]);
    expect(await pathsOf(under.glob("*"))).toEqual(["/p-q"]);
    const between = overlayFs([tempFs({ "/p/top": "" }), tempFs(file), tempFs(directory)]);
    expect(await pathsOf(between.list())).toEqual(["/p", "/p-q", "/p/top"]);
    expect([await pathsOf(between.list("/p")), (await between.stat("/p/q/r")).kind]).toEqual([["/p/top"], "missing"]);
    for (const tree of [over, under, between]) {
      expect([...(await tree.snapshot()).walk()].map(([path]) => path)).toEqual(await pathsOf(tree.list()));
    }
  });

  it("loses with a layer that is down only what that layer had", async () => {
    for (const layers of [
      [downFs(), tempFs({ "/a": "one" })],
      [tempFs({ "/a": "one" }), downFs()],
    ]) {
      const tree = overlayFs(layers);
      expect(await pathsOf(tree.list())).toEqual(["/a"]);
      expect([await tree.read("/a"), (await tree.stat("/a")).kind, (await tree.stat("/b")).kind]).toEqual([
        "one",
        "file",
        "missing",
      ]);
      expect([await linesOf(tree, "one"), await pathsOf(tree.glob("*"))]).toEqual([["/a one"], ["/a"]]);
      expect((await entriesOf(tree.search({ query: "one" }))).map(({ path }) => path)).toEqual(["/a"]);
    }
  });

  it("takes a layer that has nothing for one that has served", async () => {
    const tree = overlayFs([downFs(), emptyFs()]);
    expect([(await tree.stat("/a")).kind, await linesOf(tree, "x"), await pathsOf(tree.list())]).toEqual([
      "missing",
      [],
      [],
    ]);
    await expect(tree.read("/a")).rejects.toEqual(new FileNotFoundError("/a"));
    expect(await linesOf(overlayFs([downFs(), tempFs({ "/a": "x\nx" })]), "x", 1)).toEqual(["/a x"]);
  });

  it("fails with the first error when all layers are down", async () => {
    const tree = overlayFs([downFs("first"), downFs("second")]);
    const questions = [
      () => tree.stat("/a"),
      () => tree.read("/a"),
      () => linesOf(tree, "x"),
      () => entriesOf(tree.search({ query: "x" })),
      () => pathsOf(tree.list()),
      () => pathsOf(tree.glob("*")),
      () => tree.snapshot(),
    ];
    for (const ask of questions) await expect(ask()).rejects.toMatchObject({ code: "unavailable", reason: "first" });
  });

  it("refuses every change", async () => {
    const tree = overlayFs([tempFs(), tempFs({ "/a": "x" })]);
    await expectError(tree.write("/a", ""), "read-only-mount", "read-only mount: /a", "/a");
    await expectError(tree.delete("/a"), "read-only-mount", "read-only mount: /a", "/a");
    await expectError(tree.delete("/b"), "not-found", "not found: /b", "/b");
  });

  it("is as versioned as its layers, the same snapshot while none changes", async () => {
    const [upper, lower] = [tempFs({ "/a": "1" }), tempFs({ "/a": "2", "/b": "3" })];
    const tree = overlayFs([upper, lower]);
    const before = await tree.snapshot();
    expect([isVersionedTree(tree), isVersionedTree(overlayFs([upper, customFs()])), await tree.snapshot()]).toEqual([
      true,
      false,
      before,
    ]);
    let told = 0;
    tree.subscribe(() => told++);
    await lower.write("/c", "4");
    await upper.makeDirectory("/e");
    expect([told, [...(await tree.snapshot()).walk()].map(([path]) => path)]).toEqual([2, ["/a", "/b", "/c", "/e"]]);
  });

  it("merges lazily: the first entry waits for no other, and leaving stops the layers", async () => {
    let left = 0;
    const endless: FileSystem = {
      ...emptyFs(),
      list: async function* () {
        try {
          for (let index = 0; ; index++) yield { path: `/f${String(index).padStart(9, "0")}`, kind: "file" };
        } finally {
          left++;
        }
      },
    };
    for await (const { path } of overlayFs([endless, endless]).list()) {
      if (path === "/f000000002") break;
    }
    expect(left).toBe(2);
  });
});
