import { memoryRecords, QuotaError, UnavailableError, type RecordReader, type Records, type RecordWriter } from "../fs";

/**
 * What may happen to one transaction: it is refused before it begins; it is cut off in its middle; it finds no room when all
 * of it was asked for; the process ends before it is stored, or when it is stored and nobody was told. What ends the process
 * ends every transaction that is under way with it.
 */
export type Fault = "none" | "refused" | "cut off" | "no room" | "crash before" | "crash after";

/** One process that uses the store: all its handles end together. */
export interface FaultyProcess {
  /** A handle of its own way to the store. */
  records(): Records;
  /** Resolves when it has ended. Whatever it still waits for is never answered. */
  readonly died: Promise<void>;
  isAlive(): boolean;
  kill(): void;
}

/** The process has ended: nobody is there to be told. */
class EndedError extends Error {}

/** A store that outlives the processes which use it, and lets them down as it is told to, transaction by transaction. */
export class FaultyStore {
  readonly #kept = memoryRecords();
  readonly #faults: Iterator<Fault>;
  /** Transactions so far, those that only read included. */
  transactions = 0;

  constructor(faults: Iterable<Fault>) {
    this.#faults = faults[Symbol.iterator]();
  }

  process(): FaultyProcess {
    let isAlive = true;
    let kill = () => void (isAlive = false);
    const died = new Promise<void>((resolve) => {
      kill = () => {
        isAlive = false;
        resolve();
      };
    });
    /** A transaction's result, or never. */
    const answered = async <T>(transaction: (fault: Fault) => Promise<T>): Promise<T> => {
      if (!isAlive) return new Promise<never>(() => undefined);
      this.transactions++;
      const next = this.#faults.next();
      const fault = next.done === true ? "none" : next.value;
      try {
        if (fault === "refused") throw new UnavailableError("/", "refused");
        const result = await transaction(fault);
        if (fault === "crash after") kill();
        if (isAlive) return result;
      } catch (error) {
        if (isAlive) throw error;
      }
      return new Promise<never>(() => undefined);
    };
    const requestsOf = (fault: Fault) => {
      let left = fault === "cut off" ? 1 : Infinity;
      return () => {
        if (!isAlive) throw new EndedError();
        if (left-- <= 0) throw new UnavailableError("/", "cut off");
      };
    };
    const records = (): Records => ({
      read: (body) =>
        answered((fault) => {
          if (fault === "crash before") kill();
          return this.#kept.read((reader) => body(readerWith(reader, requestsOf(fault))));
        }),
      write: (body) =>
        answered((fault) =>
          this.#kept.write(async (writer) => {
            const result = await body(writerWith(writer, requestsOf(fault)));
            if (fault === "crash before") kill();
            if (!isAlive) throw new EndedError();
            if (fault === "no room") throw new QuotaError("/");
            return result;
          }),
        ),
      close: () => undefined,
    });
    return { records, died, isAlive: () => isAlive, kill: () => kill() };
  }
}

function readerWith(reader: RecordReader, request: () => void): RecordReader {
  return {
    get: async (key) => (request(), structuredClone(await reader.get(key))),
    entries: async (range) => (request(), structuredClone(await reader.entries(range))),
    keys: async (range) => (request(), reader.keys(range)),
    last: async (prefix, upTo) => (request(), structuredClone(await reader.last(prefix, upTo))),
    lastKey: async (prefix) => (request(), reader.lastKey(prefix)),
  };
}

/** Values are copied on their way, as a browser does. */
function writerWith(writer: RecordWriter, request: () => void): RecordWriter {
  return {
    ...readerWith(writer, request),
    put: (key, value) => (request(), writer.put(key, structuredClone(value))),
    add: (key, value) => (request(), writer.add(key, structuredClone(value))),
    delete: (key) => (request(), writer.delete(key)),
    deleteAll: (prefix) => (request(), writer.deleteAll(prefix)),
  };
}
