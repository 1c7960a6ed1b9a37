import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffSteps, diffTrees, treeDifference, treesDiffer, type Change } from "./diffTrees";
import { memoryFile } from "./memoryFile";
import { SnapshotTree } from "./snapshotTree";

const treeOf = (files: Readonly<Record<string, string>>) =>
  SnapshotTree.empty.withFiles(Object.entries(files).map(([path, text]) => [path, memoryFile(text, 1)]));
const hashOf = (text: string) => memoryFile(text, 0).hash;

const byPath = (changes: readonly Change[]) => changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));

describe("diffTrees", () => {
  it("names files added, modified and deleted in order of their paths, with hashes", () => {
    const before = treeOf({ "/a/x": "1", "/a-b": "2", "/same": "3", "/f": "4" });
    const after = treeOf({ "/a/x": "1!", "/a-c": "2", "/same": "3", "/f/g": "4" });
    expect(diffTrees(before, after)).toEqual([
      { path: "/a-b", kind: "deleted", before: hashOf("2") },
      { path: "/a-c", kind: "added", after: hashOf("2") },
      { path: "/a/x", kind: "modified", before: hashOf("1"), after: hashOf("1!") },
      { path: "/f", kind: "deleted", before: hashOf("4") },
      { path: "/f/g", kind: "added", after: hashOf("4") },
    ]);
  });

  it("finds nothing in equal content of another history or another time", () => {
    const before = treeOf({ "/a": "1", "/d/b": "2" });
    const after = SnapshotTree.empty
      .withFile("/d/b", memoryFile("2", 9))
      .withFile("/x", memoryFile("", 9))
      .withFile("/a", memoryFile("1", 9))
      .without("/x");
    expect(diffTrees(before, after)).toEqual([]);
  });

  it("tells made and removed directories apart from those that are there by their files", () => {
    const before = treeOf({ "/a/b": "1" }).withDirectory("/old/empty");
    const after = treeOf({ "/c/d": "1" }).withDirectory("/new");
    expect(treeDifference(before, after)).toMatchObject({
      madeDirectories: ["/new"],
      removedDirectories: ["/old/empty"],
    });
  });

  it("agrees with comparing all files one by one", async () => {
    const names = fc.constantFrom("/a", "/b/a", "/b/c", "/b-c", "/d/e/f", "/d/e/g", "/z");
    const files = fc.dictionary(names, fc.constantFrom("1", "2"));
    await fc.assert(
      fc.asyncProperty(files, files, fc.boolean(), async (before, after, haveIds) => {
        const [a, b] = [treeOf(before), treeOf(after)];
        if (haveIds) await Promise.all([a.rootHash(), b.rootHash()]);
        const expected = [...new Set([...Object.keys(before), ...Object.keys(after)])]
          .filter((path) => before[path] !== after[path])
          .toSorted();
        expect(diffTrees(a, b).map(({ path }) => path)).toEqual(expected);
        expect(byPath([...diffSteps(a, b)].filter((step) => step !== undefined))).toEqual(diffTrees(a, b));
        expect(treesDiffer(a, b)).toBe(expected.length > 0);
        expect((await a.rootHash()) === (await b.rootHash())).toBe(expected.length === 0);
      }),
    );
  });
});
