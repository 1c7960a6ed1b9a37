import { alternationOf, EMPTY, repeatOf, sequenceOf, type PatternNode } from "./patternNode";

/**
 * A pattern that matches in the same lines and does less: only whether a line matches counts, so a repetition at either
 * end need not go past its minimum (`.*foo` is `foo`, `\w+Error` is `\wError`). It also takes the sting out of many
 * patterns that would backtrack for ever.
 */
export function trimmedPattern(node: PatternNode): PatternNode {
  return trimmedAt("end", trimmedAt("start", node));
}

function trimmedAt(edge: "start" | "end", node: PatternNode): PatternNode {
  switch (node.kind) {
    case "repeat":
      if (node.min === 0) return EMPTY;
      if (node.min === 1) return trimmedAt(edge, node.body);
      return repeatOf(node.body, node.min, node.min, true);
    case "alternation":
      return alternationOf(node.options.map((option) => trimmedAt(edge, option)));
    case "sequence":
      return trimmedSequence(edge, node.parts);
    case "empty":
    case "literal":
    case "set":
    case "assertion":
    default:
      return node;
  }
}

function trimmedSequence(edge: "start" | "end", parts: readonly PatternNode[]): PatternNode {
  const rest = [...parts];
  while (rest.length > 0) {
    const part = (edge === "start" ? rest.shift() : rest.pop()) ?? EMPTY;
    const trimmed = trimmedAt(edge, part);
    if (trimmed.kind !== "empty") return sequenceOf(edge === "start" ? [trimmed, ...rest] : [...rest, trimmed]);
  }
  return EMPTY;
}
