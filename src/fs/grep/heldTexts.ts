import type { ShippedText } from "./engineProtocol";
import { decodedText, type DecodedText } from "./decodedText";

/** A text, or `"binary"` for a file that is none. */
export type HeldText = DecodedText | "binary";

/** The decoded texts a worker keeps between queries, by the hash of their bytes, up to a bound. */
export class HeldTexts {
  readonly #texts = new Map<string, HeldText>();
  /** Those the page holds too. */
  readonly #onPage = new Set<string>();
  readonly #maxBytes: number;
  #heldBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(hash: string): HeldText | undefined {
    return this.#texts.get(hash);
  }

  /**
   * Decodes a file and keeps it if there is room, once all that nobody uses any more has gone.
   * @returns the text, and whether it is kept
   */
  add(shipped: ShippedText, hashesInUse: () => Set<string>): { text: HeldText; isKept: boolean } {
    const { hash, bytes, isOnPage } = shipped;
    if (isOnPage) this.#onPage.add(hash);
    const there = this.#texts.get(hash);
    if (there !== undefined) return { text: there, isKept: true };
    const text = decodedText(bytes) ?? "binary";
    const size = sizeBytes(text);
    if (this.#heldBytes + size > this.#maxBytes) this.#sweep(hashesInUse());
    const isKept = this.#heldBytes + size <= this.#maxBytes;
    if (isKept) {
      this.#texts.set(hash, text);
      this.#heldBytes += size;
    }
    return { text, isKept };
  }

  /** Whether the page can read a line of it by its offsets. */
  isOnPage(hash: string): boolean {
    return this.#onPage.has(hash);
  }

  leftPage(hash: string): void {
    this.#onPage.delete(hash);
  }

  #sweep(inUse: Set<string>): void {
    for (const [hash, text] of this.#texts) {
      if (inUse.has(hash)) continue;
      this.#texts.delete(hash);
      this.#onPage.delete(hash);
      this.#heldBytes -= sizeBytes(text);
    }
  }
}

function sizeBytes(text: HeldText): number {
  return text === "binary" ? 0 : text.text.length * (text.isAscii ? 1 : 2);
}
