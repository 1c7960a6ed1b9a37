import { afterEach, describe, expect, test, vi } from "vitest";
import { limits, sha256HexSync } from "../../base";
import { UnavailableError } from "../pathError";
import { SnapshotTree } from "../snapshotTree";
import { memoryFile } from "../memoryFile";
import { tempFs } from "../tempFs";
import { copyProject } from "./copyProject";
import { removeDisk } from "./diskNames";
import { idbFs } from "./idbFs";
import { deletePins, putPins } from "./pins";
import { deleteProjectDatabase, openProjectDatabase, type ProjectDatabase } from "./projectDatabase";
import { loadSnapshot, saveSnapshot } from "./storedTrees";
import { sweepProject } from "./sweepProject";

let count = 0;
const opened: ProjectDatabase[] = [];

async function openDatabase(name = `sweep test ${Date.now()} ${count++}`): Promise<ProjectDatabase> {
  const database = await openProjectDatabase(name);
  opened.push(database);
  return database;
}

/** The same project in a tab opened anew: it remembers nothing. */
async function reopened(database: ProjectDatabase): Promise<ProjectDatabase> {
  database.close();
  // A lock is let go of a moment later.
  await vi.waitFor(async () => {
    const { held = [] } = await navigator.locks.query();
    expect(held.filter(({ name }) => name?.includes(database.handleId))).toEqual([]);
  });
  return openDatabase(database.name);
}

afterEach(async () => {
  for (const database of opened.splice(0)) {
    database.close();
    await deleteProjectDatabase(database.name);
  }
});

async function storedKinds(database: ProjectDatabase): Promise<Record<string, number>> {
  const keys = await database.records.read((reader) => reader.keys({ prefix: [] }));
  const counts: Record<string, number> = { b: 0, p: 0, x: 0, t: 0 };
  for (const [kind] of keys) if (String(kind) in counts) counts[String(kind)] = (counts[String(kind)] ?? 0) + 1;
  return counts;
}

/** Makes a content one that is stored on its own: shorter ones lie in the log of their disk for a while. */
const LONG = "long ".repeat(limits.heldContentBytes / 5 + 1);

const manyFiles = (number: number, size = 2_000) =>
  Array.from({ length: number }, (_, at) => [`/d${at % 7}/f${at}`, `${at} `.repeat(size / 4)] as const);

async function textsOf(tree: SnapshotTree): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [path, file] of tree.files()) texts[path] = new TextDecoder().decode(await file.bytes());
  return texts;
}

describe("stored trees", () => {
  test("a tree comes back equal, its contents readable, from memory and from a disk alike", async () => {
    const database = await openDatabase();
    const disk = idbFs({ database, disk: "d" });
    await disk.writeMany(manyFiles(20));
    const memory = tempFs({ "/notes.md": "hello", "/bin": Uint8Array.of(0, 1) });
    await memory.makeDirectory("/empty");
    const tree = (await memory.snapshot()).withSubtree("/disk", await disk.snapshot());
    const rootHash = await saveSnapshot(database, tree);
    expect(rootHash).toBe(await tree.rootHash());
    const again = await reopened(database);
    const loaded = await loadSnapshot(again, rootHash);
    expect(await loaded.rootHash()).toBe(rootHash);
    expect(await textsOf(loaded)).toEqual(await textsOf(tree));
    expect(loaded.entry("/empty")?.kind).toBe("directory");
  });

  test("keeping one more costs what differs", async () => {
    const database = await openDatabase();
    const disk = idbFs({ database, disk: "d" });
    await disk.writeMany(manyFiles(2_000, 40));
    await saveSnapshot(database, await disk.snapshot());
    const before = await storedKinds(database);
    await disk.write("/d0/f0", LONG + "changed");
    await saveSnapshot(database, await disk.snapshot());
    const after = await storedKinds(database);
    expect(after["t"]! - before["t"]!).toBeLessThan(10);
    expect(after["b"]! - before["b"]!).toBe(1);
  });

  test("one that was not stored is unavailable", async () => {
    await expect(loadSnapshot(await openDatabase(), "0".repeat(64))).rejects.toBeInstanceOf(UnavailableError);
  });
});

describe("the clean-up", () => {
  test("takes what nothing names and leaves what a disk or a pin names", async () => {
    const database = await openDatabase();
    const disk = idbFs({ database, disk: "d" });
    await disk.writeMany(manyFiles(100));
    const kept = await saveSnapshot(database, SnapshotTree.empty.withFile("/pinned", memoryFile("pinned tree", 0)));
    const lost = await saveSnapshot(database, SnapshotTree.empty.withFile("/loose", memoryFile("loose tree", 0)));
    const blob = await database.contents.put(new TextEncoder().encode("pinned blob"));
    await database.contents.put(new TextEncoder().encode("loose blob"));
    await database.records.write((writer) => putPins(writer, "session", 0, { contents: [blob], trees: [kept] }));
    await disk.write("/overwritten", LONG + "old");
    await disk.write("/overwritten", LONG + "new");

    const again = await reopened(database);
    expect(await sweepProject(again)).toEqual({ isDone: true, deletedCount: 4 });
    expect(await textsOf(await loadSnapshot(again, kept))).toEqual({ "/pinned": "pinned tree" });
    await expect(loadSnapshot(again, lost)).rejects.toBeInstanceOf(UnavailableError);
    expect(await again.contents.get(blob)).toEqual(new TextEncoder().encode("pinned blob"));
    expect(await again.contents.get(sha256HexSync("loose blob"))).toBeUndefined();
    expect(await again.contents.get(sha256HexSync(LONG + "old"))).toBeUndefined();
    const files = await textsOf(await idbFs({ database: again, disk: "d" }).snapshot());
    expect(files).toEqual({ ...Object.fromEntries(manyFiles(100)), "/overwritten": LONG + "new" });
    expect(await sweepProject(again)).toEqual({ isDone: true, deletedCount: 0 });
  });

  test("gives everything back once the last pin and disk are gone", async () => {
    const database = await openDatabase();
    const disk = idbFs({ database, disk: "d" });
    await disk.writeMany(manyFiles(100));
    const rootHash = await saveSnapshot(database, await disk.snapshot());
    await database.records.write((writer) => putPins(writer, "session", 0, { contents: [], trees: [rootHash] }));
    await removeDisk(database, "d");
    let again = await reopened(database);
    await sweepProject(again);
    expect(Object.keys(await textsOf(await loadSnapshot(again, rootHash))).length).toBe(100);
    await again.records.write((writer) => deletePins(writer, "session"));
    again = await reopened(again);
    await sweepProject(again);
    expect(await storedKinds(again)).toEqual({ b: 0, p: 0, x: 0, t: 0 });
  });

  test("writes packs anew that are mostly dead, and the rest stays readable", async () => {
    const database = await openDatabase();
    const files = manyFiles(300);
    const disk = idbFs({ database, disk: "d" });
    await disk.writeMany(files);
    for (const [path] of files.filter((_, at) => at % 4 !== 0)) await disk.delete(path);
    const before = await storedKinds(database);
    const again = await reopened(database);
    await sweepProject(again);
    const after = await storedKinds(again);
    expect(after["p"]!).toBeLessThan(before["p"]! / 2);
    const left = Object.fromEntries(files.filter((_, at) => at % 4 === 0));
    expect(await textsOf(await idbFs({ database: again, disk: "d" }).snapshot())).toEqual(left);
  });

  test("leaves what this tab has shown, unless it says what it still shows", async () => {
    const database = await openDatabase();
    const disk = idbFs({ database, disk: "d" });
    await disk.write("/a", LONG + "shown before");
    await disk.write("/b", LONG + "shown no more");
    const shown = (await disk.snapshot()).without("/b");
    await disk.delete("/a");
    await disk.delete("/b");
    expect(await sweepProject(database)).toEqual({ isDone: true, deletedCount: 0 });
    expect(await sweepProject(database, { held: [shown] })).toEqual({ isDone: true, deletedCount: 1 });
    expect(await textsOf(shown)).toEqual({ "/a": LONG + "shown before" });
  });

  test("leaves what another tab took out of a tree shown here, after that tab is gone too", async () => {
    const here = await openDatabase();
    const shown = idbFs({ database: here, disk: "d" });
    await shown.write("/a", "shown");
    const tree = await shown.snapshot();
    const there = await openDatabase(here.name);
    await idbFs({ database: there, disk: "d" }).write("/a", "written there");
    await vi.waitFor(async () => expect(await shown.read("/a")).toBe("written there"));
    there.close();
    await vi.waitFor(async () => expect((await sweepProject(here)).isDone).toBe(true));
    here.contents.forgetPlaces();
    expect(await textsOf(tree)).toEqual({ "/a": "shown" });
  });

  test("does nothing while another tab has the project open", async () => {
    const database = await openDatabase();
    const disk = idbFs({ database, disk: "d" });
    await disk.write("/a", "old");
    await disk.write("/a", "new");
    const second = await openDatabase(database.name);
    expect(await sweepProject(database, { held: [] })).toEqual({ isDone: false, deletedCount: 0 });
    expect(await second.contents.get(sha256HexSync("old"))).toEqual(new TextEncoder().encode("old"));
  });

  test("starts again when something is written between marking and taking, its lock stolen or not", async () => {
    const database = await openDatabase();
    const disk = idbFs({ database, disk: "d" });
    await disk.write("/a", "comes back");
    await disk.delete("/a");
    const read = database.records.read.bind(database.records);
    let isFirst = true;
    vi.spyOn(database.records, "read").mockImplementation(async (body) => {
      const result = await read(body);
      if (isFirst) {
        isFirst = false;
        await navigator.locks.request(`rootscope/sweep/${database.name}`, { steal: true }, () => undefined);
        await disk.write("/a", "comes back");
      }
      return result;
    });
    await sweepProject(database, { held: [] }).catch(() => undefined);
    vi.restoreAllMocks();
    await vi.waitFor(async () => expect(await disk.read("/a")).toBe("comes back"));
    const again = await reopened(database);
    expect(await idbFs({ database: again, disk: "d" }).read("/a")).toBe("comes back");
  });
});

test("a copy of a project holds all of it and goes its own way", async () => {
  const source = await openDatabase();
  const disk = idbFs({ database: source, disk: "d" });
  await disk.writeMany(manyFiles(200));
  await disk.write("/large", "x".repeat(3_000_000));
  const target = await openDatabase();
  await copyProject(source, target);
  const copy = idbFs({ database: target, disk: "d" });
  await copy.write("/d0/f0", "changed in the copy");
  await disk.delete("/large");
  expect((await copy.snapshot()).fileCount).toBe(201);
  expect(await copy.read("/large")).toEqual("x".repeat(3_000_000));
  expect(await disk.read("/d0/f0")).toBe(manyFiles(1)[0]![1]);
});
