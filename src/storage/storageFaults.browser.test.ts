import { afterEach, describe, expect, test, vi } from "vitest";
import { DamagedRecordError, tempFs, type RecordKey } from "../fs";
import type { SessionEvent } from "../session";
import { createLogWriter } from "./createLogWriter";
import { openProjects } from "./openProjects";
import type { ProjectCatalog } from "./projectCatalog";
import type { ProjectChange, ProjectStore } from "./projectStore";
import type { SessionLog, SessionRecord } from "./sessionRecord";

let count = 0;
const catalogs: ProjectCatalog[] = [];
const newName = () => `storage faults ${Date.now()} ${count++}`;

async function openCatalog(name: string): Promise<ProjectCatalog> {
  const catalog = await openProjects({ name, now: () => 1_000 });
  catalogs.push(catalog);
  return catalog;
}

async function openNew(): Promise<{ catalog: ProjectCatalog; id: string; store: ProjectStore }> {
  const catalog = await openCatalog(newName());
  const { id } = await catalog.create("Project", { draft: "kept" });
  return { catalog, id, store: await catalog.open(id) };
}

/** Closes the project, does something to its records behind its back, and opens it again. */
async function reopenedAfter(
  { catalog, id, store }: { catalog: ProjectCatalog; id: string; store: ProjectStore },
  ...changes: readonly (readonly [RecordKey, unknown])[]
): Promise<ProjectStore> {
  await store.database.records.write(async (writer) => {
    for (const [key, value] of changes) {
      if (value === undefined) writer.delete(key);
      else writer.put(key, value);
    }
  });
  await store.close();
  return catalog.open(id);
}

afterEach(async () => {
  vi.restoreAllMocks();
  for (const catalog of catalogs.splice(0)) {
    for (const { id } of await catalog.list().catch(() => [])) await catalog.delete(id);
    catalog.close();
  }
});

const record = (id: string): SessionRecord => ({
  id,
  name: `named ${id}`,
  createdAt: 1,
  updatedAt: 1,
  eventCount: 0,
  status: "new",
  preview: "",
  origin: "live",
});

const delta = (index: number, messageDelta = `delta ${index}`): SessionEvent => ({
  type: "message.appended",
  data: { turnId: "turn_0", sequence: 0, stepIndex: 0, messageDelta },
  meta: { id: `evt_${index}`, at: "2026-01-01T00:00:00.000Z" },
});

const lost = (index: number, lostCount: number, at = "2026-01-01T00:00:00.000Z") => ({
  type: "log.damaged",
  data: { lostCount },
  meta: { id: `lost_${index}`, at },
});

async function allOf(log: SessionLog, fromIndex?: number): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const page of log.read(fromIndex)) events.push(...page);
  return events;
}

/** A session of three batches: events 0 and 1, 2 to 4, 5. */
async function withLog() {
  const place = await openNew();
  await place.store.createSession(record("s"));
  await place.store.createSession(record("other"));
  await place.store.log("other").append([delta(0)]);
  const log = place.store.log("s");
  await log.append([delta(0), delta(1)]);
  await log.append([delta(2), delta(3), delta(4)]);
  await log.append([delta(5)]);
  const batches = await place.store.database.records.read((reader) => reader.entries({ prefix: ["l", "s"] }));
  return { ...place, batches: batches.map(([, batch]) => batch as { count: number; lines: string; checksum: number }) };
}

const NO_RECORDS = [null, 7, "text", [], {}, { count: "2", lines: 3 }] as const;

describe("a damaged batch of a log", () => {
  for (const [how, damage] of [
    ["lost", () => undefined],
    ["cut off", (batch) => ({ ...batch, lines: batch.lines.slice(0, -20) })],
    ["flipped in a text", (batch) => ({ ...batch, lines: batch.lines.replace("delta", "dilta") })],
    ["flipped in its count", (batch) => ({ ...batch, count: 2 })],
    ["of no shape", () => 12],
    [
      "of an earlier version, cut off",
      ({ count: lines, lines: text }) => ({ count: lines, lines: text.slice(0, -20) }),
    ],
  ] as readonly (readonly [string, (batch: { count: number; lines: string }) => unknown])[]) {
    test(`${how}: the events around it are read in their places, and what is lost is said`, async () => {
      const place = await withLog();
      const store = await reopenedAfter(place, [["l", "s", 2], damage(place.batches[1]!)]);
      const log = store.log("s");
      const rest = [delta(0), delta(1), "?", "?", "?", delta(5)];
      const read = await allOf(log);
      expect(read).toHaveLength(6);
      for (const [index, event] of rest.entries()) if (event !== "?") expect(read[index]).toEqual(event);
      const damaged = read.slice(2, 5) as SessionEvent[];
      const lostCounts = damaged.map((event) => (event.type === "log.damaged" ? event.data.lostCount : "read"));
      // Without a check sum the lines before the break can be read.
      expect([
        [3, 0, 0],
        ["read", "read", 1],
      ]).toContainEqual(lostCounts);
      expect(await allOf(log, 5)).toEqual([delta(5)]);
      expect((await allOf(log, 3)).at(-1)).toEqual(delta(5));
      expect(await allOf(store.log("other"))).toEqual([delta(0)]);
      await log.append([delta(6)]);
      expect((await allOf(log)).slice(5)).toEqual([delta(5), delta(6)]);
      expect(await store.sessions()).toMatchObject([{ id: "other" }, { id: "s", eventCount: 7 }]);
    });
  }

  test("at the log's beginning, at its end, and all of it", async () => {
    const place = await withLog();
    let store = await reopenedAfter(place, [["l", "s", 0], 0], [["l", "s", 5], null]);
    expect(await allOf(store.log("s"))).toEqual([
      lost(0, 2, "1970-01-01T00:00:00.000Z"),
      lost(1, 0, "1970-01-01T00:00:00.000Z"),
      delta(2),
      delta(3),
      delta(4),
      lost(5, 1),
    ]);
    store = await reopenedAfter({ ...place, store }, [["l", "s", 2], "x"]);
    const all = (await allOf(store.log("s"))) as SessionEvent[];
    expect(all.map((event) => (event.type === "log.damaged" ? event.data.lostCount : event))).toEqual([
      6, 0, 0, 0, 0, 0,
    ]);
  });

  test("a hundred of them, more than are read at a time", async () => {
    const place = await openNew();
    await place.store.createSession(record("s"));
    const log = place.store.log("s");
    for (let index = 0; index < 100; index++) await log.append([delta(index)]);
    const store = await reopenedAfter(
      place,
      ...Array.from({ length: 90 }, (_, index) => [["l", "s", 5 + index], "damaged"] as const),
    );
    const events = (await allOf(store.log("s"))) as SessionEvent[];
    expect(events).toHaveLength(100);
    expect(events.filter(({ type }) => type === "log.damaged")).toHaveLength(90);
    expect([...events.slice(0, 5), ...events.slice(95)]).toEqual(
      [0, 1, 2, 3, 4, 95, 96, 97, 98, 99].map((at) => delta(at)),
    );
  });
});

describe("what says where a log ends", () => {
  for (const damaged of [undefined, ...NO_RECORDS, { eventCount: 2, updatedAt: 1_000, checksum: 5 }]) {
    test(`${JSON.stringify(damaged) ?? "lost"}: it is found by the batches, and nothing is written over`, async () => {
      const store = await reopenedAfter(await withLog(), [["e", "s"], damaged]);
      const log = store.log("s");
      expect(await log.length()).toBe(6);
      await log.append([delta(6)]);
      expect(await allOf(log)).toEqual([0, 1, 2, 3, 4, 5, 6].map((index) => delta(index)));
    });
  }
});

describe("the record of a session", () => {
  for (const damaged of [undefined, ...NO_RECORDS]) {
    test(`${JSON.stringify(damaged) ?? "lost"}: the session is listed, opens, and can be named anew`, async () => {
      const store = await reopenedAfter(await withLog(), [["s", "s"], damaged]);
      const expected = { id: "s", name: "Damaged session", eventCount: 6 };
      expect(await store.sessions()).toMatchObject([{ id: "other" }, expected]);
      await store.updateSession("s", { status: "ready" });
      expect(await store.database.records.read((reader) => reader.get(["s", "s"]))).toEqual(damaged);
      expect(await allOf(store.log("s"))).toHaveLength(6);
      await store.updateSession("s", { name: "Mine again" });
      expect(await store.sessions()).toMatchObject([{ id: "other" }, { name: "Mine again", eventCount: 6 }]);
    });
  }
});

describe("a project's settings", () => {
  for (const damaged of [
    null,
    7,
    "{",
    [1],
    { json: '{"draft":"kepf"}', checksum: 3 },
    { json: '{"draft":', checksum: 1 },
  ]) {
    test(`${JSON.stringify(damaged)}: said to be damaged, and kept aside when new ones are saved`, async () => {
      const place = await openNew();
      await place.store.disk("d").write("/a", "1");
      const store = await reopenedAfter(place, [["doc"], damaged]);
      await expect(store.loadDocument()).rejects.toBeInstanceOf(DamagedRecordError);
      await expect(store.loadDocument()).rejects.toMatchObject({
        reason: "The record of this project's settings is damaged: what is stored is not what was written.",
      });
      expect(await store.disk("d").read("/a")).toBe("1");
      await store.saveDocument({ draft: "new" });
      expect(await store.loadDocument()).toEqual({ draft: "new" });
      await store.saveDocument({ draft: "newer" });
      expect(await store.database.records.read((reader) => reader.get(["doc", "damaged"]))).toEqual(damaged);
    });
  }

  test("of an earlier version are read as they are", async () => {
    const store = await reopenedAfter(await openNew(), [["doc"], { draft: "older" }]);
    expect(await store.loadDocument()).toEqual({ draft: "older" });
  });
});

describe("a list of what a session needs that is damaged", () => {
  for (const damaged of [null, { contents: "x" }, { contents: [], trees: [], checksum: 9 }]) {
    test(`${JSON.stringify(damaged)}: no clean-up takes anything away`, async () => {
      const place = await openNew();
      await place.store.createSession(record("s"));
      const before = await place.store.blobs.put("named by the log");
      await place.store.log("s").append([
        {
          type: "tree.changed",
          data: { reason: "edit", changes: [{ path: "/a", before }] },
          meta: { id: "e", at: "" },
        },
      ]);
      const store = await reopenedAfter(place, [["r", "s", 0], damaged]);
      await store.sweep().catch(() => undefined);
      expect(await store.blobs.getText(before)).toBe("named by the log");
    });
  }
});

describe("a stored tree", () => {
  test("with a damaged part does not open, whatever the damage, and says so; no clean-up takes of it", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`/d${index % 3}/f${index}`, `${index}`]),
    );
    const place = await openNew();
    const rootHash = await place.store.keepSnapshot("kept", await tempFs(files).snapshot());
    const parts = await place.store.database.records.read((reader) => reader.entries({ prefix: ["t"] }));
    let { store } = place;
    for (const [key, text] of parts) {
      for (const damaged of [
        null,
        "",
        String(text).slice(0, -3),
        String(text).replace(/[0-9a-f]{64}/, "0".repeat(64)),
        "{}",
      ]) {
        if (damaged === text) continue;
        store = await reopenedAfter({ ...place, store }, [key, damaged]);
        await expect(store.loadSnapshot(rootHash)).rejects.toBeInstanceOf(DamagedRecordError);
        await store.sweep().catch(() => undefined);
        store = await reopenedAfter({ ...place, store }, [key, text]);
        const tree = await store.loadSnapshot(rootHash);
        expect(tree.fileCount).toBe(200);
        for (const [, file] of tree.files()) await file.bytes();
      }
    }
  });
});

describe("the list of projects", () => {
  for (const damaged of [...NO_RECORDS, { id: "other", name: "wrong", createdAt: 1, updatedAt: 1 }]) {
    test(`with an entry that is ${JSON.stringify(damaged)}: shows it as damaged, opens it, and the others as ever`, async () => {
      const name = newName();
      const catalog = await openCatalog(name);
      const whole = await catalog.create("Whole");
      const { id } = await catalog.create("Named", { draft: "kept" });
      await changeList(name, ["project", id], damaged);
      const again = await openCatalog(name);
      expect((await again.list()).map((project) => [project.id, project.name])).toEqual([
        [whole.id, "Whole"],
        [id, "Project with a damaged entry"],
      ]);
      const store = await again.open(id);
      expect(await store.loadDocument()).toEqual({ draft: "kept" });
      await store.close();
      await again.rename(id, "Named again");
      expect((await again.list()).map((project) => project.name).toSorted()).toEqual(["Named again", "Whole"]);
    });
  }

  test("that was lost is made again of the projects that are there", async () => {
    const listName = newName();
    const catalog = await openCatalog(listName);
    const { id } = await catalog.create("Named", { draft: "kept" });
    catalog.close();
    await new Promise((resolve) => {
      indexedDB.deleteDatabase(listName).addEventListener("success", resolve);
    });
    const again = await openCatalog(listName);
    expect(await again.list()).toMatchObject([{ id, name: "Project found again" }]);
    expect(await (await again.open(id)).loadDocument()).toEqual({ draft: "kept" });
  });

  test("does not show a project whose making was cut off, and takes away what there is of it", async () => {
    const name = newName();
    const catalog = await openCatalog(name);
    const { id } = await catalog.create("Source");
    const store = await catalog.open(id);
    await store.disk("d").write("/a", "1");
    await store.close();
    const { put: original } = Object.getOwnPropertyDescriptors(IDBObjectStore.prototype);
    const copies = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (
      this: IDBObjectStore,
      ...args
    ) {
      if (this.transaction.db.name.endsWith(id) || this.transaction.db.name === name)
        return original.value?.apply(this, args) as IDBRequest<IDBValidKey>;
      // The tab is gone: nobody hears of it any more.
      throw new DOMException("gone", "AbortError");
    });
    void catalog.duplicate(id, "Copy").catch(() => undefined);
    await vi.waitFor(() => expect(copies).toHaveBeenCalled());
    await new Promise((resolve) => setTimeout(resolve, 200));
    copies.mockRestore();
    const again = await openCatalog(name);
    expect((await again.list()).map((project) => project.name)).toEqual(["Source"]);
    await vi.waitFor(async () => {
      const databases = await indexedDB.databases();
      expect(databases.filter((each) => each.name?.startsWith(`${name}/project/`))).toHaveLength(1);
    });
  });
});

/** Changes the list of projects behind everybody's back. */
async function changeList(name: string, key: RecordKey, value: unknown): Promise<void> {
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open(name);
    request.addEventListener("success", () => resolve(request.result));
  });
  await new Promise((resolve) => {
    const transaction = database.transaction("records", "readwrite");
    transaction.objectStore("records").put(value, [...key]);
    transaction.addEventListener("complete", resolve);
  });
  database.close();
}

test("trouble is told to whoever listens to the project", async () => {
  const { catalog, id, store } = await openNew();
  const heard: ProjectChange[] = [];
  store.subscribe((change) => heard.push(change));
  const other = await catalog.open(id);
  await other.database.records.write(async (writer) => writer.put(["h"], { schema: 99, epoch: 1 }));
  await store.database.lookAgain();
  expect(heard).toContainEqual({ kind: "trouble" });
  expect(store.trouble()?.kind).toBe("newer");
  await expect(store.saveDocument({})).rejects.toMatchObject({ reason: store.trouble()?.reason });
  const writer = createLogWriter(store.log("s"));
  writer.append(delta(0));
  await expect(writer.durable()).rejects.toMatchObject({ code: "unavailable" });
});
