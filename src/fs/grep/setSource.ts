import { foldedRange } from "./caseVariants";
import type { CharacterSet, SetItem } from "./patternNode";

/** Of the line ends, as a set has them: none, LF, or CR too. */
export type ExcludedLineEnds = "" | "\\n" | "\\n\\r";

/** How a set is to be written. */
export interface SetStyle {
  /** What nothing may match but by its name. */
  readonly excluded: ExcludedLineEnds;
  /** The text is ASCII, so `\w` and its like need no Unicode. */
  readonly isAsciiText: boolean;
  /** The set itself must hold both cases, because the flag `i` does not stand for the whole pattern. */
  readonly expandsCase: boolean;
}

export interface SetSource {
  readonly source: string;
  /** It can only be written with the flag `v`. */
  readonly needsSets: boolean;
}

const UNICODE_SETS = {
  word: "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}",
  digit: "\\p{Nd}",
  space: "\\t\\v\\f \\x85\\xA0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000",
};
const LINE_ENDS_LEFT: Record<ExcludedLineEnds, string> = { "": "\\n\\r", "\\n": "\\r", "\\n\\r": "" };
const ASCII_SETS = { word: "0-9A-Z_a-z", digit: "0-9", space: "\\t\\v\\f " };

/** A set as JavaScript writes it with the flag `u` or `v`. */
export function setSource(set: CharacterSet, style: SetStyle): SetSource {
  const unwrapped = unwrap(set);
  const { members, needsSets } = membersSource(unwrapped.items, style);
  if (unwrapped.isNegated) return { source: `[^${members}${style.excluded}]`, needsSets };
  // Members that are complements may hold line ends; simple ones are written without them.
  if (needsSets && style.excluded !== "") return { source: `[[${members}]--[${style.excluded}]]`, needsSets };
  return { source: `[${members}]`, needsSets };
}

/** What a word character is, for the assertions about words. */
export function wordSet(isAsciiText: boolean): string {
  return `[${(isAsciiText ? ASCII_SETS : UNICODE_SETS).word}]`;
}

/** `[\W]` is `[^\w]`, which needs no sets within sets. */
function unwrap(set: CharacterSet): CharacterSet {
  const [only] = set.items;
  if (set.items.length !== 1 || only === undefined) return set;
  if (only.kind === "nested") return unwrap({ ...only.set, isNegated: only.set.isNegated !== set.isNegated });
  if ((only.kind === "perl" || only.kind === "property") && only.isNegated) {
    return { isNegated: !set.isNegated, items: [{ ...only, isNegated: false }] };
  }
  return set;
}

function membersSource(items: readonly SetItem[], style: SetStyle): { members: string; needsSets: boolean } {
  let members = "";
  let needsSets = false;
  for (const item of items) {
    const written = itemSource(item, style);
    members += written.source;
    needsSets ||= written.needsSets;
  }
  return { members, needsSets };
}

function itemSource(item: SetItem, style: SetStyle): SetSource {
  switch (item.kind) {
    case "range":
      return { source: rangeSource(item.from, item.to, style), needsSets: false };
    case "perl": {
      const body = (item.isAscii || style.isAsciiText ? ASCII_SETS : UNICODE_SETS)[item.name];
      const lineEnds = item.name === "space" ? LINE_ENDS_LEFT[style.excluded] : "";
      return item.isNegated
        ? { source: `[^${body}${lineEnds}]`, needsSets: true }
        : { source: body + lineEnds, needsSets: false };
    }
    case "property":
      return item.isNegated
        ? { source: `\\P{${item.source}}`, needsSets: true }
        : { source: `\\p{${item.source}}`, needsSets: false };
    case "nested": {
      const { members, needsSets } = membersSource(item.set.items, style);
      return item.set.isNegated ? { source: `[^${members}]`, needsSets: true } : { source: members, needsSets };
    }
    case "operation":
    default:
      return { source: operationSource(item, style), needsSets: true };
  }
}

function operationSource(item: Extract<SetItem, { kind: "operation" }>, style: SetStyle): string {
  const left = `[${membersSource(item.left.items, style).members}]`;
  const right = `[${membersSource(item.right.items, style).members}]`;
  switch (item.operator) {
    case "intersection":
      return `[${left}&&${right}]`;
    case "difference":
      return `[${left}--${right}]`;
    case "symmetricDifference":
    default:
      return `[${left}--${right}][${right}--${left}]`;
  }
}

function rangeSource(from: number, to: number, style: SetStyle): string {
  const isCut = style.excluded !== "" && from < to && from <= 13 && to >= 10;
  if (isCut && style.excluded === "\\n") return plainRange(from, 9) + plainRange(Math.max(from, 11), to);
  if (isCut) return plainRange(from, 9) + plainRange(Math.max(from, 11), Math.min(to, 12)) + plainRange(14, to);
  if (style.excluded !== "" && from === 10 && to === 10) return "";
  return plainRange(from, to) + (style.expandsCase ? foldedRange(from, to).map(codeSource).join("") : "");
}

function plainRange(from: number, to: number): string {
  if (from > to) return "";
  return from === to ? codeSource(from) : `${codeSource(from)}-${codeSource(to)}`;
}

function codeSource(code: number): string {
  const character = String.fromCodePoint(code);
  return /[0-9A-Za-z]/.test(character) ? character : `\\u{${code.toString(16)}}`;
}
