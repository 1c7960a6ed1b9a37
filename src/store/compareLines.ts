import { alignCalls, outcomeOfFailure, type AlignedRow } from "../experiment";
import type { CallItem, SessionItem, SessionState } from "../session";

/** One line of two runs side by side; a side without an item is empty there. */
export interface CompareLine {
  readonly id: string;
  /** `words`: said before further calls · `end`: said after the last one · `notice`: a failure, a retry. */
  readonly kind: "call" | "words" | "end" | "notice";
  /** Item ids of the runs. */
  readonly a: string | undefined;
  readonly b: string | undefined;
  /**
   * `same`: both made this call · `parted`: what stands here stands in one run only · `open`: the other run has not come
   * this far, because it goes on or was cut: nothing to tell a difference from.
   */
  readonly relation: "same" | "parted" | "open";
  /** The first line that holds a call of one run only. */
  readonly isFirstDivergence: boolean;
}

/**
 * Two runs as lines: the calls aligned, the words before a call above it, what follows the last call at the end. Calls
 * that only one run made stand beside those that only the other made.
 */
export function compareLines(a: SessionState, b: SessionState): readonly CompareLine[] {
  const sides = { a: sideOf(a), b: sideOf(b) };
  const lines: CompareLine[] = [];
  const isNotice = (state: SessionState, id: string | undefined) => state.items.get(id ?? "")?.kind === "notice";
  const addWords = (kind: "words" | "end", wordsA: readonly string[], wordsB: readonly string[]) => {
    for (let row = 0; row < Math.max(wordsA.length, wordsB.length); row++) {
      const [idA, idB] = [wordsA[row], wordsB[row]];
      lines.push(line(isNotice(a, idA) || isNotice(b, idB) ? "notice" : kind, idA, idB, "parted", false));
    }
  };
  const aligned = alignCalls(comparable(sides.a.calls), comparable(sides.b.calls));
  const rows = [...packed(aligned)];
  const [lastA, lastB] = [rows.findLastIndex((row) => row.callA), rows.findLastIndex((row) => row.callB)];
  let hasDiverged = false;
  for (const [index, { callA, callB, isSame }] of rows.entries()) {
    addWords("words", sides.a.wordsBefore.get(callA ?? "") ?? [], sides.b.wordsBefore.get(callB ?? "") ?? []);
    const isOpen =
      sides.a.cut.has(callA ?? "") ||
      sides.b.cut.has(callB ?? "") ||
      (index > lastA && !sides.a.isOver) ||
      (index > lastB && !sides.b.isOver);
    const relation = isSame ? "same" : isOpen ? "open" : "parted";
    const isFirst: boolean = relation === "parted" && !hasDiverged;
    hasDiverged ||= isFirst;
    lines.push(line("call", callA, callB, relation, isFirst));
  }
  addWords("end", sides.a.wordsAfter, sides.b.wordsAfter);
  return lines;
}

/** Two states of one session with the same shape make the same lines; far cheaper than making them. */
export function lineShape(state: SessionState): string {
  let shown = 0;
  let written = 0;
  for (const item of state.items) {
    if (isShown(item)) shown++;
    if (item.kind === "call" && item.input !== undefined) written++;
  }
  return `${shown} ${written} ${isOver(state)}`;
}

/** `before` itself when nothing differs, so that the list does not render again. */
export function sameLines(before: readonly CompareLine[], after: readonly CompareLine[]): readonly CompareLine[] {
  const isSame =
    before.length === after.length &&
    before.every((one, index) => {
      const other = after[index];
      return (
        other !== undefined &&
        one.a === other.a &&
        one.b === other.b &&
        one.kind === other.kind &&
        one.relation === other.relation &&
        one.isFirstDivergence === other.isFirstDivergence
      );
    });
  return isSame ? before : after;
}

function line(
  kind: CompareLine["kind"],
  a: string | undefined,
  b: string | undefined,
  relation: CompareLine["relation"],
  isFirstDivergence: boolean,
): CompareLine {
  return { id: a === undefined ? `b:${b}` : `a:${a}`, kind, a, b, relation, isFirstDivergence };
}

interface Side {
  readonly calls: readonly CallItem[];
  readonly wordsBefore: ReadonlyMap<string, readonly string[]>;
  readonly wordsAfter: readonly string[];
  /** Calls that nobody knows the end of: the page was closed. */
  readonly cut: ReadonlySet<string>;
  /** The run has come to an end of its own: it makes no further call. */
  readonly isOver: boolean;
}

function sideOf(state: SessionState): Side {
  const calls: CallItem[] = [];
  const wordsBefore = new Map<string, readonly string[]>();
  let words: string[] = [];
  for (const item of state.items) {
    if (item.kind === "call") {
      calls.push(item);
      wordsBefore.set(item.id, words);
      words = [];
    } else if (isShown(item)) words.push(item.id);
  }
  const cut = new Set(calls.filter(({ error }) => error?.code === "host-lost").map(({ id }) => id));
  return { calls, wordsBefore, wordsAfter: words, cut, isOver: isOver(state) };
}

function isOver({ turns }: SessionState): boolean {
  const last = [...turns].at(-1);
  return last?.status === "completed" || (last?.status === "failed" && outcomeOfFailure(last.code ?? "") === "failed");
}

/** What was asked stands above both runs already. */
function isShown(item: SessionItem): boolean {
  if (item.kind === "user") return false;
  return item.kind === "notice" || item.kind === "call" || !item.done || item.text.trim() !== "";
}

function comparable(calls: readonly CallItem[]) {
  return calls.map(({ id, toolName, input }) => ({ callId: id, toolName, input }));
}

/** Rows of one run only, those of either run side by side. */
function* packed(rows: readonly AlignedRow[]) {
  const onlyA: string[] = [];
  const onlyB: string[] = [];
  const flush = function* () {
    for (let row = 0; row < Math.max(onlyA.length, onlyB.length); row++)
      yield { callA: onlyA[row], callB: onlyB[row], isSame: false };
    onlyA.length = 0;
    onlyB.length = 0;
  };
  for (const { a, b, relation } of rows) {
    if (relation === "only-a" && a) onlyA.push(a.callId);
    else if (relation === "only-b" && b) onlyB.push(b.callId);
    else {
      yield* flush();
      yield { callA: a?.callId, callB: b?.callId, isSame: true };
    }
  }
  yield* flush();
}
