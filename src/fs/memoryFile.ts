import { sha256HexSync } from "../base";
import { bytesFromContents, contentsFromBytes, imageMediaType } from "./contents";
import type { FileEntry } from "./treeEntry";

/** A file held in memory. Bytes are copied in, so the caller keeps its own; the hash is computed when first asked for. */
export function memoryFile(contents: string | Uint8Array, modifiedAt: number): FileEntry {
  if (typeof contents !== "string") return new MemoryFile(contents.slice(), contents.length, modifiedAt);
  const bytes = bytesFromContents(contents);
  // A string that would not be read back as itself is kept as the bytes it became.
  const isText = contents.isWellFormed() && !contents.includes("\0") && imageMediaType(bytes) === undefined;
  return new MemoryFile(isText ? contents : bytes, bytes.length, modifiedAt);
}

class MemoryFile implements FileEntry {
  readonly kind = "file";
  readonly sizeBytes: number;
  readonly modifiedAt: number;
  /** The bytes until `read` first asks; from then on what it answers, so that a text is never held twice. */
  #held: string | Uint8Array;
  #isRead = false;
  #hash: string | undefined;

  constructor(held: string | Uint8Array, sizeBytes: number, modifiedAt: number) {
    this.#held = held;
    this.sizeBytes = sizeBytes;
    this.modifiedAt = modifiedAt;
  }

  get hash(): string {
    return (this.#hash ??= sha256HexSync(this.bytesNow()));
  }

  bytes(): Promise<Uint8Array> {
    return Promise.resolve(this.bytesNow());
  }

  bytesNow(): Uint8Array {
    return bytesFromContents(this.#held);
  }

  heldText(): string | undefined {
    return typeof this.#held === "string" ? this.#held : undefined;
  }

  contentsNow(): string | Uint8Array {
    if (!this.#isRead && typeof this.#held !== "string") this.#held = contentsFromBytes(this.#held);
    this.#isRead = true;
    return this.#held;
  }
}
