import type { DecodedText } from "./decodedText";
import type { GrepExpression } from "./grepExpression";
import { LineStarts } from "./lineStarts";
import { matchesLine, mixedOffsets } from "./mixedOffsets";

/** A line that matches: where it lies in its text, its end (LF, with the CR before it) left out. */
export interface LineHit {
  /** From 1. */
  readonly lineNumber: number;
  readonly start: number;
  readonly end: number;
}

/** Lines with the required string after which a search looks whether there are too many of them. */
const FEW_CANDIDATES = 16;
/** UTF-16 units an expression searches in the time one such line takes: with less between two, it is quicker alone. */
const CANDIDATE_UNITS = 400;

/**
 * The lines of a text that match, in order. The whole text is searched at once; lines are counted only up to what is
 * found. A match never holds a line feed (regexSource.ts), so the line its end lies in is the line that matches, and the
 * search goes on at the next line.
 */
export function lineHits(decoded: DecodedText, expression: GrepExpression): Iterable<LineHit> {
  const { literal, required, isMultiline } = expression;
  if (literal !== undefined) return literalHits(decoded, literal);
  if (required.length > 0 && !required.some((string) => decoded.text.includes(string))) return [];
  if (isMultiline) return spanningHits(decoded, expression);
  const [only] = required;
  if (only === undefined || required.length > 1) return expressionHits(decoded, expression, new LineCursor(decoded));
  return candidateHits(decoded, expression, only);
}

function* literalHits(decoded: DecodedText, literal: string): Generator<LineHit> {
  const { text } = decoded;
  const lines = new LineCursor(decoded);
  for (let at = text.indexOf(literal); at >= 0;) {
    const hit = lines.lineAt(at);
    yield hit;
    if (lines.next > text.length) return;
    at = text.indexOf(literal, lines.next);
  }
}

/** Looks for a string that every match holds, and for the expression only in the lines that have it. */
function* candidateHits(decoded: DecodedText, expression: GrepExpression, required: string): Generator<LineHit> {
  const { text } = decoded;
  const forms = expression.forms(decoded.hasLoneReturn);
  const lines = new LineCursor(decoded);
  let next = 0;
  for (let candidates = 1, at = text.indexOf(required); at >= 0; candidates++, at = text.indexOf(required, next)) {
    const start = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
    const feed = text.indexOf("\n", at);
    if (matchesLine(decoded, forms, start, feed < 0 ? text.length : feed)) yield lines.lineAt(at);
    if (feed < 0) return;
    next = feed + 1;
    if (candidates > FEW_CANDIDATES && next < candidates * CANDIDATE_UNITS) {
      yield* expressionHits(decoded, expression, lines, next);
      return;
    }
  }
}

/** `from` is the start of a line. */
function* expressionHits(
  decoded: DecodedText,
  expression: GrepExpression,
  lines: LineCursor,
  from = 0,
): Generator<LineHit> {
  const { text, isAscii } = decoded;
  const forms = expression.forms(decoded.hasLoneReturn);
  const { ascii } = forms;
  if (!isAscii && ascii !== forms.full) {
    for (const offset of mixedOffsets(decoded, forms, from)) {
      if (!lines.isPastLast(offset)) yield lines.lineAt(offset);
    }
    return;
  }
  ascii.lastIndex = from;
  while (ascii.test(text)) {
    // An empty match may lie behind the last line end, where there is no line.
    if (ascii.lastIndex >= text.length && lines.isPastLast(ascii.lastIndex)) return;
    yield lines.lineAt(ascii.lastIndex);
    if (lines.next > text.length) return;
    ascii.lastIndex = lines.next;
  }
}

/** Matches that may span lines: every line a match touches is a hit, once. */
function* spanningHits(decoded: DecodedText, expression: GrepExpression): Generator<LineHit> {
  const { text, isAscii } = decoded;
  const { ascii, full } = expression.forms(decoded.hasLoneReturn);
  const regex = isAscii ? ascii : full;
  const lines = new LineCursor(decoded);
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
class LineCursor {
  readonly #text: string;
  readonly #starts: LineStarts;
  #line = 0;
  /** Where the line after the last one found begins; past the text when there is none. */
  next = 0;

  constructor(decoded: DecodedText) {
    this.#text = decoded.text;
    this.#starts = LineStarts.of(decoded);
  }

  lineAt(offset: number): LineHit {
    const line = this.#starts.lineOf(offset, this.#line);
    this.#line = line;
    this.next = this.#starts.start(line + 1);
    const start = this.#starts.start(line);
    const feed = this.next - 1;
    const hasReturn = feed > start && this.#text.charCodeAt(feed - 1) === 13;
    return { lineNumber: line + 1, start, end: hasReturn ? feed - 1 : feed };
  }

  /** Whether the offset lies behind the last line's end. */
  isPastLast(offset: number): boolean {
    return offset >= this.#text.length && (offset === 0 || this.#text.charCodeAt(offset - 1) === 10);
  }
}
