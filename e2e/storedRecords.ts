import type { Page } from "@playwright/test";

/** The records of the project that is open, read and changed behind the page's back. */
export class StoredRecords {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The name of the newest project's database. */
  databaseName(): Promise<string> {
    return this.#page.evaluate(async () => {
      const databases = await indexedDB.databases();
      const names = databases.flatMap(({ name = "" }) => (name.startsWith("rootscope/project/") ? [name] : []));
      return names.toSorted().at(-1) ?? "";
    });
  }

  /** Puts a value in the place of every record whose key begins so; answers how many there were. */
  async replace(prefix: readonly (string | number)[], value: unknown): Promise<number> {
    return this.#page.evaluate(
      async ([name, begin, other]) => {
        const database = await new Promise<IDBDatabase>((resolve, reject) => {
          const request = indexedDB.open(name);
          request.addEventListener("success", () => resolve(request.result));
          request.addEventListener("error", () => reject(request.error ?? new Error("not opened")));
        });
        const transaction = database.transaction("records", "readwrite");
        const store = transaction.objectStore("records");
        const range = IDBKeyRange.bound([...begin], [...begin, []]);
        let count = 0;
        store.openCursor(range).addEventListener("success", ({ target }) => {
          const cursor = (target as IDBRequest<IDBCursorWithValue | null>).result;
          if (cursor === null) return;
          count++;
          cursor.update(other);
          cursor.continue();
        });
        await new Promise((resolve) => transaction.addEventListener("complete", resolve));
        database.close();
        return count;
      },
      [await this.databaseName(), prefix, value] as const,
    );
  }
}
