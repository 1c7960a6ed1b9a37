import { limits } from "../base";
import type { DirEntry } from "./fileSystem";

/** The direct children of a directory, in any order; none when it is missing or a file. */
export type ReadLevel = (path: string, signal: AbortSignal) => Promise<readonly DirEntry[]>;

/**
 * Reads the directories of a tree one level at a time, a few ahead of a walk from the top down. A level is kept until it is
 * taken, so that looking into a directory before walking it costs nothing twice.
 */
export class LevelReader {
  readonly #read: ReadLevel;
  readonly #stop = new AbortController();
  readonly #levels = new Map<string, Promise<readonly DirEntry[]>>();
  /** Directories known but not yet read, the next last. */
  readonly #waiting: string[] = [];
  #running = 0;

  constructor(read: ReadLevel) {
    this.#read = read;
  }

  /** The children of a directory by name; they stay at hand. */
  peek(path: string): Promise<readonly DirEntry[]> {
    return this.#levels.get(path) ?? this.#start(path);
  }

  /** The children of a directory by name, for the last time. */
  take(path: string): Promise<readonly DirEntry[]> {
    const level = this.peek(path);
    this.#levels.delete(path);
    this.#readAhead();
    return level;
  }

  /** Whether there is a file below a directory at any depth. */
  async holdsFile(path: string): Promise<boolean> {
    const children = await this.peek(path);
    if (children.some(({ kind }) => kind === "file")) return true;
    for (const child of children) if (await this.holdsFile(child.path)) return true;
    return false;
  }

  /** Gives up all reading under way. */
  stop(): void {
    this.#waiting.length = 0;
    this.#stop.abort();
  }

  #start(path: string): Promise<readonly DirEntry[]> {
    const at = this.#waiting.lastIndexOf(path);
    if (at >= 0) this.#waiting.splice(at, 1);
    this.#running++;
    const level = this.#read(path, this.#stop.signal)
      .then((children) => {
        const sorted = children.toSorted((a, b) => (a.path < b.path ? -1 : 1));
        for (const { path: child, kind } of sorted.toReversed()) if (kind === "directory") this.#waiting.push(child);
        return sorted;
      })
      .finally(() => {
        this.#running--;
        this.#readAhead();
      });
    // One read ahead may never be asked for.
    level.catch(() => undefined);
    this.#levels.set(path, level);
    return level;
  }

  #readAhead(): void {
    while (this.#running < limits.hostRequests && this.#levels.size < 2 * limits.hostRequests) {
      const next = this.#waiting.at(-1);
      if (next === undefined || this.#stop.signal.aborted) return;
      void this.#start(next);
    }
  }
}
