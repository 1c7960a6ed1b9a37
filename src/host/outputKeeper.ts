import { limits } from "../base";
import { HOST_ROOT } from "./host";

/** Where output that is too long to be shown is kept, on the disk of the host. */
export const SHELL_OUTPUT_DIRECTORY = "/.agent/out";

/** Keeps git from what the host keeps there for itself: written beside the first long output. */
export const AGENT_IGNORE_FILE = { path: "/.agent/.gitignore", text: "*\n" };

/** The path of a command's whole output on the disk, and the same on the host. */
export function spillPaths(id: string): { readonly onDisk: string; readonly onHost: string } {
  const onDisk = `${SHELL_OUTPUT_DIRECTORY}/${id}.log`;
  return { onDisk, onHost: `${HOST_ROOT}${onDisk}` };
}

export interface OutputKeeperOptions {
  /** Bytes of head and tail together; `limits.shellOutputBytes` when omitted. */
  readonly keptBytes?: number;
  /** Bytes of the whole that are put aside; `limits.shellSpillBytes` when omitted. */
  readonly spillBytes?: number;
}

/**
 * Takes all a command prints and holds little of it: head and tail as they are, the whole in blobs, which a browser keeps
 * out of the page's memory.
 */
export class OutputKeeper {
  readonly #headBytes: number;
  readonly #tailBytes: number;
  readonly #spillBytes: number;
  readonly #head: Uint8Array[] = [];
  #headLength = 0;
  #tail: Uint8Array[] = [];
  #tailLength = 0;
  /** Bytes not in a blob yet. */
  #loose: Uint8Array[] = [];
  #looseLength = 0;
  #blobs: Blob[] = [];
  #putAside = 0;
  #total = 0;

  constructor({ keptBytes = limits.shellOutputBytes, spillBytes = limits.shellSpillBytes }: OutputKeeperOptions = {}) {
    this.#headBytes = Math.ceil(keptBytes / 2);
    this.#tailBytes = keptBytes - this.#headBytes;
    this.#spillBytes = spillBytes;
  }

  get totalBytes(): number {
    return this.#total;
  }

  /** Whether the text will not be the whole. */
  get isTruncated(): boolean {
    return this.#total > this.#headBytes + this.#tailBytes;
  }

  /** Takes the next bytes; they are not copied, and must not change. */
  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#total += chunk.length;
    this.#putIntoBlobs(chunk.subarray(0, Math.max(0, this.#spillBytes - this.#putAside)));
    const room = this.#headBytes - this.#headLength;
    if (room > 0) {
      this.#head.push(chunk.subarray(0, room));
      this.#headLength += Math.min(room, chunk.length);
    }
    if (chunk.length > room) this.#pushTail(chunk.subarray(Math.max(room, 0)));
  }

  /** Head and tail, whole characters only, with what lies between them said in a line of its own. */
  text(whole?: string): string {
    const head = joined(this.#head);
    const tail = joined(this.#tail);
    if (!this.isTruncated) return new TextDecoder("utf-8", { ignoreBOM: true }).decode(joined([head, tail]));
    const headEnd = wholeCharactersEnd(head);
    const kept = tail.subarray(Math.max(0, tail.length - this.#tailBytes));
    const tailStart = characterStart(kept);
    const left = this.#total - headEnd - (kept.length - tailStart);
    const where = whole === undefined ? "" : `; all of it is in ${whole}`;
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return `${decoder.decode(head.subarray(0, headEnd))}\n… ${left} bytes left out${where} …\n${decoder.decode(kept.subarray(tailStart))}`;
  }

  /** All that was put aside: the first `spillBytes`, and a line that says so where there was more. */
  async whole(): Promise<Uint8Array> {
    const parts: BlobPart[] = [...this.#blobs, ...(this.#loose as Uint8Array<ArrayBuffer>[])];
    const missing = this.#total - this.#putAside;
    if (missing > 0) parts.push(`\n… ${missing} bytes more were printed and not kept …\n`);
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }

  #pushTail(chunk: Uint8Array): void {
    this.#tail.push(chunk);
    this.#tailLength += chunk.length;
    for (let first = this.#tail[0]; first !== undefined; first = this.#tail[0]) {
      if (this.#tailLength - first.length < this.#tailBytes) break;
      this.#tail.shift();
      this.#tailLength -= first.length;
    }
  }

  #putIntoBlobs(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#loose.push(chunk);
    this.#looseLength += chunk.length;
    this.#putAside += chunk.length;
    if (this.#looseLength < limits.shellBlobBytes) return;
    this.#blobs.push(new Blob(this.#loose as Uint8Array<ArrayBuffer>[]));
    this.#loose = [];
    this.#looseLength = 0;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Where the last whole character of UTF-8 ends. */
export function wholeCharactersEnd(bytes: Uint8Array): number {
  // A character is four bytes at most: its first byte is among the last four, or they are no UTF-8 anyhow.
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 4); at--) {
    const byte = bytes[at] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return at + length > bytes.length ? at : bytes.length;
  }
  return bytes.length;
}

/** Where the first whole character of UTF-8 begins. */
function characterStart(bytes: Uint8Array): number {
  let at = 0;
  while (at < Math.min(3, bytes.length) && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at;
}
