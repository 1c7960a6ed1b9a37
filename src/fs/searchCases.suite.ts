import { describe, expect, it } from "vitest";
import type { FileSystem, SearchQuery, SearchResult } from "./fileSystem";
import { byScore } from "./resultOrder";
import { entriesOf, type Case } from "./suiteCase.suite";
import { tempFs } from "./tempFs";

const words = "plain words that fill a file\n".repeat(3);
const files = {
  "/src/few.md": `# Notes\n\n${words}one needle\n${words}`,
  "/src/many.md": "needle needle needle needle\n",
  "/src/same.md": "needle needle needle needle\n",
  "/a/y/z.md": "# Needle\n\na needle\n",
  "/top.md": `# Other\n\n${words}`,
};
const withNeedle = ["/a/y/z.md", "/src/few.md", "/src/many.md", "/src/same.md"];

const search = (tree: FileSystem, query: SearchQuery): Promise<SearchResult[]> => entriesOf(tree.search(query));

/** Of a tree that has an index. */
export function searchCases(that: Case): void {
  that("yields passages by score, then path, with their lines as the file has them", files, async (tree) => {
    const found = await search(tree, { query: "needle" });
    expect([...new Set(found.map(({ path }) => path))].toSorted()).toEqual(withNeedle);
    expect(found).toEqual(found.toSorted(byScore));
    expect(new Set(found.map(({ score }) => score)).size).toBeGreaterThan(1);
    for (const { path, startLine, endLine, text } of found) {
      const lines = String(await tree.read(path)).split("\n");
      expect(lines.slice(startLine - 1, endLine).join("\n")).toBe(text);
    }
  });
  that("yields the best of them where there is a cap", files, async (tree) => {
    const found = await search(tree, { query: "needle" });
    for (const maxResults of [0, 1, 3]) {
      expect(await search(tree, { query: "needle", maxResults })).toEqual(found.slice(0, maxResults));
    }
  });
  that("keeps to its paths and finds nothing where there is nothing", files, async (tree) => {
    const pathsOf = async (query: SearchQuery) =>
      [...new Set((await search(tree, query)).map(({ path }) => path))].toSorted();
    expect(await pathsOf({ query: "needle", paths: ["/src"] })).toEqual(withNeedle.slice(1));
    expect(await pathsOf({ query: "needle", paths: ["/a/y/z.md", "/src/few.md"] })).toEqual(withNeedle.slice(0, 2));
    expect(await pathsOf({ query: "needle", paths: ["/sr", "/missing"] })).toEqual([]);
    expect(await pathsOf({ query: "nowhere" })).toEqual([]);
  });
}

/** Of a tree that has none. */
export function unindexedCases(that: Case): void {
  that("finds nothing: the tree has no index", files, async (tree) => {
    expect(await search(tree, { query: "needle" })).toEqual([]);
    expect(await search(tree, { query: "needle", paths: ["/src"], maxResults: 3 })).toEqual([]);
  });
}

/** Of a tree made over another one: what is asked of it is asked of that one, the cap with it. */
export function describeSearchOver(name: string, over: (tree: FileSystem) => FileSystem): void {
  describe(`search of ${name}`, () => {
    it("tells the tree below how many passages are wanted and what for", async () => {
      const asked: SearchQuery[] = [];
      const found = { path: "/a", score: 1, startLine: 1, endLine: 1, text: "x" };
      const below: FileSystem = {
        ...tempFs({ "/a": "x" }),
        async *search(query) {
          asked.push(query);
          yield found;
        },
      };
      expect(await search(over(below), { query: "x", maxResults: 2 })).toEqual([found]);
      expect(asked).toMatchObject([{ query: "x", maxResults: 2 }]);
    });
  });
}
