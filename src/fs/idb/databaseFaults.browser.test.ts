import { afterEach, describe, expect, test, vi } from "vitest";
import { idbFiles } from "../host/idbFiles";
import { UnavailableError } from "../pathError";
import { SnapshotTree } from "../snapshotTree";
import { writeCheckpoint } from "./checkpoint";
import { emptyDisk, readDiskState } from "./diskTree";
import { idbFs, type IdbFileSystem } from "./idbFs";
import {
  deleteProjectDatabase,
  openProjectDatabase,
  type ProjectDatabase,
  type StorageTrouble,
} from "./projectDatabase";
import type { KeyedRecord, RecordKey } from "./records";
import { storedMirror } from "./storedMirror";
import { sweepProject } from "./sweepProject";

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

describe("the head of a project", () => {
  for (const [how, head] of [
    ["lost", undefined],
    ["flipped", { schema: "1", epoch: 4 }],
    ["cut off", { schema: 1 }],
    ["of another shape", 7],
  ] as const) {
    test(`${how}: the project opens to be read, nothing is written over, and that is said`, async () => {
      const name = newName();
      const before = await openTab(name);
      await before.disk.write("/a", "1");
      await before.database.records.write(async (writer) =>
        head === undefined ? writer.delete(["h"]) : writer.put(["h"], head),
      );
      before.database.close();
      const { database, disk } = await openTab(name);
      expect(database.trouble).toEqual({
        kind: "damaged",
        reason:
          "The head of this project is damaged: what is stored is not what was written. It can be read here and exported, not changed.",
      });
      expect(await disk.read("/a")).toBe("1");
      await expect(disk.write("/b", "2")).rejects.toMatchObject({ code: "read-only-mount" });
      await expect(database.contents.put(new Uint8Array(3))).rejects.toMatchObject({ code: "unavailable" });
      expect(await database.records.read((reader) => reader.get(["h"]))).toEqual(head);
    });
  }
});

describe("a damaged disk", () => {
  /** Files /0 to /9, a checkpoint, then /10 to /12 in a commit each. */
  async function withCheckpoint(name: string): Promise<void> {
    const { database, disk } = await openTab(name);
    for (let at = 0; at < 10; at++) await disk.write(`/${at}`, `text ${at}`);
    const state = await database.records.read((reader) => readDiskState(reader, "d", emptyDisk, database.contents));
    await writeCheckpoint(database.records, "d", state, database.contents);
    await disk.refresh();
    for (let at = 10; at < 13; at++) await disk.write(`/${at}`, `text ${at}`);
    await idbFs({ database, disk: "other" }).write("/a", "whole");
    await disk.close();
    database.close();
  }

  async function reopenedWith(name: string, change: (records: readonly KeyedRecord[]) => readonly KeyedRecord[]) {
    const { database } = await openTab(name);
    const records = await database.records.read((reader) => reader.entries({ prefix: ["d", "d"] }));
    await database.records.write(async (writer) => {
      for (const [key, value] of change(records)) {
        if (value === undefined) writer.delete(key);
        else writer.put(key, value);
      }
    });
    database.close();
    const tab = await openTab(name);
    const paths: string[] = [];
    for await (const { path } of tab.disk.list()) paths.push(path);
    return { ...tab, paths };
  }

  const recordOf = (kind: string, number?: number) => (records: readonly KeyedRecord[]) =>
    records.find(([key]) => key[2] === kind && (number === undefined || key[3] === number)) ?? [[], undefined];
  const all = Array.from({ length: 13 }, (_, at) => `/${at}`).toSorted();
  const said = (what: string) =>
    `This disk is damaged: ${what}. What can be read is shown; nothing is written on it. Export it to keep it.`;

  for (const [how, change, shown, what] of [
    [
      "head lost",
      (records: readonly KeyedRecord[]) => [[recordOf("h")(records)[0], undefined]],
      all,
      "its head is lost",
    ],
    [
      "head flipped",
      (records: readonly KeyedRecord[]) => {
        const [key, head] = recordOf("h")(records);
        return [[key, { ...(head as object), checkpointSequence: 11 }]];
      },
      all,
      "its head cannot be read",
    ],
    [
      "commit lost",
      (records: readonly KeyedRecord[]) => [[recordOf("l", 12)(records)[0], undefined]],
      all.filter((path) => path !== "/11"),
      "1 commit of 3 since the checkpoint cannot be read",
    ],
    [
      "commit cut off",
      (records: readonly KeyedRecord[]) => {
        const [key, commit] = recordOf("l", 12)(records);
        return [[key, { ...(commit as object), hashes: "" }]];
      },
      all.filter((path) => path !== "/11"),
      "1 commit of 3 since the checkpoint cannot be read",
    ],
    [
      "checkpoint lost",
      (records: readonly KeyedRecord[]) => [[recordOf("c")(records)[0], undefined]],
      ["/10", "/11", "/12"],
      "the checkpoint is lost: only files written since are shown",
    ],
    [
      "checkpoint flipped",
      (records: readonly KeyedRecord[]) => {
        const [key, image] = recordOf("c")(records);
        return [[key, { ...(image as object), checksum: 1 }]];
      },
      all,
      "its checkpoint is not what was written: names may be wrong and files missing",
    ],
  ] as const) {
    test(`${how}: what can be read is shown, that is said, and nothing is written on it or the worse for it`, async () => {
      const name = newName();
      await withCheckpoint(name);
      const { database, disk, paths } = await reopenedWith(name, change as never);
      expect(paths).toEqual(shown);
      expect(disk.readOnlyReason()).toBe(said(what));
      for (const path of paths) expect(await disk.read(path)).toBe(`text ${path.slice(1)}`);
      await expect(disk.write("/new", "x")).rejects.toMatchObject({ code: "read-only-mount", path: "/new" });
      const other = idbFs({ database, disk: "other" });
      expect(await other.read("/a")).toBe("whole");
      await other.write("/b", "goes on");
      expect(other.readOnlyReason()).toBeUndefined();
      await expect(sweepProject(database)).rejects.toBeInstanceOf(UnavailableError);
    });
  }

  test("a checkpoint of nonsense is gone through without end or error", async () => {
    const name = newName();
    await withCheckpoint(name);
    for (let round = 0; round < 20; round++) {
      const { disk, paths, database } = await reopenedWith(name, (records) => {
        const [key, image] = recordOf("c")(records) as readonly [RecordKey, Record<string, Uint8Array>];
        const chance = (column: ArrayBufferView) => {
          const bytes = crypto.getRandomValues(new Uint8Array(column.byteLength));
          return new (column.constructor as new (buffer: ArrayBuffer) => unknown)(bytes.buffer);
        };
        const columns = ["names", "kinds", "directories", "hashes", "sizes"];
        const hit = columns[round % columns.length] ?? "names";
        return [[key, { ...image, [hit]: chance(image[hit] as ArrayBufferView), checksum: 1 }]];
      });
      expect(paths).toEqual(expect.arrayContaining(["/10", "/11", "/12"]));
      expect(disk.readOnlyReason()).toContain("This disk is damaged");
      database.close();
    }
  });
});

describe("a store of blobs and a mirror", () => {
  test("that are damaged say so file by file, or see again what they have forgotten", async () => {
    const { database } = await openTab(newName());
    const files = idbFiles(database, "store");
    await files.write("/a", new TextEncoder().encode("whole"), undefined);
    await files.write("/b", new TextEncoder().encode("torn"), undefined);
    await files.write("/c", new TextEncoder().encode("torn"), undefined);
    const mirror = storedMirror(database, "m");
    await mirror.remember("/x", { version: "v", id: "i", contents: [["i", "h"]] });
    await mirror.remember("/y", { version: "v", id: "i", contents: [] });
    await database.records.write(async (writer) => {
      writer.put(["fb", "store", "/b"], new Uint8Array(3));
      writer.put(["f", "store", "/c"], 7);
      writer.put(["m", "m", "/y"], { version: "v", contents: 4 });
      writer.put(["m", "m"], "torn");
    });
    expect(new TextDecoder().decode((await files.read("/a"))?.bytes)).toBe("whole");
    await expect(files.read("/b")).rejects.toMatchObject({ code: "unavailable", path: "/b" });
    await expect(files.read("/c")).rejects.toMatchObject({ code: "unavailable", path: "/c" });
    expect((await files.list("/")).map(({ path }) => path)).toEqual(["/a", "/b", "/c"]);
    const remembered = await mirror.load();
    expect([...remembered.files.keys()]).toEqual(["/x"]);
    expect(remembered.tree).toBe(SnapshotTree.empty);
  });
});
