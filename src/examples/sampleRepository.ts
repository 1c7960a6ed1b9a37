/** The files of a small library that keeps key-value pairs in IndexedDB. */
export const sampleRepository: Readonly<Record<string, string>> = {
  "/package.json": `{
  "name": "small-store",
  "version": "0.3.1",
  "description": "Key-value pairs in IndexedDB, in a few lines.",
  "type": "module",
  "exports": "./src/index.ts",
  "license": "MIT"
}
`,
  "/README.md": `# small-store

Key-value pairs in IndexedDB, in a few lines.

\`\`\`ts
import { createStore, get, set } from "small-store";

const drafts = createStore("editor", "drafts");
await set(drafts, "today", "Dear reader,");
console.log(await get(drafts, "today"));
\`\`\`

More in [docs/guide.md](docs/guide.md).
`,
  "/CHANGELOG.md": `# Changelog

## 0.3.1

- \`keys\` keeps the order of the keys.

## 0.3.0

- Several stores can share one database.
- \`clear\` empties a store in one transaction.
`,
  "/OLD_NOTES.md": `Notes from before the rewrite. Nothing here is true any more:

- localStorage holds about 5 MB
- values are strings
`,
  "/docs/guide.md": `# Guide

## One connection

\`createStore\` opens its database at the first call and keeps the connection. All calls share it.

## Two tabs

Two tabs may use the same store at the same time. Each has a connection of its own; the browser puts their
transactions in order.

## When the browser closes a database

A browser may close a connection by itself: when a person clears the site's data, or when memory runs out. Today every
call after that fails until the page is loaded again.
`,
  "/docs/errors.md": `# Errors

| Name | When |
| --- | --- |
| \`InvalidStateError\` | The connection was closed by the browser. |
| \`QuotaExceededError\` | There is no room left. |
| \`VersionError\` | Another tab has opened a newer version. |
`,
  "/src/index.ts": `export { createStore, type Store } from "./createStore";
export { clear, get, keys, remove, set } from "./operations";
`,
  "/src/promisify.ts": `/** A promise of what an IndexedDB request, or a whole transaction, comes to. */
export function promisifyRequest<Result>(request: IDBRequest<Result> | IDBTransaction): Promise<Result> {
  return new Promise((resolve, reject) => {
    const done = () => resolve((request as IDBRequest<Result>).result);
    const failed = () => reject(request.error);
    if ("oncomplete" in request) {
      request.oncomplete = done;
      request.onabort = failed;
    } else request.onsuccess = done;
    request.onerror = failed;
  });
}
`,
  "/src/createStore.ts": `import { promisifyRequest } from "./promisify";

/** Runs work in a transaction on one object store. */
export type Store = <Result>(
  mode: IDBTransactionMode,
  work: (objects: IDBObjectStore) => Result | Promise<Result>,
) => Promise<Result>;

/** Opens the named store; one connection is shared by all calls. */
export function createStore(databaseName: string, storeName: string): Store {
  let connection: Promise<IDBDatabase> | undefined; // TODO: reopen after the browser closes the database
  const open = () => {
    if (connection) return connection;
    const request = indexedDB.open(databaseName);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    connection = promisifyRequest(request);
    return connection;
  };
  return async (mode, work) => {
    const database = await open();
    return work(database.transaction(storeName, mode).objectStore(storeName));
  };
}
`,
  "/src/operations.ts": `import type { Store } from "./createStore";
import { promisifyRequest } from "./promisify";

export function get<Value>(store: Store, key: IDBValidKey): Promise<Value | undefined> {
  return store("readonly", (objects) => promisifyRequest(objects.get(key)));
}

// TODO: retry once when the browser aborts the transaction
export function set(store: Store, key: IDBValidKey, value: unknown): Promise<void> {
  return store("readwrite", (objects) => {
    objects.put(value, key);
    return promisifyRequest<void>(objects.transaction as unknown as IDBRequest<void>);
  });
}

export function remove(store: Store, key: IDBValidKey): Promise<void> {
  return store("readwrite", (objects) => {
    objects.delete(key);
    return promisifyRequest<void>(objects.transaction as unknown as IDBRequest<void>);
  });
}

export function clear(store: Store): Promise<void> {
  return store("readwrite", (objects) => promisifyRequest(objects.clear()));
}

export function keys(store: Store): Promise<IDBValidKey[]> {
  return store("readonly", (objects) => promisifyRequest(objects.getAllKeys()));
}
`,
};
