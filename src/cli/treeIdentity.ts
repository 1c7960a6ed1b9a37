import { sha256HexSync } from "../base";
import { isVersionedTree, SnapshotTree, type FileEntry } from "../fs";
import type { FileSystem } from "../index";

/**
 * What names the state a tree is in, as a log records it. A tree that is read file by file is named by the times and sizes
 * of its files: nothing of it is read for that.
 */
export async function treeIdentity(tree: Partial<FileSystem>): Promise<string> {
  const whole = tree as FileSystem;
  if (isVersionedTree(whole)) return (await whole.snapshot()).rootHash();
  const files: [string, FileEntry][] = [];
  for await (const { path, kind, sizeBytes = 0, modifiedAt = 0 } of tree.list?.() ?? []) {
    if (kind !== "file") continue;
    // The form of the id of a version that was never read.
    const hash = `${sha256HexSync(`${path}\0${modifiedAt}-${sizeBytes}`).slice(0, 63)}v`;
    files.push([path, { kind, hash, sizeBytes, modifiedAt, bytes: () => Promise.resolve(new Uint8Array()) }]);
  }
  return SnapshotTree.empty.withFiles(files).rootHash();
}
