import type { FileSystemTree } from "@webcontainer/api";
import { nextTask, sha256HexMany, type Clock } from "../../base";
import { bytesFromContents, joinFsPath, SnapshotTree, type FileEntry } from "../../fs";

/** Directories that stay on the side they were made on: they are installed anew from what is kept, and hold most of all files. */
const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules"]);

/** The same as patterns of the vendor's export. */
export const LEFT_OUT_PATTERNS: readonly string[] = [...LEFT_OUT].flatMap((name) => [
  name,
  `${name}/**`,
  `**/${name}`,
  `**/${name}/**`,
]);

/** Files hashed in one go before the page has its turn. */
const HASHED_AT_ONCE = 256;

export function isLeftOut(name: string): boolean {
  return LEFT_OUT.has(name);
}

/** The tree without what stays on its own side. */
export function withoutLeftOut(tree: SnapshotTree): SnapshotTree {
  let kept = tree;
  for (const [path] of tree.walk()) {
    if (isLeftOut(path.slice(path.lastIndexOf("/") + 1))) kept = kept.without(path);
  }
  return kept;
}

interface Exported {
  readonly files: (readonly [path: string, bytes: Uint8Array])[];
  /** Deepest last. */
  readonly emptyDirectories: string[];
}

/**
 * What the container holds, as a tree. Files that are as in `known` are its entries, so that comparing the two walks only
 * what differs and nothing is held twice. Symbolic links are no files of a project's disk, and left out.
 */
export async function containerTree(exported: FileSystemTree, known: SnapshotTree, now: Clock): Promise<SnapshotTree> {
  const { files, emptyDirectories } = filesOf(exported);
  const entries: [string, FileEntry][] = [];
  for (let from = 0; from < files.length; from += HASHED_AT_ONCE) {
    const batch = files.slice(from, from + HASHED_AT_ONCE);
    const hashes = await sha256HexMany(batch.map(([, bytes]) => bytes));
    batch.forEach(([path, bytes], index) => {
      const before = known.file(path);
      const hash = hashes[index] as string;
      entries.push([path, before?.hash === hash ? before : fileOf(bytes, hash, now())]);
    });
    await nextTask();
  }
  let tree = SnapshotTree.empty.withFiles(entries);
  for (const path of emptyDirectories) tree = tree.withDirectory(path);
  return tree;
}

function fileOf(bytes: Uint8Array, hash: string, modifiedAt: number): FileEntry {
  return { kind: "file", hash, sizeBytes: bytes.length, modifiedAt, bytes: () => Promise.resolve(bytes) };
}

function filesOf(exported: FileSystemTree): Exported {
  const found: Exported = { files: [], emptyDirectories: [] };
  gather(found, exported, "/");
  return found;
}

function gather(found: Exported, directory: FileSystemTree, path: string): void {
  const names = Object.keys(directory).filter((name) => !isLeftOut(name));
  if (names.length === 0 && path !== "/") found.emptyDirectories.push(path);
  for (const name of names) {
    const node = directory[name];
    const at = joinFsPath(path, name);
    if (node === undefined) continue;
    if ("directory" in node) gather(found, node.directory, at);
    else if ("contents" in node.file) found.files.push([at, bytesFromContents(node.file.contents)]);
  }
}
