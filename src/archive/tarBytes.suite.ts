import { gzipSync } from "node:zlib";
import type { ArchiveEntries } from "./archiveEntry";
import type { ArchiveError } from "./archiveError";

export interface EntryToTar {
  readonly name: string;
  readonly text?: string;
  readonly type?: string;
  /** The size field, where it shall not be that of the text. */
  readonly size?: string;
}

const utf8 = (text: string) => new TextEncoder().encode(text);

/** A ustar archive of these entries as they are: names are neither checked nor split. */
export function tarBytes(entries: readonly EntryToTar[]): Uint8Array<ArrayBuffer> {
  const blocks = entries.flatMap(({ name, text = "", type = "0", size }) => {
    const contents = utf8(text);
    const header = new Uint8Array(512);
    const put = (at: number, value: string | Uint8Array) =>
      header.set(typeof value === "string" ? utf8(value) : value, at);
    put(0, utf8(name).subarray(0, 100));
    put(100, "0000644\0");
    put(124, size ?? `${contents.length.toString(8).padStart(11, "0")}\0`);
    put(136, "14613243100\0");
    put(148, "        ");
    put(156, type);
    put(257, "ustar\x0000");
    put(
      148,
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, "0")}\0 `,
    );
    return [header, contents, new Uint8Array(-contents.length & 511)];
  });
  return new Uint8Array([...blocks, new Uint8Array(1024)].flatMap((block) => [...block]));
}

export function gzipped(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gzipSync(bytes));
}

/** Every entry: its path, its kind, and its text, or its error's code and message. */
export async function shown(entries: ArchiveEntries): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const entry of entries) {
    if (entry.kind === "refused") found.push([entry.path, entry.error.code, entry.error.message]);
    else if (entry.kind === "directory") found.push([entry.path, "directory"]);
    else {
      const text = await entry.bytes().then(
        (bytes) => new TextDecoder().decode(bytes),
        (error: ArchiveError) => error.code,
      );
      found.push([entry.path, "file", text]);
    }
  }
  return found;
}
