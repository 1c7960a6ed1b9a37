import { promisifyRequest, type UseStore } from "idb-keyval";
import { PathError, QuotaError, UnavailableError, WriteFailedError } from "../pathError";
import {
  KeyTakenError,
  type KeyedRecord,
  type RecordKey,
  type RecordRange,
  type RecordReader,
  type Records,
  type RecordWriter,
} from "./records";

/** Records in IndexedDB, through an idb-keyval store. `close` is the connection's. */
export function idbRecords(transact: UseStore, close: () => void): Records {
  return {
    close,
    read: (body) => withTransaction(transact, "readonly", (store) => body(recordReader(store))),
    write: (body) => withTransaction(transact, "readwrite", (store) => body(recordWriter(store))),
  };
}

/** A transaction that was cut off though neither we nor the store had a reason: the connection went away. */
class LostConnectionError extends Error {}

async function withTransaction<T>(
  transact: UseStore,
  mode: IDBTransactionMode,
  body: (store: IDBObjectStore) => Promise<T>,
): Promise<T> {
  const run = () => transact(mode, (store) => completed(store, body));
  try {
    return await run().catch((error: unknown) => {
      // Nothing of it was stored: once more, on a new connection.
      if (error instanceof LostConnectionError) return run();
      throw error;
    });
  } catch (error) {
    throw storageError(error);
  }
}

/** Resolves with the body's result when the transaction is complete. */
async function completed<T>(store: IDBObjectStore, body: (store: IDBObjectStore) => Promise<T>): Promise<T> {
  const { transaction } = store;
  const done = new Promise<void>((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", () => reject(abortReason(transaction)));
  });
  done.catch(() => undefined);
  let result: T;
  try {
    result = await body(store);
    if (transaction.mode === "readwrite") commit(transaction);
  } catch (error) {
    abort(transaction);
    // Requests of a transaction that was aborted say no more than that; the transaction knows why.
    if (error instanceof DOMException && error.name === "AbortError") await done;
    throw error;
  }
  await done;
  return result;
}

function abortReason({ error }: IDBTransaction): Error {
  return error === null || error.name === "AbortError" ? new LostConnectionError() : error;
}

/** At once: the store need not wait until the page has heard of every request. */
function commit(transaction: IDBTransaction): void {
  try {
    transaction.commit();
  } catch {
    // It has ended already, and has said how.
  }
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It has ended already.
  }
}

/** What the store's own errors mean. @returns a PathError about `/`, KeyTakenError, or the error as it is */
export function storageError(error: unknown): unknown {
  if (error instanceof PathError) return error;
  if (error instanceof LostConnectionError) return new UnavailableError("/", "The browser closed the storage.");
  if (!(error instanceof DOMException)) return error;
  if (error.name === "QuotaExceededError") return new QuotaError("/");
  if (error.name === "ConstraintError") return new KeyTakenError();
  if (error.name === "DataCloneError" || error.name === "DataError") return new WriteFailedError("/", error.message);
  return new UnavailableError("/", error.message);
}

function recordReader(store: IDBObjectStore): RecordReader {
  return {
    get: (key) => promisifyRequest<unknown>(store.get(validKey(key))),
    async entries(range) {
      const query = keyRange(range);
      const [keys, values] = await Promise.all([
        promisifyRequest(store.getAllKeys(query, range.limit)),
        promisifyRequest<unknown[]>(store.getAll(query, range.limit)),
      ]);
      return keys.map((key, index): KeyedRecord => [recordKey(key), values[index]]);
    },
    async keys(range) {
      return (await promisifyRequest(store.getAllKeys(keyRange(range), range.limit))).map(recordKey);
    },
    async last(prefix, upTo) {
      const range = IDBKeyRange.bound([...prefix], upTo === undefined ? [...prefix, []] : [...prefix, upTo, []]);
      const cursor = await promisifyRequest(store.openCursor(range, "prev"));
      return cursor === null ? undefined : [recordKey(cursor.key), cursor.value as unknown];
    },
    async lastKey(prefix) {
      const cursor = await promisifyRequest(store.openKeyCursor(keyRange({ prefix }), "prev"));
      return cursor === null ? undefined : recordKey(cursor.key);
    },
  };
}

function recordWriter(store: IDBObjectStore): RecordWriter {
  return {
    ...recordReader(store),
    put: (key, value) => void store.put(value, validKey(key)),
    add: (key, value) => void store.add(value, validKey(key)),
    delete: (key) => void store.delete(validKey(key)),
    deleteAll: (prefix) => void store.delete(keyRange({ prefix })),
  };
}

/** An array comes after every string and number, so `[...prefix, []]` ends what begins with the prefix. */
function keyRange({ prefix, from }: RecordRange): IDBKeyRange {
  return IDBKeyRange.bound(from === undefined ? [...prefix] : [...prefix, from], [...prefix, []]);
}

function validKey(key: RecordKey): IDBValidKey {
  return key as (string | number)[];
}

function recordKey(key: IDBValidKey): RecordKey {
  return key as (string | number)[];
}
