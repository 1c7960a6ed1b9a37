import { describe, expect, it } from "vitest";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { until, workbenchFixture, type WorkbenchFixture } from "../testing/workbenchFixture";
import { callLook } from "./callLook";

const says = (text: string) => ({ parts: [...textParts("t", text), finishPart("stop")] });
const writes = (id: string, path = "/work/a.md") => ({
  parts: [...callParts(id, "Write", { path, fileText: "one\n" }), finishPart("tool-calls")],
});
const asking = { agent: { name: "A", instructions: "x", approvals: "writes" } } as const;
const sessionOf = (fixture: WorkbenchFixture) => fixture.workbench.session.getState();

/** How the log ends: types, with what a call or a turn was told. */
function tailOf(fixture: WorkbenchFixture, count: number): readonly string[] {
  return sessionOf(fixture)
    .events()
    .slice(-count)
    .map((event) => {
      if (event.type === "action.result") return `${event.type} ${event.data.status} ${event.data.error?.code ?? ""}`;
      if (event.type === "input.resolved") return `${event.type} ${event.data.resolutions[0]?.outcome ?? ""}`;
      return event.type === "turn.failed" ? `${event.type} ${event.data.message}` : event.type;
    });
}

/** What the calls of the log read, in their order. */
function readTexts(fixture: WorkbenchFixture): readonly unknown[] {
  return sessionOf(fixture)
    .events()
    .flatMap((event) => {
      if (event.type !== "action.result" || event.data.toolName !== "Read") return [];
      const { output } = event.data.result;
      return [event.data.error?.message ?? (output as { readonly content?: unknown }).content];
    });
}

describe("a turn that waits for a person", () => {
  it("keeps its own /tmp through every wait, and the next turn has an empty one", async () => {
    const reads = { parts: [...callParts("r", "Read", { path: "/tmp/note.txt" }), finishPart("tool-calls")] };
    const steps = [writes("c1", "/tmp/note.txt"), writes("c2"), reads, says("Done."), reads, says("Gone.")];
    const fixture = await workbenchFixture({ model: scriptedModel(steps), document: asking });
    await sessionOf(fixture).send("go");
    await sessionOf(fixture).answer("c1", { kind: "approve" });
    expect(sessionOf(fixture).session.status).toBe("input");
    await sessionOf(fixture).answer("c2", { kind: "approve" });
    expect(readTexts(fixture)).toEqual(["one\n"]);
    await sessionOf(fixture).send("again");
    expect(readTexts(fixture)).toEqual(["one\n", "not found: /tmp/note.txt"]);
    // It is no change of the tree, and in no disk.
    const changed = sessionOf(fixture)
      .events()
      .flatMap((event) => (event.type === "action.result" ? (event.data.changes ?? []) : []));
    expect(changed.map(({ path }) => path)).toEqual(["/work/a.md"]);
    expect(
      sessionOf(fixture)
        .events()
        .some(({ type }) => type === "tree.changed"),
    ).toBe(false);
  });

  it("is ended by Stop: its call is answered as interrupted, and the session is ready", async () => {
    const model = scriptedModel([writes("c1"), says("Next.")]);
    const fixture = await workbenchFixture({ model, document: asking });
    await sessionOf(fixture).send("go");
    sessionOf(fixture).stop();
    expect(sessionOf(fixture).stopping).toBe(true);
    await until(() => sessionOf(fixture).session.status === "ready", "the end of the turn");
    await until(() => !sessionOf(fixture).stopping, "the end of stopping");
    expect(tailOf(fixture, 4)).toEqual([
      "input.resolved cancelled",
      "action.result rejected interrupted",
      "turn.failed turn interrupted",
      "session.waiting",
    ]);
    const { session, runner } = sessionOf(fixture);
    const call = session.items.get("c1");
    expect([runner, session.pendingRequests, call?.kind === "call" && callLook(call).word]).toEqual([
      "nobody",
      [],
      "not run",
    ]);
    await sessionOf(fixture).send("and now");
    expect(sessionOf(fixture).session.turns.last?.status).toBe("completed");
  });

  it("is ended by a follow-up: its call was not denied by anyone", async () => {
    const model = scriptedModel([writes("c1"), says("Next.")]);
    const fixture = await workbenchFixture({ model, document: asking });
    await sessionOf(fixture).send("go");
    await sessionOf(fixture).send("something else");
    const { session } = sessionOf(fixture);
    const call = session.items.get("c1");
    expect([[...session.turns].map((turn) => turn.status), call?.kind === "call" && callLook(call).word]).toEqual([
      ["failed", "completed"],
      "not run",
    ]);
  });

  it("says denied of what a person refused", async () => {
    const fixture = await workbenchFixture({ model: scriptedModel([writes("c1"), says("Ok.")]), document: asking });
    await sessionOf(fixture).send("go");
    await sessionOf(fixture).answer("c1", { kind: "deny", words: "" });
    const call = sessionOf(fixture).session.items.get("c1");
    expect(call?.kind === "call" && callLook(call)).toEqual({ sign: "✕", word: "denied", tone: "bad" });
  });

  it("cannot be ended while another tab has the session, and says so", async () => {
    const fixture = await workbenchFixture({ model: scriptedModel([writes("c1")]), document: asking });
    await sessionOf(fixture).send("go");
    const release = await fixture.workbench.storage.lockSession(sessionOf(fixture).currentId ?? "");
    sessionOf(fixture).stop();
    await until(() => fixture.workbench.notices.getState().notices.length > 0, "the notice");
    expect(fixture.workbench.notices.getState().notices[0]?.text).toContain("Another tab runs this session.");
    expect([sessionOf(fixture).stopping, sessionOf(fixture).session.status]).toEqual([false, "input"]);
    release?.();
  });
});

describe("a message", () => {
  it("is kept and not sent while no model is named, with the way to name one", async () => {
    const fixture = await workbenchFixture({
      model: scriptedModel([says("Never asked.")]),
      document: { model: { kind: "openai-compatible", baseUrl: "http://localhost:11434/v1", modelId: " " } },
    });
    await sessionOf(fixture).send("go");
    const [notice] = fixture.workbench.notices.getState().notices;
    expect([sessionOf(fixture).currentId, fixture.workbench.project.getState().draft, notice?.text]).toEqual([
      undefined,
      "go",
      "The message was not sent: no model is named for the server that should answer.",
    ]);
    notice?.action?.run();
    expect(sessionOf(fixture).asksForModel).toBe(true);
  });
});

describe("a dry run", () => {
  it("says of a write that it was not done, to the person and to the model", async () => {
    const model = scriptedModel([writes("c1"), says("Done.")]);
    const fixture = await workbenchFixture({ model });
    sessionOf(fixture).setDryRun(true);
    await sessionOf(fixture).send("go");
    const call = sessionOf(fixture).session.items.get("c1");
    expect(call?.kind === "call" && callLook(call)).toEqual({ sign: "○", word: "not done (dry run)", tone: "dim" });
    const told =
      "Operation acknowledged.\n(Dry run: this result is a stub. The call was not carried out and changed nothing.)";
    expect(await sessionOf(fixture).callOutputText("c1")).toBe(told);
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain(JSON.stringify(told).slice(1, -1));
  });

  it("is answered by the demo planner with what it would have done", async () => {
    const { demoPlanner } = await import("../model/demo/demoPlanner");
    const fixture = await workbenchFixture({ model: demoPlanner() });
    sessionOf(fixture).setDryRun(true);
    await sessionOf(fixture).send('Create /work/a.md with "one" and delete /work/a.md');
    const said = [...sessionOf(fixture).session.items].filter((item) => item.kind === "assistant");
    expect(said.at(-1)?.text).toBe(
      "This is a dry run: nothing was changed. I would have written /work/a.md (1 line). I would have deleted /work/a.md.",
    );
  });
});
