import type { Page } from "@playwright/test";

/** All that the page's origin keeps in this browser, as one text: names, keys, texts and bytes of every kind of storage. */
export function storedText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const parts: string[] = [location.href, document.cookie, JSON.stringify(history.state)];
    for (const storage of [localStorage, sessionStorage]) parts.push(JSON.stringify(Object.entries(storage)));
    const answer = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error ?? new Error("refused")));
      });
    const take = async (value: unknown): Promise<void> => {
      if (value instanceof Blob) return take(await value.arrayBuffer());
      if (value instanceof ArrayBuffer) return take(new Uint8Array(value));
      if (ArrayBuffer.isView(value)) {
        parts.push(new TextDecoder().decode(value));
      } else if (value instanceof Map || value instanceof Set) {
        for (const entry of value) await take(entry);
      } else if (value !== null && typeof value === "object") {
        for (const [name, field] of Object.entries(value)) {
          parts.push(name);
          await take(field);
        }
      } else parts.push(String(value));
    };
    for (const { name = "" } of await indexedDB.databases()) {
      parts.push(name);
      const database = await answer(indexedDB.open(name));
      for (const storeName of database.objectStoreNames) {
        const store = database.transaction(storeName).objectStore(storeName);
        const [keys, values] = await Promise.all([answer(store.getAllKeys()), answer(store.getAll())]);
        await take(keys);
        await take(values);
      }
      database.close();
    }
    for (const name of await caches.keys()) parts.push(name);
    return parts.join("\n");
  });
}
