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

export async function deleteDatabases(): Promise<void> {
  for (const { name } of await indexedDB.databases()) {
    if (name !== undefined) await requested(indexedDB.deleteDatabase(name));
  }
}

function requested<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("failed")));
  });
}
