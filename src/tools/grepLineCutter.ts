import { limits } from "../base";
import { characterCount, characterStart, firstCharacters, indexOfCharacter } from "./cutText";

/** Share of a cut line's window that lies before the match. */
const SHARE_BEFORE = 0.5;

/** Shortens endless lines, around the match where the pattern is plain text, and counts those it has cut. */
export class GrepLineCutter {
  cutLines = 0;
  readonly #plainText: string | undefined;
  readonly #ignoresCase: boolean;

  constructor(pattern: string, ignoresCase: boolean) {
    // Anything more would mean running the pattern here, on the calling thread and without the engine's time limit.
    this.#plainText = /[\\^$.*+?()[\]{}|]/.test(pattern) ? undefined : pattern;
    this.#ignoresCase = ignoresCase;
  }

  /** The parts of a match that spans lines are cut line by line. */
  matchingLine(text: string): string {
    return text.includes("\n")
      ? text
          .split("\n")
          .map((line) => this.contextLine(line))
          .join("\n")
      : this.#cut(text, this.#matchIndex(text));
  }

  contextLine(line: string): string {
    return this.#cut(line, 0);
  }

  #cut(line: string, matchIndex: number): string {
    const limit = limits.grepLineCharacters;
    if (line.length <= limit || characterCount(line) <= limit) return line;
    this.cutLines++;
    const start = characterStart(line, Math.max(0, matchIndex - Math.floor(limit * SHARE_BEFORE)));
    if (start === 0) return `${firstCharacters(line, limit)}…`;
    const end = indexOfCharacter(line, limit, start);
    return `…${line.slice(start, end)}${end < line.length ? "…" : ""}`;
  }

  #matchIndex(line: string): number {
    if (this.#plainText === undefined || line.length <= limits.grepLineCharacters) return 0;
    return this.#ignoresCase
      ? Math.max(0, line.toLowerCase().indexOf(this.#plainText.toLowerCase()))
      : Math.max(0, line.indexOf(this.#plainText));
  }
}
