import { describe, expect, it } from "vitest";
import { limits } from "../base";
import { memoryFile, SnapshotTree } from "../fs";
import { rankedPaths } from "./rankedPaths";

function tree(paths: Iterable<string>): SnapshotTree {
  const file = memoryFile("", 0);
  return SnapshotTree.empty.withFiles([...paths].map((path) => [path, file] as const));
}

function* numbered(count: number): Generator<string> {
  for (let index = 0; index < count; index++) yield `/d/${String(index).padStart(6, "0")}`;
}

describe("rankedPaths", () => {
  it("puts whole words in names first, then in paths, then scattered letters", () => {
    expect(rankedPaths(tree(["/api/x.ts", "/src/api.ts", "/a/p/i.ts", "/other"]), "api")).toEqual({
      paths: ["/src/api.ts", "/api/x.ts", "/a/p/i.ts"],
      furtherMatches: 0,
      unsearchedFiles: 0,
    });
  });

  it("says how many matches it left out and how many files it did not look at", () => {
    const found = rankedPaths(tree([...numbered(limits.rankedFiles), "/z/1", "/z/2"]), "d");
    expect(found.paths).toHaveLength(limits.rankedPaths);
    expect(found.furtherMatches).toBe(limits.rankedFiles - limits.rankedPaths);
    expect(found.unsearchedFiles).toBe(2);
  });
});
