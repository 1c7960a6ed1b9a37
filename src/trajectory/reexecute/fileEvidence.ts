import type { InferredFile } from "./divergenceReport";
import { UNKNOWN_LINE, UNKNOWN_REST } from "./foreign/unknownText";

/** What a recording tells of one file: as it was at the beginning, and as it is by now. */
export class FileEvidence {
  /** The whole text at the beginning. */
  #whole: string | undefined;
  readonly #lines = new Map<number, string>();
  /** How many lines it had, where that is known. */
  #lineCount: number | undefined;
  /** Old texts of edits whose place is unknown. */
  readonly #fragments: string[] = [];
  #wasThere = false;
  #wasAbsent = false;
  /** Whether anything has written it: what is read from then on says nothing of the beginning. */
  #isWritten = false;
  /** The text by now, as far as it is known: with stand-ins for what is not. */
  #current: string | undefined;

  /** Whether the recording says that it was not there. */
  get isAbsent(): boolean {
    return this.#wasAbsent;
  }

  get current(): string | undefined {
    return this.#current ?? this.start()?.text;
  }

  sawNothing(): void {
    if (!this.#isWritten && !this.#wasThere) this.#wasAbsent = true;
  }

  sawWhole(text: string): void {
    if (this.#isWritten || this.#whole !== undefined) return;
    this.#wasThere = true;
    this.#whole = text;
  }

  saw(lines: ReadonlyMap<number, string>, isToEnd: boolean): void {
    if (this.#isWritten || this.#whole !== undefined) return;
    this.#wasThere = true;
    const numbers = [...lines.keys()];
    if (isToEnd && (numbers.length === 0 || numbers[0] === 1)) {
      this.#whole = numbers.length === 0 ? "" : `${[...lines.values()].join("\n")}\n`;
      return;
    }
    for (const [number, line] of lines) if (!this.#lines.has(number)) this.#lines.set(number, line);
    if (isToEnd && numbers.length > 0) this.#lineCount = Math.max(...numbers);
  }

  written(text: string): void {
    if (!this.#isWritten && !this.#wasThere) this.#wasAbsent = true;
    this.#isWritten = true;
    this.#current = text;
  }

  edited(oldText: string, newText: string, all: boolean): void {
    if (!this.#isWritten) this.#wasThere = true;
    let text = this.current ?? UNKNOWN_REST;
    if (!text.includes(oldText)) {
      // A file that is known whole holds no more than is known.
      if (this.#whole !== undefined || (this.#isWritten && !text.includes(UNKNOWN_LINE))) return;
      this.#fragments.push(oldText);
      text = `${text}\n${oldText}\n${UNKNOWN_REST}`;
    }
    this.#isWritten = true;
    this.#current = all ? text.split(oldText).join(newText) : text.replace(oldText, () => newText);
  }

  inserted(line: number, text: string): void {
    if (!this.#isWritten) this.#wasThere = true;
    const lines = (this.current ?? UNKNOWN_REST).split("\n");
    this.#isWritten = true;
    this.#current = [...lines.slice(0, line), text.replace(/\n$/, ""), ...lines.slice(line)].join("\n");
  }

  deleted(): void {
    if (!this.#isWritten) this.#wasThere = true;
    this.#isWritten = true;
    this.#current = undefined;
  }

  /** The text at the beginning and how much of it is known; `undefined` for a file that was not there, or may not have been. */
  start(): { readonly text: string; readonly known: Omit<InferredFile, "path"> } | undefined {
    if (!this.#wasThere) return undefined;
    if (this.#whole !== undefined) return { text: this.#whole, known: { evidence: "whole" } };
    const numbers = [...this.#lines.keys()].toSorted((a, b) => a - b);
    const last = numbers.at(-1) ?? 0;
    const shown = Array.from({ length: last }, (_, index) => this.#lines.get(index + 1) ?? UNKNOWN_LINE);
    const isEndKnown = this.#lineCount === last && last > 0;
    const rest = isEndKnown ? [] : [UNKNOWN_REST];
    const fragments = this.#fragments.flatMap((fragment) => [fragment, UNKNOWN_REST]);
    const text = `${[...shown, ...rest, ...fragments].join("\n")}\n`;
    const ranges = rangesOf(numbers);
    return {
      text,
      known: ranges.length > 0 ? { evidence: "ranges", ranges } : { evidence: "fragments" },
    };
  }
}

function rangesOf(numbers: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}
