import { caseVariants } from "./caseVariants";
import type { PatternNode } from "./patternNode";

/** Strings looked for one by one before an expression is: with more, the expression is as quick. */
const MAX_LITERALS = 8;

/** The string that every match is, when the pattern is plain letters. */
export function wholeLiteral(node: PatternNode): string | undefined {
  const parts = node.kind === "sequence" ? node.parts : [node];
  const letters = parts.map(plainCharacter);
  return letters.includes(undefined) ? undefined : letters.join("");
}

/**
 * Strings of which every match holds at least one, the longest that can be had; none when nothing is sure. A text without
 * them need not be searched.
 */
export function requiredLiterals(node: PatternNode): readonly string[] {
  let best: readonly string[] = [];
  const offer = (literals: readonly string[]) => {
    if (shortest(literals) > shortest(best)) best = literals;
  };
  let run = "";
  for (const part of node.kind === "sequence" ? node.parts : [node]) {
    const character = plainCharacter(part);
    if (character !== undefined) run += character;
    else if (part.kind !== "assertion") {
      offer([run]);
      run = "";
      offer(literalsWithin(part));
    }
  }
  offer([run]);
  return best;
}

function literalsWithin(node: PatternNode): readonly string[] {
  if (node.kind === "repeat") return node.min > 0 ? requiredLiterals(node.body) : [];
  if (node.kind !== "alternation") return [];
  const options = node.options.map(requiredLiterals);
  const literals = [...new Set(options.flat())];
  return options.some((option) => option.length === 0) || literals.length > MAX_LITERALS ? [] : literals;
}

/** The length of the shortest; 0 when there are none. */
function shortest(literals: readonly string[]): number {
  return literals.length === 0 ? 0 : Math.min(...literals.map(({ length }) => length));
}

function plainCharacter(node: PatternNode): string | undefined {
  if (node.kind !== "literal" || (node.ignoreCase && caseVariants(node.code).length > 1)) return undefined;
  return String.fromCodePoint(node.code);
}
