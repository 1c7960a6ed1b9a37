import { parseEscape } from "./parseEscape";
import type { CharacterSet, SetItem } from "./patternNode";
import type { PatternFlags, PatternScanner } from "./patternScanner";

const OPERATORS = { "&&": "intersection", "--": "difference", "~~": "symmetricDifference" } as const;
type OperatorText = keyof typeof OPERATORS;

/** The POSIX classes, ASCII only, as ranges. */
const POSIX: Record<string, string> = {
  alnum: "09AZaz",
  alpha: "AZaz",
  ascii: "\u0000\u007f",
  blank: "\t\t  ",
  cntrl: "\u0000\u001f\u007f\u007f",
  digit: "09",
  graph: "!~",
  lower: "az",
  print: " ~",
  punct: "!/:@[`{~",
  space: "\t\r  ",
  upper: "AZ",
  word: "09AZ__az",
  xdigit: "09AFaf",
};

const POSIX_CLASS = new RegExp(`\\[:(\\^?)(${Object.keys(POSIX).join("|")}):\\]`, "y");

/** A class in brackets; the opening one is already taken. */
export function parseSet(scanner: PatternScanner, flags: PatternFlags): CharacterSet {
  const isNegated = scanner.take("^");
  const first: SetItem[] = [];
  // A `]` or `-` that comes first stands for itself.
  if (scanner.take("]")) first.push(rangeItem("]", "]"));
  while (scanner.looksAt("-")) first.push(rangeItem(scanner.next(), "-"));
  let set: CharacterSet = { isNegated: false, items: [...first, ...parseItems(scanner, flags)] };
  for (let operator = takeOperator(scanner); operator !== undefined; operator = takeOperator(scanner)) {
    const right: CharacterSet = { isNegated: false, items: parseItems(scanner, flags) };
    set = { isNegated: false, items: [{ kind: "operation", operator: OPERATORS[operator], left: set, right }] };
  }
  if (!scanner.take("]")) throw scanner.fault("unclosed character class");
  return { isNegated, items: set.items };
}

function takeOperator(scanner: PatternScanner): OperatorText | undefined {
  return (["&&", "--", "~~"] as const).find((operator) => scanner.take(operator));
}

function parseItems(scanner: PatternScanner, flags: PatternFlags): SetItem[] {
  const items: SetItem[] = [];
  for (;;) {
    scanner.skipVerbose(flags);
    const isEnd = scanner.isAtEnd || scanner.looksAt("]") || scanner.looksAt("&&") || scanner.looksAt("~~");
    if (isEnd || (scanner.looksAt("--") && items.length > 0)) return items;
    items.push(parseItem(scanner, flags));
  }
}

function parseItem(scanner: PatternScanner, flags: PatternFlags): SetItem {
  const posix = scanner.takeMatch(POSIX_CLASS);
  if (posix !== undefined) return posixItem(posix[2] ?? "", posix[1] === "^");
  if (scanner.take("[")) return { kind: "nested", set: parseSet(scanner, flags) };
  const from = parseMember(scanner, flags);
  scanner.skipVerbose(flags);
  const isRange = scanner.looksAt("-") && !scanner.looksAt("--") && !scanner.looksAt("-]");
  if (typeof from !== "number") {
    if (isRange) throw scanner.fault("invalid character class range");
    return from;
  }
  if (!isRange) return { kind: "range", from, to: from };
  scanner.next();
  scanner.skipVerbose(flags);
  const to = parseMember(scanner, flags);
  if (typeof to !== "number" || to < from) throw scanner.fault("invalid character class range");
  return { kind: "range", from, to };
}

/** One character by its code, or a class such as `\d`. */
function parseMember(scanner: PatternScanner, flags: PatternFlags): number | SetItem {
  if (!scanner.take("\\")) return scanner.next().codePointAt(0) ?? 0;
  const escape = parseEscape(scanner, flags);
  if (escape.kind === "character") return escape.code;
  if (escape.kind === "item") return escape.item;
  throw scanner.fault("invalid escape sequence in character class");
}

function posixItem(name: string, isNegated: boolean): SetItem {
  const ranges = POSIX[name] ?? "";
  const items = Array.from({ length: ranges.length / 2 }, (_, index) =>
    rangeItem(ranges.charAt(2 * index), ranges.charAt(2 * index + 1)),
  );
  return { kind: "nested", set: { isNegated, items } };
}

function rangeItem(from: string, to: string): SetItem {
  return { kind: "range", from: from.charCodeAt(0), to: to.charCodeAt(0) };
}
