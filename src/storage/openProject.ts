import { limits, type Clock, type JsonObject } from "../base";
import {
  deletePins,
  diskNames,
  idbFs,
  loadSnapshot,
  removeDisk,
  saveSnapshot,
  sweepProject,
  UnavailableError,
  type ProjectDatabase,
  type RecordWriter,
  type SnapshotTree,
  type SweepOptions,
  type TreeOptions,
} from "../fs";
import type { ProjectChange, ProjectStore, StorageUsage } from "./projectStore";
import { sessionLocks } from "./sessionLocks";
import type { BlobStore, SessionRecord } from "./sessionRecord";
import { logEndKey, logPrefix, sessionKey, StoredLog, type LogEnd } from "./storedLog";

const DOCUMENT_KEY = ["doc"] as const;

export interface OpenProjectOptions {
  readonly id: string;
  readonly name: string;
  readonly now: Clock;
  /** Why nothing outlives the tab, when that is so. */
  readonly reason: string | undefined;
  readonly close: () => void;
}

/** The project in an open database. */
export function openProject(database: ProjectDatabase, options: OpenProjectOptions): ProjectStore {
  const { records } = database;
  const locks = sessionLocks(database.name, database.isShared);
  const logs = new Map<string, StoredLog>();
  const cleanUp = setTimeout(() => void sweepProject(database).catch(() => undefined), limits.sweepDelayMs);

  async function change(topic: "document" | "sessions", body: (writer: RecordWriter) => Promise<void>): Promise<void> {
    if (database.readOnlyReason !== undefined) throw new UnavailableError("/", database.readOnlyReason);
    await records.write(body);
    database.announce({ kind: "records", topic });
  }

  return {
    id: options.id,
    name: options.name,
    kept: options.reason === undefined,
    ...(options.reason === undefined ? {} : { reason: options.reason }),
    database,
    loadDocument: async () =>
      ((await records.read((reader) => reader.get(DOCUMENT_KEY))) as JsonObject | undefined) ?? {},
    saveDocument: (document) => change("document", async (writer) => writer.put(DOCUMENT_KEY, document)),

    disk: (diskId: string, treeOptions?: TreeOptions) => idbFs({ database, disk: diskId }, treeOptions),
    diskIds: () => records.read(diskNames),
    removeDisk: (diskId) => removeDisk(database, diskId),

    sessions: async () => {
      const [found, ends] = await records.read((reader) =>
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
      const log = logs.get(sessionId) ?? new StoredLog(database, sessionId, options.now);
      logs.set(sessionId, log);
      return log;
    },
    lockSession: (sessionId) => locks.take(sessionId),

    blobs: blobStore(database),
    saveSnapshot: (tree: SnapshotTree) => saveSnapshot(database, tree),
    loadSnapshot: (rootHash) => loadSnapshot(database, rootHash),

    usage: storageUsage,
    persist: persistStorage,
    sweep: async (sweepOptions?: SweepOptions) => void (await sweepProject(database, sweepOptions)),
    subscribe: (listener) =>
      database.onHint((hint) => {
        if (hint.kind === "records") listener(changeFromHint(hint.topic, hint.id));
      }),
    close: async () => {
      clearTimeout(cleanUp);
      locks.releaseAll();
      options.close();
    },
  };
}

/** The record with what its log knows better. */
function currentRecord(record: SessionRecord, end: LogEnd | undefined): SessionRecord {
  if (end === undefined) return record;
  return { ...record, eventCount: end.eventCount, updatedAt: Math.max(record.updatedAt, end.updatedAt) };
}

function changeFromHint(topic: string, id: string | undefined): ProjectChange {
  if (topic === "log" && id !== undefined) return { kind: "log", sessionId: id };
  return { kind: topic === "document" ? "document" : "sessions" };
}

function blobStore({ contents }: ProjectDatabase): BlobStore {
  return {
    put: (value) => contents.put(typeof value === "string" ? new TextEncoder().encode(value) : value.slice()),
    get: (hash) => contents.get(hash),
    getText: async (hash) => {
      const bytes = await contents.get(hash);
      return bytes && new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    },
  };
}

/** Only a page may ask: in a worker nothing is asked. */
async function persistStorage(): Promise<boolean> {
  const storage = globalThis.navigator?.storage as (StorageManager & { persist?(): Promise<boolean> }) | undefined;
  return (await storage?.persist?.()) ?? false;
}

async function storageUsage(): Promise<StorageUsage> {
  const storage = globalThis.navigator?.storage as StorageManager | undefined;
  const [estimate, persisted] = await Promise.all([storage?.estimate?.(), storage?.persisted?.()]);
  return {
    usedBytes: estimate?.usage ?? 0,
    ...(estimate?.quota === undefined ? {} : { quotaBytes: estimate.quota }),
    persisted: persisted ?? false,
  };
}
