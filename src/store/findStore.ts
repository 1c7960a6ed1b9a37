import { createStore, type StoreApi } from "zustand/vanilla";
import { limits } from "../base";
import type { FileSystem, GrepResult } from "../fs";
import { messageFromError } from "./messageFromError";

export interface FindQuery {
  /** A regular expression as ripgrep reads it. */
  readonly pattern: string;
  /** Which files; all when empty. */
  readonly glob: string;
  readonly matchCase: boolean;
}

/** A line that matches, cut where it is too long to be read. */
export type FoundLine = Pick<GrepResult, "path" | "lineNumber" | "line">;

export interface FindState {
  readonly lines: readonly FoundLine[];
  readonly fileCount: number;
  /** `cut`: there is more than `limits.foundLines`, and it was given up there. */
  readonly status: "idle" | "searching" | "done" | "cut";
  /** Why nothing, or nothing more, was found. */
  readonly problem: string | undefined;

  /** Searches all files anew; what was searched before is stopped and forgotten. */
  readonly find: (query: FindQuery) => Promise<void>;
  /** Stops and keeps what was found. */
  readonly stop: () => void;
}

export type FindStore = StoreApi<FindState>;

const nothingFound = { lines: [], fileCount: 0, problem: undefined } as const;

/** Milliseconds of hits that are shown together: each showing redraws the list. */
const SHOW_MS = 60;

/** Finds lines in the merged tree, which is asked for anew with each search. */
export function createFindStore(tree: () => FileSystem): FindStore {
  let running: AbortController | undefined;
  return createStore<FindState>()((set) => ({
    ...nothingFound,
    status: "idle",
    async find(query) {
      running?.abort();
      const search = new AbortController();
      running = search;
      if (query.pattern === "") return set({ ...nothingFound, status: "idle" });
      set({ ...nothingFound, status: "searching" });
      const show = (patch: Partial<FindState>) => (search.signal.aborted ? undefined : set(patch));
      try {
        const { lines, fileCount, isCut } = await foundLines(tree(), query, search.signal, show);
        show({ lines, fileCount, status: isCut ? "cut" : "done" });
      } catch (error) {
        show({ status: "done", problem: messageFromError(error) });
      }
    },
    stop() {
      running?.abort();
      running = undefined;
      set({ status: "idle" });
    },
  }));
}

interface Found {
  readonly lines: readonly FoundLine[];
  readonly fileCount: number;
  readonly isCut: boolean;
}

async function foundLines(
  tree: FileSystem,
  { pattern, glob, matchCase }: FindQuery,
  signal: AbortSignal,
  show: (found: Pick<Found, "lines" | "fileCount">) => void,
): Promise<Found> {
  const lines: FoundLine[] = [];
  let fileCount = 0;
  let shownAt = performance.now();
  const hits = tree.grep({
    pattern,
    caseInsensitive: !matchCase,
    maxResults: limits.foundLines + 1,
    ...(glob.trim() === "" ? {} : { glob: glob.trim() }),
  });
  for await (const { path, lineNumber, line } of hits) {
    // Leaving the loop closes the search.
    if (signal.aborted) break;
    if (lines.length >= limits.foundLines) return { lines, fileCount, isCut: true };
    if (lines.at(-1)?.path !== path) fileCount++;
    lines.push({ path, lineNumber, line: line.slice(0, limits.foundLineCharacters) });
    if (performance.now() - shownAt < SHOW_MS) continue;
    show({ lines: [...lines], fileCount });
    shownAt = performance.now();
  }
  return { lines, fileCount, isCut: false };
}
