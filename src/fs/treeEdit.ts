import { ConflictError, FileNotFoundError, InvalidPathError, NotADirectoryError, NotAFileError } from "./pathError";
import type { SnapshotTree } from "./snapshotTree";
import type { FileEntry } from "./treeEntry";

/** What a file edit requires to be there: the hash of a file, or `null` for nothing. Omitted: anything. */
interface Expectation {
  readonly expectedHash?: string | null;
}

/** One step of a commit; paths are normalized and valid. */
export type TreeEdit =
  | ({ readonly kind: "write"; readonly path: string; readonly file: FileEntry } & Expectation)
  | ({ readonly kind: "delete"; readonly path: string } & Expectation)
  | { readonly kind: "rename"; readonly from: string; readonly to: string }
  | { readonly kind: "makeDirectory"; readonly path: string }
  /** With `onlyEmpty`, a directory that is missing or holds something is left as it is. */
  | { readonly kind: "removeDirectory"; readonly path: string; readonly onlyEmpty?: boolean };

/** A disk that takes several edits as one: all of them, or none and an error. */
export interface CommittingDisk {
  /** @throws PathError of the first edit that cannot be; `ConflictError` when something else than expected is there */
  commit(edits: readonly TreeEdit[]): Promise<void>;
}

export function isCommittingDisk(tree: object): tree is CommittingDisk {
  return typeof (tree as Partial<CommittingDisk>).commit === "function";
}

/** The tree with all edits made, in order. @throws PathError of the first that cannot be */
export function treeFromEdits(tree: SnapshotTree, edits: readonly TreeEdit[]): SnapshotTree {
  let edited = tree;
  for (let index = 0; index < edits.length; index++) {
    const plainWrites: [string, FileEntry][] = [];
    let edit = edits[index];
    for (; edit?.kind === "write" && edit.expectedHash === undefined; edit = edits[++index]) {
      plainWrites.push([edit.path, edit.file]);
    }
    edited = withPlainWrites(edited, plainWrites);
    if (edit !== undefined) edited = withEdit(edited, edit);
  }
  return edited;
}

function withPlainWrites(tree: SnapshotTree, files: readonly (readonly [string, FileEntry])[]): SnapshotTree {
  const [only] = files;
  if (only === undefined) return tree;
  return files.length === 1 ? tree.withFile(...only) : tree.withFiles(files);
}

function withEdit(tree: SnapshotTree, edit: TreeEdit): SnapshotTree {
  switch (edit.kind) {
    case "write":
      assertExpected(tree, edit);
      return tree.withFile(edit.path, edit.file);
    case "delete":
      assertExpected(tree, edit);
      assertFile(tree, edit.path);
      return tree.without(edit.path);
    case "rename":
      return tree.renamed(edit.from, edit.to);
    case "makeDirectory":
      return tree.withDirectory(edit.path);
    case "removeDirectory":
      break;
  }
  return withoutDirectory(tree, edit.path, edit.onlyEmpty ?? false);
}

function assertExpected(tree: SnapshotTree, { path, expectedHash }: { readonly path: string } & Expectation): void {
  if (expectedHash === undefined) return;
  const entry = tree.entry(path);
  const actual = entry?.kind === "file" ? entry.hash : undefined;
  if (entry?.kind === "directory" || actual !== (expectedHash ?? undefined)) {
    throw new ConflictError(path, expectedHash ?? undefined, actual);
  }
}

/** @throws FileNotFoundError, NotAFileError */
function assertFile(tree: SnapshotTree, path: string): void {
  const entry = tree.entry(path);
  if (entry === undefined) throw new FileNotFoundError(path);
  if (entry.kind === "directory") throw new NotAFileError(path);
}

function withoutDirectory(tree: SnapshotTree, path: string, onlyEmpty: boolean): SnapshotTree {
  const entry = tree.entry(path);
  if (onlyEmpty) return entry?.kind === "directory" && entry.children === undefined ? tree.without(path) : tree;
  if (path === "/") throw new InvalidPathError(path);
  if (entry === undefined) throw new FileNotFoundError(path);
  if (entry.kind === "file") throw new NotADirectoryError(path);
  return tree.without(path);
}
