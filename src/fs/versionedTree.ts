import type { FileSystem } from "./fileSystem";
import { memoryFile } from "./memoryFile";
import { PathError } from "./pathError";
import { SnapshotTree } from "./snapshotTree";
import type { FileEntry } from "./treeEntry";

/** A tree that can be had whole at any time, and that says when it changes. */
export interface VersionedTree {
  /** The whole tree as it is at this call; costs nothing by itself. @throws UnavailableError */
  snapshot(): Promise<SnapshotTree>;
  /** Calls the listener (which must not throw) after every change. Returns what ends it. */
  subscribe(listener: () => void): () => void;
  /** `false` when a snapshot would have to read everything, as in a union one of whose mounts is not versioned. */
  readonly isVersioned?: boolean;
}

export function isVersionedTree(tree: FileSystem): tree is FileSystem & VersionedTree {
  const candidate = tree as FileSystem & Partial<VersionedTree>;
  return (
    typeof candidate.snapshot === "function" &&
    typeof candidate.subscribe === "function" &&
    candidate.isVersioned !== false
  );
}

/** The whole of any tree as a snapshot: at once for a versioned one, else by reading every file. */
export async function snapshotOf(tree: FileSystem): Promise<SnapshotTree> {
  if (isVersionedTree(tree)) return tree.snapshot();
  return snapshotByWalking(tree, "/", () => undefined);
}

/** The directory at `prefix`, read file by file; `known` may answer for files that need no reading. */
export async function snapshotByWalking(
  tree: FileSystem,
  prefix: string,
  known: (path: string) => FileEntry | undefined,
): Promise<SnapshotTree> {
  const files: [string, FileEntry][] = [];
  const directories: string[] = [];
  const skip = prefix === "/" ? 0 : prefix.length;
  for await (const { path, kind, modifiedAt } of tree.list(prefix)) {
    if (kind === "directory") directories.push(path.slice(skip));
    else {
      const file = known(path) ?? (await fileOf(tree, path, modifiedAt ?? 0));
      if (file !== undefined) files.push([path.slice(skip), file]);
    }
  }
  let snapshot = SnapshotTree.empty.withFiles(files);
  // Directories that hold something are there by it; the others were made as such. Deepest first, so that a parent counts.
  for (const path of directories.toReversed()) {
    if (snapshot.entry(path) === undefined) snapshot = snapshot.withDirectory(path);
  }
  return snapshot;
}

/** A file that is gone by the time it is read was deleted in between: then it is not in the snapshot. */
async function fileOf(tree: FileSystem, path: string, modifiedAt: number): Promise<FileEntry | undefined> {
  try {
    return memoryFile(await tree.read(path), modifiedAt);
  } catch (error) {
    if (error instanceof PathError && error.code === "not-found") return undefined;
    throw error;
  }
}
