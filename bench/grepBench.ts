import { createWorkerEngine, tempFs, type FileSystem, type GrepResult } from "../src/fs";
import { timedMs } from "./measure";

/** What the benchmark and the native program both search for. */
export interface GrepCase {
  readonly name: string;
  readonly pattern: string;
  readonly caseInsensitive?: boolean;
}

interface Taken {
  readonly ms: number;
  readonly hits: number;
}

/**
 * Grep on real files in memory, both ways giving every hit with its path, line number and line to somebody who keeps them.
 */
export class GrepBench {
  readonly #tree: FileSystem;
  /** In the order hits come in. */
  readonly #files: readonly (readonly [path: string, text: string])[];

  constructor(files: Record<string, string>) {
    const engine = createWorkerEngine({
      createWorker: () => new Worker(new URL("../src/fs/grep/engineWorker.ts", import.meta.url), { type: "module" }),
    });
    this.#tree = tempFs(files, { engine });
    this.#files = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Through the public verb. */
  async engine(searched: GrepCase): Promise<Taken> {
    const found: GrepResult[] = [];
    const ms = await timedMs(() => this.#collect(searched, found));
    return { ms, hits: found.length };
  }

  /** The plain way: every line of every text against the expression, on this thread. */
  async lineByLine(searched: GrepCase): Promise<Taken> {
    const found: GrepResult[] = [];
    const ms = await timedMs(() => this.#testLines(searched, found));
    return { ms, hits: found.length };
  }

  /** Whether both ways give the same hits, line for line. */
  async isSame(searched: GrepCase): Promise<boolean> {
    const byEngine: GrepResult[] = [];
    const byLine: GrepResult[] = [];
    await this.#collect(searched, byEngine);
    this.#testLines(searched, byLine);
    return JSON.stringify(byEngine) === JSON.stringify(byLine);
  }

  async #collect({ pattern, caseInsensitive = false }: GrepCase, found: GrepResult[]): Promise<void> {
    for await (const hit of this.#tree.grep({ pattern, caseInsensitive })) found.push(hit);
  }

  #testLines({ pattern, caseInsensitive = false }: GrepCase, found: GrepResult[]): void {
    const expression = new RegExp(pattern, caseInsensitive ? "iu" : "u");
    for (const [path, text] of this.#files) {
      text.split("\n").forEach((line, index) => {
        if (!expression.test(line)) return;
        found.push({ path, lineNumber: index + 1, line: line.endsWith("\r") ? line.slice(0, -1) : line });
      });
    }
  }
}
