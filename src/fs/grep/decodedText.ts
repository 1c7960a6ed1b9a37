/** The text of a file as grep sees it. */
export interface DecodedText {
  readonly text: string;
  readonly isAscii: boolean;
  /** Whether there is a CR that is no part of a line's end. */
  readonly hasLoneReturn: boolean;
}

const utf8 = new TextDecoder();
const utf16Little = new TextDecoder("utf-16le");
const utf16Big = new TextDecoder("utf-16be");

/**
 * Decodes a file for searching, as ripgrep does: a byte order mark is no part of the text, UTF-16 that begins with one is
 * understood, bytes that are not UTF-8 become U+FFFD, and a file that holds NUL is binary: `undefined`.
 */
export function decodedText(bytes: Uint8Array): DecodedText | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return textWithoutNul(utf16Little.decode(bytes), false);
  if (first === 0xfe && second === 0xff) return textWithoutNul(utf16Big.decode(bytes), false);
  const text = utf8.decode(bytes);
  // A replaced byte is one unit for one byte too, so it must be told from ASCII.
  return textWithoutNul(text, text.length === bytes.length && !text.includes("\uFFFD"));
}

function textWithoutNul(text: string, isAscii: boolean): DecodedText | undefined {
  if (text.includes("\0")) return undefined;
  return { text, isAscii, hasLoneReturn: text.includes("\r") && /\r(?!\n|$)/.test(text) };
}
