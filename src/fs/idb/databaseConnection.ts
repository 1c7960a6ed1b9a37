import type { UseStore } from "idb-keyval";
import { limits } from "../../base";
import { UnavailableError } from "../pathError";

const OBJECT_STORE = "records";
/** For ever: what changes is the `schema` inside (docs/storage.md), so that an old tab never blocks a new one. */
const DATABASE_VERSION = 1;

export const CLEARED_REASON = "The browser's storage for this project was cleared.";
export const NEWER_REASON = "A newer version of Rootscope wrote this project: it can be read here, not changed.";
export const BLOCKED_REASON = "Another tab holds this project's storage. Close the other tabs and try again.";
const UNREADABLE_REASON =
  "A newer version of Rootscope wrote this project in a way this one cannot read. Reload the page to get the newer version.";

export interface ConnectionOptions {
  /** `strict` waits for the disk itself; `relaxed`, the default, survives a crash of the browser but not of the machine. */
  readonly durability?: "strict" | "relaxed";
  /** There was data before: an empty database then means that it was cleared. */
  readonly mustExist?: boolean;
  /** Called when the browser or another tab has closed it under us; the next use opens it again, if it can be. */
  readonly onLost?: () => void;
}

export interface DatabaseConnection {
  readonly useStore: UseStore;
  /** Whether a newer version of this program has raised the database's own version: it is then read, and not written. */
  isNewer(): boolean;
  close(): void;
}

/**
 * An idb-keyval store over one database that gives way when another tab deletes or upgrades it, opens again (once a call)
 * when the browser closed it, and never makes an emptied database look like a new one. A database of a newer version is
 * opened all the same: what can be read of it is.
 */
export function databaseConnection(name: string, options: ConnectionOptions = {}): DatabaseConnection {
  const durability = options.durability ?? "relaxed";
  let opened: Promise<IDBDatabase> | undefined;
  let mustExist = options.mustExist ?? false;
  let isClosed = false;
  let isNewer = false;

  async function connect(): Promise<IDBDatabase> {
    const database = await openDatabase(name, mustExist);
    mustExist = true;
    isNewer ||= database.version > DATABASE_VERSION;
    const lose = () => {
      opened = undefined;
      if (!isClosed) options.onLost?.();
    };
    database.addEventListener("close", lose);
    database.addEventListener("versionchange", () => {
      database.close();
      lose();
    });
    if (isClosed) database.close();
    return database;
  }

  function connection(): Promise<IDBDatabase> {
    if (isClosed) return Promise.reject(new UnavailableError("/", "This project was closed."));
    if (opened !== undefined) return opened;
    const opening = connect();
    opened = opening;
    opening.catch(() => {
      if (opened === opening) opened = undefined;
    });
    return opening;
  }

  async function begin(mode: IDBTransactionMode): Promise<IDBTransaction> {
    const database = await connection();
    if (mode === "readwrite" && isNewer) throw new UnavailableError("/", NEWER_REASON);
    return database.transaction(OBJECT_STORE, mode, { durability });
  }

  const useStore: UseStore = async (mode, callback) => {
    const transaction = await begin(mode).catch((error: unknown) => {
      if (!(error instanceof DOMException)) throw error;
      // The connection was closed under us: by another tab's deletion, by the browser.
      opened = undefined;
      return begin(mode);
    });
    return callback(transaction.objectStore(OBJECT_STORE));
  };

  return {
    useStore,
    isNewer: () => isNewer,
    close() {
      isClosed = true;
      opened?.then(
        (database) => database.close(),
        () => undefined,
      );
    },
  };
}

/** @throws UnavailableError with what the browser said */
async function openDatabase(name: string, mustExist: boolean): Promise<IDBDatabase> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await openVersion(name, mustExist, DATABASE_VERSION);
    } catch (error) {
      // Without a number it opens as it is.
      if (error instanceof NewerDatabaseError) return openVersion(name, mustExist, undefined);
      // The browser is at something with it, such as clearing it, and is done soon.
      const isAgain = error instanceof InterruptedError && attempt < limits.databaseAttempts;
      if (!isAgain) throw error instanceof InterruptedError ? new UnavailableError("/", error.message) : error;
      await new Promise((resolve) => setTimeout(resolve, limits.databaseRetryMs));
    }
  }
}

/** The browser has ended the opening; nobody here asked it to. */
class InterruptedError extends Error {}

/** The database has a higher version than the one asked for. */
class NewerDatabaseError extends Error {}

function openVersion(name: string, mustExist: boolean, version: number | undefined): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    let isRefused = false;
    const refuse = (reason: string) => {
      isRefused = true;
      reject(new UnavailableError("/", reason));
    };
    if (globalThis.indexedDB === undefined) return refuse("This browser has no IndexedDB.");
    let request: IDBOpenDBRequest;
    try {
      request = indexedDB.open(name, version);
    } catch (error) {
      return refuse(refusalReason(error));
    }
    let isCleared = false;
    const blocked = () => refuse(BLOCKED_REASON);
    const timer = setTimeout(blocked, limits.databaseBlockedMs);
    request.addEventListener("blocked", blocked);
    request.addEventListener("upgradeneeded", () => {
      isCleared = mustExist;
      if (isCleared) request.transaction?.abort();
      else request.result.createObjectStore(OBJECT_STORE);
    });
    request.addEventListener("error", () => {
      clearTimeout(timer);
      if (request.error?.name === "VersionError") reject(new NewerDatabaseError());
      else if (request.error?.name === "AbortError" && !isCleared)
        reject(new InterruptedError(refusalReason(request.error)));
      else refuse(isCleared ? CLEARED_REASON : refusalReason(request.error));
    });
    request.addEventListener("success", () => {
      clearTimeout(timer);
      const { objectStoreNames, version: found } = request.result;
      if (!objectStoreNames.contains(OBJECT_STORE)) {
        refuse(found > DATABASE_VERSION ? UNREADABLE_REASON : "This database was not made by Rootscope.");
      }
      // Too late counts as refused: nobody waits for it any more.
      if (isRefused) request.result.close();
      else resolve(request.result);
    });
  });
}

function refusalReason(error: unknown): string {
  const said = error instanceof Error && error.message !== "" ? `: ${error.message}` : ".";
  return `The browser refuses IndexedDB${said}`;
}
