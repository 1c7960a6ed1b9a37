import { describe, expect, it } from "vitest";
import { customFs } from "./customFs.suite";
import { describeFileSystem } from "./fileSystem.suite";
import { describeSearchOver } from "./searchCases.suite";
import { expectError, pathsOf } from "./suiteCase.suite";
import { readOnlyFs } from "./readOnlyFs";
import { tempFs } from "./tempFs";
import { emptyFs } from "./treeFs";
import { isVersionedTree } from "./versionedTree";

const skips = { write: "it refuses writes", edit: "it refuses edits", snapshot: "nothing in it changes through it" };
describeFileSystem("readOnlyFs over tempFs", (files) => readOnlyFs(tempFs(files)), { skips });
describeFileSystem("readOnlyFs over a custom tree", (files) => readOnlyFs(customFs(files)), {
  skips: { ...skips, search: "a custom tree has no index" },
});
describeSearchOver("readOnlyFs", readOnlyFs);

describeFileSystem("emptyFs", emptyFs, { skips: { ...skips, files: "it holds none" } });

describe("readOnlyFs", () => {
  it("refuses every change, saying of a deletion what is missing", async () => {
    const tree = readOnlyFs(tempFs({ "/d/f": "x" }));
    for (const path of ["/d/f", "/new"])
      await expectError(tree.write(path, ""), "read-only-mount", `read-only mount: ${path}`, path);
    await expectError(tree.delete("/d/f"), "read-only-mount", "read-only mount: /d/f", "/d/f");
    await expectError(tree.delete("/d"), "read-only-mount", "read-only mount: /d", "/d");
    await expectError(tree.delete("/gone"), "not-found", "not found: /gone", "/gone");
  });

  it("shows what becomes of the tree, and tells of it", async () => {
    const base = tempFs();
    const tree = readOnlyFs(base);
    let told = 0;
    tree.subscribe(() => told++);
    await base.write("/a", "x");
    expect([await pathsOf(tree.list()), told]).toEqual([["/a"], 1]);
    expect((await tree.snapshot()).fileCount).toBe(1);
    expect([isVersionedTree(tree), isVersionedTree(readOnlyFs(customFs()))]).toEqual([true, false]);
  });
});

describe("emptyFs", () => {
  it("takes no write", async () => {
    const tree = emptyFs();
    await expectError(tree.write("/a", ""), "read-only-mount", "read-only mount: /a", "/a");
    await expectError(tree.delete("/a"), "not-found", "not found: /a", "/a");
    expect(await pathsOf(tree.list())).toEqual([]);
  });
});
