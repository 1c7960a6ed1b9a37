import { limits, type Clock } from "../base";
import { putPins, UnavailableError, type ProjectDatabase, type RecordKey, type RecordWriter } from "../fs";
import type { SessionEvent } from "../session";
import { eventPins } from "./eventPins";
import { eventFromStored, storedEvent, type StoredEvent } from "./largeValues";
import type { SessionLog, SessionRecord } from "./sessionRecord";

/** Events of one append in a record of its own: their number, and a line each. */
interface LogBatch {
  readonly count: number;
  readonly lines: string;
}

/** Records a reader takes at a time. */
const BATCHES_A_PAGE = 32;

export const sessionKey = (sessionId: string): RecordKey => ["s", sessionId];
export const logPrefix = (sessionId: string): RecordKey => ["l", sessionId];

/** The log of a session in its project's database: a record a batch, under the index of its first event. */
export class StoredLog implements SessionLog {
  readonly sessionId: string;
  readonly #database: ProjectDatabase;
  readonly #now: Clock;
  /** Events in the log as far as this tab knows. */
  #knownLength = 0;
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
    this.#knownLength = await this.#database.records.read(async (reader) => endOf(await reader.last(this.#prefix)));
    return this.#knownLength;
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

  get #prefix(): RecordKey {
    return logPrefix(this.sessionId);
  }

  async #append(events: readonly SessionEvent[]): Promise<void> {
    if (events.length === 0) return;
    const { readOnlyReason } = this.#database;
    if (readOnlyReason !== undefined) throw new UnavailableError("/", readOnlyReason);
    const stored = events.map(storedEvent);
    const { contents, records } = this.#database;
    const staged = contents.stage(
      stored.flatMap(({ values }) => values),
      "loose",
    );
    this.#knownLength = await records.write(async (writer) => {
      const [start, found] = await Promise.all([this.#end(writer), writer.get(sessionKey(this.sessionId))]);
      const record = found as SessionRecord | undefined;
      if (record === undefined) throw new UnavailableError("/", "This session was deleted.");
      await contents.writeStaged(writer, staged);
      await putPins(writer, this.sessionId, start, pinsOf(events, stored));
      let index = start;
      for (const batch of logBatches(stored)) {
        writer.put([...this.#prefix, index], batch);
        index += batch.count;
      }
      writer.put(sessionKey(this.sessionId), { ...record, eventCount: index, updatedAt: this.#now() });
      return index;
    });
    contents.stored(staged);
    this.#database.announce({ kind: "records", topic: "log", id: this.sessionId });
  }

  /** Where the log ends; nobody but this tab appends as a rule, and then one look is enough. */
  async #end(writer: RecordWriter): Promise<number> {
    const known = this.#knownLength;
    if (known > 0 && (await writer.keys({ prefix: [...this.#prefix, known], limit: 1 })).length === 0) return known;
    return endOf(await writer.last(this.#prefix));
  }

  async #page(fromIndex: number): Promise<readonly { start: number; batch: LogBatch }[]> {
    const records = await this.#database.records.read(async (reader) => {
      const first = await reader.last(this.#prefix, fromIndex);
      if (first === undefined) return [];
      return reader.entries({ prefix: this.#prefix, from: Number(first[0].at(-1)), limit: BATCHES_A_PAGE });
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

function endOf(last: readonly [RecordKey, unknown] | undefined): number {
  return last === undefined ? 0 : Number(last[0].at(-1)) + (last[1] as LogBatch).count;
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
