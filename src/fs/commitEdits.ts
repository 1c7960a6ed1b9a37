import { sha256Hex } from "../base";
import { bytesFromContents, contentsFromBytes } from "./contents";
import type { Change } from "./diffTrees";
import type { EditableDisk, FileSystem } from "./fileSystem";
import { memoryFile } from "./memoryFile";
import { ancestorPaths } from "./path";
import { ConflictError, InvalidPathError, PathError, type PathErrorCode } from "./pathError";
import { SnapshotTree } from "./snapshotTree";
import { isCommittingDisk, treeFromEdits, type TreeEdit } from "./treeEdit";
import type { FileEntry } from "./treeEntry";
import { isVersionedTree, snapshotByWalking } from "./versionedTree";

const STRUCTURAL_CODES: ReadonlySet<PathErrorCode> = new Set(["not-found", "not-a-file", "not-a-directory"]);

export function isEditableDisk(tree: FileSystem): tree is FileSystem & EditableDisk {
  const disk = tree as FileSystem & Partial<EditableDisk>;
  return [disk.rename, disk.makeDirectory, disk.removeDirectory, disk.writeMany].every(
    (verb) => typeof verb === "function",
  );
}

/** The edits that make a tree with these changes, each on the condition that the file is as it was before. */
export function editsFromChanges(
  changes: readonly Change[],
  fileAt: (path: string) => FileEntry | undefined,
  directories: { readonly made: readonly string[]; readonly removed: readonly string[] },
): TreeEdit[] {
  const deletes: TreeEdit[] = [];
  const writes: TreeEdit[] = [];
  for (const { path, before = null } of changes) {
    const file = fileAt(path);
    if (file === undefined) deletes.push({ kind: "delete", path, expectedHash: before });
    else writes.push({ kind: "write", path, file, expectedHash: before });
  }
  return [
    ...deletes,
    // What is inside goes first; a directory somebody else has put something in stays.
    ...directories.removed
      .toSorted()
      .toReversed()
      .map((path): TreeEdit => ({ kind: "removeDirectory", path, onlyEmpty: true })),
    ...directories.made.map((path): TreeEdit => ({ kind: "makeDirectory", path })),
    ...writes,
  ];
}

/**
 * Makes the edits of a tree: as one commit where the tree can. Elsewhere all conditions are checked before the first
 * write, and what another writer does in between is not seen.
 * @throws ConflictError, with nothing written
 */
export async function commitEdits(tree: FileSystem, edits: readonly TreeEdit[]): Promise<void> {
  if (edits.length === 0) return;
  if (isCommittingDisk(tree)) return inConflict(() => tree.commit(edits));
  await inConflict(() => assertPossible(tree, edits));
  for (const edit of edits) {
    if (edit.kind === "delete") await tree.delete(edit.path);
    else if (edit.kind !== "write") await editDirectory(tree, edit);
  }
  const files = edits.filter((edit) => edit.kind === "write");
  if (isEditableDisk(tree)) await tree.writeMany(writesOf(files));
  else for await (const [path, contents] of writesOf(files)) await tree.write(path, contents);
}

/** To one who knows how the tree was, a file where a directory should be, and the like, is somebody else's change. */
async function inConflict(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const isStructural = error instanceof PathError && STRUCTURAL_CODES.has(error.code);
    throw isStructural ? new ConflictError(error.path) : error;
  }
}

async function* writesOf(edits: readonly (TreeEdit & { kind: "write" })[]) {
  for (const { path, file } of edits) yield [path, contentsFromBytes(await file.bytes())] as const;
}

async function editDirectory(tree: FileSystem, edit: Exclude<TreeEdit, { kind: "write" | "delete" }>): Promise<void> {
  // A tree without these has directories by their files alone: there is nothing to do.
  if (!isEditableDisk(tree)) return;
  if (edit.kind === "makeDirectory") return tree.makeDirectory(edit.path);
  if (edit.kind === "rename") return tree.rename(edit.from, edit.to);
  if (!edit.onlyEmpty) return tree.removeDirectory(edit.path);
  if (!(await isEmptyDirectory(tree, edit.path))) return;
  try {
    await tree.removeDirectory(edit.path);
  } catch (error) {
    // One that must stay, as the root of a mount must, does no harm.
    if (!(error instanceof InvalidPathError)) throw error;
  }
}

async function isEmptyDirectory(tree: FileSystem, path: string): Promise<boolean> {
  if ((await tree.stat(path)).kind !== "directory") return false;
  for await (const _entry of tree.list(path)) return false;
  return true;
}

/** @throws ConflictError when the edits cannot all be made of the tree as it now is */
async function assertPossible(tree: FileSystem, edits: readonly TreeEdit[]): Promise<void> {
  treeFromEdits(isVersionedTree(tree) ? await tree.snapshot() : await partOf(tree, edits), edits);
}

/** What a tree holds at the paths of the edits, above and below them: all that the edits can meet. */
async function partOf(tree: FileSystem, edits: readonly TreeEdit[]): Promise<SnapshotTree> {
  let part = SnapshotTree.empty;
  for (const path of edits.flatMap((edit) => (edit.kind === "rename" ? [edit.from, edit.to] : [edit.path]))) {
    for (const at of [...ancestorPaths(path), path]) {
      const { kind } = await tree.stat(at);
      if (kind === "file") part = part.withFile(at, memoryFile(await tree.read(at), 0));
      if (kind === "directory" && at === path) {
        part = part.withSubtree(at, await snapshotByWalking(tree, at, (file) => part.file(file)));
      }
      if (kind !== "directory") break;
    }
  }
  return part;
}

/** The hash of what `read` answers. @throws what `read` throws */
export async function hashAt(tree: FileSystem, path: string): Promise<string> {
  return sha256Hex(bytesFromContents(await tree.read(path)));
}
