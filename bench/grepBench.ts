import { createWorkerEngine, tempFs, type FileSystem } from "../src/fs";
import { count, timedMs } from "./measure";

/** What the benchmark and the native program both search for. */
export interface GrepCase {
  readonly name: string;
  readonly pattern: string;
  readonly caseInsensitive?: boolean;
}

/** Grep through the public verb, every hit yielded, on real files in memory. */
export class GrepBench {
  readonly #tree: FileSystem;
  readonly #texts: readonly string[];

  constructor(files: Record<string, string>) {
    const engine = createWorkerEngine({
      createWorker: () => new Worker(new URL("../src/fs/grep/engineWorker.ts", import.meta.url), { type: "module" }),
    });
    this.#tree = tempFs(files, { engine });
    this.#texts = Object.values(files);
  }

  async engine({ pattern, caseInsensitive = false }: GrepCase): Promise<{ ms: number; hits: number }> {
    let hits = 0;
    const ms = await timedMs(async () => (hits = await count(this.#tree.grep({ pattern, caseInsensitive }))));
    return { ms, hits };
  }

  /** The plain way: every line of every text against the expression, on this thread. */
  async lineByLine({ pattern, caseInsensitive = false }: GrepCase): Promise<{ ms: number; hits: number }> {
    let hits = 0;
    const ms = await timedMs(() => {
      const expression = new RegExp(pattern, caseInsensitive ? "iu" : "u");
      for (const text of this.#texts) {
        for (const line of text.split("\n")) if (expression.test(line)) hits++;
      }
    });
    return { ms, hits };
  }
}
