import { bytesFromHex } from "../../base";
import { isVersionId } from "../mirror/versionId";
import type { SnapshotTree } from "../snapshotTree";
import type { DirectoryEntry, FileEntry } from "../treeEntry";
import { childNodes } from "../treeWalk";
import { checksumOf } from "./checksum";
import { packFromName, type Pack, type PackedAt } from "./contentPacks";
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
  /** The names of packs in their order, a line each. */
  readonly packNames: string;
  /** The check sum of each; NaN for one that has none. */
  readonly packChecksums: Float64Array;
  /** Which of the packs a file's contents were in, from 1; 0 is not known. Packs may have been written anew since. */
  readonly packs: Uint32Array;
  /** Where in it. */
  readonly packOffsets: Uint32Array;
  /** Of all of the above. */
  readonly checksum: number;
}

export const ENTRY_KINDS = { file: 0, directory: 1, explicitDirectory: 2 } as const;
export const ROW = { names: 0, entries: 1, files: 2, directories: 3, fileCount: 4, length: 5 } as const;
export const HASH_BYTES = 32;
const CHECKPOINT_WORDS = "the checkpoint of a disk";
const NO_HASH = "00".repeat(HASH_BYTES);

/** @param placeOf where a file's contents are, as far as that is known */
export function imageFromTree(tree: SnapshotTree, placeOf: (file: FileEntry) => PackedAt | undefined): TreeImage {
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
    ...packColumns(files.map(placeOf)),
  };
  return { ...columns, checksum: checksumOfImage(columns) };
}

type PackColumns = Pick<TreeImage, "packNames" | "packChecksums" | "packs" | "packOffsets">;

function packColumns(places: readonly (PackedAt | undefined)[]): PackColumns {
  const named = new Map(places.flatMap((place) => (place === undefined ? [] : [[place.pack.name, place.pack]])));
  const packs = [...named.values()].toSorted(comparedPacks);
  const numbers = new Map(packs.map(({ name }, index) => [name, index + 1]));
  return {
    packNames: packs.map(({ name }) => name).join("\n"),
    packChecksums: Float64Array.from(packs, ({ bytesChecksum = NaN }) => bytesChecksum),
    packs: Uint32Array.from(places, (place) => (place === undefined ? 0 : (numbers.get(place.pack.name) ?? 0))),
    packOffsets: Uint32Array.from(places, (place) => place?.offset ?? 0),
  };
}

/** As they were stored, so that what was imported together is read ahead together. */
function comparedPacks({ key: [, idA = "", numberA] }: Pack, { key: [, idB = "", numberB] }: Pack): number {
  return idA === idB ? Number(numberA) - Number(numberB) : idA < idB ? -1 : 1;
}

/** The packs an image speaks of. */
export function packsOfImage({ packNames, packChecksums }: TreeImage): Pack[] {
  return packNames === "" ? [] : packNames.split("\n").map((name, index) => packFromName(name, packChecksums[index]));
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
  const { names, kinds, directories, directorySizes, hashes, versionIds, sizes, times } = image;
  const { packNames, packChecksums, packs, packOffsets } = image;
  const own = checksumOf(names, kinds, directories, directorySizes, hashes, [...versionIds].join(), sizes, times);
  return checksumOf(own, packNames, packChecksums, packs, packOffsets);
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
