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
  /** As the session's own state names it: `new`, `running`, `input`, `ready`, `ended`. */
  readonly status: string;
  /** The first line a person reads of it. */
  readonly preview: string;
  readonly origin: "live" | "compare" | "import";
  readonly experimentId?: string;
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
  length(): Promise<number>;
}

/** Values stored once by their SHA-256. */
export interface BlobStore {
  /** Resolves to the hash when the value is stored. @throws QuotaError, UnavailableError */
  put(value: string | Uint8Array): Promise<string>;
  /** Stores the contents of a file version under its id (`isVersionId`). @throws QuotaError, UnavailableError */
  putAs(id: string, bytes: Uint8Array): Promise<void>;
  /** The bytes must not be changed by the caller. */
  get(hash: string): Promise<Uint8Array | undefined>;
  getText(hash: string): Promise<string | undefined>;
}
