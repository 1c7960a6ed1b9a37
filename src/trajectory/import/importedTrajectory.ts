import type { ImportFidelity, ImportWarning, RecordedSession, SessionEvent } from "../../session";

/** A file of sessions, read. */
export interface ImportedTrajectory {
  readonly format: string;
  readonly version: string;
  /** Of the file's bytes; of several files, of their paths and hashes in order. */
  readonly sha256: string;
  readonly sessions: readonly ImportedSession[];
  readonly warnings: readonly ImportWarning[];
  readonly fidelity: ImportFidelity;
  /** Large values, images and texts of files that the events name, by SHA-256. */
  readonly blobs: ReadonlyMap<string, Uint8Array>;
}

export interface ImportedSession {
  readonly id: string;
  readonly title?: string;
  readonly events: readonly SessionEvent[];
  readonly parent?: NonNullable<RecordedSession["parent"]>;
}
