/** IndexedDB without anything on top: the limit the disks are measured against. */
export class RawStore {
  readonly #database: IDBDatabase;

  constructor(database: IDBDatabase) {
    this.#database = database;
  }

  close(): void {
    this.#database.close();
  }

  /** One read-write transaction, done when it is complete. */
  write(work: (store: IDBObjectStore) => void): Promise<void> {
    const transaction = this.#database.transaction("raw", "readwrite");
    work(transaction.objectStore("raw"));
    transaction.commit();
    return new Promise((resolve, reject) => {
      transaction.addEventListener("complete", () => resolve());
      transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("aborted")));
    });
  }

  read<T>(work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const request = work(this.#database.transaction("raw", "readonly").objectStore("raw"));
    return requested(request);
  }
}

export async function openRawStore(name: string): Promise<RawStore> {
  const request = indexedDB.open(name, 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore("raw"));
  return new RawStore(await requested(request));
}

/** Databases whose deletion was asked for; it goes on when the last connection closes. */
const deleted = new Set<string>();

/** Deletes what earlier measurements left. A peer that holds its database open keeps it: nobody waits for that. */
export async function deleteDatabases(): Promise<void> {
  for (const { name } of await indexedDB.databases()) {
    // A second request would wait behind the first, without a word.
    if (name === undefined || deleted.has(name)) continue;
    deleted.add(name);
    const request = indexedDB.deleteDatabase(name);
    await new Promise<void>((resolve) => {
      for (const end of ["success", "blocked", "error"]) request.addEventListener(end, () => resolve());
    });
  }
}

function requested<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("failed")));
  });
}
