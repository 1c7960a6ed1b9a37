import { asciiLiteralSource, asciiSetSource } from "./asciiSource";
import { caseVariants } from "./caseVariants";
import { EMPTY, type Assertion, type CharacterSet, type PatternNode } from "./patternNode";
import { PatternSyntaxError } from "./patternSyntaxError";
import { hasWordEdge } from "./wordEdge";
import { setSource, wordSet, type SetStyle } from "./setSource";

/** How a pattern is to be written. */
export interface RegexStyle {
  /** Matches may span lines. */
  readonly isMultiline: boolean;
  readonly isAsciiText: boolean;
  /** The text has a CR that ends no line, which is a character like all others. */
  readonly hasLoneReturn: boolean;
}

/**
 * A parsed pattern as a JavaScript expression with the flags it needs. JavaScript differs from Rust in what ends a line
 * (also CR, U+2028, U+2029), in `\w`, `\d`, `\s` and `\b` (ASCII, or another set) and in folding case without `u`; so none
 * of these is left to it. A line may end with CR LF: `$` matches before it, and `.` or `\s` or `[^x]` match neither CR nor
 * LF; only a CR that the pattern names is found, or any in a text where some end no line. Unless `isMultiline`, no match holds a line feed.
 * @throws PatternSyntaxError for a line feed in a pattern that is searched line by line
 */
export function regexFromPattern(node: PatternNode, style: RegexStyle): RegExp {
  if (style.isAsciiText) return new RegExp(new RegexWriter(style, false).source(node), "g");
  const cases = new Set(casesIn(node));
  const writer = new RegexWriter(style, cases.has(true) && cases.has(false));
  const source = writer.source(node);
  return new RegExp(source, `g${cases.has(true) && !cases.has(false) ? "i" : ""}${writer.needsSets ? "v" : "u"}`);
}

class RegexWriter {
  needsSets = false;
  readonly #style: RegexStyle;
  readonly #expandsCase: boolean;

  constructor(style: RegexStyle, expandsCase: boolean) {
    this.#style = style;
    this.#expandsCase = expandsCase;
  }

  source(node: PatternNode): string {
    switch (node.kind) {
      case "empty":
        return "(?:)";
      case "literal":
        return this.#literal(node.code, node.ignoreCase);
      case "set":
        return this.#set(node.set, node.ignoreCase);
      case "assertion":
        return assertionSource(node.assertion, this.#style, node.isAscii);
      case "sequence":
        return node.parts.map((_part, index) => this.#part(node.parts, index)).join("");
      case "alternation":
        return node.options.map((option) => this.source(option)).join("|");
      case "repeat":
      default: {
        const isSingle = node.body.kind === "literal" || node.body.kind === "set";
        return this.#grouped(node.body, !isSingle) + quantifier(node.min, node.max) + (node.isGreedy ? "" : "?");
      }
    }
  }

  #part(parts: readonly PatternNode[], index: number): string {
    const part = parts[index] ?? EMPTY;
    if (part.kind === "assertion" && part.assertion === "boundary" && !part.isAscii && !this.#style.isAsciiText) {
      const word = wordSet(false);
      if (hasWordEdge(parts[index + 1], "start")) return `(?<!${word})`;
      if (hasWordEdge(parts[index - 1], "end")) return `(?!${word})`;
    }
    return this.#grouped(part, part.kind === "alternation");
  }

  #grouped(node: PatternNode, isGrouped: boolean): string {
    return isGrouped ? `(?:${this.source(node)})` : this.source(node);
  }

  #literal(code: number, ignoreCase: boolean): string {
    if (code === 10 && !this.#style.isMultiline) throw newlineFault();
    if (this.#style.isAsciiText) return asciiLiteralSource(code, ignoreCase);
    const variants = this.#expandsCase && ignoreCase ? caseVariants(code) : [code];
    return variants.length === 1 ? escapedCode(code) : `[${variants.map(escapedCode).join("")}]`;
  }

  #set(set: CharacterSet, ignoreCase: boolean): string {
    const { isMultiline, hasLoneReturn } = this.#style;
    if (!isMultiline && isOnlyNewline(set)) throw newlineFault();
    const excluded = isMultiline ? "" : hasLoneReturn ? "\\n" : "\\n\\r";
    if (this.#style.isAsciiText) return asciiSetSource(set, ignoreCase, excluded);
    const style: SetStyle = { excluded, isAsciiText: false, expandsCase: this.#expandsCase && ignoreCase };
    const { source, needsSets } = setSource(set, style);
    this.needsSets ||= needsSets;
    return source;
  }
}

function assertionSource(assertion: Assertion, { isMultiline, isAsciiText }: RegexStyle, isAsciiWord: boolean): string {
  const word = wordSet(isAsciiText || isAsciiWord);
  switch (assertion) {
    case "lineStart":
      // Not `(?<![^\n])`: that also holds between the two halves of a character.
      return "(?<=^|\\n)";
    case "lineEnd":
      return "(?=\\r?(?:\\n|$))";
    case "textStart":
      return isMultiline ? "^" : "(?<=^|\\n)";
    case "textEnd":
      return isMultiline ? "$" : "(?=\\n|$)";
    case "boundary":
      return isAsciiText ? "\\b" : `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
    case "notBoundary":
      return isAsciiText ? "\\B" : `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`;
    case "wordStart":
      return `(?<!${word})(?=${word})`;
    case "wordEnd":
    default:
      return `(?<=${word})(?!${word})`;
  }
}

/** For each piece that has cases: whether they are ignored. */
function* casesIn(node: PatternNode): Generator<boolean> {
  switch (node.kind) {
    case "literal":
      if (caseVariants(node.code).length > 1) yield node.ignoreCase;
      break;
    case "set":
      if (!isWithoutCases(node.set)) yield node.ignoreCase;
      break;
    case "sequence":
      for (const part of node.parts) yield* casesIn(part);
      break;
    case "alternation":
      for (const option of node.options) yield* casesIn(option);
      break;
    case "repeat":
      yield* casesIn(node.body);
      break;
    case "empty":
    case "assertion":
      break;
  }
}

function isWithoutCases(set: CharacterSet): boolean {
  return set.items.every(
    (item) =>
      item.kind === "perl" || (item.kind === "range" && item.from === item.to && caseVariants(item.from).length === 1),
  );
}

function isOnlyNewline(set: CharacterSet): boolean {
  return (
    !set.isNegated &&
    set.items.length > 0 &&
    set.items.every((item) => item.kind === "range" && item.from === 10 && item.to === 10)
  );
}

function newlineFault(): PatternSyntaxError {
  return new PatternSyntaxError("a line feed needs a multiline search", 0);
}

function quantifier(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === 0 && max === 1) return "?";
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

function escapedCode(code: number): string {
  const character = String.fromCodePoint(code);
  if (/[\^$\\.*+?()[\]{}|/]/.test(character)) return `\\${character}`;
  return code >= 0x20 && code < 0x7f && character !== "-" ? character : `\\u{${code.toString(16)}}`;
}
