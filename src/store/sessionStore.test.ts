import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../session";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { until, workbenchFixture, type WorkbenchFixture } from "../testing/workbenchFixture";

const says = (text: string) => ({ parts: [...textParts("t", text), finishPart("stop")] });
const calls = (id: string, tool: string, input: object) => ({
  parts: [...callParts(id, tool, input), finishPart("tool-calls")],
});
const writes = (id: string, path = "/work/a.md", fileText = "one\n") => calls(id, "Write", { path, fileText });

const sessionOf = (fixture: WorkbenchFixture) => fixture.workbench.session.getState();
const typesOf = (events: readonly SessionEvent[]) => events.map((event) => event.type);
const messagesOf = (fixture: WorkbenchFixture) =>
  fixture.workbench.notices.getState().notices.map((notice) => notice.text);

async function storedEvents(fixture: WorkbenchFixture, sessionId: string): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const batch of fixture.workbench.storage.log(sessionId).read()) events.push(...batch);
  return events;
}

async function contentsOf(fixture: WorkbenchFixture, path: string): Promise<string | Uint8Array | undefined> {
  const tree = fixture.workbench.mounts.getState().liveTree();
  return (await tree.stat(path)).kind === "file" ? tree.read(path) : undefined;
}

describe("createSessionStore", () => {
  it("begins a session with the first message; log, state and list tell the same", async () => {
    const fixture = await workbenchFixture({ model: scriptedModel([writes("c1"), says("Done.")]) });
    await sessionOf(fixture).send("  Write it\nplease  ");
    const { currentId, session, sessions, runner } = sessionOf(fixture);
    const stored = await storedEvents(fixture, currentId ?? "");
    expect(stored).toEqual(sessionOf(fixture).events());
    expect(typesOf(stored).filter((type) => !type.endsWith("appended"))).toEqual([
      "session.started",
      "turn.started",
      "message.received",
      "step.started",
      "actions.requested",
      "action.result",
      "step.completed",
      "step.started",
      "message.completed",
      "step.completed",
      "turn.completed",
      "session.waiting",
    ]);
    expect([session.eventCount, session.status, runner]).toEqual([stored.length, "ready", "nobody"]);
    expect(session.counts).toEqual({ calls: 1, ok: 1, stubbed: 0, failed: 0, rejected: 0, running: 0 });
    expect(sessions.map(({ name, status, eventCount, origin }) => ({ name, status, eventCount, origin }))).toEqual([
      { name: "Write it", status: "ready", eventCount: stored.length, origin: "live" },
    ]);
    expect(await contentsOf(fixture, "/work/a.md")).toBe("one\n");
  });

  it("keeps what replay needs: the starting tree, the requests and both sides of every change", async () => {
    const fixture = await workbenchFixture({
      model: scriptedModel([writes("c1"), writes("c2", "/work/a.md", "two\n"), says("Done.")]),
    });
    await sessionOf(fixture).send("go");
    const { session, stepRequest, callDifferences, callOutputText } = sessionOf(fixture);
    const start = await fixture.workbench.storage.loadSnapshot(session.started?.playground?.snapshot ?? "");
    expect(start.fileCount).toBe(0);
    expect(await callDifferences("c2")).toEqual([
      {
        path: "/work/a.md",
        kind: "modified",
        linesAdded: 1,
        linesRemoved: 1,
        lines: [
          { kind: "removed", text: "one" },
          { kind: "added", text: "two" },
        ],
      },
    ]);
    expect(await callOutputText("c1")).toBe("Wrote contents to /work/a.md");
    const request = await stepRequest("turn_0/1");
    expect(request?.parts[0]?.owner).toBe("instructions");
    expect(request?.comparedWith).toBe("turn_0/0");
    expect(request?.difference?.filter((changed) => changed.change === "added").map(({ part }) => part.title)).toEqual([
      "call of Write",
      "result of Write",
    ]);
  });

  it("stops in mid-stream and in mid-call, and is ready again", async () => {
    const fixture = await workbenchFixture({
      model: scriptedModel([{ parts: textParts("t", "half").slice(0, 2), hang: true }]),
    });
    const run = sessionOf(fixture).send("go");
    await until(() => sessionOf(fixture).session.steps.length === 1, "the first step");
    sessionOf(fixture).stop();
    expect(sessionOf(fixture).stopping).toBe(true);
    await run;
    const { session, runner, stopping } = sessionOf(fixture);
    expect([session.status, session.turns.get(0)?.status, session.turns.get(0)?.code, runner, stopping]).toEqual([
      "ready",
      "failed",
      "interrupted",
      "nobody",
      false,
    ]);
  });

  it("lets a follow-up interrupt the turn that runs, then runs it", async () => {
    const fixture = await workbenchFixture({
      model: scriptedModel([{ parts: textParts("t", "slow"), hang: true }, says("Second.")]),
    });
    const first = sessionOf(fixture).send("first");
    await until(() => sessionOf(fixture).session.itemIds.length >= 2, "the first words");
    await sessionOf(fixture).send("second");
    await first;
    const { session, sessions } = sessionOf(fixture);
    expect([...session.turns].map((turn) => turn.status)).toEqual(["failed", "completed"]);
    expect(sessions).toHaveLength(1);
  });

  it("parks a write that asks, survives a reload, and runs it once it is approved", async () => {
    const model = scriptedModel([writes("c1"), says("Done.")]);
    const before = await workbenchFixture({ model });
    sessionOf(before).setAsksBeforeWrites(true);
    await sessionOf(before).send("go");
    expect(sessionOf(before).session.status).toBe("input");
    expect(await contentsOf(before, "/work/a.md")).toBeUndefined();
    await before.workbench.project.getState().flush();

    const after = await workbenchFixture({ from: before, model });
    await until(() => sessionOf(after).session.status === "input", "the parked session");
    expect(sessionOf(after).asksBeforeWrites).toBe(true);
    expect(await sessionOf(after).approvalDifference("c1")).toEqual({
      path: "/work/a.md",
      kind: "added",
      linesAdded: 1,
      linesRemoved: 0,
      lines: [{ kind: "added", text: "one" }],
    });
    await sessionOf(after).answer("c1", { kind: "approve", input: { path: "/work/a.md", fileText: "mine\n" } });
    expect(sessionOf(after).session.status).toBe("ready");
    expect(await contentsOf(after, "/work/a.md")).toBe("mine\n");
  });

  it("tells the model why a write was denied, and asks no more for a tool that is always allowed", async () => {
    const model = scriptedModel([writes("c1"), writes("c2"), writes("c3", "/work/b.md"), says("Done.")]);
    const fixture = await workbenchFixture({
      model,
      document: { agent: { name: "A", instructions: "x", approvals: "writes" } },
    });
    await sessionOf(fixture).send("go");
    await sessionOf(fixture).answer("c1", { kind: "deny", words: "not that one" });
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain("not that one");
    expect([...sessionOf(fixture).alwaysAllowed]).toEqual([]);
    await sessionOf(fixture).answer("c2", { kind: "always" });
    const { session, alwaysAllowed } = sessionOf(fixture);
    expect([session.status, session.counts.rejected, session.counts.ok, [...alwaysAllowed]]).toEqual([
      "ready",
      1,
      2,
      ["Write"],
    ]);
  });

  it("runs nothing but reads in a dry run, fixed when the session begins", async () => {
    const fixture = await workbenchFixture({ model: scriptedModel([writes("c1"), says("Done.")]) });
    sessionOf(fixture).setDryRun(true);
    await sessionOf(fixture).send("go");
    sessionOf(fixture).setDryRun(false);
    expect([sessionOf(fixture).dryRun, await contentsOf(fixture, "/work/a.md")]).toEqual([true, undefined]);
    sessionOf(fixture).startNew();
    expect(sessionOf(fixture).dryRun).toBe(false);
  });

  it("tells the log what a person edited between two turns", async () => {
    const fixture = await workbenchFixture({ model: scriptedModel([writes("c1"), says("One."), says("Two.")]) });
    await sessionOf(fixture).send("go");
    await fixture.workbench.mounts.getState().liveTree().write("/work/a.md", "edited\n");
    fixture.workbench.project.getState().changeAgent({ instructions: "Other words." });
    await sessionOf(fixture).send("again");
    const events = sessionOf(fixture).events();
    const changed = events.find((event) => event.type === "tree.changed");
    expect(changed?.data).toMatchObject({ reason: "edit", changes: [{ path: "/work/a.md" }] });
    expect(typesOf(events).filter((type) => type === "tree.changed" || type === "agent.changed")).toEqual([
      "tree.changed",
      "agent.changed",
    ]);
  });

  it("mends a session whose tab died in mid-turn, and says so", async () => {
    const before = await workbenchFixture({ model: scriptedModel([says("One.")]) });
    await sessionOf(before).send("go");
    const { currentId } = sessionOf(before);
    const cut = sessionOf(before).events().slice(1, 4);
    await sessionOf(before).dispose();
    const log = before.workbench.storage.log(currentId ?? "");
    await log.append(
      cut.map((event) => ({ ...event, data: { ...event.data, turnId: "turn_1", sequence: 1 } }) as SessionEvent),
    );

    const after = await workbenchFixture({ from: before });
    await until(
      () => sessionOf(after).session.turns.length === 2 && sessionOf(after).runner === "nobody",
      "the mended turn",
    );
    const { session } = sessionOf(after);
    expect([session.status, session.turns.get(1)?.status, session.turns.get(1)?.code]).toEqual([
      "ready",
      "failed",
      "host-lost",
    ]);
    expect(messagesOf(after)).toEqual([expect.stringContaining("The page was closed while this session ran.")]);
  });

  it("runs nothing in a session another tab runs, and keeps the message", async () => {
    const fixture = await workbenchFixture({ model: scriptedModel([says("One.")]) });
    await sessionOf(fixture).send("go");
    const release = await fixture.workbench.storage.lockSession(sessionOf(fixture).currentId ?? "");
    await sessionOf(fixture).send("again");
    expect(messagesOf(fixture)).toEqual([expect.stringContaining("Another tab runs this session.")]);
    expect(fixture.workbench.project.getState().draft).toBe("again");
    release?.();
  });

  it("says every fault of an agent that cannot run, and keeps the message", async () => {
    const fixture = await workbenchFixture({ document: { agent: { name: "", instructions: "x" } } });
    await sessionOf(fixture).send("go");
    expect(sessionOf(fixture).currentId).toBeUndefined();
    expect(fixture.workbench.notices.getState().notices[0]?.details).toEqual([expect.stringContaining("name")]);
    expect(fixture.workbench.project.getState().draft).toBe("go");
  });

  it("opens, names, searches by list, deletes and brings back sessions", async () => {
    const fixture = await workbenchFixture({ model: scriptedModel([says("One."), says("Two.")]) });
    await sessionOf(fixture).send("first");
    const first = sessionOf(fixture).currentId ?? "";
    sessionOf(fixture).startNew();
    await sessionOf(fixture).send("second");
    await sessionOf(fixture).rename(first, "Renamed");
    await sessionOf(fixture).open(first);
    expect([...sessionOf(fixture).session.items].map((item) => item.kind)).toEqual(["user", "assistant"]);
    await sessionOf(fixture).remove(first);
    expect([sessionOf(fixture).currentId, sessionOf(fixture).sessions.map((record) => record.name)]).toEqual([
      undefined,
      ["second"],
    ]);
    const [notice] = fixture.workbench.notices.getState().notices;
    const file = await notice?.file?.();
    expect([file?.name, (await file?.contents.slice(0, 2).text()) ?? ""]).toEqual(["Renamed.zip", "PK"]);
    notice?.action?.run();
    await until(() => sessionOf(fixture).sessions.length === 2, "the undone deletion");
    expect(
      sessionOf(fixture)
        .sessions.map((record) => record.name)
        .toSorted(),
    ).toEqual(["Renamed", "second"]);

    await sessionOf(fixture).remove(...sessionOf(fixture).sessions.map(({ id }) => id));
    expect(sessionOf(fixture).sessions).toEqual([]);
    const many = fixture.workbench.notices.getState().notices.at(-1);
    expect([many?.text, many?.file]).toEqual(["2 sessions deleted", undefined]);
    many?.action?.run();
    await until(() => sessionOf(fixture).sessions.length === 2, "the undone deletion of both");
    await sessionOf(fixture).dispose();
  });

  it("ends the run of a session that is deleted or whose project is left, its log whole", async () => {
    const hanging = () => scriptedModel([{ parts: textParts("t", "slow"), hang: true }]);
    const fixture = await workbenchFixture({ model: hanging() });
    const first = sessionOf(fixture).send("first");
    await until(() => sessionOf(fixture).session.itemIds.length >= 2, "the first words");
    const firstId = sessionOf(fixture).currentId ?? "";
    await sessionOf(fixture).remove(firstId);
    await first;
    expect([sessionOf(fixture).runner, sessionOf(fixture).sessions]).toEqual(["nobody", []]);

    fixture.useModel(hanging());
    const second = sessionOf(fixture).send("second");
    await until(() => sessionOf(fixture).session.itemIds.length >= 2, "the second words");
    const secondId = sessionOf(fixture).currentId ?? "";
    await sessionOf(fixture).dispose();
    await second;
    expect((await storedEvents(fixture, secondId)).slice(-2).map((event) => event.type)).toEqual([
      "turn.failed",
      "session.waiting",
    ]);
    expect((await fixture.workbench.storage.sessions()).map((record) => record.id)).toEqual([secondId]);
  });

  it("sends a message again as a session of its own with the turns before it", async () => {
    const model = scriptedModel([says("One."), says("Two."), says("Other two.")]);
    const fixture = await workbenchFixture({ model });
    await sessionOf(fixture).send("first");
    await sessionOf(fixture).send("second");
    const old = sessionOf(fixture).currentId;
    await sessionOf(fixture).sendAgain("turn_1", "second, differently");
    const { session, currentId, sessions } = sessionOf(fixture);
    expect(currentId).not.toBe(old);
    expect(session.started?.predecessor).toEqual({ sessionId: old });
    expect([...session.items].map((item) => "text" in item && item.text)).toEqual([
      "first",
      "One.",
      "second, differently",
      "Other two.",
    ]);
    expect(sessions).toHaveLength(2);
    expect(JSON.stringify(model.requests[2]?.prompt)).toContain("One.");
  });

  it.each(["ndjson", "zip"] as const)("saves a session as .%s and reads it back with nothing lost", async (format) => {
    const fixture = await workbenchFixture({ model: scriptedModel([writes("c1"), says("Done.")]) });
    await sessionOf(fixture).send("Write: it/now");
    const { currentId, exportSession } = sessionOf(fixture);
    const file = await exportSession(currentId ?? "", format);
    expect(file.name).toBe(`Write-it-now.${format}`);

    const other = await workbenchFixture();
    const sessionId = await sessionOf(other).importSession(file);
    expect(await storedEvents(other, sessionId ?? "")).toEqual(await storedEvents(fixture, currentId ?? ""));
    expect(sessionOf(other).sessions).toMatchObject([{ id: sessionId, origin: "import", name: "Write: it/now" }]);
    await sessionOf(other).open(sessionId ?? "");
    const [difference] = await sessionOf(other).callDifferences("c1");
    expect(difference?.reason === undefined).toBe(format === "zip");
  });

  it("says why a file is no session, and saves nothing of it", async () => {
    const fixture = await workbenchFixture();
    const file = { name: "broken.zip", contents: new Blob(["PK not a zip"]) };
    expect(await sessionOf(fixture).importSession(file)).toBeUndefined();
    expect(messagesOf(fixture)).toEqual([expect.stringContaining("broken.zip was not imported:")]);
    expect(sessionOf(fixture).sessions).toEqual([]);
  });
});
