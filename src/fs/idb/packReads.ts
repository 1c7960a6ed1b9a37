import { limits } from "../../base";
import type { ByteCache } from "./byteCache";
import { packFromRecord, type HeldContents, type Pack } from "./contentPacks";
import type { RecordReader, Records } from "./records";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads packs, several at a time for whoever goes from one to the next: files imported together are read together, and a
 * transaction costs as much as many reads in it.
 */
export class PackReads {
  readonly #records: Records;
  readonly #cache: ByteCache;
  /** In the order they were stored. */
  #packs: Pack[] = [];
  readonly #places = new Map<string, number>();
  readonly #reading = new Map<string, Promise<Uint8Array | undefined>>();
  /** Packs read one after the other, as text: decoding them whole costs a fraction of decoding file by file. */
  readonly #texts = new WeakMap<Uint8Array, string>();
  #last = -1;
  /** Where the next stretch to be read ahead begins. */
  #aheadFrom = 0;
  #stretch = 1;

  constructor(records: Records, cache: ByteCache) {
    this.#records = records;
    this.#cache = cache;
  }

  add(pack: Pack): void {
    if (this.#places.has(pack.name)) return;
    this.#places.set(pack.name, this.#packs.push(pack) - 1);
  }

  /** Forgets a pack that is not there any more. */
  delete(name: string): void {
    this.#places.delete(name);
  }

  clear(): void {
    this.#packs = [];
    this.#places.clear();
    this.#last = -1;
  }

  /** The bytes, when they are in memory. */
  peek(pack: Pack): Uint8Array | undefined {
    return this.#cache.get(pack.name);
  }

  /** A pack in memory as text, when it was read with others and a byte of it is a character. */
  peekText(pack: Pack): string | undefined {
    const bytes = this.#cache.get(pack.name);
    return bytes && this.#texts.get(bytes);
  }

  /** @returns `undefined` when the pack is gone. @throws UnavailableError, DamagedRecordError */
  read(pack: Pack): Promise<Uint8Array | undefined> {
    const place = this.#places.get(pack.name) ?? -1;
    if (place !== this.#last) this.#moveOn(place);
    const held = this.#cache.get(pack.name);
    if (held !== undefined) return Promise.resolve(held);
    if (!this.#reading.has(pack.name)) this.#readTogether([pack]);
    return this.#reading.get(pack.name) ?? Promise.resolve(undefined);
  }

  /** From one pack to the next the stretch read ahead doubles; a leap begins anew. */
  #moveOn(place: number): void {
    const isNext = place === this.#last + 1 && this.#last >= 0;
    this.#last = place;
    if (!isNext) {
      this.#stretch = 1;
      this.#aheadFrom = place + 1;
      return;
    }
    // The next stretch is on its way while the one before is used.
    while (this.#aheadFrom < this.#packs.length && this.#aheadFrom - place <= this.#stretch) {
      this.#stretch = Math.min(2 * this.#stretch, limits.readAheadBytes / limits.packBytes);
      const stretch = this.#packs.slice(this.#aheadFrom, this.#aheadFrom + this.#stretch);
      this.#aheadFrom += stretch.length;
      this.#readTogether(stretch.filter(({ name }) => this.#places.has(name) && !this.#isAtHand(name)));
    }
  }

  #isAtHand(name: string): boolean {
    return this.#reading.has(name) || this.#cache.get(name) !== undefined;
  }

  /** In one transaction; each is there as soon as it was read, and one that is damaged hurts no other. */
  #readTogether(packs: readonly Pack[]): void {
    const waiting = packs.map((pack) => {
      let resolve: (bytes: Uint8Array | undefined) => void = () => undefined;
      let reject: (reason: unknown) => void = () => undefined;
      const read = new Promise<Uint8Array | undefined>((...settle) => ([resolve, reject] = settle));
      const reading = read.finally(() => this.#reading.delete(pack.name));
      // Nobody may be waiting for what is read ahead.
      reading.catch(() => undefined);
      this.#reading.set(pack.name, reading);
      return { pack, resolve, reject };
    });
    const readOne = async (reader: RecordReader, { pack, resolve, reject }: (typeof waiting)[number]) => {
      const record = bytesOf(pack, await reader.get(pack.key));
      if (record === undefined) return resolve(undefined);
      try {
        const bytes = packFromRecord(record, pack.bytesChecksum);
        this.#keep(pack, bytes, waiting.length > 1);
        resolve(bytes);
      } catch (error) {
        reject(error);
      }
    };
    if (waiting.length === 0) return;
    this.#records
      .read((reader) => Promise.all(waiting.map((each) => readOne(reader, each))))
      .catch((error: unknown) => {
        for (const { reject } of waiting) reject(error);
      });
  }

  #keep(pack: Pack, bytes: Uint8Array, isOneOfMany: boolean): void {
    const text = isOneOfMany ? plainText(bytes) : undefined;
    if (text !== undefined) this.#texts.set(bytes, text);
    this.#cache.set(pack.name, bytes, bytes.length + (text?.length ?? 0));
  }
}

/** The bytes as text when they are ASCII without NUL, so that an offset is the same in both. */
function plainText(bytes: Uint8Array): string | undefined {
  try {
    const text = decoder.decode(bytes);
    return text.length === bytes.length && !text.includes("\0") ? text : undefined;
  } catch {
    return undefined;
  }
}

function bytesOf({ key }: Pack, value: unknown): unknown {
  return key[0] === "d" ? (value as { readonly contents?: HeldContents } | undefined)?.contents?.bytes : value;
}
