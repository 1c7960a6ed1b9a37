import { afterEach, describe, expect, test } from "vitest";
import { sha256HexSync } from "../../base";
import { ReadOnlyMountError } from "../pathError";
import { looseKey, packIndexKey, packKey } from "./contentPacks";
import { removeDisk } from "./diskNames";
import { diskHeadKey, diskLogKey, recordFromSteps, type DiskStep } from "./diskRecords";
import { idbFs, type IdbFileSystem } from "./idbFs";
import { deleteProjectDatabase, openProjectDatabase, type ProjectDatabase } from "./projectDatabase";
import { STORAGE_SCHEMA } from "./projectHead";
import { sweepProject } from "./sweepProject";

let count = 0;
const opened: ProjectDatabase[] = [];

async function openDatabase(name = `commit test ${Date.now()} ${count++}`): Promise<ProjectDatabase> {
  const database = await openProjectDatabase(name);
  opened.push(database);
  return database;
}

afterEach(async () => {
  for (const database of opened.splice(0)) {
    database.close();
    await deleteProjectDatabase(database.name);
  }
});

async function textsOf(tree: IdbFileSystem): Promise<Record<string, unknown>> {
  const texts: Record<string, unknown> = {};
  for await (const { path, kind } of tree.list()) if (kind === "file") texts[path] = await tree.read(path);
  return texts;
}

/** A disk that lost records is shown as far as it can be read, says so, and takes no writes. */
async function expectReadOnly(disk: IdbFileSystem): Promise<void> {
  await disk.snapshot();
  expect(disk.readOnlyReason()).toBeTypeOf("string");
  await expect(disk.write("/more", "x")).rejects.toBeInstanceOf(ReadOnlyMountError);
}

const keysOf = (database: ProjectDatabase, ...prefix: (string | number)[]) =>
  database.records.read((reader) => reader.keys({ prefix }));

describe("a commit on what is known", () => {
  test("of a disk that another tab removed says so and leaves nothing behind", async () => {
    const here = await openDatabase();
    const disk = idbFs({ database: here, disk: "d" });
    await disk.write("/a", "1");
    const there = await openDatabase(here.name);
    await removeDisk(there, "d");
    await expect(disk.write("/b", "2")).rejects.toMatchObject({ reason: "This disk was removed." });
    expect(await keysOf(here, "d")).toEqual([]);
    const anew = idbFs({ database: there, disk: "d" });
    await anew.write("/c", "3");
    expect(await textsOf(anew)).toEqual({ "/c": "3" });
  });

  test("takes what a tab that died in the middle left in a removed disk's log for nothing", async () => {
    const database = await openDatabase();
    const left = recordFromSteps([{ kind: "mark", path: "/left" }]);
    await database.records.write(async (writer) => writer.put(diskLogKey("d", 57), left));
    const disk = idbFs({ database, disk: "d" });
    expect(await textsOf(disk)).toEqual({});
    await disk.write("/a", "1");
    await disk.write("/b", "2");
    expect(await textsOf(idbFs({ database, disk: "d" }))).toEqual({ "/a": "1", "/b": "2" });
    expect(await keysOf(database, "d", "d", "l")).toEqual([diskLogKey("d", 1), diskLogKey("d", 2)]);
  });

  test("a commit missing in the log is told, never skipped", async () => {
    const database = await openDatabase();
    const disk = idbFs({ database, disk: "d" });
    for (const path of ["/a", "/b", "/c"]) await disk.write(path, path);
    await database.records.write(async (writer) => writer.delete(diskLogKey("d", 2)));
    await expectReadOnly(idbFs({ database, disk: "d" }));
  });
});

describe("small contents", () => {
  test("lie in the log until a checkpoint puts them into a pack, found by every tab all the time", async () => {
    const database = await openDatabase();
    const disk = idbFs({ database, disk: "d" });
    for (let at = 0; at < 500; at++) await disk.write(`/f${at % 7}`, `text ${at}`);
    const hash = sha256HexSync("text 499");
    const other = await openDatabase(database.name);
    expect(await other.contents.get(hash)).toEqual(new TextEncoder().encode("text 499"));
    expect(await other.contents.missing([hash, "0".repeat(64)])).toEqual(new Set(["0".repeat(64)]));
    expect(await keysOf(database, "p")).toEqual([]);
    await disk.close();
    expect(await keysOf(database, "d", "d", "l")).toEqual([]);
    expect((await keysOf(database, "p")).length).toBe(1);
    other.contents.forgetPlaces();
    expect(await other.contents.get(hash)).toEqual(new TextEncoder().encode("text 499"));
    expect((await textsOf(idbFs({ database, disk: "d" })))["/f2"]).toBe("text 499");
  });

  test("stay for who else names them when their disk is removed", async () => {
    const database = await openDatabase();
    await idbFs({ database, disk: "d" }).write("/a", "named elsewhere");
    await removeDisk(database, "d");
    const again = await openDatabase(database.name);
    const bytes = new TextEncoder().encode("named elsewhere");
    expect(await again.contents.get(sha256HexSync(bytes))).toEqual(bytes);
  });

  test("of a database in memory are not changed by the next import", async () => {
    const database = await openProjectDatabase("in memory", { storage: "memory" });
    const disk = idbFs({ database, disk: "d" });
    const files = (seed: string) =>
      Array.from({ length: 200 }, (_, at) => [`/${seed}${at}`, seed.repeat(900)] as const);
    await disk.writeMany(files("a"));
    await disk.writeMany(files("b"));
    database.contents.forgetPlaces();
    expect(await textsOf(disk)).toEqual(Object.fromEntries([...files("a"), ...files("b")]));
  });
});

test("files read one after the other answer what they answer alone: texts, images that look like text, and bytes", async () => {
  const database = await openDatabase();
  // Packs of nothing but ASCII, packs with other letters in them, and images whose first bytes are ASCII.
  const contentsOf = (at: number) => {
    if (at % 1000 === 7) return new TextEncoder().encode("GIF89a and no more");
    if (at % 1000 === 8) return `GIF8 in name only ${at}`;
    if (at % 1000 === 9) return Uint8Array.of(1, 0, 2);
    return `${at > 1500 ? "\ufeffé🙂" : ""}${at} `.repeat(100);
  };
  const files = Array.from(
    { length: 3_000 },
    (_, at) => [`/d/${String(at).padStart(4, "0")}`, contentsOf(at)] as const,
  );
  const disk = idbFs({ database, disk: "d" });
  await disk.writeMany(files);
  await disk.close();
  const again = idbFs({ database: await openDatabase(database.name), disk: "d" });
  for (const [path, contents] of files) expect(await again.read(path)).toEqual(contents);
});

test("one file of a large disk is read without the indexes of all packs, also after its pack was written anew", async () => {
  const database = await openDatabase();
  const files = Array.from({ length: 6_000 }, (_, at) => [`/d/${at}`, `${at} `.repeat(300)] as const);
  const disk = idbFs({ database, disk: "d" });
  await disk.writeMany(files);
  await disk.close();
  let reads = 0;
  const counted = await openProjectDatabase(database.name, {
    wrapStore: (store) => (mode, callback) =>
      store(mode, (records) => {
        const { prototype } = IDBObjectStore;
        records.get = (key) => (reads++, prototype.get.call(records, key));
        records.getAll = (...range) => (reads++, prototype.getAll.apply(records, range));
        return callback(records);
      }),
  });
  opened.push(counted);
  const again = idbFs({ database: counted, disk: "d" });
  await again.snapshot();
  reads = 0;
  expect(await again.read("/d/1500")).toBe(files[1_500]?.[1]);
  expect(reads).toBe(1);
  // Elsewhere most files go and the packs are written anew: what the checkpoint says of packs is not true any more.
  for (const [path] of files.filter((_, at) => at % 4 !== 0)) await disk.delete(path);
  counted.close();
  await expect.poll(async () => (await sweepProject(database, { held: [] })).deletedCount).toBeGreaterThan(4_000);
  const last = idbFs({ database: await openDatabase(database.name), disk: "d" });
  for (const at of [0, 1_500, 5_996]) expect(await last.read(`/d/${at}`)).toBe(files[at]?.[1]);
});

describe("a database of schema 1", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const step = (path: string, text: string): DiskStep => ({
    kind: "write",
    path,
    hash: sha256HexSync(text),
    sizeBytes: text.length,
    modifiedAt: 5,
  });

  /** As the version before wrote it: checkpoints are steps, the head says how far the log goes, nothing has a check sum. */
  async function databaseOfSchemaOne(): Promise<string> {
    const database = await openDatabase();
    await database.records.write(async (writer) => {
      writer.put(["h"], { schema: 1, epoch: 3 });
      writer.put(["d", "d", "c", 2, 0], recordFromSteps([step("/a", "one"), step("/b/c", "two")]));
      writer.put(["d", "d", "c", 2, 1], recordFromSteps([step("/b/d", "three"), { kind: "mark", path: "/e" }]));
      writer.put(diskLogKey("d", 8), recordFromSteps([step("/a", "four"), { kind: "remove", path: "/b/c" }]));
      writer.put(diskHeadKey("d"), { schema: 1, sequence: 8, checkpoint: 2, checkpointSequence: 7, logSize: 300 });
      for (const text of ["one", "four"]) writer.put(looseKey(sha256HexSync(text)), bytes(text));
      writer.put(packKey("old", 0), bytes("twothree"));
      const hashes = sha256HexSync("two") + sha256HexSync("three");
      writer.put(packIndexKey("old", 0), { hashes, ends: Uint32Array.of(3, 8) });
    });
    database.close();
    return database.name;
  }

  test("opens as it was, is raised by the first write, and closed to the version before by it", async () => {
    const database = await openDatabase(await databaseOfSchemaOne());
    expect(database.readOnlyReason).toBeUndefined();
    const disk = idbFs({ database, disk: "d" });
    expect(await textsOf(disk)).toEqual({ "/a": "four", "/b/d": "three" });
    expect((await disk.stat("/e")).kind).toBe("directory");
    await disk.write("/f", "five");
    const heads = await database.records.read((reader) =>
      Promise.all([reader.get(["h"]), reader.get(diskHeadKey("d"))]),
    );
    expect(heads).toMatchObject([{ schema: STORAGE_SCHEMA }, { schema: STORAGE_SCHEMA, checkpointSequence: 7 }]);
    for (let at = 0; at < 500; at++) await disk.write("/g", `${at}`);
    await disk.close();
    const again = await openDatabase(database.name);
    const expected = { "/a": "four", "/b/d": "three", "/f": "five", "/g": "499" };
    expect(await textsOf(idbFs({ database: again, disk: "d" }))).toEqual(expected);
    database.close();
    expect((await sweepProject(again)).isDone).toBe(true);
    expect(await textsOf(idbFs({ database: again, disk: "d" }))).toEqual(expected);
  });

  test("whose log does not go as far as its head says is told to have lost records", async () => {
    const database = await openDatabase(await databaseOfSchemaOne());
    await database.records.write(async (writer) => writer.delete(diskLogKey("d", 8)));
    await expectReadOnly(idbFs({ database, disk: "d" }));
  });
});
