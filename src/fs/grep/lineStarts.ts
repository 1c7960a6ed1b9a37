import type { DecodedText } from "./decodedText";

/** UTF-16 units a line must have on average for its text's line starts to be kept: they must stay small beside the text. */
const KEPT_LINE_UNITS = 8;
/** The beginning of a text says little about its lines. */
const KEPT_ANYWAY_UNITS = 4_096;

const kept = new WeakMap<DecodedText, LineStarts>();

/** Where the lines of a text begin, found as far as somebody asked, and kept for the next search of the text. */
export class LineStarts {
  readonly #decoded: DecodedText;
  readonly #starts: number[] = [0];

  private constructor(decoded: DecodedText) {
    this.#decoded = decoded;
  }

  static of(decoded: DecodedText): LineStarts {
    const known = kept.get(decoded);
    if (known !== undefined) return known;
    const fresh = new LineStarts(decoded);
    kept.set(decoded, fresh);
    return fresh;
  }

  /** The line an offset lies in, from 0; not before `from`, the last answer. */
  lineOf(offset: number, from: number): number {
    this.#find(offset);
    const starts = this.#starts;
    let low = from;
    // Hits lie close together: the next is sought in steps that grow.
    let high = from + 1;
    for (let step = 2; high < starts.length && (starts[high] ?? 0) <= offset; step *= 2) {
      low = high;
      high += step;
    }
    high = Math.min(high, starts.length);
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Where a line that was found begins; for the one after the last, behind the end of the text. */
  start(line: number): number {
    return this.#starts[line] ?? this.#decoded.text.length + 1;
  }

  /** Finds all starts up to the one after the offset. */
  #find(offset: number): void {
    const starts = this.#starts;
    const { text } = this.#decoded;
    let last = starts[starts.length - 1] ?? 0;
    while (last <= offset) {
      const feed = text.indexOf("\n", last);
      if (feed < 0) return;
      last = feed + 1;
      starts.push(last);
    }
    if (starts.length * KEPT_LINE_UNITS > last + KEPT_ANYWAY_UNITS) kept.delete(this.#decoded);
  }
}
