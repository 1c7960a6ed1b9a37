import { expect, test } from "vitest";
import { tempFs, type SearchQuery, type SearchResult } from "../fs";
import { runTool } from "../testing/runTool";

test("Glob passes the pattern unchanged and gives a path a line", async () => {
  const tree = tempFs({ "/src/b.ts": "", "/src/a.ts": "", "/src/n/c.ts": "", "/d.ts": "" });
  expect(await runTool(tree, "Glob", { globPattern: "*.ts", targetDirectory: "/src" })).toEqual({
    output: { files: ["/src/a.ts", "/src/b.ts"], totalFiles: 2, clientTruncated: false },
    text: "/src/a.ts\n/src/b.ts",
  });
  expect((await runTool(tree, "Glob", { globPattern: "**/*.ts" })).text).toBe(
    "/d.ts\n/src/a.ts\n/src/b.ts\n/src/n/c.ts",
  );
  expect((await runTool(tree, "Glob", { globPattern: "*.md" })).text).toBe("(no matches)");
});

test("Glob shows 500 paths and counts the others", async () => {
  const tree = tempFs(Object.fromEntries(Array.from({ length: 623 }, (_, index) => [`/${1000 + index}.ts`, ""])));
  const { output, text } = await runTool(tree, "Glob", { globPattern: "*.ts" });
  expect(output).toMatchObject({ totalFiles: 623, clientTruncated: true });
  expect((text as string).split("\n").slice(-2)).toEqual([
    "/1499.ts",
    "[123 more files: narrow globPattern or targetDirectory to see them]",
  ]);
});

function searchable(count: number) {
  const queries: SearchQuery[] = [];
  const search = async function* (query: SearchQuery): AsyncGenerator<SearchResult> {
    queries.push(query);
    for (let index = 0; index < Math.min(count, query.maxResults ?? Infinity); index++) {
      yield { path: `/a${index}.md`, score: 9.876 - index, startLine: 3, endLine: 5, text: "passage\ntext" };
    }
  };
  return { queries, tree: { search } };
}

test("SemanticSearch gives blocks of path, lines, score and passage", async () => {
  const { queries, tree } = searchable(2);
  const input = { query: "trees", targetDirectories: ["docs", "/src/"], explanation: "why", numResults: 4 };
  expect(await runTool(tree, "SemanticSearch", input)).toEqual({
    output: {
      results: [
        { path: "/a0.md", startLine: 3, endLine: 5, score: 9.876, text: "passage\ntext" },
        { path: "/a1.md", startLine: 3, endLine: 5, score: 8.876, text: "passage\ntext" },
      ],
    },
    text: "/a0.md:3-5 (9.88)\npassage\ntext\n\n/a1.md:3-5 (8.88)\npassage\ntext",
  });
  expect(queries).toEqual([{ query: "trees", paths: ["/docs", "/src"], maxResults: 5 }]);
});

test("SemanticSearch shows ten passages and says that there are more", async () => {
  const { output, text } = await runTool(searchable(50).tree, "SemanticSearch", { query: "x", targetDirectories: [] });
  expect((output as { results: unknown[] }).results).toHaveLength(10);
  expect((text as string).split("\n\n").at(-1)).toBe("[more passages: ask for them with numResults=20]");
  expect((await runTool(searchable(0).tree, "SemanticSearch", { query: "x" })).text).toBe("(no matches)");
});
