/** One piece of a pattern in Rust's regex syntax, as parsed (parsePattern.ts). Captures have no meaning to a search. */
export type PatternNode =
  | { readonly kind: "empty" }
  | { readonly kind: "literal"; readonly code: number; readonly ignoreCase: boolean }
  | { readonly kind: "set"; readonly set: CharacterSet; readonly ignoreCase: boolean }
  /** About words as ASCII has them when `isAscii`, else as Unicode does. */
  | { readonly kind: "assertion"; readonly assertion: Assertion; readonly isAscii: boolean }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "alternation"; readonly options: readonly PatternNode[] }
  | {
      readonly kind: "repeat";
      readonly body: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly isGreedy: boolean;
    };

export type Assertion =
  | "lineStart"
  | "lineEnd"
  | "textStart"
  | "textEnd"
  | "boundary"
  | "notBoundary"
  | "wordStart"
  | "wordEnd";

export interface CharacterSet {
  readonly isNegated: boolean;
  readonly items: readonly SetItem[];
}

export type SetItem =
  | { readonly kind: "range"; readonly from: number; readonly to: number }
  /** `\w`, `\d`, `\s`: Unicode unless `isAscii`. */
  | {
      readonly kind: "perl";
      readonly name: "word" | "digit" | "space";
      readonly isNegated: boolean;
      readonly isAscii: boolean;
    }
  /** `source` is what JavaScript writes between the braces of `\p{}`. */
  | { readonly kind: "property"; readonly source: string; readonly isNegated: boolean }
  | { readonly kind: "nested"; readonly set: CharacterSet }
  | {
      readonly kind: "operation";
      readonly operator: "intersection" | "difference" | "symmetricDifference";
      readonly left: CharacterSet;
      readonly right: CharacterSet;
    };

export const EMPTY: PatternNode = { kind: "empty" };

export function sequenceOf(parts: readonly PatternNode[]): PatternNode {
  const flat = parts.flatMap((part) => (part.kind === "sequence" ? part.parts : part.kind === "empty" ? [] : [part]));
  const [only] = flat;
  if (only === undefined) return EMPTY;
  return flat.length === 1 ? only : { kind: "sequence", parts: flat };
}

export function alternationOf(options: readonly PatternNode[]): PatternNode {
  const [only] = options;
  return options.length === 1 && only !== undefined ? only : { kind: "alternation", options };
}

/**
 * A repetition. One of an unbounded repetition is that repetition again (`(a+)+` is `a+`): JavaScript's engine would go
 * through every way to split the text between the two.
 */
export function repeatOf(body: PatternNode, min: number, max: number, isGreedy: boolean): PatternNode {
  if (body.kind === "empty") return EMPTY;
  if (body.kind === "assertion") return min > 0 ? body : EMPTY;
  if (min === 1 && max === 1) return body;
  if (body.kind === "repeat" && body.max === Infinity && body.min <= 1 && min <= 1) {
    return { kind: "repeat", body: body.body, min: Math.min(min, body.min), max: Infinity, isGreedy };
  }
  return { kind: "repeat", body, min, max, isGreedy };
}
