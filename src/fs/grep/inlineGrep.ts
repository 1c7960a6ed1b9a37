import { limits } from "../../base";
import type { GrepQuery, GrepResult } from "../fileSystem";
import { grepFilter } from "../grepFilter";
import { normalizeFsPath } from "../path";
import { resultCap } from "../resultCap";
import type { SnapshotTree } from "../snapshotTree";
import { decodedText } from "./decodedText";
import { GrepBudgetError } from "./grepBudgetError";
import { grepExpression, type GrepExpression } from "./grepExpression";
import { grepResult } from "./grepResult";
import { lineHits, type LineHit } from "./lineHits";
import { scopedFiles } from "./scopedFiles";
import { TimeSlice } from "./timeSlice";
import type { DecodedText } from "./decodedText";

/** Runs a step of a search; `undefined` when it was not done within `budgetMs` and was ended. */
export type StepLimit = <T extends object>(step: () => T, budgetMs: number) => T | undefined;

/**
 * Searches on the calling thread, with breaks for everything else on it. Without a `limit` the budget of a file is best
 * effort here: it is looked at after each step to a hit or to the end, and no step can be interrupted.
 */
export async function* inlineGrep(
  tree: SnapshotTree,
  query: GrepQuery,
  limit?: StepLimit,
): AsyncGenerator<GrepResult, void, undefined> {
  const expression = grepExpression(query);
  const isSearched = grepFilter(query);
  const budget = new GrepBudget(query, expression.isBounded ? undefined : limit);
  let left = resultCap(query.maxResults);
  const slice = new TimeSlice();
  for (const [path, file] of scopedFiles(tree, query.path)) {
    if (left <= 0) return;
    if (slice.isOver) await slice.pause();
    if (!isSearched(path)) continue;
    const decoded = decodedText(file.bytesNow?.() ?? (await file.bytes()));
    if (decoded === undefined) continue;
    for (const hit of budget.hits(decoded, expression)) {
      yield grepResult(path, decoded.text, hit, query);
      left--;
      if (left <= 0) return;
      if (slice.isOver) await slice.pause();
    }
  }
}

/** The time a query may be on a file, or on small ones together. */
class GrepBudget {
  readonly #query: GrepQuery;
  readonly #limit: StepLimit | undefined;
  #leftMs = 0;
  #characters = Infinity;

  constructor(query: GrepQuery, limit: StepLimit | undefined) {
    this.#query = query;
    this.#limit = limit;
  }

  /** @throws GrepBudgetError */
  *hits(decoded: DecodedText, expression: GrepExpression): Generator<LineHit> {
    this.#characters += decoded.text.length;
    if (this.#characters > limits.grepBudgetCharacters) {
      this.#characters = decoded.text.length;
      this.#leftMs = limits.grepFileBudgetMs;
    }
    const hits = lineHits(decoded, expression)[Symbol.iterator]();
    const hitsAtOnce = this.#limit === undefined ? 1 : limits.grepWatchedHits;
    for (;;) {
      const found = this.#spent(() => taken(hits, hitsAtOnce));
      yield* found;
      if (found.length < hitsAtOnce) return;
    }
  }

  #spent<T extends object>(step: () => T): T {
    const begin = performance.now();
    const done = this.#limit === undefined ? step() : this.#limit(step, this.#leftMs);
    this.#leftMs -= performance.now() - begin;
    if (done !== undefined && this.#leftMs > 0) return done;
    throw new GrepBudgetError(normalizeFsPath(this.#query.path ?? "/"), this.#query.pattern);
  }
}

function taken(hits: Iterator<LineHit>, count: number): LineHit[] {
  const found: LineHit[] = [];
  for (let step = hits.next(); step.done !== true; step = hits.next()) {
    found.push(step.value);
    if (found.length === count) break;
  }
  return found;
}
