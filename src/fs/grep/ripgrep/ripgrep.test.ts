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
/** Text, bytes in base64, or pieces of text with how often each comes. */
type Contents = string | { base64: string } | { parts: [text: string, count: number][] };
const corpus = JSON.parse(read("corpus.json")) as Record<string, Contents>;
// The first line names the version.
const recorded = read("recorded.ndjson")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => JSON.parse(line) as Recorded);

const tree = SnapshotTree.empty.withFiles(
  Object.entries(corpus).map(([path, contents]) => [`/${path}`, memoryFile(contentsOf(contents), 0)]),
);

/** Where a byte that is not UTF-8 decides: ripgrep's `.` and `[^x]` do not match it, here it is the character U+FFFD. */
const BAD_BYTE_FILES = ["/text/badutf8.txt", "/text/badmiddle.txt"];
const BAD_BYTE_PATTERN = /[.]|\\[DPW]|\[[^\]]*\^/;
/** Where a CR ends no line: `--crlf`, without which ripgrep's `$` does not see CR LF, takes it for a line's end too. */
const LONE_RETURN_FILES = ["/text/cr.txt", "/text/progress.txt"];

function contentsOf(contents: Contents): string | Uint8Array {
  if (typeof contents === "string") return contents;
  if ("parts" in contents) return contents.parts.map(([text, count]) => text.repeat(count)).join("");
  return Buffer.from(contents.base64, "base64");
}

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

/** Files that are not compared, because what they are is read otherwise here on purpose (docs/filesystem.md, section 6). */
function filesApart({ pattern, crlf }: Recorded["query"]): string[] {
  return [...(BAD_BYTE_PATTERN.test(pattern) ? BAD_BYTE_FILES : []), ...(crlf ? LONE_RETURN_FILES : [])];
}

function without(paths: readonly string[], lines: Lines): Lines {
  return Object.fromEntries(Object.entries(lines).filter(([path]) => !paths.includes(path)));
}

describe("grep answers what ripgrep answered", () => {
  it.each(recorded.map((row) => [JSON.stringify(row.query), row] as const))("%s", async (_title, { query, answer }) => {
    const { crlf: _crlf, ...rest } = query;
    const search = collected(inlineGrep(tree, { ...rest, ...(rest.path ? { path: `/${rest.path}` } : {}) }));
    if (answer.isError) await expect(search).rejects.toMatchObject({ code: "invalid-grep-pattern" });
    else {
      const { hits, context } = answerFrom(await search);
      const apart = filesApart(query);
      expect([without(apart, hits), without(apart, context)]).toEqual([
        without(apart, answer.hits),
        without(apart, answer.context),
      ]);
    }
  });
});
