import { limits, type Clock } from "../base";
import {
  putPins,
  QuotaError,
  UnavailableError,
  type ProjectDatabase,
  type RecordKey,
  type RecordReader,
  type RecordWriter,
} from "../fs";
import type { SessionEvent } from "../session";
import { eventPins, namedBlobs } from "./eventPins";
import { eventFromStored, eventWithoutLarge, storedCharacters, storedEvent, type StoredEvent } from "./largeValues";
import {
  logBatchFromRecord,
  logBatchRecord,
  logEndFromRecord,
  logEndRecord,
  lostEvents,
  type LogBatchRecord,
} from "./logRecords";
import { readableContent } from "./readableContent";
import type { LogPage, ReadPagesOptions, SessionLog } from "./sessionRecord";
import { withRoomMade } from "./withRoomMade";

/** Batches of the first page: how large they are is not known yet. */
const FIRST_PAGE_BATCHES = 1;

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

  length(): Promise<number> {
    return this.#database.records.read((reader) => this.#foundEnd(reader));
  }

  async *read(fromIndex = 0): AsyncGenerator<readonly SessionEvent[], void, undefined> {
    for await (const { events } of this.readPages(fromIndex)) yield events;
  }

  async *readPages(
    fromIndex = 0,
    { withoutLarge = false }: ReadPagesOptions = {},
  ): AsyncGenerator<LogPage, void, undefined> {
    let next = fromIndex;
    let batchCount = FIRST_PAGE_BATCHES;
    for (;;) {
      const start = next;
      const { batches, end } = await this.#page(next, batchCount);
      const events: SessionEvent[] = [];
      let characters = 0;
      const fillUpTo = (index: number) => {
        events.push(...lostEvents(next, index, events.at(-1)?.meta.at));
        next = Math.max(next, index);
      };
      for (const { start: batchStart, lines } of batches) {
        // What is lost in one stretch is said as one.
        if (lines === undefined) continue;
        fillUpTo(batchStart);
        for (const line of lines.slice(next - batchStart)) {
          characters += storedCharacters(line);
          events.push(withoutLarge ? this.#smallEvent(line, next++) : await this.#event(line, next++));
        }
      }
      if (end !== undefined) fillUpTo(end);
      else if (events.length === 0) fillUpTo(batches.at(-1)?.start ?? next);
      if (events.length === 0) {
        if (end !== undefined) return;
        // What is damaged ends where the next batch begins, which is further on.
        batchCount *= 4;
        continue;
      }
      yield { start, events, characters };
      // A page is work for some milliseconds, whether its log was written a word or a megabyte at a time.
      const wanted = Math.round((batchCount * limits.logPageCharacters) / Math.max(1, characters));
      batchCount = Math.max(1, Math.min(limits.logPageBatches, batchCount * 4, wanted));
    }
  }

  async #append(events: readonly SessionEvent[]): Promise<void> {
    if (events.length === 0) return;
    const { readOnlyReason } = this.#database;
    if (readOnlyReason !== undefined) throw new UnavailableError("/", readOnlyReason);
    const stored = events.map(storedEvent);
    try {
      await withRoomMade(this.#database, () => this.#store(events, stored));
    } catch (error) {
      const isLarge = stored.some(({ values }) => values.length > 0);
      if (!(error instanceof QuotaError) || !isLarge) throw error;
      // Where there is no room for what was said, there mostly is for the saying: large values are lost, the log is not.
      await this.#store(
        events,
        stored.map(({ line }) => ({ line, values: [] })),
      );
    }
    this.#database.announce({ kind: "records", topic: "log", id: this.sessionId });
  }

  async #store(events: readonly SessionEvent[], stored: readonly StoredEvent[]): Promise<void> {
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
      writer.put(logEndKey(this.sessionId), logEndRecord(index, this.#now()));
      return index;
    };
    this.#knownLength = (await this.#putAtKnownEnd(put)) ?? (await this.#putAtEnd(put));
    contents.stored(staged);
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
    const record = await reader.get(logEndKey(this.sessionId));
    const end = logEndFromRecord(record);
    if (end !== undefined) return end.eventCount;
    const isThere = record !== undefined || (await reader.get(sessionKey(this.sessionId))) !== undefined;
    if (!isThere) throw new UnavailableError("/", "This session was deleted.");
    return endOfBatches(reader, this.sessionId);
  }

  /** 0 when the session is gone. */
  async #foundEnd(reader: RecordReader): Promise<number> {
    const end = logEndFromRecord(await reader.get(logEndKey(this.sessionId)));
    return end?.eventCount ?? endOfBatches(reader, this.sessionId);
  }

  /** The batches from the one that holds the index; `lines` are absent of one that is damaged, `end` where more follow. */
  async #page(fromIndex: number, limit: number) {
    return this.#database.records.read(async (reader) => {
      const first = await reader.last(logPrefix(this.sessionId), fromIndex);
      const records = await reader.entries({
        prefix: logPrefix(this.sessionId),
        from: first === undefined ? fromIndex : Number(first[0].at(-1)),
        limit,
      });
      const batches = records
        .map(([key, record]) => ({ start: Number(key.at(-1)), lines: logBatchFromRecord(record) }))
        .filter(({ start, lines }) => lines === undefined || start + lines.length > fromIndex);
      const isLast = records.length < limit;
      return { batches, end: isLast ? await this.#foundEnd(reader) : undefined };
    });
  }

  async #event(line: string, index: number): Promise<SessionEvent> {
    try {
      return await eventFromStored(line, (hash) => this.#text(hash));
    } catch (error) {
      // A line of an earlier version, which had no check sum.
      if (error instanceof SyntaxError) return lostEvents(index, index + 1)[0] as SessionEvent;
      throw error;
    }
  }

  #smallEvent(line: string, index: number): SessionEvent {
    try {
      return eventWithoutLarge(line);
    } catch {
      return lostEvents(index, index + 1)[0] as SessionEvent;
    }
  }

  /** `undefined` for a value that is lost or damaged. */
  async #text(hash: string): Promise<string | undefined> {
    const bytes = await readableContent(this.#database, hash);
    return bytes && new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }
}

/** Where a log ends by its batches: what says so is lost or damaged. */
export async function endOfBatches(reader: RecordReader, sessionId: string): Promise<number> {
  const last = await reader.last(logPrefix(sessionId));
  if (last === undefined) return 0;
  // Of a batch that is damaged too nobody knows how many events it had; it had one.
  return Number(last[0].at(-1)) + (logBatchFromRecord(last[1])?.length ?? 1);
}

/** Batches no larger than a reader wants to take at once. */
function* logBatches(stored: readonly StoredEvent[]): Generator<LogBatchRecord, void, undefined> {
  let lines: string[] = [];
  let size = 0;
  for (const { line } of stored) {
    if (lines.length > 0 && (size + line.length > limits.logBatchBytes || lines.length >= limits.logBatchEvents)) {
      yield logBatchRecord(lines);
      lines = [];
      size = 0;
    }
    lines.push(line);
    size += line.length;
  }
  if (lines.length > 0) yield logBatchRecord(lines);
}

function pinsOf(events: readonly SessionEvent[], stored: readonly StoredEvent[]) {
  const pins = events.map(eventPins);
  const values = stored.flatMap((event) => event.values.map(({ hash }) => hash));
  const blobs = stored.flatMap(({ line }) => namedBlobs(line));
  return {
    contents: [...new Set([...pins.flatMap(({ contents }) => contents), ...values, ...blobs])],
    trees: [...new Set(pins.flatMap(({ trees }) => trees))],
  };
}
