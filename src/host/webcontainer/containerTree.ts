import type { FileSystemTree } from "@webcontainer/api";
import { limits, nextTask, sha256HexMany, type Clock } from "../../base";
import { baseName, bytesFromContents, joinFsPath, SnapshotTree, type FileEntry } from "../../fs";
import { SHELL_OUTPUT_DIRECTORY } from "../outputKeeper";

/** Directories that stay on the side they were made on: they are installed anew from what is kept, and hold most of all files. */
const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules"]);

/** Long output, which goes into the container to be read there, and would come back with every command. */
const ONLY_GOES_IN = SHELL_OUTPUT_DIRECTORY;

/** What an export is to pass over, as patterns of the vendor's. */
export const NOT_EXPORTED: readonly string[] = [
  ...[...LEFT_OUT].flatMap((name) => [name, `${name}/**`, `**/${name}`, `**/${name}/**`]),
  ONLY_GOES_IN.slice(1),
  `${ONLY_GOES_IN.slice(1)}/**`,
];

/** Files hashed in one go before the page has its turn. */
const HASHED_AT_ONCE = 64;

export function isLeftOut(name: string): boolean {
  return LEFT_OUT.has(name);
}

/** The disk's tree without what stays on its own side. */
export function treeForContainer(tree: SnapshotTree): SnapshotTree {
  let kept = tree;
  for (const [path] of tree.walk()) if (isLeftOut(baseName(path))) kept = kept.without(path);
  for (const [path, { sizeBytes }] of tree.files(ONLY_GOES_IN)) {
    if (sizeBytes > limits.hostOutputFileBytes) kept = kept.without(path);
  }
  return kept;
}

interface Exported {
  readonly files: (readonly [path: string, contents: string | Uint8Array])[];
  /** Deepest last. */
  readonly emptyDirectories: string[];
}

/**
 * What the container holds, as a tree. Files that are as in `known` are its entries, so that comparing the two walks only
 * what differs and nothing is held twice. Symbolic links are no files of a project's disk, and left out.
 */
export async function containerTree(
  exported: FileSystemTree,
  known: SnapshotTree,
  { readBytes, now }: { readonly readBytes: (path: string) => Promise<Uint8Array>; readonly now: Clock },
): Promise<SnapshotTree> {
  const { files, emptyDirectories } = filesOf(exported);
  const entries: [string, FileEntry][] = [];
  for (let from = 0; from < files.length; from += HASHED_AT_ONCE) {
    const batch: (readonly [path: string, bytes: Uint8Array])[] = [];
    for (const [path, contents] of files.slice(from, from + HASHED_AT_ONCE)) {
      // Text that has lost bytes: whether the export marks all that is no text is the vendor's affair, these files are not.
      const isDoubtful = typeof contents === "string" && contents.includes("\uFFFD");
      batch.push([path, isDoubtful ? await readBytes(path) : bytesFromContents(contents)]);
    }
    const hashes = await sha256HexMany(batch.map(([, bytes]) => bytes));
    batch.forEach(([path, bytes], index) => {
      const before = known.file(path);
      const hash = hashes[index] as string;
      entries.push([path, before?.hash === hash ? before : fileOf(bytes, hash, now())]);
    });
    await nextTask();
  }
  let tree = SnapshotTree.empty.withFiles(entries);
  if (known.entry(ONLY_GOES_IN)?.kind === "directory")
    tree = tree.withSubtree(ONLY_GOES_IN, known.subtree(ONLY_GOES_IN));
  // What an export passes over makes its parent look empty.
  for (const path of emptyDirectories) if (tree.entry(path) === undefined) tree = tree.withDirectory(path);
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
    if (node === undefined || at === ONLY_GOES_IN) continue;
    if ("directory" in node) gather(found, node.directory, at);
    else if ("contents" in node.file) found.files.push([at, node.file.contents]);
  }
}
