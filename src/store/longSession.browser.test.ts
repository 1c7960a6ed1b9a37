import { afterEach, describe, expect, test } from "vitest";
import { SnapshotTree } from "../fs";
import { openProjects, type ProjectStore, type SessionLog } from "../storage";
import { longLog } from "../testing/longLog";
import { importedSessions } from "./importSessions";
import { createNoticeStore } from "./noticeStore";
import { ReplayLog } from "./replayLog";
import type { WorkbenchCore } from "./workbenchCore";

const closing: (() => Promise<void>)[] = [];

async function openStore(): Promise<ProjectStore> {
  const catalog = await openProjects({ name: `long session ${Date.now()} ${closing.length}`, now: () => 1 });
  const { id } = await catalog.create("Project");
  const storage = await catalog.open(id);
  closing.push(async () => {
    await storage.close();
    await catalog.delete(id);
    catalog.close();
  });
  return storage;
}

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A log that tells how many events were read of it. */
function counted(log: SessionLog): { readonly log: SessionLog; readonly read: () => number } {
  let read = 0;
  return {
    read: () => read,
    log: {
      sessionId: log.sessionId,
      append: (events) => log.append(events),
      length: () => log.length(),
      read: (fromIndex) => log.read(fromIndex),
      async *readPages(fromIndex, options) {
        for await (const page of log.readPages(fromIndex, options)) {
          read += page.events.length;
          yield page;
        }
      },
    },
  };
}

describe("a session of 100,000 events in the browser's storage", () => {
  test("is there at its end after a few pages, and any place of it when all was gone through", async () => {
    const storage = await openStore();
    const session = { id: "long", name: "", createdAt: 1, updatedAt: 1, eventCount: 0, status: "ready", preview: "" };
    await storage.createSession({ ...session, origin: "import" });
    const events = [...longLog({ turns: 500, stepsATurn: 40 })];
    for (let from = 0; from < events.length; from += 10_000)
      await storage.log("long").append(events.slice(from, from + 10_000));
    expect(events.length).toBeGreaterThan(100_000);

    const { log, read } = counted(storage.log("long"));
    const { signal } = new AbortController();
    const startOf = () => Promise.resolve(SnapshotTree.empty);
    const opened = await ReplayLog.open({ log, blobs: storage.blobs, startOf, signal }, () => undefined);
    expect([opened.eventCount, opened.isIndexed]).toEqual([events.length, false]);
    expect(opened.viewAt(events.length - 1)?.eventAt(events.length - 1)).toEqual(events.at(-1));
    expect(read()).toBeLessThan(4_000);

    const told: number[] = [];
    await opened.readOn((count) => told.push(count));
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(opened.isIndexed).toBe(true);
    expect(opened.index.stepIndexes.length).toBe(20_000);
    for (const index of [0, 50_000, 99_000]) {
      await opened.prepare(index);
      const view = opened.viewAt(index);
      expect(view?.eventAt(index)).toEqual(events[index]);
      expect(view?.stateAt(index).eventCount).toBe(index + 1);
      expect(view?.events.length).toBeLessThanOrEqual(2 * 1_024);
    }
  });
});

describe("an import that is stopped in the middle", () => {
  test("leaves nothing in the browser's storage", async () => {
    const storage = await openStore();
    const notices = createNoticeStore();
    let seeds = 0;
    const services = { clock: () => 1, randomSeed: () => `seed ${seeds++}` };
    const core = { storage, notices, services } as unknown as WorkbenchCore;
    const recordsNow = () => storage.database.records.read((reader) => reader.keys({ prefix: [] }));
    const before = await recordsNow();
    // Large outputs, so that there are values of their own beside the log and the original.
    const lines = [...longLog({ turns: 4, stepsATurn: 400, outputCharacters: 200 })].map((event, index) => {
      const large = event.type === "message.received" ? { message: `${index} `.repeat(20_000) } : {};
      return JSON.stringify({ ...event, data: { ...event.data, ...large } });
    });
    const stop = new AbortController();
    const blob = new Blob([lines.join("\n")]);
    const stored: number[] = [];
    const first = await importedSessions(
      core,
      { name: "long.ndjson", files: [{ path: "long.ndjson", blob }] },
      {
        signal: stop.signal,
        begun: () => undefined,
        progress({ storedEvents }) {
          if (storedEvents === undefined) return;
          stored.push(storedEvents);
          if (stored.length === 2) stop.abort(new Error("enough"));
        },
      },
    );
    expect([first, stored]).toEqual([undefined, [1_000, 2_000]]);
    expect(notices.getState().notices.map(({ text }) => text)).toEqual(["The import of long.ndjson was stopped."]);
    await storage.sweep();
    const kinds = new Set(["b", "e", "l", "p", "r", "s", "x"]);
    const ofSessions = (keys: typeof before) => keys.filter(([kind]) => kinds.has(String(kind)));
    expect(ofSessions(await recordsNow())).toEqual(ofSessions(before));
  });
});
