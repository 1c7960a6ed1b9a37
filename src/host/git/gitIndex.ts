import { GitError } from "./gitError";

/** A path as git stores it. */
export interface GitFile {
  readonly oid: string;
  /** `100644`, `100755`, `120000` or, of a submodule, `160000`. */
  readonly mode: string;
}

export interface GitIndexEntry extends GitFile {
  readonly path: string;
  /** 0, or 1 base · 2 ours · 3 theirs of a conflict. */
  readonly stage: number;
  readonly sizeBytes: number;
  /** Of the file when it was last known to hold `oid`. */
  readonly modifiedAt: number;
}

const HEADER_BYTES = 12;
const ENTRY_BYTES = 62;
const HASH_BYTES = 20;
const NAME_LENGTH_MASK = 0xfff;

/**
 * The entries of an index file (git's `index-format`, versions 2 and 3; extensions are passed over).
 * @throws GitError `fatal` of another version
 */
export function gitIndexEntries(bytes: Uint8Array): GitIndexEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(4);
  if (version !== 2 && version !== 3) {
    throw new GitError(
      "fatal",
      `fatal: index file version ${version} is not supported here; \`git update-index --index-version 2\` in real git rewrites it`,
    );
  }
  const entries: GitIndexEntry[] = [];
  let at = HEADER_BYTES;
  for (let left = view.getUint32(8); left > 0; left -= 1) {
    const flags = view.getUint16(at + 60);
    const nameAt = at + ENTRY_BYTES + ((flags & 0x4000) !== 0 ? 2 : 0);
    const nameEnd = bytes.indexOf(0, nameAt);
    entries.push({
      path: new TextDecoder().decode(bytes.subarray(nameAt, nameEnd)),
      oid: hexFromBytes(bytes.subarray(at + 40, at + 40 + HASH_BYTES)),
      mode: view
        .getUint32(at + 24)
        .toString(8)
        .padStart(6, "0"),
      stage: (flags >> 12) & 3,
      sizeBytes: view.getUint32(at + 36),
      modifiedAt: view.getUint32(at + 8) * 1000 + Math.floor(view.getUint32(at + 12) / 1e6),
    });
    at += Math.ceil((nameEnd - at + 1) / 8) * 8;
  }
  return entries;
}

/** The index file of version 2 that holds the entries. */
export async function bytesFromGitIndex(entries: readonly GitIndexEntry[]): Promise<Uint8Array> {
  const named = entries
    .map((entry) => ({ entry, name: new TextEncoder().encode(entry.path) }))
    .toSorted((a, b) => compareBytes(a.name, b.name) || a.entry.stage - b.entry.stage);
  const sizes = named.map(({ name }) => Math.ceil((ENTRY_BYTES + name.length + 1) / 8) * 8);
  const length = sizes.reduce((sum, size) => sum + size, HEADER_BYTES);
  const bytes = new Uint8Array(length + HASH_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode("DIRC"));
  view.setUint32(4, 2);
  view.setUint32(8, named.length);
  let at = HEADER_BYTES;
  for (const [index, { entry, name }] of named.entries()) {
    const nanoseconds = (entry.modifiedAt % 1000) * 1e6;
    for (const offset of [0, 8]) {
      view.setUint32(at + offset, Math.floor(entry.modifiedAt / 1000));
      view.setUint32(at + offset + 4, nanoseconds);
    }
    view.setUint32(at + 24, Number.parseInt(entry.mode, 8));
    view.setUint32(at + 36, entry.sizeBytes);
    bytes.set(bytesFromHex(entry.oid), at + 40);
    view.setUint16(at + 60, (entry.stage << 12) | Math.min(name.length, NAME_LENGTH_MASK));
    bytes.set(name, at + ENTRY_BYTES);
    at += sizes[index] ?? 0;
  }
  bytes.set(new Uint8Array(await crypto.subtle.digest("SHA-1", bytes.subarray(0, length))), length);
  return bytes;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const common = Math.min(a.length, b.length);
  for (let index = 0; index < common; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function hexFromBytes(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytesFromHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  );
}
