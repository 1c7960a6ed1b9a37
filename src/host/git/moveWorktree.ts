import type { GitFile, GitIndexEntry } from "./gitIndex";
import type { GitFiles, GitRepository } from "./gitRepository";
import { differences, indexFiles, type FileDifference } from "./gitStatus";
import { worktreeFile } from "./gitWorktree";

/** What stands in the way of a move: changes that are not committed, and files git does not know. */
export interface MoveConflicts {
  readonly changed: readonly string[];
  readonly untracked: readonly string[];
}

/**
 * Takes index and working tree from one set of files to another. What does not differ between the two stays as it is, changes
 * that are not committed included. Nothing is touched when something stands in the way, which is then returned.
 */
export async function moveWorktree(
  repository: GitRepository,
  from: GitFiles,
  to: GitFiles,
): Promise<MoveConflicts | undefined> {
  const moves = differences(from, to);
  const entries = await repository.index();
  const indexed = indexFiles(entries);
  const [changed, untracked]: [string[], string[]] = [[], []];
  const needed: FileDifference[] = [];
  for (const move of moves) {
    const entry = indexed.get(move.path);
    const file = await worktreeFile(repository, move.path, entry);
    if (sameFile(entry, move.after) && sameFile(file, move.after)) continue;
    if (entry === undefined && file !== undefined && file.oid !== move.after?.oid) untracked.push(move.path);
    else if (!sameFile(entry, move.before) || (entry !== undefined && file !== undefined && !sameFile(file, entry)))
      changed.push(move.path);
    else needed.push(move);
  }
  if (changed.length > 0 || untracked.length > 0) return { changed, untracked };
  await putFiles(repository, entries, needed);
  return undefined;
}

/** Makes index and working tree exactly those files; only files git does not know are left. */
export async function resetWorktree(repository: GitRepository, to: GitFiles): Promise<void> {
  const entries = await repository.index();
  const needed: FileDifference[] = [];
  const indexed = indexFiles(entries);
  for (const path of new Set([...entries.map((entry) => entry.path), ...to.keys()])) {
    const [entry, after] = [indexed.get(path), to.get(path)];
    const file = await worktreeFile(repository, path, entry);
    if (!sameFile(entry, after) || !sameFile(file, after)) needed.push({ path, before: entry, after });
  }
  await putFiles(repository, entries, needed);
}

/** Makes the index those files and leaves the working tree. */
export async function resetIndex(
  repository: GitRepository,
  to: GitFiles,
  isMeant: (path: string) => boolean,
): Promise<void> {
  const entries = await repository.index();
  const indexed = indexFiles(entries);
  const kept = entries.filter((entry) => !isMeant(entry.path));
  const put = [...to]
    .filter(([path]) => isMeant(path))
    .map(([path, file]): GitIndexEntry => {
      const known = indexed.get(path);
      return known !== undefined && sameFile(known, file)
        ? known
        : { ...file, path, stage: 0, sizeBytes: 0, modifiedAt: 0 };
    });
  await repository.writeIndex([...kept, ...put]);
}

/** Writes files out as they are stored and says so in the index. */
export async function putFiles(
  repository: GitRepository,
  entries: readonly GitIndexEntry[],
  moves: readonly FileDifference[],
): Promise<void> {
  if (moves.length === 0) return;
  const moved = new Set(moves.map(({ path }) => path));
  // What goes makes room first: a file may become a directory.
  for (const { path, after } of moves) if (after === undefined) await removeFile(repository, path);
  const put: GitIndexEntry[] = [];
  for (const { path, after } of moves) {
    if (after !== undefined)
      put.push({ path, stage: 0, ...after, ...(await writeWorktreeFile(repository, path, after)) });
  }
  await repository.writeIndex([...entries.filter((entry) => !moved.has(entry.path)), ...put]);
}

/** Writes the stored contents; answers what the index remembers of the file. */
export async function writeWorktreeFile(
  repository: GitRepository,
  path: string,
  file: GitFile,
): Promise<{ sizeBytes: number; modifiedAt: number }> {
  const { disk } = repository;
  const place = repository.place(path);
  if (file.mode === "160000") {
    await disk.mkdir(place, { recursive: true });
    return { sizeBytes: 0, modifiedAt: 0 };
  }
  await disk.mkdir(place.slice(0, place.lastIndexOf("/")) || "/", { recursive: true });
  const bytes = await repository.blob(file.oid);
  if (file.mode === "120000") {
    await disk.rm(place, { force: true });
    await disk.symlink(new TextDecoder().decode(bytes), place);
  } else {
    await disk.writeFile(place, Uint8Array.from(bytes));
    if (file.mode === "100755") await disk.chmod(place, 0o755);
  }
  const stat = await disk.lstat(place);
  return { sizeBytes: stat.sizeBytes, modifiedAt: stat.modifiedAt };
}

/** Removes a file and the directories that are empty without it. */
export async function removeFile(repository: GitRepository, path: string): Promise<void> {
  await repository.disk.rm(repository.place(path), { force: true, recursive: true });
  for (let cut = path.lastIndexOf("/"); cut > 0; cut = path.lastIndexOf("/", cut - 1)) {
    const directory = repository.place(path.slice(0, cut));
    if (!(await repository.disk.exists(directory)) || (await repository.disk.readdir(directory)).length > 0) return;
    await repository.disk.rm(directory, { recursive: true });
  }
}

export function sameFile(a: GitFile | undefined, b: GitFile | undefined): boolean {
  return a?.oid === b?.oid && a?.mode === b?.mode;
}
