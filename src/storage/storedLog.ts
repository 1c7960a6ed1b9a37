import { limits, type Clock } from "../base";
import {
  putPins,
  UnavailableError,
  type ProjectDatabase,
  type RecordKey,
  type RecordReader,
  type RecordWriter,
} from "../fs";
import type { SessionEvent } from "../session";
import { eventPins } from "./eventPins";
import { eventFromStored, storedEvent, type StoredEvent } from "./largeValues";
import type { SessionLog } from "./sessionRecord";

/** Events of one append in a record of its own: their number, and a line each. */
interface LogBatch {
  readonly count: number;
  readonly lines: string;
}

/** Where a session's log ends; there for as long as the session is. */
export interface LogEnd {
  readonly eventCount: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/** Another tab appended first. */
class OvertakenError extends Error {}

export const sessionKey = (sessionId: string): RecordKey => ["s", sessionId];
export const logEndKey = (sessionId: string): RecordKey => ["e", sessionId];
export const logPrefix = (sessionId: string): RecordKey => ["l", sessionId];

/** The log of a session in its project's database: a record a batch, under the index of its first event. */
export class StoredLog implements SessionLog {
  readonly sessionId: string;
  readonly #database: ProjectDatabase;
  readonly #now: Clock;
  /** Events in the log as far as this tab knows. */
  #knownLength: number | undefined;
  #appending: Promise<void> = Promise.resolve();

  constructor(database: ProjectDatabase, sessionId: string, now: Clock) {
    this.#database = database;
    this.sessionId = sessionId;
    this.#now = now;
  }

  append(events: readonly SessionEvent[]): Promise<void> {
    const appended = this.#appending.then(() => this.#append(events));
    this.#appending = appended.catch(() => undefined);
    return appended;
  }

  async length(): Promise<number> {
    const end = await this.#database.records.read((reader) => reader.get(logEndKey(this.sessionId)));
    return (end as LogEnd | undefined)?.eventCount ?? 0;
  }

  async *read(fromIndex = 0): AsyncGenerator<readonly SessionEvent[], void, undefined> {
    let next = fromIndex;
    for (;;) {
      const batches = await this.#page(next);
      const events: SessionEvent[] = [];
      for (const { start, batch } of batches) {
        const lines = batch.lines.split("\n").slice(Math.max(next - start, 0));
        for (const line of lines) events.push(await eventFromStored(line, (hash) => this.#text(hash)));
        next = start + batch.count;
      }
      if (events.length === 0) return;
      yield events;
    }
  }

  async #append(events: readonly SessionEvent[]): Promise<void> {
    if (events.length === 0) return;
    const { readOnlyReason } = this.#database;
    if (readOnlyReason !== undefined) throw new UnavailableError("/", readOnlyReason);
    const stored = events.map(storedEvent);
    const { contents } = this.#database;
    const staged = contents.stage(
      stored.flatMap(({ values }) => values),
      "loose",
    );
    const pins = pinsOf(events, stored);
    const put = async (writer: RecordWriter, start: number) => {
      await contents.writeStaged(writer, staged);
      await putPins(writer, this.sessionId, start, pins);
      let index = start;
      for (const batch of logBatches(stored)) {
        writer.put([...logPrefix(this.sessionId), index], batch);
        index += batch.count;
      }
      const end: LogEnd = { eventCount: index, updatedAt: this.#now() };
      writer.put(logEndKey(this.sessionId), end);
      return index;
    };
    this.#knownLength = (await this.#putAtKnownEnd(put)) ?? (await this.#putAtEnd(put));
    contents.stored(staged);
    this.#database.announce({ kind: "records", topic: "log", id: this.sessionId });
  }

  /**
   * Nobody but this tab appends as a rule: then there is nothing to wait for between reading where the log ends and writing.
   * @returns `undefined` when somebody did; then nothing was written
   */
  async #putAtKnownEnd(put: (writer: RecordWriter, start: number) => Promise<number>): Promise<number | undefined> {
    const known = this.#knownLength;
    if (known === undefined) return undefined;
    try {
      return await this.#database.records.write(async (writer) => {
        const [end, next] = await Promise.all([this.#end(writer), put(writer, known)]);
        if (end !== known) throw new OvertakenError();
        return next;
      });
    } catch (error) {
      if (error instanceof OvertakenError) return undefined;
      throw error;
    }
  }

  #putAtEnd(put: (writer: RecordWriter, start: number) => Promise<number>): Promise<number> {
    return this.#database.records.write(async (writer) => put(writer, await this.#end(writer)));
  }

  /** @throws UnavailableError when the session is gone */
  async #end(reader: RecordReader): Promise<number> {
    const end = (await reader.get(logEndKey(this.sessionId))) as LogEnd | undefined;
    if (end === undefined) throw new UnavailableError("/", "This session was deleted.");
    return end.eventCount;
  }

  async #page(fromIndex: number): Promise<readonly { start: number; batch: LogBatch }[]> {
    const records = await this.#database.records.read(async (reader) => {
      const first = await reader.last(logPrefix(this.sessionId), fromIndex);
      if (first === undefined) return [];
      return reader.entries({
        prefix: logPrefix(this.sessionId),
        from: Number(first[0].at(-1)),
        limit: limits.logPageBatches,
      });
    });
    return records
      .map(([key, batch]) => ({ start: Number(key.at(-1)), batch: batch as LogBatch }))
      .filter(({ start, batch }) => start + batch.count > fromIndex);
  }

  async #text(hash: string): Promise<string | undefined> {
    const bytes = await this.#database.contents.get(hash);
    return bytes && new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }
}

/** Batches no larger than a reader wants to take at once. */
function* logBatches(stored: readonly StoredEvent[]): Generator<LogBatch, void, undefined> {
  let lines: string[] = [];
  let size = 0;
  for (const { line } of stored) {
    if (lines.length > 0 && (size + line.length > limits.logBatchBytes || lines.length >= limits.logBatchEvents)) {
      yield { count: lines.length, lines: lines.join("\n") };
      lines = [];
      size = 0;
    }
    lines.push(line);
    size += line.length;
  }
  if (lines.length > 0) yield { count: lines.length, lines: lines.join("\n") };
}

function pinsOf(events: readonly SessionEvent[], stored: readonly StoredEvent[]) {
  const pins = events.map(eventPins);
  const values = stored.flatMap((event) => event.values.map(({ hash }) => hash));
  return {
    contents: [...new Set([...pins.flatMap(({ contents }) => contents), ...values])],
    trees: [...new Set(pins.flatMap(({ trees }) => trees))],
  };
}
