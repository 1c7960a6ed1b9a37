import type { UseStore } from "idb-keyval";
import { afterEach, describe, expect, test, vi } from "vitest";
import { limits } from "../base";
import { QuotaError, tempFs, UnavailableError } from "../fs";
import type { SessionEvent } from "../session";
import { createLogWriter } from "./createLogWriter";
import { openProjects } from "./openProjects";
import type { ProjectCatalog } from "./projectCatalog";
import type { ProjectChange, ProjectStore } from "./projectStore";
import type { SessionLog, SessionRecord } from "./sessionRecord";

let count = 0;
const catalogs: ProjectCatalog[] = [];

async function openCatalog(name = `storage test ${Date.now()} ${count++}`, wrapStore?: (store: UseStore) => UseStore) {
  let time = 1_000;
  const catalog = await openProjects({
    name,
    now: () => time++,
    ...(wrapStore === undefined ? {} : { database: { wrapStore } }),
  });
  catalogs.push(catalog);
  return catalog;
}

async function openStore(catalog?: ProjectCatalog): Promise<ProjectStore> {
  const projects = catalog ?? (await openCatalog());
  return projects.open((await projects.create("Project")).id);
}

afterEach(async () => {
  vi.restoreAllMocks();
  for (const catalog of catalogs.splice(0)) {
    for (const { id } of await catalog.list()) await catalog.delete(id);
    catalog.close();
  }
});

const record = (id: string, more: Partial<SessionRecord> = {}): SessionRecord => ({
  id,
  name: id,
  createdAt: 1,
  updatedAt: 1,
  eventCount: 0,
  status: "new",
  preview: "",
  origin: "live",
  ...more,
});

const delta = (index: number, messageDelta = `delta ${index}`): SessionEvent => ({
  type: "message.appended",
  data: { turnId: "turn_0", sequence: 0, stepIndex: 0, messageDelta },
  meta: { id: `evt_${index}`, at: "2026-01-01T00:00:00.000Z" },
});

async function allOf(log: SessionLog, fromIndex?: number): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const page of log.read(fromIndex)) events.push(...page);
  return events;
}

describe("the catalog", () => {
  test("creates, renames, duplicates and deletes, and tells other tabs", async () => {
    const catalog = await openCatalog("storage test catalog");
    const other = await openCatalog("storage test catalog");
    let told = 0;
    other.subscribe(() => told++);
    const first = await catalog.create("First", { draft: "hello" });
    const second = await catalog.create("Second");
    await catalog.rename(first.id, "Renamed");
    await vi.waitFor(() => expect(told).toBeGreaterThan(0));
    expect((await other.list()).map(({ name }) => name)).toEqual(["Renamed", "Second"]);

    const store = await catalog.open(first.id);
    await store.disk("d").write("/a", "1");
    await store.createSession(record("s"));
    await store.log("s").append([delta(0)]);
    const copy = await catalog.duplicate(first.id, "Copy");
    await store.disk("d").write("/a", "2");
    const copied = await catalog.open(copy.id);
    expect(await copied.loadDocument()).toEqual({ draft: "hello" });
    expect(await copied.disk("d").read("/a")).toBe("1");
    expect(await allOf(copied.log("s"))).toEqual([delta(0)]);
    await copied.close();
    await store.close();

    await catalog.delete(second.id);
    expect((await catalog.list()).map(({ name }) => name)).toEqual(["Copy", "Renamed"]);
    await expect(catalog.open(second.id)).rejects.toBeInstanceOf(UnavailableError);
    const databases = await indexedDB.databases();
    expect(databases.some(({ name }) => name?.includes(second.id))).toBe(false);
  });

  test("a project whose data is gone is said to be cleared", async () => {
    const catalog = await openCatalog("storage test cleared");
    const { id } = await catalog.create("Gone");
    await new Promise((resolve) => {
      indexedDB.deleteDatabase(`storage test cleared/project/${id}`).addEventListener("success", resolve);
    });
    await expect(catalog.open(id)).rejects.toMatchObject({
      code: "unavailable",
      reason: "The browser's storage for this project was cleared.",
    });
  });

  test("a deletion that was cut off is finished when the list is next opened", async () => {
    const catalog = await openCatalog("storage test cut off");
    const { id } = await catalog.create("Cut off");
    vi.spyOn(indexedDB, "deleteDatabase").mockImplementation(() => {
      throw new Error("the tab died");
    });
    await expect(catalog.delete(id)).rejects.toThrow("the tab died");
    vi.restoreAllMocks();
    expect(await catalog.list()).toEqual([]);
    await openCatalog("storage test cut off");
    const databases = await indexedDB.databases();
    expect(databases.some(({ name }) => name?.includes(id))).toBe(false);
  });

  test("where IndexedDB is refused everything works in memory, and says that it is not kept", async () => {
    vi.spyOn(indexedDB, "open").mockImplementation(() => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    });
    const catalog = await openCatalog();
    expect({ kept: catalog.kept, reason: catalog.reason }).toEqual({
      kept: false,
      reason: "The browser refuses IndexedDB: The operation is insecure.",
    });
    const { id } = await catalog.create("Private", { draft: "x" });
    const store = await catalog.open(id);
    expect({ kept: store.kept, reason: store.reason }).toEqual({ kept: false, reason: catalog.reason });
    await store.disk("d").writeMany([["/a", "1"]]);
    await store.createSession(record("s"));
    await store.log("s").append([delta(0), delta(1)]);
    const rootHash = await store.saveSnapshot(await tempFs({ "/b": "2" }).snapshot());
    await store.close();
    const again = await catalog.open(id);
    expect(await again.disk("d").read("/a")).toBe("1");
    expect(await allOf(again.log("s"))).toEqual([delta(0), delta(1)]);
    expect((await again.loadSnapshot(rootHash)).fileCount).toBe(1);
    const copy = await catalog.duplicate(id, "Copy");
    expect(await (await catalog.open(copy.id)).loadDocument()).toEqual({ draft: "x" });
  });
});

describe("a project", () => {
  test("keeps its document, disks and session records, newest first", async () => {
    const catalog = await openCatalog();
    const { id } = await catalog.create("Project");
    const store = await catalog.open(id);
    await store.saveDocument({ agent: { name: "A" } });
    await store.disk("one").write("/a", "1");
    await store.createSession(record("old", { createdAt: 1 }));
    await store.createSession(record("new", { createdAt: 2 }));
    await store.updateSession("old", { name: "Renamed", status: "ready" });
    await store.updateSession("missing", { name: "nobody" });
    await store.close();
    const again = await catalog.open(id);
    expect(await again.loadDocument()).toEqual({ agent: { name: "A" } });
    expect(await again.diskIds()).toEqual(["one"]);
    expect(await again.sessions()).toEqual([
      record("new", { createdAt: 2 }),
      record("old", { name: "Renamed", status: "ready" }),
    ]);
    await again.removeDisk("one");
    await again.deleteSession("new");
    expect(await again.diskIds()).toEqual([]);
    expect((await again.sessions()).map((each) => each.id)).toEqual(["old"]);
  });

  test("another tab hears of every change", async () => {
    const catalog = await openCatalog();
    const { id } = await catalog.create("Project");
    const [here, there] = [await catalog.open(id), await catalog.open(id)];
    const heard: ProjectChange[] = [];
    there.subscribe((change) => heard.push(change));
    await here.createSession(record("s"));
    await here.log("s").append([delta(0)]);
    await here.saveDocument({});
    await vi.waitFor(() =>
      expect(heard).toEqual([{ kind: "sessions" }, { kind: "log", sessionId: "s" }, { kind: "document" }]),
    );
    expect(await allOf(there.log("s"))).toEqual([delta(0)]);
    expect(await there.sessions()).toMatchObject([{ id: "s", eventCount: 1 }]);
  });

  test("one tab runs a session at a time", async () => {
    const catalog = await openCatalog();
    const { id } = await catalog.create("Project");
    const [here, there] = [await catalog.open(id), await catalog.open(id)];
    const release = await here.lockSession("s");
    expect(release).toBeTypeOf("function");
    expect(await here.lockSession("s")).toBeUndefined();
    expect(await there.lockSession("s")).toBeUndefined();
    expect(await there.lockSession("other")).toBeTypeOf("function");
    release?.();
    await vi.waitFor(async () => expect(await there.lockSession("s")).toBeTypeOf("function"));
    await there.close();
    await vi.waitFor(async () => expect(await here.lockSession("s")).toBeTypeOf("function"));
  });

  test("says how much is used", async () => {
    const store = await openStore();
    const usage = await store.usage();
    expect(usage.usedBytes).toBeGreaterThan(0);
    expect(usage.quotaBytes).toBeGreaterThan(usage.usedBytes);
    expect(usage.persisted).toBeTypeOf("boolean");
  });

  test("what a session's log names survives a clean-up for as long as the session", async () => {
    const catalog = await openCatalog();
    const { id } = await catalog.create("Project");
    let store = await catalog.open(id);
    await store.createSession(record("s"));
    const blob = await store.blobs.put("the request");
    const before = await store.blobs.put("before");
    const snapshot = await store.saveSnapshot(await tempFs({ "/a": "start" }).snapshot());
    await store.log("s").append([
      {
        type: "tree.changed",
        data: { reason: "edit", changes: [{ path: "/a", before }], snapshot },
        meta: { id: "evt_1", at: "" },
      },
      {
        type: "step.started",
        data: { turnId: "turn_0", sequence: 0, stepIndex: 0, modelId: "m", request: { hash: "h", blob } },
        meta: { id: "evt_2", at: "" },
      },
    ]);
    await store.close();
    store = await reopened(catalog, id);
    await store.sweep();
    expect(await store.blobs.getText(blob)).toBe("the request");
    expect(await store.blobs.getText(before)).toBe("before");
    expect((await store.loadSnapshot(snapshot)).file("/a")?.sizeBytes).toBe(5);
    await store.deleteSession("s");
    await store.close();
    store = await reopened(catalog, id);
    await store.sweep();
    expect(await store.blobs.get(blob)).toBeUndefined();
    await expect(store.loadSnapshot(snapshot)).rejects.toBeInstanceOf(UnavailableError);
  });
});

test("a tree kept under a name survives clean-ups until another takes its place", async () => {
  const catalog = await openCatalog();
  const { id } = await catalog.create("Project");
  let store = await catalog.open(id);
  const first = await store.keepSnapshot("baseline", await tempFs({ "/a": "first" }).snapshot());
  await store.close();
  store = await reopened(catalog, id);
  await store.sweep();
  expect(await (await store.loadSnapshot(first)).file("/a")?.bytes()).toEqual(new TextEncoder().encode("first"));
  const second = await store.keepSnapshot("baseline", await tempFs({ "/a": "second" }).snapshot());
  await store.close();
  store = await reopened(catalog, id);
  await store.sweep();
  expect((await store.loadSnapshot(second)).fileCount).toBe(1);
  await expect(store.loadSnapshot(first)).rejects.toBeInstanceOf(UnavailableError);
});

/** Opened when the lock of the tab before is gone. */
async function reopened(catalog: ProjectCatalog, id: string): Promise<ProjectStore> {
  await vi.waitFor(async () => {
    const { held = [] } = await navigator.locks.query();
    expect(held.filter(({ name }) => name?.includes(`${id}/`))).toEqual([]);
  });
  return catalog.open(id);
}

describe("a session's log", () => {
  test("gives back the events in order, from any index, in pages", async () => {
    const store = await openStore();
    await store.createSession(record("s"));
    const log = store.log("s");
    const events = Array.from({ length: 2_500 }, (_, index) => delta(index));
    await Promise.all([log.append(events.slice(0, 1)), log.append(events.slice(1, 1_600)), log.append([])]);
    for (let index = 1_600; index < 2_500; index += 9) await log.append(events.slice(index, index + 9));
    expect(await log.length()).toBe(2_500);
    expect(await allOf(log)).toEqual(events);
    expect(await allOf(log, 1_599)).toEqual(events.slice(1_599));
    expect(await allOf(log, 2_499)).toEqual(events.slice(2_499));
    expect(await allOf(log, 2_500)).toEqual([]);
    for await (const page of log.read()) {
      expect(page.length).toBeLessThan(2_000);
      break;
    }
    expect((await store.sessions())[0]?.eventCount).toBe(2_500);
  });

  test("two tabs that append both keep all their events in order", async () => {
    const catalog = await openCatalog();
    const { id } = await catalog.create("Project");
    const stores = [await catalog.open(id), await catalog.open(id)];
    await stores[0]!.createSession(record("s"));
    await Promise.all(
      stores.map(async (store, tab) => {
        for (let index = 0; index < 30; index++) await store.log("s").append([delta(tab * 100 + index)]);
      }),
    );
    const ids = (await allOf(stores[0]!.log("s"))).map(({ meta }) => Number(meta.id.slice(4)));
    expect(ids.length).toBe(60);
    expect(ids.filter((each) => each < 100)).toEqual(Array.from({ length: 30 }, (_, index) => index));
    expect(ids.filter((each) => each >= 100)).toEqual(Array.from({ length: 30 }, (_, index) => index + 100));
  });

  test("stores large values once and puts them back, whatever they look like", async () => {
    const store = await openStore();
    await store.createSession(record("s"));
    const large = "é".repeat(limits.largeValueBytes / 2);
    const result = (output: never): SessionEvent => ({
      type: "action.result",
      data: {
        turnId: "turn_0",
        sequence: 0,
        stepIndex: 0,
        status: "completed",
        result: { kind: "tool-result", callId: "c", toolName: "Read", output },
        toolName: "Read",
      },
      meta: { id: "evt_r", at: "" },
    });
    const events = [
      delta(0, large),
      delta(1, `${large}\ud800`),
      result({ text: large, lines: [1, null, { deep: large }] } as never),
      result(Array.from({ length: 5_000 }, (_, index) => ({ path: `/f${index}`, hits: index })) as never),
      result({ "rootscope/value": "0".repeat(64), form: "text" } as never),
      result({ "rootscope/value": [{ "rootscope/value": 1 }] } as never),
    ];
    await store.log("s").append(events);
    expect(await allOf(store.log("s"))).toEqual(events);
    const lines = await store.database.records.read((reader) => reader.entries({ prefix: ["l"] }));
    expect(JSON.stringify(lines).length).toBeLessThan(3_000);
    const blobs = await store.database.records.read((reader) => reader.keys({ prefix: ["b"] }));
    expect(blobs.length).toBe(5);
  });

  test("a value that was lost leaves its reference, and the events around it are there", async () => {
    const store = await openStore();
    await store.createSession(record("s"));
    await store.log("s").append([delta(0), delta(1, "x".repeat(limits.largeValueBytes)), delta(2)]);
    await store.database.records.write(async (writer) => writer.deleteAll(["b"]));
    store.database.contents.forgetPlaces();
    const [first, lost, last] = await allOf(store.log("s"));
    expect([first, last]).toEqual([delta(0), delta(2)]);
    expect(lost).toMatchObject({ data: { messageDelta: { form: "text" } } });
  });

  test("takes nothing once the session is deleted", async () => {
    const store = await openStore();
    await store.createSession(record("s"));
    const log = store.log("s");
    await log.append([delta(0)]);
    await store.deleteSession("s");
    await expect(log.append([delta(1)])).rejects.toMatchObject({ reason: "This session was deleted." });
    expect(await allOf(store.log("s"))).toEqual([]);
  });
});

describe("the log writer", () => {
  test("stores in order what is appended, in few batches, and durable() says when", async () => {
    const store = await openStore();
    await store.createSession(record("s"));
    const log = store.log("s");
    const append = vi.spyOn(log, "append");
    const writer = createLogWriter(log);
    for (let index = 0; index < 100; index++) writer.append(delta(index));
    await writer.durable();
    expect(await log.length()).toBe(100);
    expect(append).toHaveBeenCalledTimes(1);
    writer.append(delta(100));
    await vi.waitFor(async () => expect(await log.length()).toBe(101));
    writer.append(delta(101));
    await writer.close();
    expect((await allOf(log)).map(({ meta }) => meta.id)).toEqual(
      Array.from({ length: 102 }, (_, index) => `evt_${index}`),
    );
  });

  test("does not wait for a frame that never comes", async () => {
    vi.spyOn(globalThis, "requestAnimationFrame").mockImplementation(() => 0);
    const batches: number[] = [];
    const writer = createLogWriter({ append: async (events) => void batches.push(events.length) }, { batchMs: 5 });
    writer.append(delta(0));
    writer.append(delta(1));
    await vi.waitFor(() => expect(batches).toEqual([2]));
  });

  test("keeps what could not be stored, in order, and stores it with the next", async () => {
    const stored: string[] = [];
    let isFull = true;
    const errors: unknown[] = [];
    const writer = createLogWriter(
      {
        append: async (events) => {
          if (isFull) throw new QuotaError("/");
          stored.push(...events.map(({ meta }) => meta.id));
        },
      },
      { batchMs: 1, onError: (error) => errors.push(error) },
    );
    writer.append(delta(0));
    await vi.waitFor(() => expect(errors).toEqual([new QuotaError("/")]));
    writer.append(delta(1));
    await expect(writer.durable()).rejects.toBeInstanceOf(QuotaError);
    isFull = false;
    writer.append(delta(2));
    await writer.durable();
    expect(stored).toEqual(["evt_0", "evt_1", "evt_2"]);
  });

  test("an event that comes at any moment after a batch was stored is durable when that is said", async () => {
    for (let turns = 0; turns < 20; turns++) {
      const stored: string[] = [];
      const writer = createLogWriter({
        append: async (events) => void stored.push(...events.map(({ meta }) => meta.id)),
      });
      writer.append(delta(0));
      const first = writer.durable();
      for (let left = turns; left > 0; left--) await Promise.resolve();
      writer.append(delta(1));
      await writer.durable();
      expect(stored).toEqual(["evt_0", "evt_1"]);
      await first;
    }
  });

  test("an event that comes while a batch is being stored is durable with it", async () => {
    const stored: string[] = [];
    const writer = createLogWriter({
      append: async (events) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        stored.push(...events.map(({ meta }) => meta.id));
      },
    });
    writer.append(delta(0));
    const first = writer.durable();
    writer.append(delta(1));
    await writer.durable();
    expect(stored).toEqual(["evt_0", "evt_1"]);
    await first;
  });
});
