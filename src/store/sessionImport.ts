import type { SourceFile } from "../trajectory";
import type { Notice } from "./noticeStore";

/** What sessions are read from: a file, all files of a folder, or an archive of either. */
export interface SessionSource {
  /** What a person calls it. */
  readonly name: string;
  readonly files: readonly SourceFile[];
}

/** What is offered of an import that is over, by the first of its sessions; nothing where it is shown anyway. */
export type ImportOffer = (sessionId: string) => Notice["action"];

/** Sessions on their way in from a file. */
export interface SessionImport {
  readonly id: string;
  /** Of the file, as a person calls it. */
  readonly name: string;
  /** How much of the file is read. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** Events found so far; 0 while nothing is known of them. */
  readonly events: number;
  /** Of them stored; absent while the file is being read. */
  readonly storedEvents: number | undefined;
  /** It was told to stop, and what was stored of it is being taken back. */
  readonly isStopping: boolean;
}
