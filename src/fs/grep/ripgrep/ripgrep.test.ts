import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { GrepQuery, GrepResult } from "../../fileSystem";
import { memoryFile } from "../../memoryFile";
import { SnapshotTree } from "../../snapshotTree";
import { inlineGrep } from "../inlineGrep";

type Lines = Record<string, number[]>;
interface Recorded {
  readonly query: GrepQuery & { readonly crlf?: boolean };
  readonly answer:
    | { readonly isError: true }
    | { readonly isError?: never; readonly hits: Lines; readonly context: Lines };
}

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
const corpus = JSON.parse(read("corpus.json")) as Record<string, string | { base64: string }>;
const recorded = read("recorded.ndjson")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Recorded);

const tree = SnapshotTree.empty.withFiles(
  Object.entries(corpus).map(([path, contents]) => [
    `/${path}`,
    memoryFile(typeof contents === "string" ? contents : Buffer.from(contents.base64, "base64"), 0),
  ]),
);

/** Where a byte that is not UTF-8 decides: ripgrep's `.` and `[^x]` pass over it, here it is the character U+FFFD. */
const BAD_BYTE_PATTERNS = ["caf.", "..foo", "\\W\\W"];

async function collected<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

/** Line numbers by path, as the recording has them: a context line that is a hit is a hit. */
function answerFrom(results: readonly GrepResult[]) {
  const hits: Lines = {};
  for (const { path, lineNumber } of results) (hits[path] ??= []).push(lineNumber);
  const context: Lines = {};
  for (const { path, lineNumber, contextBefore = [], contextAfter = [] } of results) {
    const around = [
      ...contextBefore.map((_line, index) => lineNumber - contextBefore.length + index),
      ...contextAfter.map((_line, index) => lineNumber + 1 + index),
    ];
    for (const line of around) {
      if (!hits[path]?.includes(line) && !context[path]?.includes(line)) (context[path] ??= []).push(line);
    }
  }
  return { hits, context };
}

function withoutBadBytes(hits: Lines): Lines {
  return Object.fromEntries(Object.entries(hits).filter(([path]) => path !== "/text/badutf8.txt"));
}

describe("grep answers what ripgrep answered", () => {
  it.each(recorded.map((row) => [JSON.stringify(row.query), row] as const))("%s", async (_title, { query, answer }) => {
    const { crlf: _crlf, ...rest } = query;
    const search = collected(inlineGrep(tree, { ...rest, ...(rest.path ? { path: `/${rest.path}` } : {}) }));
    if (answer.isError) await expect(search).rejects.toMatchObject({ code: "invalid-grep-pattern" });
    else if (BAD_BYTE_PATTERNS.includes(query.pattern)) {
      expect(withoutBadBytes(answerFrom(await search).hits)).toEqual(withoutBadBytes(answer.hits));
    } else expect(answerFrom(await search)).toEqual(answer);
  });
});
