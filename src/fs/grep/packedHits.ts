import type { GrepQuery, GrepResult } from "../fileSystem";
import { linesAfter, linesBefore } from "./contextLines";
import { grepResult } from "./grepResult";
import type { LineHit } from "./lineHits";

/**
 * Hits in the shape that crosses from a worker fastest: few, long values instead of an object a hit. Where the page holds
 * the text of a file itself, only the offsets of the lines cross.
 */
export interface PackedHits {
  /** Files with hits, in order, joined by NUL. */
  readonly paths: string;
  /** Two numbers a file: how many hits it has, and 1 where they are offsets. */
  readonly files: Uint32Array<ArrayBuffer>;
  readonly lineNumbers: Uint32Array<ArrayBuffer>;
  /** Where the line of a hit that is by offsets begins and ends in its text, two numbers each. */
  readonly offsets: Uint32Array<ArrayBuffer>;
  /** The lines of all other hits, joined by LF. */
  readonly lines: string;
  /** Lines before and after each of those, two numbers each; empty when no context was asked for. */
  readonly contextCounts: Uint32Array<ArrayBuffer>;
  /** Their context lines, joined by LF. */
  readonly contextLines: string;
}

export interface FileWithText {
  readonly path: string;
  readonly text: string;
  /** The page has the text too. */
  readonly isOnPage: boolean;
}

/** What is handed over with packed hits. */
export function hitBuffers({ files, lineNumbers, offsets, contextCounts }: PackedHits): ArrayBuffer[] {
  return [files.buffer, lineNumbers.buffer, offsets.buffer, contextCounts.buffer];
}

/** Packs hits in the worker. */
export class HitPacker {
  readonly #before: number;
  readonly #after: number;
  readonly #paths: string[] = [];
  readonly #files: number[] = [];
  readonly #lineNumbers: number[] = [];
  readonly #offsets: number[] = [];
  readonly #lines: string[] = [];
  readonly #contextCounts: number[] = [];
  readonly #contextLines: string[] = [];
  /** UTF-16 units packed. */
  size = 0;

  constructor(query: GrepQuery) {
    this.#before = query.contextBefore ?? 0;
    this.#after = query.contextAfter ?? 0;
  }

  get hitCount(): number {
    return this.#lineNumbers.length;
  }

  add(file: FileWithText, hit: LineHit): void {
    if (this.#paths.at(-1) === file.path) this.#files[this.#files.length - 2]! += 1;
    else {
      this.#paths.push(file.path);
      this.#files.push(1, file.isOnPage ? 1 : 0);
    }
    this.#lineNumbers.push(hit.lineNumber);
    if (file.isOnPage) this.#offsets.push(hit.start, hit.end);
    else this.#addLines(file.text, hit);
  }

  #addLines(text: string, hit: LineHit): void {
    this.#lines.push(text.slice(hit.start, hit.end));
    this.size += hit.end - hit.start;
    if (this.#before + this.#after === 0) return;
    const before = linesBefore(text, hit.start, this.#before);
    const after = linesAfter(text, hit.end, this.#after);
    this.#contextCounts.push(before.length, after.length);
    for (const line of [...before, ...after]) {
      this.#contextLines.push(line);
      this.size += line.length;
    }
  }

  packed(): PackedHits {
    return {
      paths: this.#paths.join("\0"),
      files: Uint32Array.from(this.#files),
      lineNumbers: Uint32Array.from(this.#lineNumbers),
      offsets: Uint32Array.from(this.#offsets),
      lines: this.#lines.join("\n"),
      contextCounts: Uint32Array.from(this.#contextCounts),
      contextLines: this.#contextLines.join("\n"),
    };
  }
}

/** The paths of the files with hits. */
export function hitPaths(hits: PackedHits): string[] {
  return hits.paths === "" ? [] : hits.paths.split("\0");
}

/** Whether the hits of the file at this index are by offsets. */
export function isByOffsets(hits: PackedHits, index: number): boolean {
  return hits.files[2 * index + 1] === 1;
}

/** Reads packed hits one by one, on the page. */
export class HitReader {
  readonly #hits: PackedHits;
  readonly #query: GrepQuery;
  readonly #paths: readonly string[];
  readonly #texts: readonly (string | undefined)[];
  readonly #lines: readonly string[];
  readonly #contextLines: readonly string[];
  #file = 0;
  #leftInFile: number;
  #hit = 0;
  #offset = 0;
  #line = 0;
  #context = 0;

  /** `texts` are those of the files whose hits are by offsets, at the indexes of their paths. */
  constructor(
    hits: PackedHits,
    query: GrepQuery,
    { paths, texts }: { readonly paths: readonly string[]; readonly texts: readonly (string | undefined)[] },
  ) {
    this.#hits = hits;
    this.#query = query;
    this.#paths = paths;
    this.#texts = texts;
    this.#lines = hits.lines.split("\n");
    this.#contextLines = hits.contextCounts.length === 0 ? [] : hits.contextLines.split("\n");
    this.#leftInFile = hits.files[0] ?? 0;
  }

  /** The file the next hit is in; `undefined` when all were read. */
  get path(): string | undefined {
    return this.#paths[this.#file];
  }

  next(path: string): GrepResult {
    const lineNumber = this.#hits.lineNumbers[this.#hit++] ?? 0;
    const text = this.#texts[this.#file];
    const result = text === undefined ? this.#sent(path, lineNumber) : this.#held(path, lineNumber, text);
    this.#leftInFile--;
    if (this.#leftInFile === 0) this.#leftInFile = this.#hits.files[2 * ++this.#file] ?? 0;
    return result;
  }

  #held(path: string, lineNumber: number, text: string): GrepResult {
    const start = this.#hits.offsets[this.#offset++] ?? 0;
    const end = this.#hits.offsets[this.#offset++] ?? 0;
    return grepResult(path, text, { lineNumber, start, end }, this.#query);
  }

  #sent(path: string, lineNumber: number): GrepResult {
    const counts = this.#hits.contextCounts;
    const line = this.#lines[this.#line] ?? "";
    const [beforeCount = 0, afterCount = 0] = [counts[2 * this.#line], counts[2 * this.#line + 1]];
    this.#line++;
    const { contextBefore, contextAfter } = this.#query;
    if (!contextBefore && !contextAfter) return { path, lineNumber, line };
    const before = this.#takeContext(beforeCount);
    const after = this.#takeContext(afterCount);
    return {
      path,
      lineNumber,
      line,
      ...(contextBefore ? { contextBefore: before } : {}),
      ...(contextAfter ? { contextAfter: after } : {}),
    };
  }

  #takeContext(count: number): string[] {
    const begin = this.#context;
    this.#context += count;
    return this.#contextLines.slice(begin, this.#context);
  }
}
