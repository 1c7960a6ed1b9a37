import { limits } from "../base";
import { ArchiveError } from "./archiveError";

/** A file or directory of an archive; a directory's path has no trailing slash. */
export interface ArchiveEntry {
  readonly kind: "file" | "directory";
  readonly path: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  /** @throws ArchiveError `broken-entry` or `too-large`; the other entries are not touched by it */
  bytes(): Promise<Uint8Array>;
}

/** An entry that is not taken, and why. */
export interface RefusedEntry {
  readonly kind: "refused";
  readonly path: string;
  readonly error: ArchiveError;
}

export type ArchiveEntries = AsyncGenerator<ArchiveEntry | RefusedEntry, void, undefined>;

export function refusedEntry(name: string, reason: string): ArchiveError {
  return new ArchiveError("entry-refused", `“${name}” was left out: ${reason}`, name);
}

export function tooLargeEntry(name: string): ArchiveError {
  const megabytes = Math.round(limits.importFileBytes / 2 ** 20);
  return new ArchiveError("too-large", `“${name}” was left out: it is over ${megabytes} MB`, name);
}
