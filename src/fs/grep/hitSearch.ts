import type { GrepQuery } from "../fileSystem";
import { grepFilter } from "../grepFilter";
import { NEEDED_BYTES, type HitsReply } from "./engineProtocol";
import { resultCap } from "../resultCap";
import { grepExpression, type GrepExpression } from "./grepExpression";
import type { HeldText, HeldTexts } from "./heldTexts";
import { lineHits, type LineHit } from "./lineHits";
import { HitPacker, type FileWithText } from "./packedHits";
import type { FileList } from "./treeMirror";

/** Milliseconds, hits and UTF-16 units after which a reply goes: often enough to be stopped, rarely enough to cost nothing. */
const REPLY_MS = 20;
const REPLY_HITS = 16_384;
const REPLY_UNITS = 1_000_000;
/** Files asked for at once. */
const NEEDED_FILES = 1_000;

/** One query in one worker, a reply at a time. */
export class HitSearch {
  readonly #files: FileList;
  readonly #query: GrepQuery;
  readonly #held: HeldTexts;
  readonly #expression: GrepExpression;
  readonly #isSearched: (path: string) => boolean;
  /** Texts there is no room to keep: dropped as soon as they are searched. */
  readonly #passing = new Map<string, HeldText>();
  #index = 0;
  #current: (FileWithText & { readonly hits: Iterator<LineHit> }) | undefined;
  /** Texts were asked for and have not come yet. */
  #isWaiting = false;
  #left: number;
  #skipped: number;

  constructor(files: FileList, query: GrepQuery, skippedHits: number, held: HeldTexts) {
    this.#files = files;
    this.#query = query;
    this.#held = held;
    this.#expression = grepExpression(query);
    this.#isSearched = grepFilter(query);
    this.#left = resultCap(query.maxResults);
    this.#skipped = skippedHits;
  }

  addPassing(hash: string, text: HeldText): void {
    this.#passing.set(hash, text);
  }

  /** The texts that were asked for have come. */
  goOn(): void {
    this.#isWaiting = false;
  }

  /** Searches on for a while; gives nothing as long as texts are missing that were asked for. */
  next(): Omit<HitsReply, "kind" | "requestId"> {
    const deadline = performance.now() + REPLY_MS;
    const packer = new HitPacker(this.#query);
    let neededPaths: string[] = [];
    while (!this.#isWaiting && this.#left > 0 && packer.hitCount < REPLY_HITS && packer.size < REPLY_UNITS) {
      if (this.#current === undefined && this.#index >= this.#files.paths.length) break;
      if (this.#current === undefined && !this.#open()) {
        neededPaths = this.#needed();
        this.#isWaiting = true;
        break;
      }
      this.#collect(packer);
      if (performance.now() > deadline) break;
    }
    const isEnd = this.#current === undefined && this.#index >= this.#files.paths.length;
    return {
      hits: packer.packed(),
      searchedTo: this.#files.paths[this.#index - 1] ?? "",
      isDone: isEnd || this.#left <= 0,
      neededPaths,
    };
  }

  /** Goes to the next file that is to be searched; `false` when its text is not here. */
  #open(): boolean {
    const { paths, hashes } = this.#files;
    for (; this.#index < paths.length; this.#index++) {
      const path = paths[this.#index] ?? "";
      if (!this.#isSearched(path)) continue;
      const hash = hashes[this.#index] ?? "";
      const held = this.#held.get(hash) ?? this.#passing.get(hash);
      if (held === undefined) return false;
      this.#passing.delete(hash);
      if (held === "binary") continue;
      const hits = lineHits(held, this.#expression)[Symbol.iterator]();
      this.#current = { path, text: held.text, isOnPage: this.#held.isOnPage(hash), hits };
      this.#index++;
      return true;
    }
    return true;
  }

  /** Packs hits of the file at hand; it stays at hand when a reply is full before its end. */
  #collect(packer: HitPacker): void {
    const file = this.#current;
    if (file === undefined) return;
    while (this.#left > 0 && packer.hitCount < REPLY_HITS && packer.size < REPLY_UNITS) {
      const step = file.hits.next();
      if (step.done) {
        this.#current = undefined;
        return;
      }
      this.#left--;
      if (this.#skipped > 0) this.#skipped--;
      else packer.add(file, step.value);
    }
  }

  /** The next files whose texts are missing, a bounded number of bytes of them. */
  #needed(): string[] {
    const { paths, hashes, sizesBytes } = this.#files;
    const needed: string[] = [];
    let bytes = 0;
    for (
      let index = this.#index;
      index < paths.length && bytes < NEEDED_BYTES && needed.length < NEEDED_FILES;
      index++
    ) {
      const path = paths[index] ?? "";
      if (!this.#isSearched(path) || this.#held.get(hashes[index] ?? "") !== undefined) continue;
      needed.push(path);
      bytes += sizesBytes[index] ?? 0;
    }
    return needed;
  }
}
