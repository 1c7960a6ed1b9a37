import { limits, type Clock } from "../base";
import {
  diskNames,
  idbFs,
  loadSnapshot,
  putPins,
  removeDisk,
  saveSnapshot,
  sweepProject,
  UnavailableError,
  type ProjectDatabase,
  type SnapshotTree,
  type SweepOptions,
  type TreeOptions,
} from "../fs";
import { outsideFiles } from "./outsideFiles";
import { putDocument, readDocument } from "./documentRecord";
import type { ProjectChange, ProjectStore, StorageUsage } from "./projectStore";
import { readableContent } from "./readableContent";
import { sessionLocks } from "./sessionLocks";
import { withRoomMade } from "./withRoomMade";
import type { BlobStore } from "./sessionRecord";
import { putKept, storedSessions, type ChangeRecords } from "./storedSessions";

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
  const cleanUp = setTimeout(() => void sweepProject(database).catch(() => undefined), limits.sweepDelayMs);

  const change: ChangeRecords = async (topic, body) => {
    if (database.readOnlyReason !== undefined) throw new UnavailableError("/", database.readOnlyReason);
    await withRoomMade(database, () => records.write(body));
    database.announce({ kind: "records", topic });
  };
  /** What makes the project smaller. */
  const remove: ChangeRecords = async (topic, body) => {
    if (database.readOnlyReason !== undefined) throw new UnavailableError("/", database.readOnlyReason);
    await database.writeDeletion(body);
    database.announce({ kind: "records", topic });
  };

  return {
    id: options.id,
    name: options.name,
    kept: options.reason === undefined,
    ...(options.reason === undefined ? {} : { reason: options.reason }),
    database,
    trouble: () => database.trouble,
    loadDocument: () => records.read(readDocument),
    saveDocument: (document) => change("document", (writer) => putDocument(writer, document)),

    disk: (diskId: string, treeOptions?: TreeOptions) => idbFs({ database, disk: diskId }, treeOptions),
    diskIds: () => records.read(diskNames),
    removeDisk: (diskId) => removeDisk(database, diskId),
    outside: outsideFiles(database, options.now),

    ...storedSessions(database, { change, remove }, options.now),
    keepWith: (sessionId, hashes) => change("sessions", (writer) => putKept(writer, sessionId, hashes)),
    lockSession: (sessionId) => locks.take(sessionId),

    blobs: blobStore(database),
    saveSnapshot: (tree: SnapshotTree) => withRoomMade(database, () => saveSnapshot(database, tree)),
    async keepSnapshot(name, tree) {
      const rootHash = await withRoomMade(database, () => saveSnapshot(database, tree));
      // One record a name: the tree kept before is let go by being written over.
      await records.write((writer) => putPins(writer, `kept/${name}`, 0, { contents: [], trees: [rootHash] }));
      return rootHash;
    },
    loadSnapshot: (rootHash) => loadSnapshot(database, rootHash),

    usage: storageUsage,
    persist: persistStorage,
    sweep: async (sweepOptions?: SweepOptions) => void (await sweepProject(database, sweepOptions)),
    subscribe: (listener) => {
      const stops = [
        database.onHint((hint) => {
          if (hint.kind === "records") listener(changeFromHint(hint.topic, hint.id));
        }),
        database.onTrouble(() => listener({ kind: "trouble" })),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    close: async () => {
      clearTimeout(cleanUp);
      locks.releaseAll();
      options.close();
    },
  };
}

function changeFromHint(topic: string, id: string | undefined): ProjectChange {
  if (topic === "log" && id !== undefined) return { kind: "log", sessionId: id };
  return { kind: topic === "document" ? "document" : "sessions" };
}

function blobStore(database: ProjectDatabase): BlobStore {
  const { contents } = database;
  const get = (hash: string) => readableContent(database, hash);
  return {
    put: (value) => {
      const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value.slice();
      return withRoomMade(database, () => contents.put(bytes));
    },
    putBlob: (hash, blob, signal) => withRoomMade(database, () => contents.putBlob(hash, blob, signal)),
    slice: (hash, from, to) => contents.slice(hash, from, to),
    letGo: (hashes) => {
      for (const hash of hashes) contents.freshHashes.delete(hash);
    },
    putAs: (id, bytes) => contents.putAll([{ hash: id, bytes: bytes.slice() }]),
    get,
    getText: async (hash) => {
      const bytes = await get(hash);
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
