import { expect, test, vi } from "vitest";
import { limits } from "../base";
import { idbFs, memoryRecords, openProjectDatabase, QuotaError, type Records } from "../fs";
import type { SessionEvent } from "../session";
import { createLogWriter } from "./createLogWriter";
import { openProject } from "./openProject";

/** Records with room for so many bytes in one value; as in browsers the put succeeds, then the transaction fails. */
function roomFor(bytes: () => number): Records {
  const kept = memoryRecords();
  return {
    read: (body) => kept.read(body),
    write: (body) =>
      kept.write(async (writer) => {
        let isFull = false;
        const result = await body({
          ...writer,
          put(key, value) {
            isFull ||= value instanceof Uint8Array && value.length > bytes();
            writer.put(key, value);
          },
        });
        if (isFull) throw new QuotaError("/");
        return result;
      }),
    close: () => kept.close(),
  };
}

const said = (index: number, messageDelta: string): SessionEvent => ({
  type: "message.appended",
  data: { turnId: "turn_0", sequence: 0, stepIndex: 0, messageDelta },
  meta: { id: `evt_${index}`, at: "2026-01-01T00:00:00.000Z" },
});

test("a log keeps every event when there is no room for a large value: the value is lost, its reference stays", async () => {
  let room = Infinity;
  const database = await openProjectDatabase("p", { storage: roomFor(() => room) });
  const project = openProject(database, {
    id: "p",
    name: "p",
    now: () => 1,
    reason: undefined,
    close: () => undefined,
  });
  const record = { id: "s", name: "", createdAt: 1, updatedAt: 1, eventCount: 0, status: "", preview: "" };
  await project.createSession({ ...record, origin: "live" });
  const log = project.log("s");
  const writer = createLogWriter(log);
  room = 1_000;
  const large = "large ".repeat(limits.largeValueBytes);
  for (const event of [said(0, "before"), said(1, large), said(2, "after")]) writer.append(event);
  await writer.durable();
  const events: SessionEvent[] = [];
  for await (const page of log.read()) events.push(...page);
  expect(events).toHaveLength(3);
  expect([events[0], events[2]]).toEqual([said(0, "before"), said(2, "after")]);
  expect(events[1]).toMatchObject({ data: { messageDelta: { form: "text" } } });

  room = Infinity;
  writer.append(said(3, large));
  await writer.durable();
  const last: SessionEvent[] = [];
  for await (const page of log.read(3)) last.push(...page);
  expect(last).toEqual([said(3, large)]);
  await project.close();
});

test("what was deleted gives its room to the next write that finds none, once it can no longer be undone", async () => {
  // Bytes of contents there is room for.
  const room = 1_000_000;
  const kept = memoryRecords();
  const records: Records = {
    read: (body) => kept.read(body),
    write: (body) =>
      kept.write(async (writer) => {
        const result = await body(writer);
        const contents = (await writer.entries({ prefix: ["b"] })).map(([, value]) => value as Uint8Array);
        if (contents.reduce((sum, bytes) => sum + bytes.length, 0) > room) throw new QuotaError("/");
        return result;
      }),
    close: () => kept.close(),
  };
  const database = await openProjectDatabase("p", { storage: records });
  const disk = idbFs({ database, disk: "d" });
  await disk.write("/large", "a".repeat(700_000));
  await expect(disk.write("/other", "b".repeat(600_000))).rejects.toMatchObject({ code: "quota", path: "/other" });
  await disk.delete("/large");
  const clock = vi.spyOn(performance, "now");
  const now = performance.now();
  clock.mockReturnValue(now + limits.makeRoomMs + 1);
  await expect(disk.write("/other", "b".repeat(600_000))).rejects.toBeInstanceOf(QuotaError);
  clock.mockReturnValue(now + limits.droppedKeptMs + limits.makeRoomMs + 10);
  await disk.write("/other", "b".repeat(600_000));
  expect(await disk.read("/other")).toBe("b".repeat(600_000));
  clock.mockRestore();
});
