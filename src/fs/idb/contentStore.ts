import { limits, sha256Hex } from "../../base";
import { contentsFromBytes } from "../contents";
import { ByteCache } from "./byteCache";
import {
  assertWhole,
  chunkKey,
  indexFromRecord,
  looseRecords,
  packedContents,
  packedRecords,
  packName,
  putRecords,
  type HashedContent,
  type HeldContents,
  type Pack,
  type PackedAt,
  type PackIndex,
} from "./contentPacks";
import { DamagedRecordError } from "./damagedRecordError";
import { PackBuffers } from "./packEncoder";
import { PackReads } from "./packReads";
import { bumpEpoch } from "./projectHead";
import { timedId } from "./timedId";
import type { KeyedRecord, RecordKey, RecordReader, Records, RecordWriter } from "./records";

/** Up to so many keys are looked up one by one, more by listing all. */
const KEYS_ONE_BY_ONE = 200;
/** Pieces of a large content written in one transaction. */
const PIECES_AT_ONCE = 8;
const CONTENT_WORDS = "the contents of a file";

/** How a GIF or a WebP begins; the other images are no text. */
const MAY_BE_IMAGE = /^(?:GIF8|RIFF)/;

/** Contents on their way into the store, laid out. */
export interface StagedContents {
  readonly records: readonly KeyedRecord[];
  /** What is to lie in the record of the commit itself. */
  readonly held: readonly HashedContent[];
  /** What lies in packs already, as far as this tab knows; made sure of when it is written. */
  readonly present: ReadonlyMap<string, { readonly pack: Pack; readonly contents: HashedContent[] }>;
}

/** A content by its name, and where it was when that was written down, if anybody did. */
export interface StoredContent {
  readonly hash: string;
  readonly place?: PackedAt | undefined;
}

/** How contents are to be stored: in the record of their commit, each on its own, or many in packs. */
export type ContentLayout = "held" | "loose" | "packed";

/**
 * The contents of a project, each stored once under its SHA-256 whatever disk, session or snapshot names it
 * (docs/storage.md): alone, in pieces when large, in a pack with what was imported together, or in the log of a disk until
 * its next checkpoint. Bytes it hands out are shared and must not be changed.
 */
export class ContentStore {
  readonly packBuffers = new PackBuffers();
  readonly #records: Records;
  readonly #cache = new ByteCache(limits.contentCacheBytes);
  readonly #packed = new Map<string, PackedAt>();
  readonly #packs: PackReads;
  readonly #reading = new Map<string, Promise<Uint8Array | undefined>>();
  /** Commits looked at: most hold no contents, and none comes to hold some. */
  readonly #knownCommits = new Set<string>();
  /** Packs whose index was learned; those a checkpoint speaks of are read without one. */
  readonly #indexedPacks = new Set<string>();
  #indexing: Promise<boolean> | undefined;
  /** Why contents may be found nowhere. */
  #damage: DamagedRecordError | undefined;
  #isIndexed = false;
  /** Put since this handle was opened: a clean-up here must not take them before something names them. */
  readonly freshHashes = new Set<string>();
  /** Finds what a file version holds in the folder or store it is of, while it is there. */
  elsewhere: ((versionId: string) => Promise<Uint8Array | undefined>) | undefined;

  constructor(records: Records) {
    this.#records = records;
    this.#packs = new PackReads(records, this.#cache);
  }

  /**
   * Resolves to the hash when the bytes are stored. Something that is kept (a tree, a session's log) must come to name
   * the hash while this project is open, or a later clean-up gives the space back.
   * @throws QuotaError, UnavailableError
   */
  async put(bytes: Uint8Array): Promise<string> {
    const content = { hash: await sha256Hex(bytes), bytes };
    await this.putAll([content]);
    return content.hash;
  }

  /** Stores all or none. @throws QuotaError, UnavailableError */
  async putAll(contents: readonly HashedContent[], layout: "loose" | "packed" = "loose"): Promise<void> {
    for (const { hash } of contents) this.freshHashes.add(hash);
    const staged = this.stage(contents, layout);
    await this.#records.write(async (writer) => {
      await bumpEpoch(writer);
      await this.writeStaged(writer, staged);
    });
    this.stored(staged);
  }

  /**
   * Stores a content of any size under the hash it has, some pieces at a time: all of it is never in memory. What a failure
   * leaves is taken by a clean-up. @throws QuotaError, UnavailableError
   */
  async putBlob(hash: string, blob: Blob, signal?: AbortSignal): Promise<void> {
    const piecesBytes = PIECES_AT_ONCE * limits.chunkBytes;
    if (blob.size <= limits.chunkBytes) {
      await this.putAll([{ hash, bytes: new Uint8Array(await blob.arrayBuffer()) }]);
      return;
    }
    this.freshHashes.add(hash);
    for (let from = 0; from < blob.size; from += piecesBytes) {
      signal?.throwIfAborted();
      const bytes = new Uint8Array(await blob.slice(from, from + piecesBytes).arrayBuffer());
      await this.#records.write(async (writer) => {
        await bumpEpoch(writer);
        for (let at = 0; at < bytes.length; at += limits.chunkBytes)
          writer.put(chunkKey(hash, (from + at) / limits.chunkBytes), bytes.slice(at, at + limits.chunkBytes));
      });
    }
  }

  /** Bytes `from` to before `to` of a content; of a large one only the pieces they lie in are read. @throws as `get` */
  async slice(hash: string, from: number, to: number): Promise<Uint8Array | undefined> {
    const first = Math.floor(from / limits.chunkBytes);
    const last = Math.floor(Math.max(from, to - 1) / limits.chunkBytes);
    const pieces = await this.#records.read((reader) =>
      reader.entries({ prefix: ["b", hash], from: first, limit: last - first + 1 }),
    );
    const isInPieces =
      pieces.length > 0 && pieces.every(([key, piece]) => key.length === 3 && piece instanceof Uint8Array);
    if (!isInPieces) return (await this.get(hash))?.subarray(from, to);
    const start = first * limits.chunkBytes;
    return joinedBytes(pieces.map(([, piece]) => piece as Uint8Array)).subarray(from - start, to - start);
  }

  /** Lays contents out to be written in somebody's transaction. */
  stage(contents: Iterable<HashedContent>, layout: ContentLayout): StagedContents {
    const present = new Map<string, { pack: Pack; contents: HashedContent[] }>();
    const absent = new Map<string, HashedContent>();
    for (const content of contents) {
      const pack = layout === "held" ? undefined : this.#packed.get(content.hash)?.pack;
      if (pack === undefined) absent.set(content.hash, content);
      else if (present.has(pack.name)) present.get(pack.name)?.contents.push(content);
      else present.set(pack.name, { pack, contents: [content] });
    }
    if (layout === "held") return { records: [], held: [...absent.values()], present };
    const records =
      layout === "packed" ? packedRecords(absent.values(), timedId()) : [...absent.values()].flatMap(looseRecords);
    return { records, held: [], present };
  }

  /** Writes what is in records of its own; at once, unless something is present already. */
  async writeStaged(writer: RecordWriter, staged: StagedContents): Promise<void> {
    putRecords(writer, staged.records);
    for (const { pack, contents } of staged.present.values()) {
      const keys = await writer.keys({ prefix: pack.key, limit: 1 });
      if (keys.length === 0) for (const content of contents) putRecords(writer, looseRecords(content));
    }
  }

  /** To be called when the transaction is complete: what was just written is likely to be read. */
  stored({ records }: StagedContents): void {
    for (const [key, value] of records) {
      // The buffers of a large import are filled again with the next of it.
      const isOwn = value instanceof Uint8Array && value.byteLength === value.buffer.byteLength;
      if (isOwn && key[0] === "p") this.#cache.set(packName(key), value);
      else if (isOwn && key.length === 2) this.#cache.set(String(key[1]), value);
    }
    for (const [key, value] of records) if (key[0] === "x") this.#addPack(key, value as PackIndex);
  }

  /** The same of contents in the record of a commit. */
  storedHeld(key: RecordKey, contents: HeldContents | undefined): void {
    this.#knownCommits.add(packName(key));
    if (contents === undefined) return;
    this.#addPack(key, contents.index);
    this.#cache.set(packName(key), contents.bytes);
  }

  /** The bytes when they are in memory. */
  peek(content: StoredContent): Uint8Array | undefined {
    const at = this.#placeOf(content);
    const pack = at && this.#packs.peek(at.pack);
    if (at !== undefined && pack !== undefined) return sliceOf(pack, at);
    // By its name it would lie in memory on its own: what has a place in a pack does not.
    return at === undefined ? this.#cache.get(content.hash) : undefined;
  }

  /** What `read` answers for a content, when it is in memory. */
  peekContents(content: StoredContent): string | Uint8Array | undefined {
    const at = this.#placeOf(content);
    const text = at && this.#packs.peekText(at.pack)?.slice(at.offset, at.offset + at.length);
    if (text !== undefined && !MAY_BE_IMAGE.test(text)) return text;
    const bytes = this.peek(content);
    return bytes && contentsFromBytes(bytes);
  }

  /** Where in a pack a content is, as far as this tab knows; not one in the log of a disk, which is soon to go. */
  lastingPlaceOf(content: StoredContent): PackedAt | undefined {
    const at = this.#placeOf(content);
    return at?.pack.key[0] === "p" ? at : undefined;
  }

  /** Packs that a checkpoint speaks of, in their order. */
  knowPacks(packs: readonly Pack[]): void {
    for (const pack of packs) this.#packs.add(pack);
  }

  /** As `get`; of a content whose place is known the indexes of all packs need not be read. */
  async read(content: StoredContent): Promise<Uint8Array | undefined> {
    const at = this.#placeOf(content);
    const pack = at && (await this.#packs.read(at.pack));
    return at === undefined || pack === undefined ? this.get(content.hash) : sliceOf(pack, at);
  }

  /** @throws UnavailableError when the store does not answer, DamagedRecordError */
  async get(hash: string): Promise<Uint8Array | undefined> {
    if (!this.#isIndexed && !this.#packed.has(hash)) await this.#readIndex();
    const found = (await this.#packedBytes(hash)) ?? (await this.#looseBytes(hash));
    // Another tab may have packed it, or moved it to another pack.
    if (found !== undefined) return found;
    const hasNews = await this.#readIndex();
    const foundNow = hasNews ? ((await this.#packedBytes(hash)) ?? (await this.#looseBytes(hash))) : undefined;
    // What a damaged list named, nobody knows: it may be this.
    if (foundNow === undefined && this.#damage !== undefined) throw this.#damage;
    return foundNow;
  }

  /** Which of the contents are not stored. @throws UnavailableError */
  async missing(hashes: Iterable<string>): Promise<Set<string>> {
    await this.#readIndex();
    const unknown = [...hashes].filter((hash) => !this.#packed.has(hash));
    if (unknown.length === 0) return new Set();
    const loose = await this.#records.read(async (reader) => {
      if (unknown.length > KEYS_ONE_BY_ONE) return reader.keys({ prefix: ["b"] });
      return (await Promise.all(unknown.map((hash) => reader.keys({ prefix: ["b", hash], limit: 1 })))).flat();
    });
    const present = new Set(loose.map((key) => String(key[1])));
    return new Set(unknown.filter((hash) => !present.has(hash)));
  }

  /**
   * Learns the packs among records read: their indexes, and commits that hold contents. One that is damaged costs what it
   * named, and nothing else.
   */
  addPacks(records: readonly KeyedRecord[]): void {
    for (const [key, value] of records) {
      try {
        this.#learn(key, value);
      } catch (error) {
        if (!(error instanceof DamagedRecordError)) throw error;
        this.#damage = error;
      }
    }
  }

  #learn(key: RecordKey, value: unknown): void {
    const name = packName(key);
    if (key[0] === "x" && !this.#indexedPacks.has(name)) this.#addPack(key, indexFromRecord(value));
    if (!isLogKey(key) || this.#knownCommits.has(name)) return;
    const { contents } = (value ?? {}) as { readonly contents?: HeldContents };
    if (contents !== undefined) assertWhole(contents);
    this.storedHeld(key, contents);
  }

  /** Forgets where everything lies: a clean-up has moved it. */
  forgetPlaces(): void {
    this.#packed.clear();
    this.#packs.clear();
    this.#indexedPacks.clear();
    this.#knownCommits.clear();
    this.#isIndexed = false;
    this.#damage = undefined;
    this.#cache.clear();
  }

  /** What a checkpoint says of places was true when it was written; the indexes, once they were read, are. */
  #placeOf(content: StoredContent): PackedAt | undefined {
    const place = this.#isIndexed ? undefined : content.place;
    return place ?? this.#packed.get(content.hash);
  }

  #addPack(key: RecordKey, index: PackIndex): void {
    this.#indexedPacks.add(packName(key));
    let isKnown = false;
    for (const [hash, at] of packedContents(key, index)) {
      if (!isKnown) this.#packs.add(at.pack);
      isKnown = true;
      this.#packed.set(hash, at);
    }
  }

  async #packedBytes(hash: string): Promise<Uint8Array | undefined> {
    const at = this.#packed.get(hash);
    if (at === undefined) return undefined;
    const bytes = await this.#packs.read(at.pack);
    if (bytes !== undefined) return sliceOf(bytes, at);
    // A clean-up in another tab took the pack away.
    this.#packed.delete(hash);
    this.#packs.delete(at.pack.name);
    this.#indexedPacks.delete(at.pack.name);
    return undefined;
  }

  #looseBytes(hash: string): Promise<Uint8Array | undefined> {
    const held = this.#cache.get(hash);
    if (held !== undefined) return Promise.resolve(held);
    const current = this.#reading.get(hash);
    if (current !== undefined) return current;
    const reading = this.#readLoose(hash).finally(() => this.#reading.delete(hash));
    this.#reading.set(hash, reading);
    return reading;
  }

  async #readLoose(hash: string): Promise<Uint8Array | undefined> {
    const pieces = await this.#records.read((reader) => reader.entries({ prefix: ["b", hash] }));
    const [first] = pieces;
    if (first === undefined) return undefined;
    const isBytes = pieces.every(([, piece]) => piece instanceof Uint8Array);
    if (!isBytes) throw new DamagedRecordError(CONTENT_WORDS);
    const isWhole = first[0].length === 2;
    const bytes = isWhole ? (first[1] as Uint8Array) : joinedBytes(pieces.map(([, piece]) => piece as Uint8Array));
    if (isDigest(hash) && (await sha256Hex(bytes)) !== hash) throw new DamagedRecordError(CONTENT_WORDS);
    this.#cache.set(hash, bytes);
    return bytes;
  }

  /** Reads the indexes of packs not yet known. @returns whether there were any */
  #readIndex(): Promise<boolean> {
    this.#indexing ??= this.#records
      .read(async (reader) => {
        const [packs, commits] = await Promise.all([this.#unknownPacks(reader), this.#unknownCommits(reader)]);
        return [...packs, ...commits];
      })
      .then((records) => {
        this.addPacks(records);
        this.#isIndexed = true;
        return records.length > 0;
      })
      .finally(() => (this.#indexing = undefined));
    return this.#indexing;
  }

  async #unknownPacks(reader: RecordReader): Promise<readonly KeyedRecord[]> {
    if (!this.#isIndexed) return reader.entries({ prefix: ["x"] });
    const keys = await reader.keys({ prefix: ["x"] });
    return valuesOf(
      reader,
      keys.filter((key) => !this.#indexedPacks.has(packName(key))),
    );
  }

  async #unknownCommits(reader: RecordReader): Promise<readonly KeyedRecord[]> {
    const keys = await reader.keys({ prefix: ["d"] });
    return valuesOf(
      reader,
      keys.filter((key) => isLogKey(key) && !this.#knownCommits.has(packName(key))),
    );
  }
}

/** A commit of a disk's log (diskRecords.ts). */
function isLogKey(key: RecordKey): boolean {
  return key[0] === "d" && key[2] === "l";
}

/** Whether a content can be held against its name: versions of files that lie elsewhere are named otherwise. */
function isDigest(hash: string): boolean {
  return /^[\da-f]{64}$/.test(hash);
}

function valuesOf(reader: RecordReader, keys: readonly RecordKey[]): Promise<KeyedRecord[]> {
  return Promise.all(keys.map(async (key): Promise<KeyedRecord> => [key, await reader.get(key)]));
}

function sliceOf(pack: Uint8Array, { offset, length }: PackedAt): Uint8Array {
  return pack.subarray(offset, offset + length);
}

function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
  }
  return joined;
}
