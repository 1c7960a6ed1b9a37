import type { DecodedText } from "./decodedText";
import type { GrepExpression } from "./grepExpression";
import { mixedOffsets } from "./mixedOffsets";

/** A line that matches: where it lies in its text, its end (LF, with the CR before it) left out. */
export interface LineHit {
  /** From 1. */
  readonly lineNumber: number;
  readonly start: number;
  readonly end: number;
}

/**
 * The lines of a text that match, in order. The whole text is searched at once; lines are counted only up to what is
 * found. A match never holds a line feed (regexSource.ts), so the line its end lies in is the line that matches, and the
 * search goes on at the next line.
 */
export function lineHits(decoded: DecodedText, expression: GrepExpression): Iterable<LineHit> {
  if (expression.required !== "" && !decoded.text.includes(expression.required)) return [];
  if (expression.isMultiline) return spanningHits(decoded, expression);
  const { literal } = expression;
  return literal === undefined ? expressionHits(decoded, expression) : literalHits(decoded.text, literal);
}

function* literalHits(text: string, literal: string): Generator<LineHit> {
  const lines = new LineCounter(text);
  for (let at = text.indexOf(literal); at >= 0;) {
    const hit = lines.lineAt(at);
    yield hit;
    if (lines.next > text.length) return;
    at = text.indexOf(literal, lines.next);
  }
}

function* expressionHits(decoded: DecodedText, expression: GrepExpression): Generator<LineHit> {
  const { text, isAscii } = decoded;
  const [ascii, full] = [expression.regex(true), expression.regex(false)];
  const lines = new LineCounter(text);
  if (!isAscii && ascii.source !== full.source) {
    for (const offset of mixedOffsets(decoded, ascii, full)) if (!lines.isPastLast(offset)) yield lines.lineAt(offset);
    return;
  }
  ascii.lastIndex = 0;
  while (ascii.test(text)) {
    // An empty match may lie behind the last line end, where there is no line.
    if (ascii.lastIndex >= text.length && lines.isPastLast(ascii.lastIndex)) return;
    yield lines.lineAt(ascii.lastIndex);
    if (lines.next > text.length) return;
    ascii.lastIndex = lines.next;
  }
}

/** Matches that may span lines: every line a match touches is a hit, once. */
function* spanningHits({ text, isAscii }: DecodedText, expression: GrepExpression): Generator<LineHit> {
  const regex = expression.regex(isAscii);
  const lines = new LineCounter(text);
  regex.lastIndex = 0;
  for (let match = regex.exec(text); match !== null; match = regex.exec(text)) {
    const end = match.index + match[0].length;
    if (lines.isPastLast(match.index)) return;
    let at = Math.max(match.index, lines.next);
    // A match that ends with a line feed does not touch the line behind it.
    for (const last = Math.max(match.index, end - 1); at <= last && !lines.isPastLast(at); at = lines.next) {
      yield lines.lineAt(at);
    }
    // By whole characters: from the middle of one the expression would step back for ever.
    if (end === match.index) regex.lastIndex = end + ((text.codePointAt(end) ?? 0) > 0xff_ff ? 2 : 1);
    if (regex.lastIndex > text.length) return;
  }
}

/** Finds the line around an offset and its number; offsets must not go back. */
class LineCounter {
  readonly #text: string;
  #countedTo = 0;
  #lineNumber = 1;
  /** Where the line after the last one found begins; past the text when there is none. */
  next = 0;

  constructor(text: string) {
    this.#text = text;
  }

  lineAt(offset: number): LineHit {
    const text = this.#text;
    const feed = text.indexOf("\n", offset);
    const lineEnd = feed < 0 ? text.length : feed;
    const start = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
    for (let at = text.indexOf("\n", this.#countedTo); at >= 0 && at < start; at = text.indexOf("\n", at + 1)) {
      this.#lineNumber++;
    }
    this.#countedTo = start;
    this.next = lineEnd + 1;
    const hasReturn = lineEnd > start && text.charCodeAt(lineEnd - 1) === 13;
    return { lineNumber: this.#lineNumber, start, end: hasReturn ? lineEnd - 1 : lineEnd };
  }

  /** Whether the offset lies behind the last line's end. */
  isPastLast(offset: number): boolean {
    return offset >= this.#text.length && (offset === 0 || this.#text.charCodeAt(offset - 1) === 10);
  }
}
