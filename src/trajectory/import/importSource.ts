/** One file as it is given: its path relative to what was opened, `""` where there is none. */
export interface SourceFile {
  readonly path: string;
  readonly blob: Blob;
}

/** What is imported: one file, all files of a folder, or an archive of either. */
export interface ImportSource {
  readonly files: readonly SourceFile[];
  /** What a person calls it. */
  readonly name?: string;
}

/** A file as formats get it: of an archive, its bytes are unpacked when they are asked for. */
export interface FormatFile {
  readonly path: string;
  readonly sizeBytes: number;
  open(): Promise<Blob>;
}
