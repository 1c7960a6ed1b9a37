import type { JsonObject } from "../base";

/** A tool call as alignment sees it. */
export interface ComparableCall {
  readonly callId: string;
  readonly toolName: string;
  readonly input?: JsonObject | undefined;
}

/** One line of two runs set side by side. `same` rows hold both; a row of one run only says which. */
export interface AlignedRow {
  readonly a: ComparableCall | undefined;
  readonly b: ComparableCall | undefined;
  readonly relation: "same" | "only-a" | "only-b";
  /** The first row at which the runs part. */
  readonly firstDivergence: boolean;
}

/** The argument that says what a call is about, by the published names, tool by tool. */
const KEY_ARGUMENTS = ["path", "pattern", "globPattern", "query", "command", "url", "searchTerm"];

/** What makes two calls the same for alignment: the tool and the argument that says what it is about. */
export function callKey(call: ComparableCall): string {
  const input = call.input ?? {};
  const named = KEY_ARGUMENTS.filter((argument) => input[argument] !== undefined);
  // Grep is about its pattern; where it looks is a detail.
  const key = input["pattern"] !== undefined ? "pattern" : named[0];
  return JSON.stringify([call.toolName, key === undefined ? input : input[key]]);
}

/** Aligns two runs' calls by their longest common subsequence on tool and key argument. */
export function alignCalls(a: readonly ComparableCall[], b: readonly ComparableCall[]): AlignedRow[] {
  const keysA = a.map(callKey);
  const keysB = b.map(callKey);
  const lengths = commonLengths(keysA, keysB);
  const rows: Omit<AlignedRow, "firstDivergence">[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && keysA[i] === keysB[j]) {
      rows.push({ a: a[i++], b: b[j++], relation: "same" });
    } else if (j >= b.length || (i < a.length && at(lengths, i + 1, j) >= at(lengths, i, j + 1))) {
      rows.push({ a: a[i++], b: undefined, relation: "only-a" });
    } else {
      rows.push({ a: undefined, b: b[j++], relation: "only-b" });
    }
  }
  const first = rows.findIndex((row) => row.relation !== "same");
  return rows.map((row, index) => ({ ...row, firstDivergence: index === first }));
}

/** `lengths[i][j]`: the longest common subsequence of `a` from `i` and `b` from `j`. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint32Array[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i] as Uint32Array;
      row[j] = a[i] === b[j] ? at(lengths, i + 1, j + 1) + 1 : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1));
    }
  }
  return lengths;
}

function at(lengths: readonly Uint32Array[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}
