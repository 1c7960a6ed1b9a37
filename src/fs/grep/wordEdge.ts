import type { CharacterSet, PatternNode } from "./patternNode";

const WORD_CHARACTER = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u;

/**
 * Whether every match of a piece begins (or ends) with a word character: a word boundary beside it need then look to one
 * side only, which is many times faster.
 */
export function hasWordEdge(node: PatternNode | undefined, edge: "start" | "end"): boolean {
  switch (node?.kind) {
    case "literal":
      return WORD_CHARACTER.test(String.fromCodePoint(node.code));
    case "set":
      return isWordSet(node.set);
    case "repeat":
      return node.min > 0 && hasWordEdge(node.body, edge);
    case "alternation":
      return node.options.every((option) => hasWordEdge(option, edge));
    case "sequence":
      return hasWordEdge(edge === "start" ? node.parts[0] : node.parts.at(-1), edge);
    case "assertion":
    case "empty":
    case undefined:
    default:
      return false;
  }
}

function isWordSet({ isNegated, items }: CharacterSet): boolean {
  if (isNegated || items.length === 0) return false;
  return items.every((item) => {
    if (item.kind === "perl") return item.name !== "space" && !item.isNegated;
    return item.kind === "range" && isAsciiWordRange(item.from, item.to);
  });
}

function isAsciiWordRange(from: number, to: number): boolean {
  const range = String.fromCodePoint(from, to);
  return /^(?:\d\d|[A-Z]{2}|[a-z]{2}|__)$/.test(range);
}
