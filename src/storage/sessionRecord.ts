import type { SessionEvent } from "../session";

/** What a list of sessions shows without opening a log. */
export interface SessionRecord {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970; moved by every append. */
  readonly updatedAt: number;
  /** Events in the log; kept true by every append. */
  readonly eventCount: number;
  /** As the session's own state names it: `new`, `running`, `input`, `ready`, `ended`; `cut` of an import that breaks off. */
  readonly status: string;
  /** The first line a person reads of it. */
  readonly preview: string;
  readonly origin: "live" | "compare" | "import" | "fork";
  readonly experimentId?: string;
  /** Of a session read from a file. */
  readonly imported?: ImportedFrom;
}

/** What a session was read from, and how it belongs to others of the same file. Ids are those of sessions here. */
export interface ImportedFrom {
  readonly format: string;
  readonly version: string;
  readonly fileName: string;
  /**
   * The blob of the original bytes: the file's own, or of several files a list of them, a line each: hash, two spaces, path.
   * Absent when they were not kept.
   */
  readonly original?: string;
  /** The id the recording gives the session. */
  readonly recordedId: string;
  /** The session whose call this one works for. */
  readonly parent?: { readonly sessionId: string; readonly callId?: string };
  /** A branch of another session of the file, and what it is called. */
  readonly branchOf?: string;
  readonly branch?: string;
}

/** The log of one session: events in order, appended only. */
export interface SessionLog {
  readonly sessionId: string;
  /**
   * Resolves when the events are stored, all of them or none. Appends of one log keep their order. When there is no room for
   * their large values, they are stored without.
   * @throws QuotaError, UnavailableError
   */
  append(events: readonly SessionEvent[]): Promise<void>;
  /**
   * The events from `fromIndex` (default 0) in order, in batches read as they are asked for; large values are put back.
   * A value whose stored copy is gone stays a reference, the event around it is delivered.
   */
  read(fromIndex?: number): AsyncIterable<readonly SessionEvent[]>;
  /** The same with how much there is of each batch, and if wished without the large values. */
  readPages(fromIndex?: number, options?: ReadPagesOptions): AsyncIterable<LogPage>;
  length(): Promise<number>;
}

export interface ReadPagesOptions {
  /** Large values are not read; in their place stands an empty text, or nothing. */
  readonly withoutLarge?: boolean;
}

/** Events next to each other in a log. */
export interface LogPage {
  readonly start: number;
  readonly events: readonly SessionEvent[];
  /** Characters of their stored lines, large values taken for the least such a value has. */
  readonly characters: number;
}

/** Values stored once by their SHA-256. */
export interface BlobStore {
  /** Resolves to the hash when the value is stored. @throws QuotaError, UnavailableError */
  put(value: string | Uint8Array): Promise<string>;
  /** Stores the contents of a file version under its id (`isVersionId`). @throws QuotaError, UnavailableError */
  putAs(id: string, bytes: Uint8Array): Promise<void>;
  /** The bytes must not be changed by the caller. */
  get(hash: string): Promise<Uint8Array | undefined>;
  /** Stores a file under the SHA-256 it has, a few pieces at a time. @throws QuotaError, UnavailableError · what the signal was aborted with */
  putBlob(hash: string, blob: Blob, signal?: AbortSignal): Promise<void>;
  /** Bytes `from` to before `to` of a value; of a large one the rest is not read. */
  slice(hash: string, from: number, to: number): Promise<Uint8Array | undefined>;
  /** What was put and nothing came to name: a clean-up may take it from now on. */
  letGo(hashes: Iterable<string>): void;
  getText(hash: string): Promise<string | undefined>;
}
