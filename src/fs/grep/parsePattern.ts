import { parseEscape } from "./parseEscape";
import { parseSet } from "./parseSet";
import { alternationOf, EMPTY, repeatOf, sequenceOf, type CharacterSet, type PatternNode } from "./patternNode";
import { PatternScanner, type PatternFlags } from "./patternScanner";

/** What a counted repetition may come to: about where the compiled pattern grows too large for ripgrep. */
const MAX_REPEAT = 1_000_000;

const ANY: CharacterSet = { isNegated: true, items: [] };
const ANY_BUT_NEWLINE: CharacterSet = { isNegated: true, items: [{ kind: "range", from: 10, to: 10 }] };

/**
 * Parses a pattern in the syntax of Rust's regex crate. Look-around and back-references are not in it; a quantifier of a
 * quantifier is (`a++` is one or more of `a+`). `m` is on from the start, as ripgrep sets it.
 * @throws PatternSyntaxError
 */
export function parsePattern(pattern: string, ignoreCase: boolean): PatternNode {
  const scanner = new PatternScanner(pattern);
  const flags: PatternFlags = {
    ignoreCase,
    multiLine: true,
    dotMatchesNewline: false,
    swapGreed: false,
    unicode: true,
    verbose: false,
  };
  const node = parseAlternation(scanner, flags);
  if (!scanner.isAtEnd) throw scanner.fault("unopened group");
  return node;
}

function parseAlternation(scanner: PatternScanner, outerFlags: PatternFlags): PatternNode {
  let flags = outerFlags;
  const options: PatternNode[] = [];
  let parts: PatternNode[] = [];
  for (;;) {
    scanner.skipVerbose(flags);
    if (scanner.isAtEnd || scanner.looksAt(")")) break;
    if (scanner.take("|")) {
      options.push(sequenceOf(parts));
      parts = [];
      continue;
    }
    // Flags set inside a group hold to its end, over the `|` too.
    const changed = takeFlags(scanner, flags);
    if (changed !== undefined) flags = changed;
    else parts.push(parseRepeats(scanner, flags, parseAtom(scanner, flags)));
  }
  return alternationOf([...options, sequenceOf(parts)]);
}

/** `(?flags)`: what holds from here on. */
function takeFlags(scanner: PatternScanner, flags: PatternFlags): PatternFlags | undefined {
  const match = scanner.takeMatch(/\(\?([A-Za-z]*(?:-[A-Za-z]+)?)\)/y);
  if (match === undefined) return undefined;
  if (match[1] === "") throw scanner.fault("repetition operator missing expression");
  return changedFlags(scanner, flags, match[1] ?? "");
}

function parseAtom(scanner: PatternScanner, flags: PatternFlags): PatternNode {
  const { ignoreCase } = flags;
  const character = scanner.next();
  switch (character) {
    case "(":
      return parseGroup(scanner, flags);
    case "[":
      return { kind: "set", set: parseSet(scanner, flags), ignoreCase };
    case ".":
      return { kind: "set", set: flags.dotMatchesNewline ? ANY : ANY_BUT_NEWLINE, ignoreCase: false };
    case "^":
      return { kind: "assertion", assertion: flags.multiLine ? "lineStart" : "textStart", isAscii: false };
    case "$":
      return { kind: "assertion", assertion: flags.multiLine ? "lineEnd" : "textEnd", isAscii: false };
    case "\\":
      return escapeNode(scanner, flags);
    case "*":
    case "+":
    case "?":
    case "{":
      throw scanner.fault("repetition operator missing expression");
    default:
      return { kind: "literal", code: character.codePointAt(0) ?? 0, ignoreCase };
  }
}

function escapeNode(scanner: PatternScanner, flags: PatternFlags): PatternNode {
  const { ignoreCase } = flags;
  const escape = parseEscape(scanner, flags);
  if (escape.kind === "assertion") return escape;
  if (escape.kind === "character") return { kind: "literal", code: escape.code, ignoreCase };
  return { kind: "set", set: { isNegated: false, items: [escape.item] }, ignoreCase };
}

function parseGroup(scanner: PatternScanner, flags: PatternFlags): PatternNode {
  let inner = flags;
  if (scanner.looksAt("?")) {
    const name = scanner.takeMatch(/\?P?<([A-Za-z_][\w.[\]]*)>/y)?.[1];
    const match = name === undefined ? scanner.takeMatch(/\?([A-Za-z]*(?:-[A-Za-z]+)?):/y) : undefined;
    if (name === undefined && match === undefined) throw scanner.fault("unrecognized group");
    if (name !== undefined) scanner.addName(name);
    inner = changedFlags(scanner, flags, match?.[1] ?? "");
  }
  const body = parseAlternation(scanner, inner);
  if (!scanner.take(")")) throw scanner.fault("unclosed group");
  return body;
}

const FLAG_NAMES: Record<string, keyof PatternFlags | "crlf"> = {
  i: "ignoreCase",
  m: "multiLine",
  s: "dotMatchesNewline",
  U: "swapGreed",
  u: "unicode",
  x: "verbose",
  // CR before a line's end is always taken for a part of it.
  R: "crlf",
};

function changedFlags(scanner: PatternScanner, flags: PatternFlags, letters: string): PatternFlags {
  const changed: Record<string, boolean> = {};
  let isOn = true;
  for (const letter of letters) {
    const name = FLAG_NAMES[letter];
    if (letter === "-") isOn = false;
    else if (name === undefined) throw scanner.fault("unrecognized flag");
    else changed[name] = isOn;
  }
  return { ...flags, ...changed };
}

function parseRepeats(scanner: PatternScanner, flags: PatternFlags, atom: PatternNode): PatternNode {
  let node = atom;
  for (;;) {
    scanner.skipVerbose(flags);
    const bounds = takeBounds(scanner);
    if (bounds === undefined) return node;
    const isGreedy = scanner.take("?") === flags.swapGreed;
    node = bounds.max === 0 ? EMPTY : repeatOf(node, bounds.min, bounds.max, isGreedy);
  }
}

function takeBounds(scanner: PatternScanner): { min: number; max: number } | undefined {
  if (scanner.take("*")) return { min: 0, max: Infinity };
  if (scanner.take("+")) return { min: 1, max: Infinity };
  if (scanner.take("?")) return { min: 0, max: 1 };
  if (!scanner.looksAt("{")) return undefined;
  const match = scanner.takeMatch(/\{\s*(\d+)\s*(?:(,)\s*(\d*)\s*)?\}/y);
  if (match === undefined) throw scanner.fault("invalid counted repetition");
  const min = Number(match[1] ?? 0);
  const max = match[2] === undefined ? min : match[3] ? Number(match[3]) : Infinity;
  const isTooLarge = min > MAX_REPEAT || (max !== Infinity && max > MAX_REPEAT);
  if (max < min || isTooLarge) throw scanner.fault("invalid counted repetition");
  return { min, max };
}
