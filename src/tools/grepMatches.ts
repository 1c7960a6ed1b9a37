import { limits, type JsonObject } from "../base";
import type { FileSystem, GrepQuery, GrepResult } from "../fs";
import { byteCount } from "./cutText";
import { GrepLineCutter } from "./grepLineCutter";
import { grepPage, grepQuery, isTreeOrder, sortedFiles } from "./grepQuery";
import { whileRunning } from "./stopping";
import type { ToolCall } from "./tool";
import type { GrepContentOutput, GrepMatch } from "./toolOutputs";

interface Hits {
  /** Those from the page's offset on, and no more than the page needs. */
  readonly page: readonly GrepResult[];
  readonly total: number;
  /** Counting ended before the hits did. */
  readonly isPartial: boolean;
}

/** The mode `content`. */
export async function grepMatches(tree: FileSystem, input: JsonObject, call: ToolCall): Promise<GrepContentOutput> {
  const hits = isTreeOrder(input) ? await hitsInOrder(tree, input, call) : await sortedHits(tree, input, call);
  const cutter = new GrepLineCutter(input.pattern as string, input.caseInsensitive === true);
  const matches: GrepMatch[] = [];
  let bytes = 0;
  for (const hit of hits.page) {
    const match = shownMatch(hit, cutter);
    bytes += [match.line, ...(match.beforeContext ?? []), ...(match.afterContext ?? [])].reduce(
      (sum, line) => sum + byteCount(line) + 1,
      0,
    );
    if (bytes > limits.grepBytes && matches.length > 0) break;
    matches.push(match);
  }
  const next = grepPage(input).offset + matches.length;
  const count = hits.total - next;
  return {
    type: "content",
    matches,
    totalMatches: hits.total,
    ...(count > 0 ? { rest: { offset: next, count, ...(hits.isPartial ? { atLeast: true } : {}) } } : {}),
    ...(cutter.cutLines > 0 ? { cutLines: cutter.cutLines } : {}),
  };
}

async function hitsInOrder(tree: FileSystem, input: JsonObject, call: ToolCall): Promise<Hits> {
  const { offset, limit } = grepPage(input);
  const maxResults = Math.max(offset + limit + 1, limits.grepCountedHits);
  const page: GrepResult[] = [];
  let total = 0;
  for await (const hit of whileRunning(tree.grep({ ...contentQuery(input), maxResults }), call.signal)) {
    if (total >= offset && page.length < limit) page.push(hit);
    total++;
    if (total === maxResults) break;
  }
  return { page, total, isPartial: total === maxResults };
}

async function sortedHits(tree: FileSystem, input: JsonObject, call: ToolCall): Promise<Hits> {
  const byFile = new Map<string, GrepResult[]>();
  let total = 0;
  const query = { ...contentQuery(input), maxResults: limits.grepHeldHits };
  for await (const hit of whileRunning(tree.grep(query), call.signal)) {
    const ofFile = byFile.get(hit.path);
    if (ofFile) ofFile.push(hit);
    else byFile.set(hit.path, [hit]);
    total++;
    if (total === limits.grepHeldHits) break;
  }
  const files = await sortedFiles(tree, [...byFile.keys()], input, call.signal);
  const { offset, limit } = grepPage(input);
  const page = files.flatMap((file) => byFile.get(file) ?? []).slice(offset, offset + limit);
  return { page, total, isPartial: total === limits.grepHeldHits };
}

function contentQuery(input: JsonObject): GrepQuery {
  const around = input.context as number | undefined;
  return {
    ...grepQuery(input),
    contextBefore: (input.contextBefore as number | undefined) ?? around,
    contextAfter: (input.contextAfter as number | undefined) ?? around,
  };
}

function shownMatch(hit: GrepResult, cutter: GrepLineCutter): GrepMatch {
  const { contextBefore, contextAfter } = hit;
  return {
    file: hit.path,
    lineNumber: hit.lineNumber,
    line: cutter.matchingLine(hit.line),
    ...(contextBefore ? { beforeContext: contextBefore.map((line) => cutter.contextLine(line)) } : {}),
    ...(contextAfter ? { afterContext: contextAfter.map((line) => cutter.contextLine(line)) } : {}),
  };
}
