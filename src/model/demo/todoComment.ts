const MARK = String.raw`\b(?:TODO|FIXME)\b(?:\([^)]*\))?\s*:?`;
const OPENERS = String.raw`//+|#+|--|;+|%|/\*+|<!--|\*|[-+*] \[ \]|[-+*]`;

/** A line without its TODO: `remaining` is what is left of it, `undefined` when the comment was all of it. */
export interface TodoComment {
  readonly remaining: string | undefined;
  /** What the TODO says. */
  readonly words: string;
}

/** Takes the TODO comment out of a line; `undefined` when the line has none that can be taken out safely. */
export function todoCommentIn(line: string): TodoComment | undefined {
  const whole = new RegExp(String.raw`^\s*(?:${OPENERS})\s*${MARK}(.*)$`, "u").exec(line);
  if (whole) {
    // A comment that goes on over more lines is not one line's to remove.
    if (/^\s*\/\*/.test(line) && !line.includes("*/")) return undefined;
    return { remaining: undefined, words: wordsOf(whole[1] ?? "") };
  }
  const block = new RegExp(String.raw`^(.*\S)\s*/\*+\s*${MARK}(.*?)\*/\s*(.*)$`, "u").exec(line);
  if (block) return { remaining: `${block[1]}${block[3] ? ` ${block[3]}` : ""}`, words: wordsOf(block[2] ?? "") };
  const trailing = new RegExp(String.raw`^(.*\S)\s*(?://+|#+|--|<!--)\s*${MARK}(.*)$`, "u").exec(line);
  if (!trailing || insideString(trailing[1] ?? "")) return undefined;
  return { remaining: trailing[1] ?? "", words: wordsOf(trailing[2] ?? "") };
}

function wordsOf(text: string): string {
  return text.replace(/\s*(?:\*\/|-->)\s*$/, "").trim();
}

/** Whether a quote stands open at the end of the text: then the comment sign is part of a string. */
function insideString(text: string): boolean {
  return ['"', "'", "`"].some((quote) => text.split(quote).length % 2 === 0 && !(quote === "'" && /\w'\w/.test(text)));
}

/**
 * The one fix that goes further than the comment: a variable that may be `undefined` gets a function that forgets it,
 * named after the TODO's first word (`let connection: X | undefined; // TODO reopen`).
 */
export function resetFunction(remaining: string, words: string): string | undefined {
  const variable = /^(\s*)let ([A-Za-z_$][\w$]*)\s*:[^=]*\|\s*undefined\s*;$/.exec(remaining);
  const name = /^(?:reopen|reset|clear|close|refresh|reconnect)\b/i.exec(words)?.[0]?.toLowerCase();
  if (!variable || name === undefined) return undefined;
  return `${variable[1] ?? ""}const ${name} = () => (${variable[2] ?? ""} = undefined);`;
}
