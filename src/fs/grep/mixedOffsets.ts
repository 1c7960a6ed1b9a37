import type { DecodedText } from "./decodedText";
import type { RegexForms } from "./grepExpression";

/** The lines of a text that are not ASCII: where each begins, and where it ends (its LF). Found once a text. */
const foreignLines = new WeakMap<DecodedText, readonly ForeignLine[]>();

interface ForeignLine {
  readonly start: number;
  readonly end: number;
}

const FOREIGN = /[^\0-\x7f]/;

/**
 * Offsets in the lines that match, in order, for a text that is not all ASCII. Most lines of such a text are, and for
 * those the ASCII form of the expression gives the same answer many times faster; only the others need the full one.
 * `from` is the start of a line.
 */
export function* mixedOffsets(
  decoded: DecodedText,
  { ascii, full }: RegexForms,
  from: number,
): Generator<number, void, undefined> {
  const { text } = decoded;
  let at = nextMatch(ascii, text, from);
  for (const { start, end } of foreignLinesOf(decoded)) {
    if (start < from) continue;
    for (; at >= 0 && at < start; at = nextMatch(ascii, text, nextLine(text, at))) yield at;
    if (matches(full, text.slice(start, end))) yield start;
    if (at >= 0 && at <= end) at = nextMatch(ascii, text, end + 1);
  }
  for (; at >= 0; at = nextMatch(ascii, text, nextLine(text, at))) yield at;
}

/** Whether the line from `start` to `end` (its LF) matches. */
export function matchesLine(decoded: DecodedText, forms: RegexForms, start: number, end: number): boolean {
  const line = decoded.text.slice(start, end);
  return matches(decoded.isAscii || !FOREIGN.test(line) ? forms.ascii : forms.full, line);
}

function matches(regex: RegExp, line: string): boolean {
  regex.lastIndex = 0;
  return regex.test(line);
}

/** The end of the next match from an offset on; -1 when there is none. */
function nextMatch(regex: RegExp, text: string, from: number): number {
  if (from > text.length) return -1;
  regex.lastIndex = from;
  return regex.test(text) ? regex.lastIndex : -1;
}

function nextLine(text: string, offset: number): number {
  const feed = text.indexOf("\n", offset);
  return feed < 0 ? text.length + 1 : feed + 1;
}

function foreignLinesOf(decoded: DecodedText): readonly ForeignLine[] {
  const known = foreignLines.get(decoded);
  if (known !== undefined) return known;
  const { text } = decoded;
  const lines: ForeignLine[] = [];
  const foreign = /[^\0-\x7f]/g;
  while (foreign.test(text)) {
    const start = text.lastIndexOf("\n", foreign.lastIndex - 1) + 1;
    const feed = text.indexOf("\n", foreign.lastIndex);
    const end = feed < 0 ? text.length : feed;
    lines.push({ start, end });
    foreign.lastIndex = end + 1;
  }
  foreignLines.set(decoded, lines);
  return lines;
}
