import { caseVariants } from "./caseVariants";
import type { PatternNode } from "./patternNode";

/** The string that every match is, when the pattern is plain letters. */
export function wholeLiteral(node: PatternNode): string | undefined {
  const parts = node.kind === "sequence" ? node.parts : [node];
  const letters = parts.map(plainCharacter);
  return letters.includes(undefined) ? undefined : letters.join("");
}

/** The longest string that every match holds; empty when there is none. A text without it need not be searched. */
export function requiredLiteral(node: PatternNode): string {
  let longest = "";
  let run = "";
  const endRun = () => {
    if (run.length > longest.length) longest = run;
    run = "";
  };
  for (const part of node.kind === "sequence" ? node.parts : [node]) {
    const character = plainCharacter(part);
    if (character !== undefined) {
      run += character;
    } else if (part.kind !== "assertion") {
      endRun();
      run = part.kind === "repeat" && part.min > 0 ? requiredLiteral(part.body) : "";
      endRun();
    }
  }
  endRun();
  return longest;
}

function plainCharacter(node: PatternNode): string | undefined {
  if (node.kind !== "literal" || (node.ignoreCase && caseVariants(node.code).length > 1)) return undefined;
  return String.fromCodePoint(node.code);
}
