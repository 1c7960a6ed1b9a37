import { sha256HexSync } from "../../base";
import { memoryFile, type FileEntry } from "../../fs";

/** A file as the shell sees it while its last writes wait to be stored together. */
export class PendingFile implements FileEntry {
  readonly kind = "file";
  /** What was appended to; `undefined` where the file is written anew. */
  readonly base: FileEntry | undefined;
  /** Whether what is there is to be replaced, whoever wrote it; otherwise only `base` is appended to. */
  readonly isReplacing: boolean;
  readonly modifiedAt: number;
  /** On its way to the disk: what is written from now on goes into another one. */
  isTaken = false;
  #parts: Uint8Array[];
  #sizeBytes: number;

  constructor(
    base: FileEntry | undefined,
    baseBytes: Uint8Array | undefined,
    modifiedAt: number,
    isReplacing: boolean,
  ) {
    this.base = base;
    this.isReplacing = isReplacing;
    this.modifiedAt = modifiedAt;
    this.#parts = baseBytes === undefined ? [] : [baseBytes];
    this.#sizeBytes = baseBytes?.length ?? 0;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get hash(): string {
    return sha256HexSync(this.bytesNow());
  }

  append(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#sizeBytes += bytes.length;
  }

  bytes(): Promise<Uint8Array> {
    return Promise.resolve(this.bytesNow());
  }

  bytesNow(): Uint8Array {
    const [only] = this.#parts;
    if (only !== undefined && this.#parts.length === 1) return only;
    const joined = new Uint8Array(this.#sizeBytes);
    let at = 0;
    for (const part of this.#parts) {
      joined.set(part, at);
      at += part.length;
    }
    this.#parts = [joined];
    return joined;
  }

  /** What was appended to `base`. */
  appended(): Uint8Array {
    return this.bytesNow().subarray(this.base?.sizeBytes ?? 0);
  }

  /** The same to be stored. */
  toFile(): FileEntry {
    return memoryFile(this.bytesNow(), this.modifiedAt);
  }
}
