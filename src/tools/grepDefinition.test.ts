import { expect, test } from "vitest";
import { tempFs, type GrepQuery, type GrepResult } from "../fs";
import { runTool } from "../testing/runTool";

/** A tree whose grep answers what it is told, and remembers what it was asked. */
function scripted(results: readonly GrepResult[]) {
  const queries: GrepQuery[] = [];
  const grep = async function* (query: GrepQuery): AsyncGenerator<GrepResult> {
    queries.push(query);
    yield* results.slice(0, query.maxResults);
  };
  return { queries, grep };
}

const tree = tempFs({
  "/src/a.ts": "const a = 1;\nlet b;\nconst c = 3;\n",
  "/src/b.ts": "// nothing\nconst d = 4;\n",
  "/docs/c.md": "const in prose\n",
});

test("content: a path on its own line, then its matches, a blank line between files", async () => {
  expect(await runTool(tree, "Grep", { pattern: "const", path: "/src" })).toEqual({
    output: {
      type: "content",
      matches: [
        { file: "/src/a.ts", lineNumber: 1, line: "const a = 1;" },
        { file: "/src/a.ts", lineNumber: 3, line: "const c = 3;" },
        { file: "/src/b.ts", lineNumber: 2, line: "const d = 4;" },
      ],
      totalMatches: 3,
    },
    text: "/src/a.ts\n1:const a = 1;\n3:const c = 3;\n\n/src/b.ts\n2:const d = 4;",
  });
});

test("files and files_with_matches: a path a line", async () => {
  const expected = {
    output: { type: "files", files: ["/docs/c.md", "/src/a.ts", "/src/b.ts"], count: 3 },
    text: "/docs/c.md\n/src/a.ts\n/src/b.ts",
  };
  expect(await runTool(tree, "Grep", { pattern: "const", outputMode: "files" })).toEqual(expected);
  expect(await runTool(tree, "Grep", { pattern: "const", output_mode: "files_with_matches" })).toEqual(expected);
});

test("count: a path and its matches", async () => {
  expect(await runTool(tree, "Grep", { pattern: "const", outputMode: "count", glob: "*.ts" })).toEqual({
    output: {
      type: "count",
      counts: [
        { file: "/src/a.ts", count: 2 },
        { file: "/src/b.ts", count: 1 },
      ],
      total: 3,
    },
    text: "/src/a.ts:2\n/src/b.ts:1",
  });
});

test("Nothing found says so in every mode", async () => {
  for (const outputMode of ["content", "files", "count"]) {
    expect((await runTool(tree, "Grep", { pattern: "nowhere", outputMode })).text).toBe("(no matches)");
  }
});

test("An invalid pattern is an error about the search root", async () => {
  await expect(runTool(tree, "Grep", { pattern: "(", path: "src" })).rejects.toMatchObject({
    code: "invalid-grep-pattern",
    path: "/src",
    message: "invalid grep pattern: (",
  });
});

test("The tree is asked with its own query, aliases and all", async () => {
  const { queries, ...stand } = scripted([]);
  await runTool(stand, "Grep", {
    pattern: "x",
    path: "src/",
    glob: "*.ts",
    type: "ts",
    "-i": true,
    "-B": 1,
    "-A": 2,
    multiline: true,
    head_limit: 20_000,
    offset: 5,
  });
  await runTool(stand, "Grep", { pattern: "x", "-C": 3, "-B": 0 });
  expect(queries).toEqual([
    {
      pattern: "x",
      path: "/src",
      glob: "*.ts",
      type: "ts",
      caseInsensitive: true,
      multiline: true,
      contextBefore: 1,
      contextAfter: 2,
      maxResults: 20_006,
    },
    { pattern: "x", path: "/", contextBefore: 0, contextAfter: 3, maxResults: 10_000 },
  ]);
});

test("Context lines come once, matches win, and groups that do not touch are parted", async () => {
  const hit = (lineNumber: number): GrepResult => ({
    path: "/a",
    lineNumber,
    line: `line ${lineNumber}`,
    contextBefore: [`line ${lineNumber - 1}`],
    contextAfter: [`line ${lineNumber + 1}`],
  });
  const { output, text } = await runTool(scripted([hit(3), hit(4), hit(9)]), "Grep", { pattern: "x", context: 1 });
  expect(text).toBe("/a\n2-line 2\n3:line 3\n4:line 4\n5-line 5\n--\n8-line 8\n9:line 9\n10-line 10");
  expect(output).toMatchObject({
    matches: [{ file: "/a", lineNumber: 3, beforeContext: ["line 2"], afterContext: ["line 4"] }, {}, {}],
  });
});

test("A match over several lines shows each with its number", async () => {
  const results = [{ path: "/a", lineNumber: 2, line: "two\nthree", contextAfter: ["four"] }];
  const { text } = await runTool(scripted(results), "Grep", { pattern: "x", multiline: true, "-A": 1 });
  expect(text).toBe("/a\n2:two\n3:three\n4-four");
});

function hits(count: number, line = "x"): GrepResult[] {
  return Array.from({ length: count }, (_, index) => ({ path: "/a", lineNumber: index + 1, line }));
}

test("250 matches are shown, and the cut says how to go on", async () => {
  const { output, text } = await runTool(scripted(hits(313)), "Grep", { pattern: "x" });
  expect(output).toMatchObject({ totalMatches: 313, rest: { offset: 250, count: 63 } });
  expect((text as string).split("\n").slice(-2)).toEqual(["250:x", "[63 more matches: continue with offset=250]"]);
});

test("headLimit and offset choose matches", async () => {
  const { text } = await runTool(scripted(hits(10)), "Grep", { pattern: "x", headLimit: 2, offset: 7 });
  expect(text).toBe("/a\n8:x\n9:x\n[1 more match: continue with offset=9]");
  expect((await runTool(scripted(hits(10)), "Grep", { pattern: "x", offset: 10 })).text).toBe(
    "[no results from this offset on: use a smaller offset]",
  );
});

test("Counting ends at 10,000 matches", async () => {
  const { output, text } = await runTool(scripted(hits(12_000)), "Grep", { pattern: "x" });
  expect(output).toMatchObject({ totalMatches: 10_000, rest: { offset: 250, count: 9750, atLeast: true } });
  expect((text as string).split("\n").at(-1)).toBe(
    "[at least 9750 more matches: continue with offset=250, or narrow pattern, path or glob]",
  );
});

test("128 KB are shown in whole matches", async () => {
  const { output } = await runTool(scripted(hits(200, "x".repeat(1023))), "Grep", { pattern: "x" });
  expect(output).toMatchObject({ totalMatches: 200, rest: { offset: 128, count: 72 } });
});

test("Long lines are cut around the match where the pattern is plain text, on code points", async () => {
  const line = `${"😀".repeat(1500)}needle${"é".repeat(3000)}`;
  const results = [{ path: "/a", lineNumber: 1, line, contextAfter: ["y".repeat(2001)] }];
  const plain = await runTool(scripted(results), "Grep", { pattern: "NEEDLE", "-i": true });
  const shown = `…${"😀".repeat(500)}needle${"é".repeat(1494)}…`;
  expect(plain.output).toMatchObject({
    matches: [{ line: shown, afterContext: [`${"y".repeat(2000)}…`] }],
    cutLines: 2,
  });
  expect((plain.text as string).split("\n").at(-1)).toBe(
    "[2 lines cut at 2000 characters: Read one whole by its number with limit=1]",
  );
  const pattern = await runTool(scripted(results), "Grep", { pattern: "ne+dle" });
  expect(pattern.output).toMatchObject({ matches: [{ line: `${"😀".repeat(1500)}needle${"é".repeat(494)}…` }] });
});

test("files and count show 250 files, and page too", async () => {
  const results = Array.from({ length: 260 }, (_, index) => ({ path: `/${1000 + index}`, lineNumber: 1, line: "x" }));
  const files = await runTool(scripted(results), "Grep", { pattern: "x", outputMode: "files" });
  expect((files.text as string).split("\n").slice(-2)).toEqual(["/1249", "[10 more files: continue with offset=250]"]);
  const counts = await runTool(scripted(results), "Grep", {
    pattern: "x",
    outputMode: "count",
    offset: 258,
    headLimit: 1,
  });
  expect(counts.text).toBe("/1258:1\n[1 more file: continue with offset=259]");
});

test("Sorts by path or by time, upwards or downwards, in every mode", async () => {
  const times: Readonly<Record<string, number>> = { "/a": 30, "/b": 10, "/c": 20 };
  const results = ["/a", "/b", "/c"].flatMap((path) => [1, 2].map((lineNumber) => ({ path, lineNumber, line: "x" })));
  const stand = {
    ...scripted(results),
    stat: async (path: string) => ({ kind: "file" as const, modifiedAt: times[path] ?? 0 }),
  };
  const textOf = async (input: Record<string, string | boolean | number>) =>
    (await runTool(stand, "Grep", { pattern: "x", ...input })).text;
  expect(await textOf({ outputMode: "files", sort: "modified" })).toBe("/b\n/c\n/a");
  expect(await textOf({ outputMode: "files", sort: "modified", sortAscending: false })).toBe("/a\n/c\n/b");
  expect(await textOf({ outputMode: "count", sort_ascending: false })).toBe("/c:2\n/b:2\n/a:2");
  expect(await textOf({ outputMode: "files", sort: "none" })).toBe("/a\n/b\n/c");
  expect(await textOf({ sort: "modified", headLimit: 3 })).toBe(
    "/b\n1:x\n2:x\n\n/c\n1:x\n[3 more matches: continue with offset=3]",
  );
});

test("A tree that tells no times cannot be sorted by them", async () => {
  await expect(runTool(scripted(hits(1)), "Grep", { pattern: "x", sort: "modified" })).rejects.toMatchObject({
    code: "invalid-input",
    message: 'Grep: this tree does not tell when files were modified; sort by "path"',
  });
});
