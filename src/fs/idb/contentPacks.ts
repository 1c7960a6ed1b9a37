import { limits } from "../../base";
import { checksumOf } from "./checksum";
import { DamagedRecordError } from "./damagedRecordError";
import type { KeyedRecord, RecordKey, RecordWriter } from "./records";

/** Bytes and their SHA-256, on their way into the store. */
export interface HashedContent {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** A record in which several contents lie one after the other: a pack of an import, or a commit of a disk's log. */
export interface Pack {
  readonly key: RecordKey;
  /** One for all records of a pack. */
  readonly name: string;
  /** Of the bytes; packs of schema 1 have none. */
  readonly bytesChecksum: number | undefined;
}

/** Where a packed content lies. */
export interface PackedAt {
  readonly pack: Pack;
  readonly offset: number;
  readonly length: number;
}

/** What a pack holds: the hashes one after the other, and where each content ends. */
export interface PackIndex {
  readonly hashes: string;
  readonly ends: Uint32Array;
  /** Of the pack's bytes; `undefined` in schema 1. */
  readonly bytesChecksum?: number;
  /** Of all of the above; `undefined` in schema 1. */
  readonly checksum?: number;
}

/** Contents inside another record. */
export interface HeldContents {
  readonly index: PackIndex;
  readonly bytes: Uint8Array;
}

const HASH_LENGTH = 64;
/** Share of a buffer from which it is stored without a copy. */
const FULL_SHARE = 0.75;

export const looseKey = (hash: string): RecordKey => ["b", hash];
export const chunkKey = (hash: string, chunk: number): RecordKey => ["b", hash, chunk];
export const packKey = (packId: string, packNumber: number): RecordKey => ["p", packId, packNumber];
export const packIndexKey = (packId: string, packNumber: number): RecordKey => ["x", packId, packNumber];

/** A content on its own: one record, or pieces of `limits.chunkBytes`. */
export function looseRecords({ hash, bytes }: HashedContent): KeyedRecord[] {
  if (bytes.length <= limits.chunkBytes) return [[looseKey(hash), ownBytes(bytes)]];
  return Array.from({ length: Math.ceil(bytes.length / limits.chunkBytes) }, (_, chunk) => [
    chunkKey(hash, chunk),
    bytes.slice(chunk * limits.chunkBytes, (chunk + 1) * limits.chunkBytes),
  ]);
}

/** Bytes without the rest of a larger buffer, which a store would copy along. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

/**
 * The records of many contents: small ones in packs of about `limits.packBytes` in the order given, so that what is
 * imported together is read together; large ones on their own.
 */
export function packedRecords(contents: Iterable<HashedContent>, packId: string): KeyedRecord[] {
  const records: KeyedRecord[] = [];
  let pack: HashedContent[] = [];
  let packBytes = 0;
  let packNumber = 0;
  const finishPack = () => {
    if (pack.length > 0) records.push(...packRecords(pack, packBytes, packId, packNumber++));
    pack = [];
    packBytes = 0;
  };
  for (const content of contents) {
    if (content.bytes.length > limits.packBytes / 2) {
      records.push(...looseRecords(content));
      continue;
    }
    const isFull = packBytes + content.bytes.length > limits.packBytes;
    if (isFull || isEncodedElsewhere(pack, content)) finishPack();
    pack.push(content);
    packBytes += content.bytes.length;
  }
  finishPack();
  return records;
}

/** Whether the pack begins with a buffer that was filled as a pack (packEncoder.ts) and this is not of it. */
function isEncodedElsewhere([first]: readonly HashedContent[], { bytes }: HashedContent): boolean {
  return first?.bytes.buffer.byteLength === limits.packBytes && first.bytes.buffer !== bytes.buffer;
}

/** The contents one after the other: the buffer they lie in, when they do so already. */
function packedBytes(contents: readonly HashedContent[], sizeBytes: number): Uint8Array {
  const buffer = contents[0]?.bytes.buffer;
  let end = 0;
  const isPacked = contents.every(({ bytes }) => {
    const isNext = bytes.buffer === buffer && bytes.byteOffset === end;
    end += bytes.length;
    return isNext;
  });
  // A view is stored with all of its buffer: one that is about full as it is, the rest of it cleared of what was there.
  if (isPacked && buffer?.byteLength === limits.packBytes && sizeBytes > limits.packBytes * FULL_SHARE) {
    new Uint8Array(buffer, sizeBytes).fill(0);
    return new Uint8Array(buffer, 0, sizeBytes);
  }
  const packed = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const { bytes } of contents) {
    packed.set(bytes, offset);
    offset += bytes.length;
  }
  return packed;
}

function packRecords(contents: HashedContent[], sizeBytes: number, packId: string, packNumber: number): KeyedRecord[] {
  const bytes = packedBytes(contents, sizeBytes);
  return [
    [packKey(packId, packNumber), bytes],
    [packIndexKey(packId, packNumber), indexOf(contents, bytes)],
  ];
}

function indexOf(contents: readonly HashedContent[], bytes: Uint8Array): PackIndex {
  const ends = new Uint32Array(contents.length);
  let end = 0;
  for (const [index, content] of contents.entries()) ends[index] = end += content.bytes.length;
  const hashes = contents.map(({ hash }) => hash).join("");
  const bytesChecksum = checksumOf(bytes);
  return { hashes, ends, bytesChecksum, checksum: checksumOf(hashes, ends, bytesChecksum) };
}

/** Contents to lie inside another record. */
export function heldContents(contents: readonly HashedContent[]): HeldContents {
  const bytes = new Uint8Array(contents.reduce((sum, content) => sum + content.bytes.length, 0));
  let offset = 0;
  for (const content of contents) {
    bytes.set(content.bytes, offset);
    offset += content.bytes.length;
  }
  return { index: indexOf(contents, bytes), bytes };
}

/** @throws DamagedRecordError */
export function indexFromRecord(value: unknown): PackIndex {
  const { hashes, ends, bytesChecksum, checksum } = (value ?? {}) as PackIndex;
  const isShaped =
    typeof hashes === "string" && ends instanceof Uint32Array && hashes.length === ends.length * HASH_LENGTH;
  const isWhole = isShaped && (checksum === undefined || checksum === checksumOf(hashes, ends, bytesChecksum ?? 0));
  if (!isWhole) throw new DamagedRecordError("the list of what a pack holds");
  return value as PackIndex;
}

/** Every content an index names, with its place. */
export function* packedContents(key: RecordKey, index: PackIndex): Generator<readonly [hash: string, at: PackedAt]> {
  const { hashes, ends, bytesChecksum } = index;
  const pack: Pack = { key: key[0] === "x" ? ["p", ...key.slice(1)] : key, name: packName(key), bytesChecksum };
  let offset = 0;
  for (const [number, end] of ends.entries()) {
    const hash = hashes.slice(number * HASH_LENGTH, (number + 1) * HASH_LENGTH);
    yield [hash, { pack, offset, length: end - offset }];
    offset = end;
  }
}

/** @throws DamagedRecordError */
export function assertWhole({ index, bytes }: HeldContents): void {
  const { bytesChecksum } = indexFromRecord(index);
  if (!(bytes instanceof Uint8Array) || checksumOf(bytes) !== bytesChecksum) {
    throw new DamagedRecordError("the contents in a commit of a disk");
  }
}

/** The bytes of a pack; packs of schema 1 have no check sum. @throws DamagedRecordError */
export function packFromRecord(value: unknown, bytesChecksum: number | undefined): Uint8Array {
  const isWhole = value instanceof Uint8Array && (bytesChecksum === undefined || checksumOf(value) === bytesChecksum);
  if (!isWhole) throw new DamagedRecordError("a pack of contents");
  return value;
}

/** The contents inside a commit's record. @throws DamagedRecordError */
export function contentsInRecord([key, value]: KeyedRecord): HashedContent[] {
  const { contents } = (value ?? {}) as { readonly contents?: HeldContents };
  if (contents === undefined) return [];
  assertWhole(contents);
  return [...packedContents(key, contents.index)].map(([hash, { offset, length }]) => ({
    hash,
    bytes: contents.bytes.subarray(offset, offset + length),
  }));
}

/** One name for all records of a pack. */
export function packName(key: RecordKey): string {
  return key[0] === "d" ? key.join("/") : key.slice(1).join("/");
}

/** The pack of an import by its name, with the check sum of its bytes if it has one. */
export function packFromName(name: string, checksum: number | undefined): Pack {
  const slash = name.indexOf("/");
  const key = packKey(name.slice(0, slash), Number(name.slice(slash + 1)));
  return { key, name, bytesChecksum: checksum === undefined || Number.isNaN(checksum) ? undefined : checksum };
}

export function putRecords(writer: RecordWriter, records: readonly KeyedRecord[]): void {
  for (const [key, value] of records) writer.put(key, value);
}
