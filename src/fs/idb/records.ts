/** Strings and numbers, ordered part by part; a number comes before a string, a shorter key before a longer one. */
export type RecordKey = readonly (string | number)[];

export type KeyedRecord = readonly [key: RecordKey, value: unknown];

/** Every key that begins with `prefix` (the prefix itself included), in order. */
export interface RecordRange {
  readonly prefix: RecordKey;
  /** Only keys whose part after the prefix is this or comes after it. */
  readonly from?: string | number;
  /** At most this many. */
  readonly limit?: number;
}

/**
 * What a transaction reads. Inside one, await nothing but its own calls: the browser closes a transaction that is left
 * alone.
 */
export interface RecordReader {
  get(key: RecordKey): Promise<unknown>;
  entries(range: RecordRange): Promise<readonly KeyedRecord[]>;
  keys(range: RecordRange): Promise<readonly RecordKey[]>;
  /** The last record whose key begins with `prefix` and, with `upTo`, goes on with this part or an earlier one. */
  last(prefix: RecordKey, upTo?: string | number): Promise<KeyedRecord | undefined>;
  lastKey(prefix: RecordKey): Promise<RecordKey | undefined>;
}

/** What undoes a transaction that adds a record where there is one already. */
export class KeyTakenError extends Error {}

export interface RecordWriter extends RecordReader {
  put(key: RecordKey, value: unknown): void;
  /** As `put` where there is nothing yet; else the whole transaction fails with KeyTakenError. */
  add(key: RecordKey, value: unknown): void;
  delete(key: RecordKey): void;
  deleteAll(prefix: RecordKey): void;
}

/**
 * An ordered store of records with transactions: IndexedDB, or memory where that is refused. Transactions that write are
 * one after the other, across tabs too. All reject with QuotaError or UnavailableError; what the body throws passes as it
 * is and undoes the transaction.
 */
export interface Records {
  read<T>(body: (reader: RecordReader) => Promise<T>): Promise<T>;
  /**
   * Resolves when all of it is stored; on a rejection none of it is. The body may run twice. It is over when the body is:
   * what a body leaves unawaited is still done, and a body that awaits nothing spares a way to the store and back.
   */
  write<T>(body: (writer: RecordWriter) => Promise<T>): Promise<T>;
  close(): void;
}
