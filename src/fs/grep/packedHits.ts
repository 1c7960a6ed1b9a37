import type { GrepQuery, GrepResult } from "../fileSystem";
import { linesAfter, linesBefore } from "./contextLines";
import type { LineHit } from "./lineHits";

/** Hits in the shape that crosses from a worker fastest: few, long values instead of an object a hit. */
export interface PackedHits {
  /** Files with hits, in order. */
  readonly paths: readonly string[];
  /** Hits of each of the paths. */
  readonly hitCounts: readonly number[];
  readonly lineNumbers: Uint32Array<ArrayBuffer>;
  /** The lines, joined by LF. */
  readonly lines: string;
  /** Lines before and after each hit, two numbers a hit; empty when no context was asked for. */
  readonly contextCounts: Uint32Array<ArrayBuffer>;
  /** The context lines of all hits, joined by LF. */
  readonly contextLines: string;
}

/** Packs hits in the worker. */
export class HitPacker {
  readonly #before: number;
  readonly #after: number;
  readonly #paths: string[] = [];
  readonly #hitCounts: number[] = [];
  readonly #lineNumbers: number[] = [];
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
    return this.#lines.length;
  }

  add(path: string, text: string, hit: LineHit): void {
    if (this.#paths.at(-1) === path) this.#hitCounts[this.#hitCounts.length - 1]! += 1;
    else {
      this.#paths.push(path);
      this.#hitCounts.push(1);
    }
    this.#lineNumbers.push(hit.lineNumber);
    this.#lines.push(text.slice(hit.start, hit.end));
    this.size += hit.end - hit.start;
    if (this.#before + this.#after > 0) this.#addContext(text, hit);
  }

  #addContext(text: string, hit: LineHit): void {
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
      paths: this.#paths,
      hitCounts: this.#hitCounts,
      lineNumbers: Uint32Array.from(this.#lineNumbers),
      lines: this.#lines.join("\n"),
      contextCounts: Uint32Array.from(this.#contextCounts),
      contextLines: this.#contextLines.join("\n"),
    };
  }
}

/** Reads packed hits one by one, on the page. */
export class HitReader {
  readonly #hits: PackedHits;
  readonly #query: GrepQuery;
  readonly #lines: string[];
  readonly #contextLines: string[];
  #file = 0;
  #leftInFile: number;
  #hit = 0;
  #context = 0;

  constructor(hits: PackedHits, query: GrepQuery) {
    this.#hits = hits;
    this.#query = query;
    this.#lines = hits.lines.split("\n");
    this.#contextLines = hits.contextCounts.length === 0 ? [] : hits.contextLines.split("\n");
    this.#leftInFile = hits.hitCounts[0] ?? 0;
  }

  /** The file the next hit is in; `undefined` when all were read. */
  get path(): string | undefined {
    return this.#hits.paths[this.#file];
  }

  next(path: string): GrepResult {
    const lineNumber = this.#hits.lineNumbers[this.#hit] ?? 0;
    const line = this.#lines[this.#hit] ?? "";
    const result =
      this.#hits.contextCounts.length === 0 ? { path, lineNumber, line } : this.#full(path, lineNumber, line);
    this.#hit++;
    this.#leftInFile--;
    if (this.#leftInFile === 0) this.#leftInFile = this.#hits.hitCounts[++this.#file] ?? 0;
    return result;
  }

  #full(path: string, lineNumber: number, line: string): GrepResult {
    const before = this.#take(this.#hits.contextCounts[2 * this.#hit] ?? 0);
    const after = this.#take(this.#hits.contextCounts[2 * this.#hit + 1] ?? 0);
    return {
      path,
      lineNumber,
      line,
      ...(this.#query.contextBefore ? { contextBefore: before } : {}),
      ...(this.#query.contextAfter ? { contextAfter: after } : {}),
    };
  }

  #take(count: number): string[] {
    const begin = this.#context;
    this.#context += count;
    return this.#contextLines.slice(begin, this.#context);
  }
}
