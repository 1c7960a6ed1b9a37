import type { PatternFlags, PatternScanner } from "./patternScanner";
import type { Assertion, SetItem } from "./patternNode";
import { unicodeProperty } from "./unicodeProperty";

export type Escape =
  | { readonly kind: "character"; readonly code: number }
  | { readonly kind: "item"; readonly item: SetItem }
  | { readonly kind: "assertion"; readonly assertion: Assertion; readonly isAscii: boolean };

const CONTROLS: Record<string, number> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };
const PERL: Record<string, "word" | "digit" | "space"> = { w: "word", d: "digit", s: "space" };
const ASSERTIONS: Record<string, Assertion> = {
  A: "textStart",
  z: "textEnd",
  b: "boundary",
  B: "notBoundary",
  "<": "wordStart",
  ">": "wordEnd",
};
const HEX_DIGITS: Record<string, number> = { x: 2, u: 4, U: 8 };

/** What follows a backslash, which is already taken. Any ASCII punctuation stands for itself, as in newer Rust versions. */
export function parseEscape(scanner: PatternScanner, flags: PatternFlags): Escape {
  const letter = scanner.next();
  const assertion = ASSERTIONS[letter];
  const isAscii = !flags.unicode;
  if (letter === "b") return { kind: "assertion", assertion: wordBoundary(scanner), isAscii };
  if (assertion !== undefined) return { kind: "assertion", assertion, isAscii };
  const control = CONTROLS[letter];
  if (control !== undefined) return { kind: "character", code: control };
  const digits = HEX_DIGITS[letter];
  if (digits !== undefined) return { kind: "character", code: hexCode(scanner, digits) };
  const perl = PERL[letter.toLowerCase()];
  if (perl !== undefined) {
    const isNegated = letter !== letter.toLowerCase();
    return { kind: "item", item: { kind: "perl", name: perl, isNegated, isAscii } };
  }
  if (letter === "p" || letter === "P") return { kind: "item", item: propertyItem(scanner, letter === "P") };
  if (/[!-/:-@[-`{-~ ]/.test(letter)) return { kind: "character", code: letter.charCodeAt(0) };
  throw scanner.fault("unrecognized escape sequence");
}

function wordBoundary(scanner: PatternScanner): Assertion {
  const named = scanner.takeMatch(/\{(start|end)\}/y)?.[1];
  if (named === undefined) return "boundary";
  return named === "start" ? "wordStart" : "wordEnd";
}

function hexCode(scanner: PatternScanner, digits: number): number {
  const braced = scanner.takeMatch(/\{([\dA-Fa-f]+)\}/y)?.[1];
  const bare = braced ?? scanner.takeMatch(new RegExp(`[\\dA-Fa-f]{${digits}}`, "y"))?.[0];
  const code = Number.parseInt(bare ?? "", 16);
  if (!(code <= 0x10_ff_ff) || (code >= 0xd8_00 && code <= 0xdf_ff)) throw scanner.fault("invalid hexadecimal code");
  return code;
}

function propertyItem(scanner: PatternScanner, isOutside: boolean): SetItem {
  const match = scanner.takeMatch(/\{([^}]+)\}|([A-Za-z])/y);
  const source = match && unicodeProperty(match[1] ?? match[2] ?? "");
  if (source === undefined) throw scanner.fault("Unicode property not found");
  return { kind: "property", source, isNegated: isOutside };
}
