import type { UseStore } from "idb-keyval";
import { limits } from "../../base";
import { UnavailableError } from "../pathError";

const OBJECT_STORE = "records";
/** For ever: what changes is the `schema` inside (docs/storage.md), so that an old tab never blocks a new one. */
const DATABASE_VERSION = 1;

export const CLEARED_REASON = "The browser's storage for this project was cleared.";

export interface ConnectionOptions {
  /** `strict` waits for the disk itself; `relaxed`, the default, survives a crash of the browser but not of the machine. */
  readonly durability?: "strict" | "relaxed";
  /** There was data before: an empty database then means that it was cleared. */
  readonly mustExist?: boolean;
}

export interface DatabaseConnection {
  readonly useStore: UseStore;
  close(): void;
}

/**
 * An idb-keyval store over one database that gives way when another tab deletes or upgrades it, opens again (once a call)
 * when the browser closed it, and never makes an emptied database look like a new one.
 */
export function databaseConnection(name: string, options: ConnectionOptions = {}): DatabaseConnection {
  const durability = options.durability ?? "relaxed";
  let opened: Promise<IDBDatabase> | undefined;
  let mustExist = options.mustExist ?? false;
  let isClosed = false;

  async function connect(): Promise<IDBDatabase> {
    const database = await openDatabase(name, mustExist);
    mustExist = true;
    const forget = () => (opened = undefined);
    database.addEventListener("close", forget);
    database.addEventListener("versionchange", () => {
      database.close();
      forget();
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

  const useStore: UseStore = async (mode, callback) => {
    let transaction: IDBTransaction;
    try {
      transaction = (await connection()).transaction(OBJECT_STORE, mode, { durability });
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      // The connection was closed under us: by another tab's deletion, by the browser.
      opened = undefined;
      transaction = (await connection()).transaction(OBJECT_STORE, mode, { durability });
    }
    return callback(transaction.objectStore(OBJECT_STORE));
  };

  return {
    useStore,
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
function openDatabase(name: string, mustExist: boolean): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    let isRefused = false;
    const refuse = (reason: string) => {
      isRefused = true;
      reject(new UnavailableError("/", reason));
    };
    if (globalThis.indexedDB === undefined) return refuse("This browser has no IndexedDB.");
    let request: IDBOpenDBRequest;
    try {
      request = indexedDB.open(name, DATABASE_VERSION);
    } catch (error) {
      return refuse(refusalReason(error));
    }
    let isCleared = false;
    const blocked = () => refuse("Another tab holds this project's storage. Close the other tabs and try again.");
    const timer = setTimeout(blocked, limits.databaseBlockedMs);
    request.addEventListener("blocked", blocked);
    request.addEventListener("upgradeneeded", () => {
      isCleared = mustExist;
      if (isCleared) request.transaction?.abort();
      else request.result.createObjectStore(OBJECT_STORE);
    });
    request.addEventListener("error", () => {
      clearTimeout(timer);
      refuse(isCleared ? CLEARED_REASON : refusalReason(request.error));
    });
    request.addEventListener("success", () => {
      clearTimeout(timer);
      if (!request.result.objectStoreNames.contains(OBJECT_STORE)) refuse("This database was not made by Rootscope.");
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
