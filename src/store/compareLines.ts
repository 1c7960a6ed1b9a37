import { alignCalls, type AlignedRow } from "../experiment";
import type { CallItem, SessionItem, SessionState } from "../session";

/** One line of two runs side by side; a side without an item is empty there. */
export interface CompareLine {
  readonly id: string;
  /** `words`: said before further calls · `end`: said after the last one · `notice`: a failure, a retry. */
  readonly kind: "call" | "words" | "end" | "notice";
  /** Item ids of the runs. */
  readonly a: string | undefined;
  readonly b: string | undefined;
  /** `same`: both made this call · `parted`: what stands here stands in one run only. */
  readonly relation: "same" | "parted";
  /** Where the runs meet again after they first parted, or the parting itself when they never do. */
  readonly isTurningPoint: boolean;
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
  const turningPoint = turningPointOf(aligned);
  for (const { callA, callB, relation, isTurningPoint } of packed(aligned, turningPoint)) {
    addWords("words", sides.a.wordsBefore.get(callA ?? "") ?? [], sides.b.wordsBefore.get(callB ?? "") ?? []);
    lines.push(line("call", callA, callB, relation, isTurningPoint));
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
  return `${shown} ${written}`;
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
        one.isTurningPoint === other.isTurningPoint
      );
    });
  return isSame ? before : after;
}

function line(
  kind: CompareLine["kind"],
  a: string | undefined,
  b: string | undefined,
  relation: CompareLine["relation"],
  isTurningPoint: boolean,
): CompareLine {
  return { id: a === undefined ? `b:${b}` : `a:${a}`, kind, a, b, relation, isTurningPoint };
}

interface Side {
  readonly calls: readonly CallItem[];
  readonly wordsBefore: ReadonlyMap<string, readonly string[]>;
  readonly wordsAfter: readonly string[];
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
  return { calls, wordsBefore, wordsAfter: words };
}

/** What was asked stands above both runs already. */
function isShown(item: SessionItem): boolean {
  if (item.kind === "user") return false;
  return item.kind === "notice" || item.kind === "call" || !item.done || item.text.trim() !== "";
}

function comparable(calls: readonly CallItem[]) {
  return calls.map(({ id, toolName, input }) => ({ callId: id, toolName, input }));
}

/** Index of the row at which the runs meet again after they first parted; of the parting when they never do. */
function turningPointOf(rows: readonly AlignedRow[]): number {
  const parting = rows.findIndex((row) => row.firstDivergence);
  if (parting < 0) return -1;
  const meeting = rows.findIndex((row, index) => index > parting && row.relation === "same");
  return meeting < 0 ? parting : meeting;
}

/** Rows of one run only, those of either run side by side. */
function* packed(rows: readonly AlignedRow[], turningPoint: number) {
  const onlyA: AlignedRow[] = [];
  const onlyB: AlignedRow[] = [];
  const flush = function* () {
    for (let row = 0; row < Math.max(onlyA.length, onlyB.length); row++) {
      const [a, b] = [onlyA[row], onlyB[row]];
      const isTurningPoint = [a, b].some((side) => side !== undefined && side === rows[turningPoint]);
      yield { callA: a?.a?.callId, callB: b?.b?.callId, relation: "parted", isTurningPoint } as const;
    }
    onlyA.length = 0;
    onlyB.length = 0;
  };
  for (const [index, row] of rows.entries()) {
    if (row.relation === "only-a") onlyA.push(row);
    else if (row.relation === "only-b") onlyB.push(row);
    else {
      yield* flush();
      yield {
        callA: row.a?.callId,
        callB: row.b?.callId,
        relation: "same",
        isTurningPoint: index === turningPoint,
      } as const;
    }
  }
  yield* flush();
}
