/** The most recently used byte arrays, within a bound. An array larger than the bound is not kept. */
export class ByteCache {
  readonly #maxBytes: number;
  readonly #held = new Map<string, Uint8Array>();
  #heldBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): Uint8Array | undefined {
    const bytes = this.#held.get(key);
    if (bytes === undefined) return undefined;
    this.#held.delete(key);
    this.#held.set(key, bytes);
    return bytes;
  }

  set(key: string, bytes: Uint8Array): void {
    this.delete(key);
    if (bytes.length > this.#maxBytes) return;
    this.#held.set(key, bytes);
    this.#heldBytes += bytes.length;
    for (const [oldest] of this.#held) {
      if (this.#heldBytes <= this.#maxBytes) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const bytes = this.#held.get(key);
    if (bytes === undefined) return;
    this.#held.delete(key);
    this.#heldBytes -= bytes.length;
  }

  clear(): void {
    this.#held.clear();
    this.#heldBytes = 0;
  }
}
