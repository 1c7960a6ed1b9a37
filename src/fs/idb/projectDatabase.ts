import type { UseStore } from "idb-keyval";
import { limits } from "../../base";
import { PathError, QuotaError, UnavailableError } from "../pathError";
import { TreeLoader } from "../treeRecords";
import { ContentStore } from "./contentStore";
import { DamagedRecordError } from "./damagedRecordError";
import { BLOCKED_REASON, CLEARED_REASON, databaseConnection, NEWER_REASON } from "./databaseConnection";
import { idbRecords } from "./idbRecords";
import { assertWritable, putProjectHead, readProjectHead, STORAGE_SCHEMA, type ProjectHead } from "./projectHead";
import { batchedReads } from "./batchedReads";
import type { RecordReader, Records, RecordWriter } from "./records";
import { StoredFile } from "./storedFile";
import { timedId } from "./timedId";

export interface ProjectDatabaseOptions {
  /** `memory` keeps nothing beyond the tab; records of one's own are kept by whoever gives them, for this tab alone. */
  readonly storage?: "indexedDB" | "memory" | Records;
  /** There was data before: an empty database then means that it was cleared. */
  readonly mustExist?: boolean;
  /** `strict` waits for the disk itself; `relaxed`, the default, survives a crash of the browser but not of the machine. */
  readonly durability?: "strict" | "relaxed";
  /** Wraps the store every transaction goes through. */
  readonly wrapStore?: (store: UseStore) => UseStore;
}

/** What one tab tells the others of a project: only that something moved, the truth is in the database. */
export type ProjectHint =
  | { readonly kind: "disk"; readonly disk: string; readonly sequence: number }
  | { readonly kind: "records"; readonly topic: string; readonly id?: string };

/**
 * What keeps a project from being written: a newer version wrote it, its head is damaged (both leave it to be read), or its
 * storage was cleared while it was open (what this tab holds in memory is the last of it).
 */
export interface StorageTrouble {
  readonly kind: "newer" | "damaged" | "cleared";
  /** In words for a person. */
  readonly reason: string;
}

const RESERVE_KEY = ["reserve"] as const;
const VALUES_A_CALL = 65_536;

/**
 * One project's database, open in this tab (docs/storage.md). One object store, array keys:
 *
 * - `["h"]` the project's head, `["reserve"]` bytes to be given up when the quota is gone;
 * - `["d", disk, "h" | "l" | "c", …]` a disk's head, log and checkpoint (diskRecords.ts);
 * - `["b", hash]`, `["b", hash, n]`, `["p", pack, n]`, `["x", pack, n]` contents, the project's whole (contentPacks.ts);
 * - `["f", store, path]`, `["fb", store, path]` blobs with etags: what is said of each, and its bytes (idbFiles.ts);
 * - `["t", id]` records of stored trees (storedTrees.ts), `["r", owner, n]` pins (pins.ts);
 * - `["doc"]`, `["s", …]`, `["e", …]`, `["l", …]` belong to `src/storage`.
 */
export class ProjectDatabase {
  readonly name: string;
  /** Whether other tabs can have it open too. */
  readonly isShared: boolean;
  readonly records: Records;
  readonly contents: ContentStore;
  readonly trees: TreeLoader;
  /** Ids of tree records known to be stored with all they name; `undefined` until somebody needs them. */
  savedTreeIds: Set<string> | undefined;
  /** Roots of trees saved since this tab opened the project, which something may yet come to name. */
  readonly freshTrees = new Set<string>();
  /** Contents that left a tree in this tab, and when, in ms: for as long as that can be undone, somebody may want them. */
  readonly #dropped = new Map<string, number>();
  /** Names this tab among the open ones. */
  readonly handleId = timedId();
  #trouble: StorageTrouble | undefined;
  readonly #troubleListeners = new Set<(trouble: StorageTrouble) => void>();
  /** Whether the browser's own number for this database is that of a newer version. */
  readonly #isNewer: () => boolean;
  #lookTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<(hint: ProjectHint) => void>();
  readonly #wakeListeners = new Set<() => void>();
  readonly #channel: BroadcastChannel | undefined;
  readonly #unsent = new Map<string, ProjectHint>();
  #sendTimer: ReturnType<typeof setTimeout> | undefined;
  #releaseLock: (() => void) | undefined;

  constructor(name: string, records: Records, isShared: boolean, isNewer: () => boolean = () => false) {
    this.name = name;
    this.#isNewer = isNewer;
    this.isShared = isShared;
    this.records = records;
    this.contents = new ContentStore(records);
    this.trees = new TreeLoader({
      record: batchedReads(records, (id) => ["t", id]),
      file: (fields) => new StoredFile(this.contents, fields),
    });
    if (!isShared || globalThis.BroadcastChannel === undefined) return;
    this.#channel = new BroadcastChannel(`rootscope/${name}`);
    this.#channel.addEventListener("message", ({ data }) => {
      this.#tell(data as ProjectHint);
      this.#lookTimer ??= setTimeout(() => void this.lookAgain(), limits.troubleLookMs);
    });
    globalThis.addEventListener("pageshow", this.#wake);
    globalThis.addEventListener("visibilitychange", this.#wake);
  }

  /** What keeps the project from being written, when that is so. */
  get trouble(): StorageTrouble | undefined {
    return this.#trouble;
  }

  /** Why nothing can be written, when that is so. */
  get readOnlyReason(): string | undefined {
    return this.#trouble?.reason;
  }

  /** Called once, when there is trouble that was not there before. */
  onTrouble(listener: (trouble: StorageTrouble) => void): () => void {
    this.#troubleListeners.add(listener);
    return () => this.#troubleListeners.delete(listener);
  }

  /** Makes sure that the project is there, and says so to whoever wants to clean up. */
  async begin(mustExist: boolean): Promise<void> {
    await this.#holdOpenLock();
    const [head, reserve] = await this.records.read((reader) =>
      Promise.all([foundHead(reader, mustExist), reader.keys({ prefix: RESERVE_KEY })]),
    );
    if (head === undefined) await this.records.write((writer) => createProject(writer, mustExist));
    else if (head instanceof DamagedRecordError) this.#meet(damage(head));
    else if (head.schema > STORAGE_SCHEMA || this.#isNewer()) this.#meet({ kind: "newer", reason: NEWER_REASON });
    else if (reserve.length === 0) void this.restoreReserve();
  }

  /** @throws UnavailableError when the project was cleared, DamagedRecordError when its head was damaged since it was opened */
  async assertThere(reader: RecordReader): Promise<void> {
    if (this.#trouble?.kind !== "damaged") await readProjectHead(reader);
    else if ((await reader.keys({ prefix: [], limit: 1 })).length === 0)
      throw new UnavailableError("/", CLEARED_REASON);
  }

  /** Finds out whether the project is still there to be written: after its connection was lost, or somebody else wrote. */
  async lookAgain(): Promise<void> {
    clearTimeout(this.#lookTimer);
    this.#lookTimer = undefined;
    if (this.#trouble?.kind === "cleared") return;
    try {
      const { schema } = await this.records.read(readProjectHead);
      if (schema > STORAGE_SCHEMA || this.#isNewer()) this.#meet({ kind: "newer", reason: NEWER_REASON });
    } catch (error) {
      if (error instanceof DamagedRecordError) this.#meet(damage(error));
      else if (error instanceof UnavailableError && error.reason === CLEARED_REASON)
        this.#meet({ kind: "cleared", reason: CLEARED_REASON });
    }
  }

  /** Tells the other handles of this project, here and in other tabs. */
  announce(hint: ProjectHint): void {
    this.#tell(hint);
    if (this.#channel === undefined) return;
    // Other tabs hear of many quick writes once: what they then read is the newest anyway.
    this.#unsent.set(hint.kind === "disk" ? `d ${hint.disk}` : `r ${hint.topic} ${hint.id ?? ""}`, hint);
    this.#sendTimer ??= setTimeout(this.#send, limits.hintDelayMs);
  }

  /** Called for every hint; what a sleeping page missed is told by `onWake` only. */
  onHint(listener: (hint: ProjectHint) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called when the page may have slept through hints. */
  onWake(listener: () => void): () => void {
    this.#wakeListeners.add(listener);
    return () => this.#wakeListeners.delete(listener);
  }

  noteDropped(hash: string): void {
    this.#dropped.set(hash, performance.now());
  }

  /** Contents that left a tree so lately that it can be undone. */
  droppedLately(): readonly string[] {
    const since = performance.now() - limits.droppedKeptMs;
    for (const [hash, at] of this.#dropped) if (at < since) this.#dropped.delete(hash);
    return [...this.#dropped.keys()];
  }

  /**
   * Writes what makes the project smaller: when there is no room for it, the reserve is given up.
   * @throws QuotaError, UnavailableError
   */
  async writeDeletion<T>(body: (writer: RecordWriter) => Promise<T>): Promise<T> {
    try {
      return await this.records.write(body);
    } catch (error) {
      if (!(error instanceof QuotaError)) throw error;
      await this.releaseReserve();
      return await this.records.write(body).finally(() => void this.restoreReserve());
    }
  }

  /** Gives up the space kept in reserve, so that a deletion can be written when the quota is gone. */
  async releaseReserve(): Promise<void> {
    await this.records.write(async (writer) => writer.delete(RESERVE_KEY));
  }

  /** Takes the reserve again, if there is room. */
  async restoreReserve(): Promise<void> {
    await this.records
      .write(async (writer) => {
        if ((await writer.keys({ prefix: RESERVE_KEY })).length === 0) putReserve(writer);
      })
      .catch(() => undefined);
  }

  close(): void {
    this.#send();
    this.#channel?.close();
    globalThis.removeEventListener?.("pageshow", this.#wake);
    globalThis.removeEventListener?.("visibilitychange", this.#wake);
    clearTimeout(this.#lookTimer);
    this.#listeners.clear();
    this.#wakeListeners.clear();
    this.#troubleListeners.clear();
    this.records.close();
    this.#releaseLock?.();
  }

  readonly #send = () => {
    clearTimeout(this.#sendTimer);
    this.#sendTimer = undefined;
    for (const hint of this.#unsent.values()) this.#channel?.postMessage(hint);
    this.#unsent.clear();
  };

  readonly #wake = () => {
    for (const listener of this.#wakeListeners) listener();
    void this.lookAgain();
  };

  #meet(trouble: StorageTrouble): void {
    if (this.#trouble?.kind === trouble.kind) return;
    this.#trouble = trouble;
    for (const listener of this.#troubleListeners) listener(trouble);
  }

  #tell(hint: ProjectHint): void {
    for (const listener of this.#listeners) listener(hint);
  }

  /** While this is held, a clean-up in another tab leaves everything as it is (sweepProject.ts). */
  async #holdOpenLock(): Promise<void> {
    if (!this.isShared || globalThis.navigator?.locks === undefined) return;
    await new Promise<void>((held) => {
      const isHeld = new Promise<void>((release) => (this.#releaseLock = release));
      navigator.locks
        .request(openLockName(this.name, this.handleId), { mode: "shared" }, () => {
          held();
          return isHeld;
        })
        .catch(() => held());
    });
  }
}

/**
 * Opens a project's database, making it when there is none.
 * @throws UnavailableError when the browser refuses, another tab blocks, or `mustExist` data was cleared
 */
export async function openProjectDatabase(
  name: string,
  options: ProjectDatabaseOptions = {},
): Promise<ProjectDatabase> {
  const database = await projectDatabase(name, options);
  try {
    await database.begin(options.mustExist ?? false);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** The Web Lock every handle holds while it is open. */
export function openLockName(name: string, handleId: string): string {
  return `rootscope/open/${name}/${handleId}`;
}

/** Whether a handle of it may be open, in this tab or another: where the browser does not tell, one may. */
export async function isOpenAnywhere(name: string): Promise<boolean> {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  if (locks === undefined) return true;
  const { held = [] } = await locks.query();
  return held.some((lock) => lock.name?.startsWith(openLockName(name, "")));
}

/** Removes a database; other tabs that have it open let go. @throws UnavailableError when one does not */
export function deleteProjectDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new UnavailableError("/", BLOCKED_REASON));
    const timer = setTimeout(refuse, limits.databaseBlockedMs);
    const request = indexedDB.deleteDatabase(name);
    request.addEventListener("success", () => {
      clearTimeout(timer);
      resolve();
    });
    request.addEventListener("error", () => {
      clearTimeout(timer);
      refuse();
    });
  });
}

async function projectDatabase(name: string, options: ProjectDatabaseOptions): Promise<ProjectDatabase> {
  if (options.storage === "memory") {
    const { memoryRecords } = await import("./memoryRecords");
    return new ProjectDatabase(name, memoryRecords(), false);
  }
  if (typeof options.storage === "object") return new ProjectDatabase(name, options.storage, false);
  const connection = databaseConnection(name, {
    durability: options.durability ?? "relaxed",
    mustExist: options.mustExist ?? false,
    onLost: () => void database.lookAgain(),
  });
  const useStore = options.wrapStore?.(connection.useStore) ?? connection.useStore;
  const records = idbRecords(useStore, () => connection.close());
  const database = new ProjectDatabase(name, records, true, () => connection.isNewer());
  return database;
}

/** The head, or what is wrong with it; `undefined` where a project is yet to be made. */
async function foundHead(
  reader: RecordReader,
  mustExist: boolean,
): Promise<ProjectHead | DamagedRecordError | undefined> {
  const keys = await reader.keys({ prefix: [], limit: 1 });
  if (keys.length === 0) {
    if (mustExist) throw new UnavailableError("/", CLEARED_REASON);
    return undefined;
  }
  try {
    return await readProjectHead(reader);
  } catch (error) {
    // A clearing takes all: where other records are, the head alone was lost.
    if (error instanceof PathError) return new DamagedRecordError("the head of this project");
    throw error;
  }
}

function damage({ reason = "" }: DamagedRecordError): StorageTrouble {
  return { kind: "damaged", reason: `${reason} It can be read here and exported, not changed.` };
}

async function createProject(writer: RecordWriter, mustExist: boolean): Promise<void> {
  const head = await foundHead(writer, mustExist);
  if (head instanceof DamagedRecordError) throw head;
  if (head !== undefined) return assertWritable(head);
  putProjectHead(writer, { schema: STORAGE_SCHEMA, epoch: 0 });
  putReserve(writer);
}

/** Chance, because a browser may store zeros in no space at all. */
function putReserve(writer: RecordWriter): void {
  const bytes = new Uint8Array(limits.quotaReserveBytes);
  for (let at = 0; at < bytes.length; at += VALUES_A_CALL) {
    crypto.getRandomValues(bytes.subarray(at, at + VALUES_A_CALL));
  }
  writer.put(RESERVE_KEY, bytes);
}
