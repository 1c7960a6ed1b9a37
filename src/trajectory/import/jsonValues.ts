import { limits } from "../../base";
import { blobChunks } from "./blobChunks";

/** The bytes of one value of a file, or that there is none where one should be. */
export interface FoundValue {
  /** `undefined` when it is longer than a line may be, or has no end. */
  readonly bytes: Uint8Array | undefined;
  readonly problem?: "too-long" | "cut" | "bad-json";
  readonly line: number;
  readonly byte: number;
  readonly length: number;
}

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;

/**
 * The values of a file that holds one after the other (`values`), or of the one list it holds (`list`), as their bytes:
 * what is between two values is counted and passed over. A line end within a string, which JSON does not have, shows that
 * a value was broken off: the next begins with the next line that opens one.
 */
export async function* jsonValues(blob: Blob, shape: "values" | "list"): AsyncGenerator<FoundValue, void, undefined> {
  const scan = new ValueScan(shape);
  for await (const chunk of blobChunks(blob)) {
    yield* scan.take(chunk);
    if (scan.isOver) return;
  }
  yield* scan.rest();
}

class ValueScan {
  readonly #shape: "values" | "list";
  /** Whether the list that holds the values was opened. */
  #isInside: boolean;
  isOver = false;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  /** Of a value that is neither object, list nor string: it ends with what cannot be part of it. */
  #isBare = false;
  #isLost = false;
  #pieces: Uint8Array[] = [];
  #length = 0;
  #offset = 0;
  #line = 1;
  #from = { byte: 0, line: 1 };

  constructor(shape: "values" | "list") {
    this.#shape = shape;
    this.#isInside = shape === "values";
  }

  *take(chunk: Uint8Array): Generator<FoundValue, void, undefined> {
    // Where in the chunk the value under way begins; -1 between two values.
    let start = this.#isBetween ? -1 : 0;
    for (let at = 0; at < chunk.length && !this.isOver; at++) {
      const byte = chunk[at] ?? 0;
      if (this.#isBetween) {
        if (byte === NEWLINE) {
          this.#line++;
          this.#isLost = false;
        } else if (this.#opens(byte)) {
          start = at;
          this.#from = { byte: this.#offset + at, line: this.#line };
        }
        continue;
      }
      const end = this.#goOn(byte, at);
      if (byte === NEWLINE) this.#line++;
      if (end === -1) continue;
      this.#gather(chunk, start, end);
      start = -1;
      const isBroken = this.#inString;
      this.#reset();
      yield this.#found(isBroken ? "bad-json" : undefined);
      // A value without brackets ends before what stands behind it.
      if (end === at && !isBroken) at--;
    }
    if (start !== -1) this.#gather(chunk, start, chunk.length);
    this.#offset += chunk.length;
  }

  *rest(): Generator<FoundValue, void, undefined> {
    if (this.#isBetween) return;
    const isWhole = this.#isBare;
    this.#reset();
    yield this.#found(isWhole ? undefined : "cut");
  }

  get #isBetween(): boolean {
    return this.#depth === 0 && !this.#inString && !this.#isBare;
  }

  /** Whether a byte between two values begins one. */
  #opens(byte: number): boolean {
    if (byte <= 0x20 || byte === COMMA || byte === 0xef || byte === 0xbb || byte === 0xbf) return false;
    if (!this.#isInside) {
      if (byte === OPEN_LIST) this.#isInside = true;
      return false;
    }
    if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (this.#shape === "list" && byte === CLOSE_LIST) this.isOver = true;
      return false;
    }
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth = 1;
    else if (this.#isLost) return false;
    else if (byte === QUOTE) this.#inString = true;
    else this.#isBare = true;
    this.#isLost = false;
    return true;
  }

  /** One byte of a value. @returns where the value ends, when it does */
  #goOn(byte: number, at: number): number {
    if (this.#isBare) {
      return byte <= 0x20 || byte === COMMA || byte === CLOSE_LIST || byte === OPEN_OBJECT ? at : -1;
    }
    if (this.#inString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) {
        this.#inString = false;
        if (this.#depth === 0) return at + 1;
      } else if (byte === NEWLINE) return at;
      return -1;
    }
    if (byte === QUOTE) this.#inString = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      this.#depth--;
      if (this.#depth === 0) return at + 1;
    }
    return -1;
  }

  #gather(chunk: Uint8Array, start: number, end: number): void {
    // What is too long to be parsed is counted, not gathered.
    if (this.#length <= limits.logLineBytes) this.#pieces.push(chunk.slice(start, end));
    else this.#pieces = [];
    this.#length += end - start;
  }

  #reset(): void {
    this.#isLost = this.#inString;
    this.#depth = 0;
    this.#inString = false;
    this.#isEscaped = false;
    this.#isBare = false;
  }

  #found(problem: FoundValue["problem"]): FoundValue {
    const length = this.#length;
    const isLong = length > limits.logLineBytes;
    const bytes = isLong ? undefined : joined(this.#pieces, length);
    this.#pieces = [];
    this.#length = 0;
    const said = isLong ? ("too-long" as const) : problem;
    return { bytes, ...this.#from, length, ...(said === undefined ? {} : { problem: said }) };
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) return first;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
