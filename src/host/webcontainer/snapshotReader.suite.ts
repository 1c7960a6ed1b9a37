/** A tree as the vendor's frame takes it, from either of the forms the client sends. */
export type InternalTree =
  | { readonly d: Readonly<Record<string, InternalTree>> }
  | { readonly f: { readonly c: Uint8Array | string } };

/** Reads MessagePack, as far as snapshots go, and the client's own JSON. */
export function treeFromSnapshot(payload: Uint8Array): InternalTree {
  if (payload[0] === 0x7b) return JSON.parse(new TextDecoder().decode(payload)) as InternalTree;
  return new Reader(payload).value() as InternalTree;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  value(): unknown {
    const first = this.#number(1);
    if (first >= 0x80 && first < 0x90) return this.#map(first & 0x0f);
    if (first >= 0xa0 && first < 0xc0) return this.#text(first & 0x1f);
    switch (first) {
      case 0xde:
        return this.#map(this.#number(2));
      case 0xdf:
        return this.#map(this.#number(4));
      case 0xd9:
        return this.#text(this.#number(1));
      case 0xda:
        return this.#text(this.#number(2));
      case 0xdb:
        return this.#text(this.#number(4));
      case 0xc4:
        return this.#take(this.#number(1));
      case 0xc5:
        return this.#take(this.#number(2));
      case 0xc6:
        return this.#take(this.#number(4));
      default:
        throw new Error(`no snapshot begins a value with ${first}`);
    }
  }

  #map(size: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    for (let entry = 0; entry < size; entry++) {
      const key = this.value() as string;
      map[key] = this.value();
    }
    return map;
  }

  #text(length: number): string {
    return new TextDecoder().decode(this.#take(length));
  }

  #number(length: number): number {
    return this.#take(length).reduce((sum, byte) => sum * 256 + byte, 0);
  }

  #take(length: number): Uint8Array {
    this.#at += length;
    return this.#bytes.slice(this.#at - length, this.#at);
  }
}
