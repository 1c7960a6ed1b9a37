import { limits, sha256Hex } from "../../base";
import { ByteCache } from "./byteCache";
import {
  looseRecords,
  packAt,
  packedContents,
  packedRecords,
  packKey,
  packName,
  putRecords,
  type HashedContent,
  type PackedAt,
} from "./contentPacks";
import { PackBuffers } from "./packEncoder";
import { bumpEpoch } from "./projectHead";
import { timedId } from "./timedId";
import type { KeyedRecord, Records, RecordWriter } from "./records";

/** Up to so many keys are looked up one by one, more by listing all. */
const KEYS_ONE_BY_ONE = 200;

/** Contents on their way into the store, laid out. */
export interface StagedContents {
  readonly records: readonly KeyedRecord[];
  /** What lies in packs already, as far as this tab knows; made sure of when it is written. */
  readonly present: ReadonlyMap<string, { readonly at: PackedAt; readonly contents: HashedContent[] }>;
}

/**
 * The contents of a project, each stored once under its SHA-256 whatever disk, session or snapshot names it
 * (docs/storage.md): alone, in pieces when large, or in a pack with what was imported together. Bytes it hands out are
 * shared and must not be changed.
 */
export class ContentStore {
  readonly #records: Records;
  readonly #cache = new ByteCache(limits.contentCacheBytes);
  readonly #packed = new Map<string, PackedAt>();
  readonly #knownPacks = new Set<string>();
  readonly #reading = new Map<string, Promise<Uint8Array | undefined>>();
  readonly packBuffers = new PackBuffers();
  #lastPack: PackedAt | undefined;
  #indexing: Promise<boolean> | undefined;
  /** Put since this handle was opened: a clean-up here must not take them before something names them. */
  readonly freshHashes = new Set<string>();

  constructor(records: Records) {
    this.#records = records;
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

  /** Lays contents out to be written in somebody's transaction: `packed` for what is imported together. */
  stage(contents: Iterable<HashedContent>, layout: "loose" | "packed"): StagedContents {
    const present = new Map<string, { at: PackedAt; contents: HashedContent[] }>();
    const absent = new Map<string, HashedContent>();
    for (const content of contents) {
      const at = this.#packed.get(content.hash);
      if (at === undefined) absent.set(content.hash, content);
      else if (present.has(packName(at))) present.get(packName(at))?.contents.push(content);
      else present.set(packName(at), { at, contents: [content] });
    }
    const records =
      layout === "packed" ? packedRecords(absent.values(), timedId()) : [...absent.values()].flatMap(looseRecords);
    return { records, present };
  }

  async writeStaged(writer: RecordWriter, staged: StagedContents): Promise<void> {
    putRecords(writer, staged.records);
    for (const { at, contents } of staged.present.values()) {
      const keys = await writer.keys({ prefix: packKey(at.packId, at.packNumber), limit: 1 });
      if (keys.length === 0) for (const content of contents) putRecords(writer, looseRecords(content));
    }
  }

  /** To be called when the transaction is complete: what was just written is likely to be read. */
  stored({ records }: StagedContents): void {
    for (const [key, value] of records) {
      // The buffers of a large import are filled again with the next of it.
      const isOwn = value instanceof Uint8Array && value.byteLength === value.buffer.byteLength;
      if (isOwn && key[0] === "p") this.#cache.set(packName(packAt(key)), value);
      else if (isOwn && key.length === 2) this.#cache.set(String(key[1]), value);
    }
    this.addPacks(records);
  }

  /** The bytes when they are in memory. */
  peek(hash: string): Uint8Array | undefined {
    const at = this.#packed.get(hash);
    const pack = at === undefined ? undefined : this.#cache.get(packName(at));
    return at === undefined || pack === undefined ? this.#cache.get(hash) : sliceOf(pack, at);
  }

  /** @throws UnavailableError when the store does not answer */
  async get(hash: string): Promise<Uint8Array | undefined> {
    const held = this.peek(hash);
    if (held !== undefined) return held;
    if (this.#knownPacks.size === 0) await this.#readIndex();
    const found = (await this.#packedBytes(hash)) ?? (await this.#looseBytes(hash));
    // Another tab may have packed it, or moved it to another pack.
    if (found !== undefined || !(await this.#readIndex())) return found;
    return (await this.#packedBytes(hash)) ?? (await this.#looseBytes(hash));
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

  /** Learns the packs among records that were just stored. */
  addPacks(records: readonly KeyedRecord[]): void {
    for (const record of records) {
      if (record[0][0] !== "x") continue;
      const name = packName(packAt(record[0]));
      if (this.#knownPacks.has(name)) continue;
      this.#knownPacks.add(name);
      for (const [hash, at] of packedContents(record)) this.#packed.set(hash, at);
    }
  }

  /** Forgets where everything lies: a clean-up has moved it. */
  forgetPlaces(): void {
    this.#packed.clear();
    this.#knownPacks.clear();
    this.#cache.clear();
  }

  async #packedBytes(hash: string): Promise<Uint8Array | undefined> {
    const at = this.#packed.get(hash);
    if (at === undefined) return undefined;
    const pack = this.#readPack(at);
    this.#readAhead(at);
    const bytes = await pack;
    if (bytes === undefined) {
      // A clean-up in another tab took the pack away.
      this.#packed.delete(hash);
      this.#knownPacks.delete(packName(at));
      return undefined;
    }
    return sliceOf(bytes, at);
  }

  /** Files imported together are read together: whoever goes from one pack to the next gets the one after it ready. */
  #readAhead(at: PackedAt): void {
    const last = this.#lastPack;
    if (last?.packId === at.packId && last.packNumber === at.packNumber) return;
    this.#lastPack = at;
    if (last?.packId !== at.packId || last.packNumber + 1 !== at.packNumber) return;
    const next = { ...at, packNumber: at.packNumber + 1 };
    if (this.#knownPacks.has(packName(next))) this.#readPack(next).catch(() => undefined);
  }

  #readPack(at: PackedAt): Promise<Uint8Array | undefined> {
    return this.#readOnce(packName(at), async () => {
      const key = packKey(at.packId, at.packNumber);
      return (await this.#records.read((reader) => reader.get(key))) as Uint8Array | undefined;
    });
  }

  #looseBytes(hash: string): Promise<Uint8Array | undefined> {
    return this.#readOnce(hash, async () => {
      const pieces = await this.#records.read((reader) => reader.entries({ prefix: ["b", hash] }));
      const [first] = pieces;
      return first === undefined || first[0].length === 2
        ? (first?.[1] as Uint8Array | undefined)
        : joinedBytes(pieces.map(([, piece]) => piece as Uint8Array));
    });
  }

  #readOnce(name: string, read: () => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> {
    const held = this.#cache.get(name);
    if (held !== undefined) return Promise.resolve(held);
    const current = this.#reading.get(name);
    if (current !== undefined) return current;
    const reading = read()
      .then((bytes) => {
        if (bytes !== undefined) this.#cache.set(name, bytes);
        return bytes;
      })
      .finally(() => this.#reading.delete(name));
    this.#reading.set(name, reading);
    return reading;
  }

  /** Reads the indexes of packs not yet known. @returns whether there were any */
  #readIndex(): Promise<boolean> {
    this.#indexing ??= this.#records
      .read(async (reader) => {
        if (this.#knownPacks.size === 0) return reader.entries({ prefix: ["x"] });
        const unknown = (await reader.keys({ prefix: ["x"] })).filter(
          (key) => !this.#knownPacks.has(`${key[1]}/${key[2]}`),
        );
        return Promise.all(unknown.map(async (key): Promise<KeyedRecord> => [key, await reader.get(key)]));
      })
      .then((records) => {
        this.addPacks(records);
        return records.length > 0;
      })
      .finally(() => (this.#indexing = undefined));
    return this.#indexing;
  }
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
