import { bytesFromHex } from "../../base";
import { isVersionId } from "../mirror/versionId";
import type { SnapshotTree } from "../snapshotTree";
import type { DirectoryEntry, FileEntry } from "../treeEntry";
import { childNodes } from "../treeWalk";
import { checksumOf } from "./checksum";
import { DamagedRecordError, madeOf } from "./damagedRecordError";

/**
 * A whole tree in columns, so that it is read as fast as its bytes are. Directories are numbered level by level, `/` is 0;
 * the entries of each lie together in order of their names, directory after directory, and so do its files and the
 * directories in it: of each it is enough to say where they begin.
 */
export interface TreeImage {
  /** The names of all entries as UTF-8, each with a NUL after it. */
  readonly names: Uint8Array;
  /** One of `ENTRY_KINDS` an entry. */
  readonly kinds: Uint8Array;
  /**
   * A row a directory: where its names, entries, files and directories begin, and its files at any depth; after the last
   * row, where all of them end.
   */
  readonly directories: Uint32Array;
  /** Bytes of all files at any depth, a number a directory. */
  readonly directorySizes: Float64Array;
  /** 32 bytes a file. */
  readonly hashes: Uint8Array;
  /** What names contents by something else than their SHA-256, by the number of the file. */
  readonly versionIds: ReadonlyMap<number, string>;
  /** A number a file. */
  readonly sizes: Float64Array;
  /** A number a file. */
  readonly times: Float64Array;
  /** The names of packs, a line each. */
  readonly packNames: string;
  /** Which of the packs a file's contents were in, from 1; 0 is not known. Packs may have been written anew since. */
  readonly packs: Uint32Array;
  /** Of all of the above. */
  readonly checksum: number;
}

export const ENTRY_KINDS = { file: 0, directory: 1, explicitDirectory: 2 } as const;
export const ROW = { names: 0, entries: 1, files: 2, directories: 3, fileCount: 4, length: 5 } as const;
export const HASH_BYTES = 32;
const CHECKPOINT_WORDS = "the checkpoint of a disk";
const NO_HASH = "00".repeat(HASH_BYTES);

/** @param packNameOf the pack a file's contents are in, as far as that is known */
export function imageFromTree(tree: SnapshotTree, packNameOf: (file: FileEntry) => string | undefined): TreeImage {
  const encoder = new TextEncoder();
  const names: Uint8Array[] = [];
  const kinds: number[] = [];
  const rows: number[] = [];
  const files: FileEntry[] = [];
  const directories: DirectoryEntry[] = [tree.root];
  let nameBytes = 0;
  // It grows as it is gone through.
  for (const directory of directories) {
    rows.push(nameBytes, kinds.length, files.length, directories.length, directory.fileCount);
    let own = "";
    for (const { name, entry } of childNodes(directory.children)) {
      own += `${name}\0`;
      kinds.push(kindOf(entry));
      if (entry.kind === "file") files.push(entry);
      else directories.push(entry);
    }
    const encoded = encoder.encode(own);
    names.push(encoded);
    nameBytes += encoded.length;
  }
  rows.push(nameBytes, kinds.length, files.length, directories.length, 0);
  const columns = {
    names: joinedBytes(names, nameBytes),
    kinds: Uint8Array.from(kinds),
    directories: Uint32Array.from(rows),
    directorySizes: Float64Array.from(directories, ({ sizeBytes }) => sizeBytes),
    hashes: bytesFromHex(files.map(({ hash }) => (isVersionId(hash) ? NO_HASH : hash)).join("")),
    versionIds: new Map([...files.entries()].flatMap(([at, { hash }]) => (isVersionId(hash) ? [[at, hash]] : []))),
    sizes: Float64Array.from(files, ({ sizeBytes }) => sizeBytes),
    times: Float64Array.from(files, ({ modifiedAt }) => modifiedAt),
    ...packColumns(files.map(packNameOf)),
  };
  return { ...columns, checksum: checksumOfImage(columns) };
}

function packColumns(names: readonly (string | undefined)[]): Pick<TreeImage, "packNames" | "packs"> {
  const numbers = new Map<string, number>();
  const packs = Uint32Array.from(names, (name) => {
    if (name === undefined) return 0;
    const number = numbers.get(name) ?? numbers.size + 1;
    numbers.set(name, number);
    return number;
  });
  return { packNames: [...numbers.keys()].join("\n"), packs };
}

/** A record of a checkpoint as an image. @throws DamagedRecordError */
export function imageFromRecord(value: unknown): TreeImage {
  const image = value as TreeImage;
  const isWhole = madeOf(CHECKPOINT_WORDS, () => checksumOfImage(image) === image.checksum);
  if (!isWhole) throw new DamagedRecordError(CHECKPOINT_WORDS);
  return image;
}

/** Checkpoints of schema 1 are steps (diskRecords.ts). */
export function isTreeImage(value: unknown): boolean {
  return (value as Partial<TreeImage> | undefined)?.directories instanceof Uint32Array;
}

function kindOf(entry: FileEntry | DirectoryEntry): number {
  if (entry.kind === "file") return ENTRY_KINDS.file;
  return entry.isExplicit ? ENTRY_KINDS.explicitDirectory : ENTRY_KINDS.directory;
}

function checksumOfImage(image: Omit<TreeImage, "checksum">): number {
  const { names, kinds, directories, directorySizes, hashes, versionIds, sizes, times, packNames, packs } = image;
  return checksumOf(
    names,
    kinds,
    directories,
    directorySizes,
    hashes,
    [...versionIds].join(),
    sizes,
    times,
    packNames,
    packs,
  );
}

function joinedBytes(parts: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  const joined = new Uint8Array(sizeBytes);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
