import * as fc from "fast-check";
import type { UseStore } from "idb-keyval";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  expectAgreement,
  expectSameTree,
  describeAgainstModel,
  FileSystemModel,
  operations,
} from "../fileSystemModel.suite";
import { limits } from "../../base";
import { describeFileSystem } from "../fileSystem.suite";
import { ConflictError, FileNotFoundError, QuotaError, ReadOnlyMountError, UnavailableError } from "../pathError";
import { memoryFile } from "../memoryFile";
import { idbFs, type IdbFileSystem } from "./idbFs";
import { deleteProjectDatabase, openProjectDatabase, type ProjectDatabase } from "./projectDatabase";
import { writeCheckpoint } from "./checkpoint";
import type { StepsRecord } from "./diskRecords";
import { STORAGE_SCHEMA } from "./projectHead";
import { readDiskHead, readDiskState, emptyDisk } from "./diskTree";

let count = 0;
const names: string[] = [];
const opened: ProjectDatabase[] = [];

function newName(): string {
  const name = `idbFs test ${Date.now()} ${count++}`;
  names.push(name);
  return name;
}

async function openDatabase(name: string, wrapStore?: (store: UseStore) => UseStore): Promise<ProjectDatabase> {
  const database = await openProjectDatabase(name, wrapStore === undefined ? {} : { wrapStore });
  opened.push(database);
  return database;
}

afterEach(async () => {
  for (const database of opened.splice(0)) database.close();
  for (const name of names.splice(0)) await deleteProjectDatabase(name);
});

async function pathsOf(tree: IdbFileSystem): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of tree.list()) paths.push(path);
  return paths;
}

const databaseOf = new Map<unknown, string>();

async function newTree(files: Readonly<Record<string, string | Uint8Array>>): Promise<IdbFileSystem> {
  const name = `idbFs suite ${Date.now()} ${count++}`;
  const tree = idbFs(name);
  databaseOf.set(tree, name);
  await tree.writeMany(Object.entries(files));
  return tree;
}

async function dropTree(tree: unknown): Promise<void> {
  await (tree as IdbFileSystem).close();
  await deleteProjectDatabase(databaseOf.get(tree) ?? "");
}

describeFileSystem("idbFs", newTree, { close: dropTree });
describeAgainstModel("idbFs", newTree, { runs: 40, close: dropTree });

describe("what was written is there after closing", () => {
  test("random operations, reopened after each stretch, with checkpoints in between", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(operations, { maxLength: 10 }), { maxLength: 3 }), async (stretches) => {
        const database = await openDatabase(newName());
        const model = new FileSystemModel({});
        for (const [index, stretch] of stretches.entries()) {
          const tree = idbFs({ database, disk: "d" });
          await expectAgreement(tree, model, stretch);
          await tree.close();
          if (index !== 1) continue;
          const state = await database.records.read((reader) =>
            readDiskState(reader, "d", emptyDisk, database.contents),
          );
          if (state.head !== undefined) await writeCheckpoint(database.records, "d", state, database.contents);
        }
        await expectSameTree(idbFs({ database, disk: "d" }), model);
      }),
      { numRuns: 25 },
    );
  });

  test("text with BOM and CRLF, bytes, an empty file, names that differ only in their normal form", async () => {
    const name = newName();
    const files = {
      "/bom.txt": "\uFEFFone\r\ntwo",
      "/bytes": Uint8Array.of(0, 255, 128),
      "/empty": "",
      "/\u00e9": "composed",
      "/e\u0301": "decomposed",
      "/🙂 space": "emoji",
    };
    const before = idbFs(name);
    for (const [path, contents] of Object.entries(files)) await before.write(path, contents);
    await before.close();
    const after = idbFs(name);
    for (const [path, contents] of Object.entries(files)) expect(await after.read(path)).toEqual(contents);
    expect(await pathsOf(after)).toEqual(Object.keys(files).toSorted());
    await after.close();
  });

  test("a file of 20 MB, in pieces", async () => {
    const name = newName();
    const bytes = new Uint8Array(20_000_001);
    for (let at = 0; at < bytes.length; at += 1000) bytes[at] = at / 1000;
    const before = idbFs(name);
    await before.write("/large.bin", bytes);
    await before.close();
    const database = await openDatabase(name);
    const keys = await database.records.read((reader) => reader.keys({ prefix: ["b"] }));
    expect(keys.length).toBe(20);
    const after = idbFs({ database, disk: "main" });
    const read = (await after.read("/large.bin")) as Uint8Array;
    expect(read.length).toBe(bytes.length);
    expect(read.every((byte, at) => byte === bytes[at])).toBe(true);
  });

  test("an import of 10,000 files, in packs, readable in any order", async () => {
    const name = newName();
    const files = Array.from(
      { length: 10_000 },
      (_, at) => [`/d${at % 100}/f${at}`, `file ${at} `.repeat(20)] as const,
    );
    const before = idbFs(name);
    await before.writeMany(files);
    await before.close();
    const database = await openDatabase(name);
    const after = idbFs({ database, disk: "main" });
    expect((await after.snapshot()).fileCount).toBe(10_000);
    for (const at of [0, 9_999, 5_000, 1, 7_777]) expect(await after.read(files[at]![0])).toBe(files[at]![1]);
    const loose = await database.records.read((reader) => reader.keys({ prefix: ["b"] }));
    expect(loose).toEqual([]);
  });

  test("of a path that is imported twice the later contents stay, however long the earlier take", async () => {
    const name = newName();
    const tree = idbFs(name);
    const large = "x".repeat(limits.importBatchBytes);
    await tree.writeMany([
      ["/twice", large],
      ["/twice", "later"],
    ]);
    expect(await tree.read("/twice")).toBe("later");
    await tree.close();
  });

  test("equal contents are stored once, whatever disk names them", async () => {
    const database = await openDatabase(newName());
    for (const disk of ["one", "two"]) {
      const tree = idbFs({ database, disk });
      await tree.write("/a", "same".repeat(5_000));
      await tree.write("/b", "same".repeat(5_000));
    }
    expect((await database.records.read((reader) => reader.keys({ prefix: ["b"] }))).length).toBe(1);
  });
});

describe("two tabs", () => {
  test("compare-and-swap from both loses no increment", async () => {
    const name = newName();
    const tabs = [await openDatabase(name), await openDatabase(name)].map((database) => idbFs({ database, disk: "d" }));
    await tabs[0]!.write("/n", "0");
    const increment = async (tree: IdbFileSystem) => {
      for (;;) {
        await tree.refresh();
        const file = (await tree.snapshot()).file("/n")!;
        const next = Number(new TextDecoder().decode(await file.bytes())) + 1;
        try {
          return await tree.commit([
            { kind: "write", path: "/n", file: memoryFile(String(next), 0), expectedHash: file.hash },
          ]);
        } catch (error) {
          if (!(error instanceof ConflictError)) throw error;
        }
      }
    };
    await Promise.all(
      tabs
        .flatMap((tree) => [tree, tree])
        .map(async (tree) => {
          for (let round = 0; round < 50; round++) await increment(tree);
        }),
    );
    for (const tree of tabs) await tree.refresh();
    expect(await Promise.all(tabs.map((tree) => tree.read("/n")))).toEqual(["200", "200"]);
  });

  test("each sees the other's writes, and is told of them", async () => {
    const name = newName();
    const [one, two] = [await openDatabase(name), await openDatabase(name)].map((database) =>
      idbFs({ database, disk: "d" }),
    );
    await two!.stat("/");
    let told = 0;
    two!.subscribe(() => told++);
    await one!.write("/from one", "1");
    await vi.waitFor(() => expect(told).toBe(1));
    expect(await two!.read("/from one")).toBe("1");
    await two!.write("/from two", "2");
    await vi.waitFor(async () => expect(await one!.read("/from two")).toBe("2"));
  });

  test("a tab that slept through a checkpoint catches up when it writes", async () => {
    const name = newName();
    const [first, second] = [await openDatabase(name), await openDatabase(name)];
    const sleeper = idbFs({ database: second, disk: "d" });
    await sleeper.write("/a", "1");
    const writer = idbFs({ database: first, disk: "d" });
    await writer.write("/b", "2");
    const state = await first.records.read((reader) => readDiskState(reader, "d", emptyDisk, first.contents));
    await writeCheckpoint(first.records, "d", state, first.contents);
    await sleeper.write("/c", "3");
    expect(await pathsOf(sleeper)).toEqual(["/a", "/b", "/c"]);
    await writer.refresh();
    expect(await pathsOf(writer)).toEqual(["/a", "/b", "/c"]);
  });
});

describe("commits", () => {
  test("writes made at the same time are one transaction, and one that cannot be fails alone", async () => {
    let transactions = 0;
    const database = await openDatabase(newName(), (store) => (mode, callback) => {
      if (mode === "readwrite") transactions++;
      return store(mode, callback);
    });
    const tree = idbFs({ database, disk: "d" });
    await tree.write("/file", "x");
    transactions = 0;
    const results = await Promise.allSettled([
      tree.write("/a", "1"),
      tree.delete("/missing"),
      tree.write("/b", "2"),
      tree.write("/file/below", "3"),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected"]);
    expect((results[1] as PromiseRejectedResult).reason).toBeInstanceOf(FileNotFoundError);
    expect(transactions).toBe(1);
    expect(await pathsOf(tree)).toEqual(["/a", "/b", "/file"]);
  });

  test("a log of 500 commits becomes a checkpoint", async () => {
    const database = await openDatabase(newName());
    const tree = idbFs({ database, disk: "d" });
    for (let at = 0; at < 500; at++) await tree.write(`/f${at % 10}`, String(at));
    await vi.waitFor(
      async () => expect((await database.records.read((reader) => readDiskHead(reader, "d")))?.checkpoint).toBe(1),
      { timeout: 5_000 },
    );
    expect(await database.records.read((reader) => reader.keys({ prefix: ["d", "d", "l"] }))).toEqual([]);
    const again = idbFs({ database, disk: "d" });
    expect(await again.read("/f9")).toBe("499");
    await again.write("/f9", "after");
    await tree.refresh();
    expect(await tree.read("/f9")).toBe("after");
  });
});

/** Whether a put finds no room; `hasReserve` is whether the reserve still takes some. */
type IsFull = (value: unknown, hasReserve: boolean) => boolean;

/** Bytes of contents in a record: one on its own, a pack, or a commit that holds some. */
function contentBytes(value: unknown): number {
  return value instanceof Uint8Array ? value.length : ((value as Partial<StepsRecord>).contents?.bytes.length ?? 0);
}

/** A store without room for some values: as in browsers the request succeeds, then the transaction aborts. */
function fullStore(isFull: IsFull): (store: UseStore) => UseStore {
  let hasReserve = true;
  return (store) => (mode, callback) =>
    store(mode, (records) => {
      const { transaction } = records;
      let deletesReserve = false;
      transaction.addEventListener("complete", () => (hasReserve &&= !deletesReserve));
      const put = (value: unknown, key: IDBValidKey) =>
        refused(value, IDBObjectStore.prototype.put.call(records, value, key));
      const refused = (value: unknown, request: IDBRequest<IDBValidKey>) => {
        if (!isFull(value, hasReserve)) return request;
        // What is to be cut off must not be on its way to the end.
        Object.defineProperty(transaction, "commit", { value: () => undefined });
        request.addEventListener("success", () => {
          Object.defineProperty(transaction, "error", { value: new DOMException("full", "QuotaExceededError") });
          transaction.abort();
        });
        return request;
      };
      const remove = (key: IDBValidKey) => {
        deletesReserve ||= Array.isArray(key) && key[0] === "reserve";
        return IDBObjectStore.prototype.delete.call(records, key);
      };
      const add = (value: unknown, key: IDBValidKey) =>
        refused(value, IDBObjectStore.prototype.add.call(records, value, key));
      Object.defineProperties(records, { put: { value: put }, add: { value: add }, delete: { value: remove } });
      return callback(records);
    });
}

describe("storage full", () => {
  test("a write fails with QuotaError, nothing of it is stored, and what was there stays", async () => {
    const name = newName();
    let room = Infinity;
    const database = await openDatabase(
      name,
      fullStore((value) => contentBytes(value) > room),
    );
    const tree = idbFs({ database, disk: "d" });
    await tree.write("/small", "kept");
    room = 10;
    const failure = await tree.write("/large", "x".repeat(1000)).catch((error: unknown) => error);
    expect(failure).toEqual(new QuotaError("/large"));
    expect((failure as QuotaError).message).toBe("storage full: /large");
    const many = Array.from({ length: 20 }, (_, at) => [`/many/${at}`, "y".repeat(100)] as const);
    await expect(tree.writeMany(many)).rejects.toBeInstanceOf(QuotaError);
    expect(await pathsOf(tree)).toEqual(["/small"]);
    const again = idbFs({ database: await openDatabase(name), disk: "d" });
    expect(await pathsOf(again)).toEqual(["/small"]);
    expect(await again.read("/small")).toBe("kept");
  });

  test("of writes made at the same time only the one without room fails", async () => {
    const database = await openDatabase(
      newName(),
      fullStore((value) => [1000, 1002].includes(contentBytes(value))),
    );
    const full = idbFs({ database, disk: "d" });
    await full.write("/first", "1");
    const results = await Promise.allSettled([full.write("/a", "ok"), full.write("/b", "x".repeat(1000))]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(await pathsOf(full)).toEqual(["/a", "/first"]);
  });

  test("a deletion can still be written: the reserve is given up for it", async () => {
    let isFull = false;
    const database = await openDatabase(
      newName(),
      fullStore((_value, hasReserve) => isFull && hasReserve),
    );
    const tree = idbFs({ database, disk: "d" });
    await tree.write("/a", "1");
    await tree.write("/b", "2");
    isFull = true;
    await expect(tree.write("/c", "3")).rejects.toBeInstanceOf(QuotaError);
    await tree.delete("/a");
    expect(await pathsOf(tree)).toEqual(["/b"]);
  });
});

describe("a database that goes away", () => {
  test("deleted while open: it is said to be cleared, never shown empty", async () => {
    const name = newName();
    const database = await openDatabase(name);
    const tree = idbFs({ database, disk: "d" });
    await tree.write("/a", "1");
    await deleteProjectDatabase(name);
    const failure = await tree.write("/b", "2").catch((error: unknown) => error);
    expect(failure).toEqual(new UnavailableError("/b", "The browser's storage for this project was cleared."));
    expect((failure as UnavailableError).reason).toBe("The browser's storage for this project was cleared.");
    expect(await pathsOf(tree)).toEqual(["/a"]);
    const other = idbFs({ database, disk: "d" });
    await expect(other.stat("/a")).rejects.toBeInstanceOf(UnavailableError);
    const databases = await indexedDB.databases();
    expect(databases.some((each) => each.name === name)).toBe(false);
  });

  test("a project that must be there and is not is said to be cleared", async () => {
    await expect(openProjectDatabase(newName(), { mustExist: true })).rejects.toMatchObject({
      code: "unavailable",
      reason: "The browser's storage for this project was cleared.",
    });
  });

  test("records emptied under a project are no empty project", async () => {
    const name = newName();
    const database = await openDatabase(name);
    const tree = idbFs({ database, disk: "d" });
    await tree.write("/a", "1");
    await database.records.write(async (writer) => writer.deleteAll([]));
    await expect(tree.refresh()).rejects.toBeInstanceOf(UnavailableError);
    await expect(tree.write("/b", "2")).rejects.toBeInstanceOf(UnavailableError);
    await expect(openProjectDatabase(name, { mustExist: true })).rejects.toBeInstanceOf(UnavailableError);
  });

  test("a connection closed by the browser is opened again and the call goes through", async () => {
    let close: (() => void) | undefined;
    const database = await openDatabase(
      newName(),
      (store) => (mode, callback) =>
        store(mode, (records) => {
          close = () => records.transaction.db.close();
          return callback(records);
        }),
    );
    const tree = idbFs({ database, disk: "d" });
    await tree.write("/a", "1");
    close?.();
    await tree.write("/b", "2");
    close?.();
    expect(await pathsOf(idbFs({ database, disk: "d" }))).toEqual(["/a", "/b"]);
  });

  test("after it was closed every verb says so", async () => {
    const database = await openProjectDatabase(newName());
    const tree = idbFs({ database, disk: "d" });
    database.close();
    await expect(tree.stat("/")).rejects.toMatchObject({ code: "unavailable", reason: "This project was closed." });
  });
});

test("a project of a newer version can be read and not changed", async () => {
  const name = newName();
  const database = await openDatabase(name);
  const tree = idbFs({ database, disk: "d" });
  await tree.write("/a", "1");
  await database.records.write(async (writer) => writer.put(["h"], { schema: STORAGE_SCHEMA + 1, epoch: 9 }));
  const newer = await openDatabase(name);
  expect(newer.readOnlyReason).toBe(
    "A newer version of Rootscope wrote this project: it can be read here, not changed.",
  );
  const readable = idbFs({ database: newer, disk: "d" });
  expect(await readable.read("/a")).toBe("1");
  await expect(readable.write("/a", "2")).rejects.toBeInstanceOf(ReadOnlyMountError);
  await expect(readable.writeMany([["/b", "2"]])).rejects.toBeInstanceOf(ReadOnlyMountError);
  await expect(newer.contents.put(new Uint8Array(3))).rejects.toBeInstanceOf(UnavailableError);
});
