import type { CharacterSet, PatternNode } from "./patternNode";
import { foldedRange } from "./caseVariants";
import { setSource, type ExcludedLineEnds } from "./setSource";

/**
 * A set as JavaScript writes it without any flag, for a text that is ASCII: the characters it holds one by one. An
 * expression without flags is searched up to three times faster.
 */
export function asciiSetSource(set: CharacterSet, ignoreCase: boolean, excluded: ExcludedLineEnds): string {
  const { source } = setSource(set, { excluded, isAsciiText: true, expandsCase: false });
  return asciiMembers(source, ignoreCase);
}

/** One character, with the ASCII ones that are equal to it when case is ignored. */
export function asciiLiteralSource(code: number, ignoreCase: boolean): string {
  const source = `\\u{${code.toString(16)}}`;
  return ignoreCase || code > 0x7f ? asciiMembers(source, ignoreCase) : asciiCharacter(code);
}

function asciiMembers(source: string, ignoreCase: boolean): string {
  const expression = new RegExp(source, ignoreCase ? "iv" : "v");
  const holds = (code: number) => code < 0x80 && expression.test(String.fromCharCode(code));
  let members = "";
  for (let code = 0; code < 0x80; code++) {
    if (!holds(code)) continue;
    const from = code;
    while (holds(code + 1)) code++;
    members += asciiCharacter(from) + (code > from + 1 ? "-" : "") + (code > from ? asciiCharacter(code) : "");
  }
  return `[${members}]`;
}

function asciiCharacter(code: number): string {
  const character = String.fromCharCode(code);
  return /\w/.test(character) ? character : `\\x${code.toString(16).padStart(2, "0")}`;
}

/** Whether a pattern finds in any text what its ASCII form finds: nothing in it speaks of other characters. */
export function isAsciiOnly(node: PatternNode): boolean {
  switch (node.kind) {
    case "literal":
      return isAsciiRange(node.code, node.code, node.ignoreCase);
    case "set":
      return (
        !node.set.isNegated &&
        node.set.items.every((item) => item.kind === "range" && isAsciiRange(item.from, item.to, node.ignoreCase))
      );
    case "sequence":
      return node.parts.every(isAsciiOnly);
    case "alternation":
      return node.options.every(isAsciiOnly);
    case "repeat":
      return isAsciiOnly(node.body);
    case "assertion":
      return node.isAscii || /^(?:line|text)/.test(node.assertion);
    case "empty":
    default:
      return true;
  }
}

function isAsciiRange(from: number, to: number, ignoreCase: boolean): boolean {
  return to < 0x80 && !(ignoreCase && foldedRange(from, to).some((code) => code > 0x7f));
}
