import { describe, expect, it } from "vitest";
import { sha256HexSync } from "../base";
import type { EventData, SessionEvent } from "../session";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { until, workbenchFixture, type WorkbenchFixture } from "../testing/workbenchFixture";
import { createReplay } from "../trajectory";

const says = (text: string) => ({ parts: [...textParts("t", text), finishPart("stop")] });
const writes = (id: string, path: string, fileText: string) => ({
  parts: [...callParts(id, "Write", { path, fileText }), finishPart("tool-calls")],
});
const sessionOf = (fixture: WorkbenchFixture) => fixture.workbench.session.getState();
const mountsOf = (fixture: WorkbenchFixture) => fixture.workbench.mounts.getState();
const hash = (text: string) => sha256HexSync(text);

async function logOf(fixture: WorkbenchFixture, sessionId: string): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const batch of fixture.workbench.storage.log(sessionId).read()) events.push(...batch);
  return events;
}

/** What the stored log of the shown session tells of its tree, without where it is kept. */
async function toldOf(fixture: WorkbenchFixture, sessionId = sessionOf(fixture).currentId ?? "") {
  const events = await logOf(fixture, sessionId);
  return events.flatMap((event) => {
    if (event.type !== "tree.changed") return [];
    const { snapshot, ...data } = event.data;
    expect(snapshot).toMatch(/^[0-9a-f]{64}$/);
    return [data];
  });
}

async function toldSoon(
  fixture: WorkbenchFixture,
  count: number,
): Promise<Omit<EventData["tree.changed"], "snapshot">[]> {
  const { currentId } = sessionOf(fixture);
  await expect.poll(async () => (await toldOf(fixture, currentId)).length).toBe(count);
  return toldOf(fixture, currentId);
}

async function undo(fixture: WorkbenchFixture): Promise<void> {
  fixture.workbench.notices
    .getState()
    .notices.findLast((notice) => notice.action?.label === "Undo")
    ?.action?.run();
}

/** The replayed tree is the tree as it is. */
async function expectReplayed(fixture: WorkbenchFixture): Promise<void> {
  const events = await logOf(fixture, sessionOf(fixture).currentId ?? "");
  const [started] = events;
  const root = started?.type === "session.started" ? started.data.playground?.snapshot : undefined;
  const { storage } = fixture.workbench;
  const replay = createReplay(events, await storage.loadSnapshot(root ?? ""), storage.blobs);
  const contents = async (tree: { files(): Iterable<readonly [string, { bytes(): Promise<Uint8Array> }]> }) =>
    Promise.all([...tree.files()].map(async ([path, file]) => [path, new TextDecoder().decode(await file.bytes())]));
  expect(await contents(replay.treeAt(events.length - 1))).toEqual(
    await contents(await mountsOf(fixture).currentSnapshot()),
  );
}

describe("a person's change while a session is open", () => {
  it("is in its log as soon as it is stored, under its own reason", async () => {
    const fixture = await workbenchFixture({ model: scriptedModel([writes("c1", "/work/a", "one"), says("Done.")]) });
    await sessionOf(fixture).send("go");
    const [a1, a2] = [hash("one"), hash("edited")];

    await mountsOf(fixture).write("/work/a", "edited");
    expect(await toldSoon(fixture, 1)).toEqual([
      { reason: "edit", changes: [{ path: "/work/a", before: a1, after: a2, sizeBytes: 6 }] },
    ]);
    await mountsOf(fixture).remove(["/work/a"]);
    await toldSoon(fixture, 2);
    await undo(fixture);
    await toldSoon(fixture, 3);
    await mountsOf(fixture).revert(["/work/a"]);
    await toldSoon(fixture, 4);
    await undo(fixture);
    expect((await toldSoon(fixture, 5)).slice(1)).toEqual([
      { reason: "edit", changes: [{ path: "/work/a", before: a2 }] },
      { reason: "revert", changes: [{ path: "/work/a", after: a2, sizeBytes: 6 }] },
      { reason: "revert", changes: [{ path: "/work/a", before: a2 }] },
      { reason: "edit", changes: [{ path: "/work/a", after: a2, sizeBytes: 6 }] },
    ]);
    await until(() => sessionOf(fixture).session.eventCount === sessionOf(fixture).events().length, "the notices");
    expect(
      [...sessionOf(fixture).session.items].flatMap((item) => (item.kind === "notice" ? [item.text] : [])),
    ).toEqual([
      "A person changed files: /work/a.",
      "A person changed files: /work/a.",
      "A person took changes back: /work/a.",
      "A person took changes back: /work/a.",
      "A person changed files: /work/a.",
    ]);
    await expectReplayed(fixture);
  });

  it("tells an import when it is stored, and a mount with the table as it is since", async () => {
    const fixture = await workbenchFixture({ model: scriptedModel([says("Done.")]) });
    await sessionOf(fixture).send("go");
    const bytes = new TextEncoder().encode("new");
    const items = [{ kind: "file" as const, path: "b", sizeBytes: 3, bytes: () => Promise.resolve(bytes) }];
    await mountsOf(fixture).importInto("/work", { label: "b", items });
    await toldSoon(fixture, 1);
    await mountsOf(fixture).addMount({ prefix: "/data", kind: "idb", readOnly: true });
    await toldSoon(fixture, 2);
    await mountsOf(fixture).write("/work/b", "newer");
    const work = { prefix: "/work", kind: "idb", readOnly: false };
    const notes = { prefix: "/notes", kind: "memory", readOnly: false };
    expect(await toldSoon(fixture, 3)).toEqual([
      { reason: "edit", changes: [{ path: "/work/b", after: hash("new"), sizeBytes: 3 }] },
      { reason: "mounts", changes: [], mounts: [work, notes, { prefix: "/data", kind: "idb", readOnly: true }] },
      { reason: "edit", changes: [{ path: "/work/b", before: hash("new"), after: hash("newer"), sizeBytes: 5 }] },
    ]);
    await until(() => sessionOf(fixture).session.eventCount === sessionOf(fixture).events().length, "the notices");
    expect(
      [...sessionOf(fixture).session.items].flatMap((item) => (item.kind === "notice" ? [item.text] : [])),
    ).toEqual([
      "A person changed files: /work/b.",
      "The mounts changed: + /data (IndexedDB, read-only).",
      "A person changed files: /work/b.",
    ]);
  });

  it("is told while the model still writes, and the turn's own writes are not laid on the person", async () => {
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const fixture = await workbenchFixture({
      model: scriptedModel([
        writes("c1", "/work/a", "agent's"),
        {
          parts: [
            ...textParts("t", "Hm.").slice(0, 2),
            held,
            ...callParts("c2", "Write", { path: "/work/b", fileText: "b" }),
            finishPart("tool-calls"),
          ],
        },
        says("Done."),
      ]),
    });
    const turn = sessionOf(fixture).send("go");
    await until(() => sessionOf(fixture).session.steps.length === 2, "the second step");
    await mountsOf(fixture).write("/work/a", "person's");
    await toldSoon(fixture, 1);
    goOn();
    await turn;
    const events = await logOf(fixture, sessionOf(fixture).currentId ?? "");
    expect(
      events.flatMap((event) =>
        event.type === "tree.changed" || event.type === "action.result"
          ? [[event.type, event.data.changes?.map(({ path, before, after }) => [path, before, after])]]
          : [],
      ),
    ).toEqual([
      ["action.result", [["/work/a", undefined, hash("agent's")]]],
      ["tree.changed", [["/work/a", hash("agent's"), hash("person's")]]],
      ["action.result", [["/work/b", undefined, hash("b")]]],
    ]);
    await expectReplayed(fixture);
  });

  it("leaves a running turn the mounts it began with; the next one is told of the table as it is", async () => {
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const fixture = await workbenchFixture({
      model: scriptedModel([
        writes("c1", "/work/a", "a"),
        {
          parts: [
            ...textParts("t", "Hm.").slice(0, 2),
            held,
            ...callParts("c2", "Write", { path: "/work/b", fileText: "b" }),
            finishPart("tool-calls"),
          ],
        },
        says("Done."),
        says("Seen."),
      ]),
    });
    const turn = sessionOf(fixture).send("go");
    await until(() => sessionOf(fixture).session.steps.length === 2, "the second step");
    const [work] = mountsOf(fixture).mounts;
    await mountsOf(fixture).editMount(work?.id ?? "", { prefix: "/moved" });
    await mountsOf(fixture).addMount({ prefix: "/data", kind: "memory", readOnly: true });
    goOn();
    await turn;
    expect(await mountsOf(fixture).liveTree().read("/moved/b")).toBe("b");
    await sessionOf(fixture).send("more");
    const events = await logOf(fixture, sessionOf(fixture).currentId ?? "");
    const lines = events.flatMap((event): unknown[] => {
      if (event.type === "tree.changed") {
        return [[event.data.reason, event.data.mounts?.map(({ prefix }) => prefix)]];
      }
      return event.type === "action.result" || event.type === "turn.started" ? [event.type] : [];
    });
    expect(lines).toEqual([
      "turn.started",
      "action.result",
      "action.result",
      ["mounts", ["/moved", "/notes", "/data"]],
      "turn.started",
    ]);
    await expectReplayed(fixture);
  });

  it("goes to the session that is open then, also when that is left right after", async () => {
    const fixture = await workbenchFixture({ model: scriptedModel([says("One."), says("Two.")]) });
    await sessionOf(fixture).send("first");
    const first = sessionOf(fixture).currentId ?? "";
    const written = mountsOf(fixture).write("/work/a", "a");
    sessionOf(fixture).startNew();
    await written;
    await expect
      .poll(() => toldOf(fixture, first))
      .toEqual([{ reason: "edit", changes: [{ path: "/work/a", after: hash("a"), sizeBytes: 1 }] }]);
    await mountsOf(fixture).write("/work/a", "nobody's");
    await sessionOf(fixture).send("second");
    expect(await toldOf(fixture)).toEqual([]);
    expect(await toldOf(fixture, first)).toHaveLength(1);
  });

  it("that the page did not live to tell is told when the session comes back with it", async () => {
    const before = await workbenchFixture({ model: scriptedModel([says("One.")]) });
    await sessionOf(before).send("go");
    const { currentId = "" } = sessionOf(before);
    await sessionOf(before).dispose();
    await mountsOf(before).write("/work/a", "late");
    expect(await toldOf(before, currentId)).toEqual([]);
    const after = await workbenchFixture({ from: before });
    await expect
      .poll(() => toldOf(after, currentId))
      .toEqual([{ reason: "edit", changes: [{ path: "/work/a", after: hash("late"), sizeBytes: 4 }] }]);
  });
});

describe("a crash in a call that reads", () => {
  it("lays what a person changed meanwhile on no call", async () => {
    const before = await workbenchFixture({
      model: scriptedModel([
        { parts: [...callParts("c1", "LS", { path: "/work" }), finishPart("tool-calls")] },
        says("One."),
      ]),
    });
    await sessionOf(before).send("go");
    const { currentId = "" } = sessionOf(before);
    const events = await logOf(before, currentId);
    const again = events.slice(
      1,
      events.findIndex(({ type }) => type === "action.result"),
    );
    await sessionOf(before).dispose();
    await before.workbench.storage
      .log(currentId)
      .append(
        JSON.parse(JSON.stringify(again).replaceAll("turn_0", "turn_1").replaceAll("c1", "c2")) as SessionEvent[],
      );
    await mountsOf(before).write("/work/a", "person's");

    const after = await workbenchFixture({ from: before });
    await until(() => sessionOf(after).session.status === "ready", "the mended turn");
    await expect
      .poll(() => toldOf(after, currentId))
      .toEqual([{ reason: "edit", changes: [{ path: "/work/a", after: hash("person's"), sizeBytes: 8 }] }]);
    const mended = (await logOf(after, currentId)).slice(events.length + again.length);
    expect(mended.map(({ type, data }) => [type, "changes" in data])).toEqual([
      ["action.result", false],
      ["step.failed", false],
      ["turn.failed", false],
      ["session.waiting", false],
      ["tree.changed", true],
    ]);
  });
});

describe("the instant a session takes for now", () => {
  it("is refused with words when it is none", async () => {
    const fixture = await workbenchFixture();
    expect(await sessionOf(fixture).setAsOf("yesterday")).toBe(
      '"yesterday" is no instant. Give an ISO-8601 date and time with a zone, e.g. 2025-01-31T12:00:00Z.',
    );
    expect(sessionOf(fixture).asOf).toBeUndefined();
  });

  it("is told to the model in every turn, kept in the log, and fixed", async () => {
    const asOf = "2025-01-31T12:00:00Z";
    const model = scriptedModel([says("One."), says("Two.")]);
    const fixture = await workbenchFixture({ model });
    expect(await sessionOf(fixture).setAsOf(asOf)).toBeUndefined();
    await sessionOf(fixture).send("go");
    await sessionOf(fixture).setAsOf(undefined);
    await sessionOf(fixture).send("again");
    expect([sessionOf(fixture).asOf, sessionOf(fixture).session.started?.playground?.asOf]).toEqual([asOf, asOf]);
    expect(
      model.requests.map(({ prompt }) =>
        prompt[0]?.role === "system" ? prompt[0].content.split("\n").at(-1) : undefined,
      ),
    ).toEqual([
      `As of: ${asOf}. Treat this instant as now; nothing later has happened.`,
      `As of: ${asOf}. Treat this instant as now; nothing later has happened.`,
    ]);
    const sessionId = sessionOf(fixture).session.sessionId;
    const context = `<agentkit_context>\nsession: ${sessionId}\nchannel: playground\ntime: ${asOf}\n</agentkit_context>\n\n`;
    expect(model.requests[1]?.prompt.filter(({ role }) => role === "user").map(({ content }) => content)).toEqual([
      [{ type: "text", text: `${context}go` }],
      [{ type: "text", text: "again" }],
    ]);
    sessionOf(fixture).startNew();
    expect(sessionOf(fixture).asOf).toBeUndefined();
  });
});
