/** The most recently used byte arrays, within a bound. One that costs more than the bound is not kept. */
export class ByteCache {
  readonly #maxCost: number;
  readonly #held = new Map<string, { readonly bytes: Uint8Array; readonly cost: number }>();
  #heldCost = 0;

  constructor(maxCost: number) {
    this.#maxCost = maxCost;
  }

  get(key: string): Uint8Array | undefined {
    const held = this.#held.get(key);
    if (held === undefined) return undefined;
    this.#held.delete(key);
    this.#held.set(key, held);
    return held.bytes;
  }

  /** `cost` is what keeping them takes, when that is more than the bytes. */
  set(key: string, bytes: Uint8Array, cost = bytes.length): void {
    this.delete(key);
    if (cost > this.#maxCost) return;
    this.#held.set(key, { bytes, cost });
    this.#heldCost += cost;
    for (const [oldest] of this.#held) {
      if (this.#heldCost <= this.#maxCost) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const held = this.#held.get(key);
    if (held === undefined) return;
    this.#held.delete(key);
    this.#heldCost -= held.cost;
  }

  clear(): void {
    this.#held.clear();
    this.#heldCost = 0;
  }
}
