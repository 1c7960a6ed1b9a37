import type { GitFile, GitIndexEntry } from "./gitIndex";
import type { GitFiles, GitRepository } from "./gitRepository";
import { directoriesOf, untrackedPaths, worktreeFile, type WorktreeFile } from "./gitWorktree";

export interface FileDifference {
  readonly path: string;
  readonly before: GitFile | undefined;
  readonly after: GitFile | undefined;
}

/** What differs between the head, the index and the working tree. */
export interface GitStatus {
  readonly head: string | undefined;
  readonly entries: readonly GitIndexEntry[];
  readonly staged: readonly FileDifference[];
  readonly unstaged: readonly FileDifference[];
  readonly unmerged: ReadonlyMap<string, ReadonlySet<number>>;
  /** Directories end with a slash. */
  readonly untracked: readonly string[];
}

/** Which files without git's knowledge are named: none, whole directories as one, or every file. */
export type UntrackedMode = "no" | "normal" | "all";

export async function gitStatus(repository: GitRepository, untracked: UntrackedMode): Promise<GitStatus> {
  const [head, entries] = await Promise.all([repository.head(), repository.index()]);
  const unmerged = unmergedPaths(entries);
  const headFiles = await repository.files(head);
  const indexed = indexFiles(entries);
  const worktree = await worktreeFiles(repository, entries);
  return {
    head,
    entries,
    unmerged,
    staged: differences(headFiles, indexed).filter(({ path }) => !unmerged.has(path)),
    unstaged: differences(indexed, worktree).filter(({ path }) => !unmerged.has(path)),
    untracked: untracked === "no" ? [] : await untrackedOf(repository, entries, untracked === "all"),
  };
}

/** The files of the index that are not in conflict. */
export function indexFiles(entries: readonly GitIndexEntry[]): Map<string, GitIndexEntry> {
  return new Map(entries.filter((entry) => entry.stage === 0).map((entry) => [entry.path, entry]));
}

export function unmergedPaths(entries: readonly GitIndexEntry[]): Map<string, Set<number>> {
  const stages = new Map<string, Set<number>>();
  for (const { path, stage } of entries) {
    if (stage !== 0) stages.set(path, (stages.get(path) ?? new Set()).add(stage));
  }
  return stages;
}

/** The files of the working tree that the index knows. */
export async function worktreeFiles(
  repository: GitRepository,
  entries: readonly GitIndexEntry[],
): Promise<Map<string, WorktreeFile>> {
  const files = new Map<string, WorktreeFile>();
  for (const entry of entries) {
    if (entry.stage !== 0) continue;
    const file = entry.mode === "160000" ? entry : await worktreeFile(repository, entry.path, entry);
    if (file !== undefined) files.set(entry.path, file);
  }
  return files;
}

export async function untrackedOf(
  repository: GitRepository,
  entries: readonly GitIndexEntry[],
  everyFile: boolean,
  withIgnored = false,
): Promise<string[]> {
  const tracked = new Set(entries.map((entry) => entry.path));
  const directories = directoriesOf(tracked);
  return untrackedPaths(repository, {
    isTracked: (path) => tracked.has(path),
    hasTracked: (directory) => directories.has(directory),
    everyFile,
    withIgnored,
  });
}

/** In path order. */
export function differences(before: GitFiles, after: GitFiles): FileDifference[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted(byPath);
  return paths.flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    return old?.oid === now?.oid && old?.mode === now?.mode ? [] : [{ path, before: old, after: now }];
  });
}

export function byPath(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `A`, `D`, `M`, or `T` where a file became a link or the other way. */
export function differenceLetter({ before, after }: FileDifference): "A" | "D" | "M" | "T" {
  if (before === undefined) return "A";
  if (after === undefined) return "D";
  return before.mode.slice(0, 2) === after.mode.slice(0, 2) ? "M" : "T";
}
