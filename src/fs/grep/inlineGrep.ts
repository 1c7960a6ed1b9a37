import { limits } from "../../base";
import type { GrepQuery, GrepResult } from "../fileSystem";
import { grepFilter } from "../grepFilter";
import { normalizeFsPath } from "../path";
import type { SnapshotTree } from "../snapshotTree";
import { decodedText } from "./decodedText";
import { GrepBudgetError } from "./grepBudgetError";
import { grepExpression, type GrepExpression } from "./grepExpression";
import { grepResult } from "./grepResult";
import { lineHits, type LineHit } from "./lineHits";
import { scopedFiles } from "./scopedFiles";
import { TimeSlice } from "./timeSlice";
import type { DecodedText } from "./decodedText";

/**
 * Searches on the calling thread, with breaks for everything else on it. The budget of a file is best effort here: it is
 * looked at between two hits, and one step of an expression cannot be interrupted.
 */
export async function* inlineGrep(tree: SnapshotTree, query: GrepQuery): AsyncGenerator<GrepResult, void, undefined> {
  const expression = grepExpression(query);
  const isSearched = grepFilter(query);
  let left = query.maxResults ?? Infinity;
  const slice = new TimeSlice();
  for (const [path, file] of scopedFiles(tree, query.path)) {
    if (left <= 0) return;
    if (slice.isOver) await slice.pause();
    if (!isSearched(path)) continue;
    const decoded = decodedText(file.bytesNow?.() ?? (await file.bytes()));
    if (decoded === undefined) continue;
    for (const hit of budgetedHits(decoded, expression, query)) {
      yield grepResult(path, decoded.text, hit, query);
      left--;
      if (left <= 0) return;
      if (slice.isOver) await slice.pause();
    }
  }
}

function* budgetedHits(decoded: DecodedText, expression: GrepExpression, query: GrepQuery): Generator<LineHit> {
  const hits = lineHits(decoded, expression)[Symbol.iterator]();
  let leftMs: number = limits.grepFileBudgetMs;
  for (;;) {
    const begin = performance.now();
    const step = hits.next();
    leftMs -= performance.now() - begin;
    if (step.done) return;
    if (leftMs < 0) throw new GrepBudgetError(normalizeFsPath(query.path ?? "/"), query.pattern);
    yield step.value;
  }
}
