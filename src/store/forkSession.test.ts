import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../session";
import { callParts, finishPart, scriptedModel, textParts, type ScriptedModel } from "../testing/scriptedModel";
import { until, workbenchFixture, type WorkbenchFixture } from "../testing/workbenchFixture";
import type { ForkChoice, ForkPlan } from "./forkSessionState";

const says = (text: string) => ({ parts: [...textParts("t", text), finishPart("stop")] });
const calls = (id: string, tool: string, input: object) => ({
  parts: [...callParts(id, tool, input), finishPart("tool-calls")],
});
const write = (id: string, path: string, fileText: string) => calls(id, "Write", { path, fileText });

const sessionOf = (fixture: WorkbenchFixture) => fixture.workbench.session.getState();
const liveTree = (fixture: WorkbenchFixture) => fixture.workbench.mounts.getState().liveTree();

async function storedEvents(fixture: WorkbenchFixture, sessionId: string): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const batch of fixture.workbench.storage.log(sessionId).read()) events.push(...batch);
  return events;
}

/** A turn that writes a file, reads another, writes once more and ends. */
async function recorded(): Promise<{ fixture: WorkbenchFixture; id: string; events: SessionEvent[] }> {
  const fixture = await workbenchFixture({
    model: scriptedModel([
      write("c1", "/work/a.md", "one\n"),
      calls("c2", "Read", { path: "/work/a.md" }),
      write("c3", "/work/b.md", "two\n"),
      says("Done."),
    ]),
  });
  await sessionOf(fixture).send("go");
  const id = sessionOf(fixture).currentId ?? "";
  return { fixture, id, events: await storedEvents(fixture, id) };
}

const indexOf = (events: readonly SessionEvent[], callId: string): number =>
  events.findIndex((event) => event.type === "action.result" && event.data.result.callId === callId);

async function fork(
  { fixture, id }: { fixture: WorkbenchFixture; id: string },
  index: number,
  choice: (plan: ForkPlan) => ForkChoice,
  model: ScriptedModel,
): Promise<{ id: string; plan: ForkPlan; events: SessionEvent[] }> {
  fixture.useModel(model);
  const forks = await fixture.workbench.forks();
  const plan = await forks.plan(id, index);
  const made = await forks.make(plan, choice(plan));
  await until(() => sessionOf(fixture).currentId === made && sessionOf(fixture).session.status === "ready", "the end");
  await until(() => sessionOf(fixture).runner === "nobody", "nobody runs");
  return { id: made, plan, events: await storedEvents(fixture, made) };
}

const outline = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => {
    if (event.type === "action.result") return [`${event.data.result.callId} ${event.data.status}`];
    if (event.type === "message.completed" || event.type === "message.received") return [event.data.message];
    if (event.type === "tree.changed") return event.data.changes.map(({ path }) => `changed ${path}`);
    return event.type === "agent.changed" ? ["agent changed"] : [];
  });

describe("a fork with an edited result", () => {
  it("goes on live on files of its own, and later messages do too", async () => {
    const made = await recorded();
    await liveTree(made.fixture).write("/work/b.md", "mine\n");
    const live = scriptedModel([calls("f1", "LS", { path: "/work" }), write("f2", "/work/c.md", "c"), says("Live.")]);
    const at = indexOf(made.events, "c2");
    const forked = await fork(
      made,
      at,
      ({ results }) => ({
        edit: { kind: "tool-result", eventIndex: results[0]?.eventIndex ?? -1, text: '{"edited":true}', failed: false },
        goesOn: "live",
        files: "snapshot",
      }),
      live,
    );
    expect(outline(forked.events)).toEqual([
      "go",
      "c1 completed",
      "c2 completed",
      "f1 completed",
      "f2 completed",
      "Live.",
    ]);
    expect(forked.events[0]?.data).toMatchObject({
      predecessor: { sessionId: made.id },
      playground: { fork: { from: made.id, step: 3, eventIndex: at, edit: "tool-result", files: "snapshot" } },
    });
    expect(JSON.stringify(live.requests[0]?.prompt)).toContain("edited");
    const listed = forked.events[indexOf(forked.events, "f1")];
    expect(JSON.stringify(listed?.data)).toContain("a.md");
    expect(JSON.stringify(listed?.data)).not.toContain("b.md");
    expect(await liveTree(made.fixture).read("/work/b.md")).toBe("mine\n");
    expect((await liveTree(made.fixture).stat("/work/c.md")).kind).toBe("missing");
    expect(sessionOf(made.fixture).sessions.find(({ id }) => id === forked.id)).toMatchObject({
      name: "Fork of go",
      origin: "fork",
      status: "ready",
    });

    made.fixture.useModel(scriptedModel([calls("f3", "Read", { path: "/work/c.md" }), says("Still here.")]));
    await liveTree(made.fixture).write("/work/d.md", "a person's");
    await sessionOf(made.fixture).send("and now?");
    const later = await storedEvents(made.fixture, forked.id);
    expect(outline(later).slice(6)).toEqual(["and now?", "f3 completed", "Still here."]);
  });
});

describe("a fork after a reload", () => {
  it("is there again with its files, which its log holds", async () => {
    const made = await recorded();
    const live = scriptedModel([write("f1", "/work/c.md", "kept"), says("Live.")]);
    const forked = await fork(
      made,
      indexOf(made.events, "c2"),
      () => ({ edit: { kind: "none" }, goesOn: "live", files: "snapshot" }),
      live,
    );
    await made.fixture.workbench.dispose();
    const model = scriptedModel([calls("f2", "Read", { path: "/work/c.md" }), says("Again.")]);
    const fixture = await workbenchFixture({ from: made.fixture, model });
    await until(() => sessionOf(fixture).currentId === forked.id, "the fork");
    await until(() => sessionOf(fixture).session.status === "ready", "its log");
    await sessionOf(fixture).send("and again?");
    expect(outline(sessionOf(fixture).events()).slice(-3)).toEqual(["and again?", "f2 completed", "Again."]);
  });
});

describe("a fork that asks before it writes", () => {
  it("shows what the write would change of its own files; its turn sent again stays on them", async () => {
    const made = await recorded();
    await liveTree(made.fixture).write("/work/a.md", "mine\n");
    made.fixture.workbench.session.getState().setAsksBeforeWrites(true);
    made.fixture.useModel(scriptedModel([write("f1", "/work/a.md", "three\n"), says("Denied.")]));
    const forks = await made.fixture.workbench.forks();
    const plan = await forks.plan(made.id, indexOf(made.events, "c2"));
    const id = await forks.make(plan, { edit: { kind: "none" }, goesOn: "live", files: "snapshot" });
    await until(() => sessionOf(made.fixture).session.status === "input", "the question");
    const difference = await sessionOf(made.fixture).approvalDifference("f1");
    expect(difference?.lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual(["removed one", "added three"]);
    await sessionOf(made.fixture).answer("f1", { kind: "deny", words: "" });

    made.fixture.workbench.session.getState().setAsksBeforeWrites(false);
    made.fixture.useModel(scriptedModel([calls("f2", "LS", { path: "/work" }), says("Listed.")]));
    await sessionOf(made.fixture).sendAgain("turn_0", "list");
    await until(() => sessionOf(made.fixture).currentId !== id, "the second fork");
    await until(() => sessionOf(made.fixture).session.status === "ready", "its end");
    const events = sessionOf(made.fixture).events();
    expect(outline(events)).toEqual(["list", "f2 completed", "Listed."]);
    expect(JSON.stringify(events[indexOf(events, "f2")]?.data)).not.toContain("a.md");
    expect(events[0]?.data).toMatchObject({ playground: { fork: { from: id, step: 1, edit: "message" } } });
  });
});

describe("a fork with the recording", () => {
  const plain = { goesOn: "recording", files: "snapshot" } as const;

  it("plays it to its end where nothing differs, and the same files come out", async () => {
    const made = await recorded();
    const live = scriptedModel([]);
    const forked = await fork(made, indexOf(made.events, "c1") + 2, () => ({ edit: { kind: "none" }, ...plain }), live);
    expect(outline(forked.events)).toEqual(["go", "c1 completed", "c2 completed", "c3 completed", "Done."]);
    expect(live.requests).toEqual([]);
  });

  it("goes live at the first request that is another, as an edited file makes it", async () => {
    const made = await recorded();
    const live = scriptedModel([says("Seen.")]);
    const forks = await made.fixture.workbench.forks();
    const at = indexOf(made.events, "c1");
    const forked = await fork(
      made,
      at,
      () => ({ edit: { kind: "file", path: "/work/a.md", contents: "edited\n" }, ...plain }),
      live,
    );
    expect(await forks.paths(forked.plan, "snapshot")).toEqual(["/work/a.md"]);
    expect(await forks.text(forked.plan, "snapshot", "/work/a.md")).toBe("one\n");
    expect(outline(forked.events)).toEqual(["go", "c1 completed", "changed /work/a.md", "c2 completed", "Seen."]);
    expect(JSON.stringify(live.requests[0]?.prompt)).toContain("edited");
    const told = made.fixture.workbench.notices.getState().notices.map(({ text }) => text);
    expect(told.filter((text) => text.startsWith("The recording answered 1 step of the fork."))).toHaveLength(1);
  });
});

describe("a fork with other words", () => {
  it("sends another message from the beginning of its turn", async () => {
    const made = await recorded();
    const live = scriptedModel([says("Other.")]);
    const forked = await fork(
      made,
      made.events.length - 1,
      ({ messages }) => ({
        edit: { kind: "message", eventIndex: messages.at(-1)?.eventIndex ?? -1, message: "stay" },
        goesOn: "live",
        files: "mounts",
      }),
      live,
    );
    expect(forked.plan.messages.map(({ label }) => label)).toEqual(["Agent: Done.", "Person: go"]);
    expect(outline(forked.events)).toEqual(["stay", "Other."]);
  });

  it("has other instructions from the next request on", async () => {
    const made = await recorded();
    const live = scriptedModel([says("Brief.")]);
    const forked = await fork(
      made,
      indexOf(made.events, "c2") + 1,
      () => ({ edit: { kind: "instructions", instructions: "Be brief." }, goesOn: "live", files: "snapshot" }),
      live,
    );
    expect(JSON.stringify(live.requests[0]?.prompt)).toContain("Be brief.");
    expect(outline(forked.events)).not.toContain("agent changed");
  });
});
