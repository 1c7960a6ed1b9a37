import { describe, expect, it } from "vitest";
import { limits } from "../base";
import { memoryFile, SnapshotTree } from "../fs";
import { PathRanking } from "./pathRanking";

const file = memoryFile("", 0);

function tree(paths: Iterable<string>): SnapshotTree {
  return SnapshotTree.empty.withFiles([...paths].map((path) => [path, file] as const));
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `/d${index % 7}/Name${index}.ts`);
}

const wanted = new AbortController().signal;

describe("PathRanking", () => {
  it("puts whole words in names first, then in paths, then scattered letters", async () => {
    const files = tree(["/api/x.ts", "/src/api.ts", "/a/p/i.ts", "/other"]);
    expect(await new PathRanking().rank(files, "api", wanted)).toEqual({
      paths: ["/src/api.ts", "/api/x.ts", "/a/p/i.ts"],
      furtherMatches: 0,
    });
  });

  it("looks at every file and says how many matches it left out", async () => {
    const found = await new PathRanking().rank(tree([...numbered(20_000), "/z/last"]), "name", wanted);
    expect(found?.paths).toHaveLength(limits.rankedPaths);
    expect(found?.furtherMatches).toBe(20_000 - limits.rankedPaths);
  });

  it("finds letter by letter, and after changes, what a search of all would find", async () => {
    const ranking = new PathRanking();
    let files = tree(numbered(3_000));
    for (const query of ["", "n", "na", "nam1", "nam19", "NAM 19 t", "nam", "zz", "d3e77"]) {
      files = files.without(`/d${query.length % 7}/Name${query.length}.ts`).withFile(`/new/${query}77.ts`, file);
      expect(await ranking.rank(files, query, wanted)).toEqual(await new PathRanking().rank(files, query, wanted));
    }
  });

  it("gives up what is no longer wanted", async () => {
    const given = new AbortController();
    const found = new PathRanking().rank(tree(numbered(3_000)), "n", given.signal);
    given.abort();
    expect(await found).toBeUndefined();
  });
});
