import { expect, test, vi } from "vitest";
import { limits } from "../../base";
import { databaseConnection } from "./databaseConnection";
import { deleteProjectDatabase, openProjectDatabase } from "./projectDatabase";

const newName = () => `connection test ${Date.now()} ${Math.random()}`;

test("another tab that does not let go is said to block", async () => {
  const name = newName();
  const stubborn = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open(name, 1);
    request.addEventListener("success", () => resolve(request.result));
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const deletion = deleteProjectDatabase(name).catch((error: unknown) => error);
  const opening = openProjectDatabase(name).catch((error: unknown) => error);
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(limits.databaseBlockedMs);
    expect(await Promise.race([opening, Promise.resolve("waits")])).not.toBe("waits");
  });
  vi.useRealTimers();
  expect(await opening).toMatchObject({
    code: "unavailable",
    reason: "Another tab holds this project's storage. Close the other tabs and try again.",
  });
  expect(await deletion).toMatchObject({ code: "unavailable" });
  stubborn.close();
  await deleteProjectDatabase(name);
});

test("a browser that refuses is quoted", async () => {
  vi.spyOn(indexedDB, "open").mockImplementation(() => {
    throw new DOMException("The user denied permission", "SecurityError");
  });
  const refused = openProjectDatabase(newName());
  await expect(refused).rejects.toMatchObject({
    code: "unavailable",
    reason: "The browser refuses IndexedDB: The user denied permission",
  });
  vi.restoreAllMocks();
});

test("a database of somebody else's is left alone", async () => {
  const name = newName();
  const foreign = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open(name, 1);
    request.addEventListener("success", () => resolve(request.result));
  });
  foreign.close();
  await expect(openProjectDatabase(name)).rejects.toMatchObject({
    reason: "This database was not made by Rootscope.",
  });
  await deleteProjectDatabase(name);
});

test("gives way when another tab deletes, and waits with what it was doing", async () => {
  const name = newName();
  const connection = databaseConnection(name);
  const put = () =>
    connection.useStore("readwrite", (store) => {
      store.put(1, ["a"]);
      return new Promise<void>((resolve) => store.transaction.addEventListener("complete", () => resolve()));
    });
  await put();
  await deleteProjectDatabase(name);
  await expect(put()).rejects.toMatchObject({ reason: "The browser's storage for this project was cleared." });
  connection.close();
});
