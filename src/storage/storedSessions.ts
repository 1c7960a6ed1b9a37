import type { Clock } from "../base";
import { deletePins, putPins, type ProjectDatabase, type RecordReader, type RecordWriter } from "../fs";
import type { ProjectStore, SessionPatch } from "./projectStore";
import type { SessionRecord } from "./sessionRecord";
import { logEndFromRecord, logEndRecord, type LogEnd } from "./logRecords";
import { endOfBatches, logEndKey, logPrefix, sessionKey, StoredLog } from "./storedLog";

/** Pins of a log have the numbers of its events. */
const BESIDE_THE_LOG = -1;

/** Writes records in one transaction and tells whoever listens. @throws UnavailableError where nothing can be written */
export type ChangeRecords = (
  topic: "document" | "sessions",
  body: (writer: RecordWriter) => Promise<void>,
) => Promise<void>;

type Sessions = Pick<
  ProjectStore,
  "sessions" | "createSession" | "updateSession" | "updateSessions" | "deleteSession" | "deleteSessions" | "log"
>;

/** The sessions of a project: their records and logs. */
export function storedSessions(
  database: ProjectDatabase,
  { change, remove }: { readonly change: ChangeRecords; readonly remove: ChangeRecords },
  now: Clock,
): Sessions {
  const logs = new Map<string, StoredLog>();
  const deleteSessions = async (sessionIds: readonly string[]) => {
    for (const id of sessionIds) logs.delete(id);
    let needed: readonly string[] = [];
    await remove("sessions", async (writer) => {
      for (const id of sessionIds) {
        writer.delete(sessionKey(id));
        writer.delete(logEndKey(id));
        writer.deleteAll(logPrefix(id));
      }
      needed = (await Promise.all(sessionIds.map((id) => deletePins(writer, id)))).flat();
    });
    // They were put here for these sessions, mostly: nothing else is about to name them.
    for (const hash of needed) database.contents.freshHashes.delete(hash);
  };
  return {
    sessions: async () => {
      const { found, ends } = await database.records.read(readSessions);
      // A session is there as long as either record of it is.
      const records = new Map<string, unknown>(found.map(([key, record]) => [String(key[1]), record]));
      return [...ends.keys()]
        .map((id) => currentRecord(recordOf(id, records.get(id)), ends.get(id)))
        .toSorted((a, b) => b.createdAt - a.createdAt);
    },
    createSession: (record, kept = []) =>
      change("sessions", async (writer) => {
        const isLogged = (await writer.get(logEndKey(record.id))) !== undefined;
        if (!isLogged) writer.put(logEndKey(record.id), logEndRecord(0, record.updatedAt));
        writer.put(sessionKey(record.id), record);
        await putKept(writer, record.id, kept);
      }),
    updateSession: (sessionId, patch) => change("sessions", (writer) => putPatch(writer, sessionId, patch)),
    updateSessions: (patches) =>
      change("sessions", async (writer) => {
        await Promise.all([...patches].map(([id, patch]) => putPatch(writer, id, patch)));
      }),
    deleteSession: (sessionId) => deleteSessions([sessionId]),
    deleteSessions,
    log: (sessionId) => {
      const log = logs.get(sessionId) ?? new StoredLog(database, sessionId, now);
      logs.set(sessionId, log);
      return log;
    },
  };
}

async function putPatch(writer: RecordWriter, sessionId: string, patch: SessionPatch): Promise<void> {
  const [record, end] = await Promise.all([writer.get(sessionKey(sessionId)), writer.get(logEndKey(sessionId))]);
  if (record === undefined && end === undefined) return;
  // A damaged record stays as it is until a person names the session anew.
  if (!isSessionRecord(sessionId, record) && patch.name === undefined) return;
  writer.put(sessionKey(sessionId), { ...recordOf(sessionId, record), ...patch });
}

/** Keeps values with a session beside those its log names. */
export async function putKept(writer: RecordWriter, sessionId: string, hashes: readonly string[]): Promise<void> {
  await putPins(writer, sessionId, BESIDE_THE_LOG, { contents: hashes, trees: [] });
}

/** The records of all sessions, and where the log of each ends. */
async function readSessions(reader: RecordReader) {
  const [found, endRecords] = await Promise.all([reader.entries({ prefix: ["s"] }), reader.entries({ prefix: ["e"] })]);
  const ids = new Set([...found, ...endRecords].map(([key]) => String(key[1])));
  const records = new Map(endRecords.map(([key, record]) => [String(key[1]), record]));
  const ends = await Promise.all(
    [...ids].map(async (id): Promise<readonly [string, LogEnd]> => {
      const end = logEndFromRecord(records.get(id));
      return [id, end ?? { eventCount: await endOfBatches(reader, id), updatedAt: 0 }];
    }),
  );
  return { found, ends: new Map(ends) };
}

function isSessionRecord(sessionId: string, record: unknown): record is SessionRecord {
  const { createdAt, id, name, origin, preview, status, updatedAt } = (record ?? {}) as Partial<SessionRecord>;
  const texts = [name, origin, preview, status];
  if (id !== sessionId) return false;
  return texts.every((text) => typeof text === "string") && Number.isFinite(createdAt) && Number.isFinite(updatedAt);
}

/** The record, or what a list shows in place of one that is damaged: its log can be opened all the same. */
function recordOf(id: string, record: unknown): SessionRecord {
  if (isSessionRecord(id, record)) return record;
  return {
    id,
    name: "Damaged session",
    createdAt: 0,
    updatedAt: 0,
    eventCount: 0,
    status: "ready",
    preview: "What the list knew of this session is damaged; its log is here.",
    origin: "live",
  };
}

/** The record with what its log knows better. */
function currentRecord(record: SessionRecord, end: LogEnd | undefined): SessionRecord {
  if (end === undefined) return record;
  return { ...record, eventCount: end.eventCount, updatedAt: Math.max(record.updatedAt, end.updatedAt) };
}
