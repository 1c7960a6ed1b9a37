import type { DirEntry } from "./fileSystem";
import { LevelReader, type ReadLevel } from "./levelReader";

export interface LevelWalkOptions {
  /** Directories are there by their files only: one without any below it is not shown. */
  readonly hidesEmpty: boolean;
}

/** One directory the walk is in. */
interface WalkFrame {
  readonly children: readonly DirEntry[];
  at: number;
  /** Directories already named whose contents are still to come, the next last. */
  readonly pending: string[];
}

/**
 * Every entry below a directory of a tree that is read one directory at a time, lazily, in plain string order of whole
 * paths: a directory at its name, its contents at its name and `/`, siblings such as `a-b` between the two.
 */
export async function* levelWalk(
  scope: string,
  read: ReadLevel,
  { hidesEmpty }: LevelWalkOptions,
): AsyncGenerator<DirEntry, void, undefined> {
  const reader = new LevelReader(read);
  try {
    const frames: WalkFrame[] = [{ children: await reader.take(scope), at: 0, pending: [] }];
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const entry = frame.children[frame.at];
      const waiting = frame.pending.at(-1);
      if (waiting !== undefined && (entry === undefined || entry.path > `${waiting}/`)) {
        frame.pending.pop();
        frames.push({ children: await reader.take(waiting), at: 0, pending: [] });
      } else if (entry === undefined) {
        frames.pop();
      } else {
        frame.at++;
        if (entry.kind === "directory") {
          if (hidesEmpty && !(await reader.holdsFile(entry.path))) continue;
          frame.pending.push(entry.path);
        }
        yield entry;
      }
    }
  } finally {
    reader.stop();
  }
}
