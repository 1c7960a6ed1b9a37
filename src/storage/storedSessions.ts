import type { Clock } from "../base";
import { deletePins, type ProjectDatabase, type RecordWriter } from "../fs";
import type { ProjectStore } from "./projectStore";
import type { SessionRecord } from "./sessionRecord";
import { logEndKey, logPrefix, sessionKey, StoredLog, type LogEnd } from "./storedLog";

/** Writes records in one transaction and tells whoever listens. @throws UnavailableError where nothing can be written */
export type ChangeRecords = (
  topic: "document" | "sessions",
  body: (writer: RecordWriter) => Promise<void>,
) => Promise<void>;

type Sessions = Pick<ProjectStore, "sessions" | "createSession" | "updateSession" | "deleteSession" | "log">;

/** The sessions of a project: their records and logs. */
export function storedSessions(database: ProjectDatabase, change: ChangeRecords, now: Clock): Sessions {
  const logs = new Map<string, StoredLog>();
  return {
    sessions: async () => {
      const [found, ends] = await database.records.read((reader) =>
        Promise.all([reader.entries({ prefix: ["s"] }), reader.entries({ prefix: ["e"] })]),
      );
      const endOf = new Map(ends.map(([key, end]) => [key[1], end as LogEnd]));
      return found
        .map(([key, record]) => currentRecord(record as SessionRecord, endOf.get(key[1] ?? "")))
        .toSorted((a, b) => b.createdAt - a.createdAt);
    },
    createSession: (record) =>
      change("sessions", async (writer) => {
        const isLogged = (await writer.get(logEndKey(record.id))) !== undefined;
        const end: LogEnd = { eventCount: 0, updatedAt: record.updatedAt };
        if (!isLogged) writer.put(logEndKey(record.id), end);
        writer.put(sessionKey(record.id), record);
      }),
    updateSession: (sessionId, patch) =>
      change("sessions", async (writer) => {
        const record = (await writer.get(sessionKey(sessionId))) as SessionRecord | undefined;
        if (record !== undefined) writer.put(sessionKey(sessionId), { ...record, ...patch });
      }),
    deleteSession: async (sessionId) => {
      logs.delete(sessionId);
      await change("sessions", async (writer) => {
        writer.delete(sessionKey(sessionId));
        writer.delete(logEndKey(sessionId));
        writer.deleteAll(logPrefix(sessionId));
        await deletePins(writer, sessionId);
      });
    },
    log: (sessionId) => {
      const log = logs.get(sessionId) ?? new StoredLog(database, sessionId, now);
      logs.set(sessionId, log);
      return log;
    },
  };
}

/** The record with what its log knows better. */
function currentRecord(record: SessionRecord, end: LogEnd | undefined): SessionRecord {
  if (end === undefined) return record;
  return { ...record, eventCount: end.eventCount, updatedAt: Math.max(record.updatedAt, end.updatedAt) };
}
