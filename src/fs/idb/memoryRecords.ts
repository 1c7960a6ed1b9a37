import { UnavailableError } from "../pathError";
import {
  KeyTakenError,
  type KeyedRecord,
  type RecordKey,
  type RecordRange,
  type RecordReader,
  type Records,
  type RecordWriter,
} from "./records";

/** Records that live as long as the tab: what is left where the browser refuses IndexedDB. */
export function memoryRecords(): Records {
  let stored = new Map<string, KeyedRecord>();
  let writing: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  const assertOpen = () => {
    if (isClosed) throw new UnavailableError("/", "This project was closed.");
  };
  return {
    async read(body) {
      assertOpen();
      return body(recordReader(() => stored));
    },
    async write(body) {
      assertOpen();
      const before = writing;
      const written = (async () => {
        await before;
        const draft = new Map(stored);
        const result = await body(recordWriter(draft));
        stored = draft;
        return result;
      })();
      writing = written.catch(() => undefined);
      return written;
    },
    close: () => void (isClosed = true),
  };
}

function recordReader(stored: () => ReadonlyMap<string, KeyedRecord>): RecordReader {
  const keys = (range: RecordRange) => inRange(stored(), range).map(([key]) => key);
  return {
    get: async (key) => stored().get(mapKey(key))?.[1],
    entries: async (range) => inRange(stored(), range),
    keys: async (range) => keys(range),
    lastKey: async (prefix) => keys({ prefix }).at(-1),
    last: async (prefix, upTo) =>
      inRange(stored(), { prefix }).findLast(
        ([key]) => upTo === undefined || comparedParts(key[prefix.length] ?? -Infinity, upTo) <= 0,
      ),
  };
}

function recordWriter(draft: Map<string, KeyedRecord>): RecordWriter {
  return {
    ...recordReader(() => draft),
    put: (key, value) => void draft.set(mapKey(key), [key, copied(value)]),
    add: (key, value) => {
      if (draft.has(mapKey(key))) throw new KeyTakenError();
      draft.set(mapKey(key), [key, copied(value)]);
    },
    delete: (key) => void draft.delete(mapKey(key)),
    deleteAll: (prefix) => {
      for (const [key] of inRange(draft, { prefix })) draft.delete(mapKey(key));
    },
  };
}

/** Bytes are the caller's to change once they were put, as with IndexedDB; everything else here is a value. */
function copied(value: unknown): unknown {
  return value instanceof Uint8Array ? value.slice() : value;
}

function mapKey(key: RecordKey): string {
  return JSON.stringify(key);
}

function inRange(stored: ReadonlyMap<string, KeyedRecord>, { prefix, from, limit }: RecordRange): KeyedRecord[] {
  const found: KeyedRecord[] = [];
  for (const record of stored.values()) {
    const [key] = record;
    if (!prefix.every((part, index) => key[index] === part)) continue;
    if (from !== undefined && comparedParts(key[prefix.length] ?? -Infinity, from) < 0) continue;
    found.push(record);
  }
  return found.toSorted(([a], [b]) => comparedKeys(a, b)).slice(0, limit);
}

function comparedKeys(a: RecordKey, b: RecordKey): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const order = comparedParts(a[index] ?? 0, b[index] ?? 0);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function comparedParts(a: string | number, b: string | number): number {
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
