import { afterEach, describe, expect, test, vi } from "vitest";
import { idbFs, type IdbFileSystem } from "./idbFs";
import {
  deleteProjectDatabase,
  openProjectDatabase,
  type ProjectDatabase,
  type StorageTrouble,
} from "./projectDatabase";

const NEWER = "A newer version of Rootscope wrote this project: it can be read here, not changed.";
const CLEARED = "The browser's storage for this project was cleared.";

let count = 0;
const opened: ProjectDatabase[] = [];
const names: string[] = [];

function newName(): string {
  const name = `database faults ${Date.now()} ${count++}`;
  names.push(name);
  return name;
}

async function openTab(
  name: string,
): Promise<{ database: ProjectDatabase; disk: IdbFileSystem; told: StorageTrouble[] }> {
  const database = await openProjectDatabase(name);
  opened.push(database);
  const told: StorageTrouble[] = [];
  database.onTrouble((trouble) => told.push(trouble));
  return { database, disk: idbFs({ database, disk: "d" }), told };
}

/** What a page of a newer version does when it opens the database: raises its version, changes something, stays open. */
function openAsNewer(
  name: string,
  change: (request: IDBOpenDBRequest) => void = () => undefined,
): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 2);
    request.addEventListener("upgradeneeded", () => change(request));
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("not opened")));
    request.addEventListener("blocked", () => reject(new Error("an older tab blocks the newer one")));
  });
}

afterEach(async () => {
  for (const database of opened.splice(0)) database.close();
  for (const name of names.splice(0)) await deleteProjectDatabase(name);
});

describe("a newer version of the page", () => {
  test("that raises the version of the database is not blocked; the older tab reads on and writes nothing", async () => {
    const name = newName();
    const older = await openTab(name);
    await older.disk.write("/a", "1");
    const newer = await openAsNewer(name);
    await vi.waitFor(() => expect(older.told).toEqual([{ kind: "newer", reason: NEWER }]));
    expect(older.database.readOnlyReason).toBe(NEWER);
    expect(await older.disk.read("/a")).toBe("1");
    await expect(older.disk.write("/a", "2")).rejects.toMatchObject({ code: "read-only-mount", path: "/a" });
    await expect(older.database.contents.put(new Uint8Array(3))).rejects.toMatchObject({ reason: NEWER });

    const late = await openTab(name);
    expect(late.database.trouble).toEqual({ kind: "newer", reason: NEWER });
    expect(await late.disk.read("/a")).toBe("1");
    await expect(late.disk.write("/b", "2")).rejects.toMatchObject({ code: "read-only-mount" });
    newer.close();
  });

  test("that keeps its records elsewhere is said to be needed", async () => {
    const name = newName();
    const older = await openTab(name);
    await older.disk.write("/a", "1");
    older.database.close();
    const newer = await openAsNewer(name, ({ result }) => result.deleteObjectStore("records"));
    newer.close();
    await expect(openProjectDatabase(name)).rejects.toMatchObject({
      code: "unavailable",
      reason:
        "A newer version of Rootscope wrote this project in a way this one cannot read. Reload the page to get the newer version.",
    });
  });

  test("that raises the schema is noticed by an older tab that is open, by another tab's word or when it wakes", async () => {
    const name = newName();
    const older = await openTab(name);
    await older.disk.write("/a", "1");
    const newer = await openTab(name);
    await newer.database.records.write(async (writer) => writer.put(["h"], { schema: 99, epoch: 1 }));
    newer.database.announce({ kind: "records", topic: "document" });
    await vi.waitFor(() => expect(older.told).toEqual([{ kind: "newer", reason: NEWER }]), { timeout: 5_000 });
    await expect(older.disk.write("/a", "2")).rejects.toMatchObject({ code: "read-only-mount" });
    globalThis.dispatchEvent(new Event("pageshow"));
    await vi.waitFor(() => expect(newer.told).toEqual([{ kind: "newer", reason: NEWER }]));
    expect(await older.disk.read("/a")).toBe("1");
  });
});

describe("a database that goes away under an open page", () => {
  test("is said to be cleared by itself, once, before anybody writes; what was shown stays", async () => {
    const name = newName();
    const { database, disk, told } = await openTab(name);
    await disk.write("/a", "1");
    await deleteProjectDatabase(name);
    await vi.waitFor(() => expect(told).toEqual([{ kind: "cleared", reason: CLEARED }]));
    await database.lookAgain();
    expect(told).toHaveLength(1);
    expect(await disk.read("/a")).toBe("1");
    expect((await disk.stat("/a")).kind).toBe("file");
    await expect(disk.write("/b", "2")).rejects.toMatchObject({ path: "/b" });
    const databases = await indexedDB.databases();
    expect(databases.some((each) => each.name === name)).toBe(false);
  });

  test("closed by the browser and still there, it is no trouble", async () => {
    let connection: IDBDatabase | undefined;
    const name = newName();
    const database = await openProjectDatabase(name, {
      wrapStore: (store) => (mode, callback) =>
        store(mode, (records) => {
          connection = records.transaction.db;
          return callback(records);
        }),
    });
    opened.push(database);
    const disk = idbFs({ database, disk: "d" });
    await disk.write("/a", "1");
    // As when the browser closes it: nobody called close(), then the event.
    connection?.close();
    connection?.dispatchEvent(new Event("close"));
    await disk.write("/b", "2");
    expect(database.trouble).toBeUndefined();
    expect(await idbFs({ database, disk: "d" }).read("/b")).toBe("2");
  });
});
