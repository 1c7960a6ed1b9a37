import { limits } from "../base";

/** Where the bytes of a log come from. */
export type LogSource = string | Uint8Array | Blob | AsyncIterable<Uint8Array>;

export interface LogLine {
  /** From 1. */
  readonly number: number;
  readonly byteOffset: number;
  readonly byteLength: number;
  /** Without its line end; `undefined` when it is longer than `limits.logLineBytes`. */
  readonly text: string | undefined;
  /** Whether a line end stood behind it; the last line of a file that was cut has none. */
  readonly isEnded: boolean;
}

const NEWLINE = 0x0a;

/** Holds nothing between two lines: it is never asked to stream. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * The lines of a log that are not blank. Only `\n` ends a line (a U+2028 or U+0085 is text); a BOM, a `\r` before the
 * end and runs of NUL, as a torn write leaves them, are taken off. Bytes that are not UTF-8 become U+FFFD.
 */
export async function* logLines(source: LogSource): AsyncGenerator<LogLine, void, undefined> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  let offset = 0;
  const line = (isEnded: boolean): LogLine | undefined => {
    const found = lineFrom(pieces, length, { number, byteOffset: offset, isEnded });
    number++;
    offset += length + 1;
    pieces = [];
    length = 0;
    return found;
  };
  for await (const chunk of chunksOf(source)) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      if (length <= limits.logLineBytes) pieces.push(chunk.subarray(start, end));
      length += end - start;
      start = end + 1;
      const found = line(true);
      if (found !== undefined) yield found;
    }
    // A line too long to be parsed is counted, not gathered.
    if (length <= limits.logLineBytes) pieces.push(chunk.slice(start));
    length += chunk.length - start;
  }
  const rest = length > 0 ? line(false) : undefined;
  if (rest !== undefined) yield rest;
}

function lineFrom(
  pieces: readonly Uint8Array[],
  byteLength: number,
  place: Pick<LogLine, "number" | "byteOffset" | "isEnded">,
): LogLine | undefined {
  if (byteLength > limits.logLineBytes) return { ...place, byteLength, text: undefined };
  const text = decoder.decode(joined(pieces, byteLength));
  const whole = text.includes("\0") ? text.replaceAll("\0", "") : text;
  const bare = (whole.startsWith("\ufeff") ? whole.slice(1) : whole).replace(/\r$/, "");
  return bare.trim() === "" ? undefined : { ...place, byteLength, text: bare };
}

function joined(pieces: readonly Uint8Array[], byteLength: number): Uint8Array {
  const [first] = pieces;
  // Most lines lie in one chunk.
  if (pieces.length === 1 && first !== undefined) return first;
  const bytes = new Uint8Array(byteLength);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

async function* chunksOf(source: LogSource): AsyncGenerator<Uint8Array, void, undefined> {
  if (typeof source === "string") yield new TextEncoder().encode(source);
  else if (source instanceof Uint8Array) yield source;
  else if (source instanceof Blob) yield* blobChunks(source);
  else yield* source;
}

/** Not every browser can iterate a stream. */
async function* blobChunks(blob: Blob): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = blob.stream().getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
