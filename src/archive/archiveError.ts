/** `broken-archive`: nothing of it can be read · the others cost one entry only. */
export type ArchiveErrorCode = "broken-archive" | "broken-entry" | "entry-refused" | "too-large";

/** What is wrong with an archive or with one entry of it, in words for a person. */
export class ArchiveError extends Error {
  readonly code: ArchiveErrorCode;
  /** The entry's name as the archive holds it; `undefined` when the archive as a whole is meant. */
  readonly entry: string | undefined;

  constructor(code: ArchiveErrorCode, message: string, entry?: string) {
    super(message);
    this.name = "ArchiveError";
    this.code = code;
    this.entry = entry;
  }
}
