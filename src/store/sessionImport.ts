import type { SourceFile } from "../trajectory";

/** What sessions are read from: a file, all files of a folder, or an archive of either. */
export interface SessionSource {
  /** What a person calls it. */
  readonly name: string;
  readonly files: readonly SourceFile[];
}

/** Sessions on their way in from a file. */
export interface SessionImport {
  readonly id: string;
  /** Of the file, as a person calls it. */
  readonly name: string;
  /** How much of the file is read. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** Events found so far. */
  readonly events: number;
  /** Of them stored; absent while the file is being read. */
  readonly storedEvents: number | undefined;
}
