import { limits } from "../../base";

/** Buffers of a pack's size that were stored and may be filled again: fresh memory costs more than what is written to it. */
export class PackBuffers {
  readonly #free: ArrayBuffer[] = [];

  take(): ArrayBuffer {
    return this.#free.pop() ?? new ArrayBuffer(limits.packBytes);
  }

  giveBack(buffers: readonly ArrayBuffer[]): void {
    this.#free.push(...buffers.slice(0, limits.packBuffers - this.#free.length));
  }
}

/**
 * Puts contents one after the other into buffers of a pack's size, texts as UTF-8, so that the buffer can be stored as the
 * pack it will be (contentPacks.ts): an allocation and a copy a content would cost an import more than the encoding.
 */
export class PackEncoder {
  readonly #buffers: PackBuffers;
  readonly #encoder = new TextEncoder();
  readonly #filled: ArrayBuffer[] = [];
  #rest = new Uint8Array(0);

  constructor(buffers: PackBuffers) {
    this.#buffers = buffers;
  }

  /** @returns bytes that are good until `release`, and do not change with what was given */
  encode(contents: string | Uint8Array): Uint8Array {
    const mostBytes = typeof contents === "string" ? contents.length * 3 : contents.length;
    // What may be too large for a pack is stored on its own.
    if (mostBytes > limits.packBytes / 2) {
      return typeof contents === "string" ? this.#encoder.encode(contents) : contents.slice();
    }
    const placed = this.#placed(contents);
    if (placed !== undefined) return placed;
    const buffer = this.#buffers.take();
    this.#filled.push(buffer);
    this.#rest = new Uint8Array(buffer);
    // A pack has more than room for half a pack.
    return this.#placed(contents) ?? new Uint8Array(0);
  }

  /** To be called when nobody reads what was encoded any more. */
  release(): void {
    this.#rest = new Uint8Array(0);
    this.#buffers.giveBack(this.#filled.splice(0));
  }

  #placed(contents: string | Uint8Array): Uint8Array | undefined {
    let written = contents.length;
    if (typeof contents === "string") {
      const result = this.#encoder.encodeInto(contents, this.#rest);
      if (result.read < contents.length) return undefined;
      written = result.written;
    } else {
      if (contents.length > this.#rest.length) return undefined;
      this.#rest.set(contents);
    }
    const bytes = this.#rest.subarray(0, written);
    this.#rest = this.#rest.subarray(written);
    return bytes;
  }
}
