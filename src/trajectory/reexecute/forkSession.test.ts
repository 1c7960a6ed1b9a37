import { describe, expect, test } from "vitest";
import { bindAgent, defineAgent } from "../../agent";
import { sha256HexSync, type JsonObject } from "../../base";
import { tempFs } from "../../fs";
import { continueTurn, runTurn, sessionIdFromSeed, type SessionEvent } from "../../session";
import { callParts, finishPart, scriptedModel, textParts, type ScriptedModel } from "../../testing/scriptedModel";
import { eventLine, FIXTURE_SEED, sessionFixture, type SessionFixture } from "../../testing/sessionFixture";
import { forkSession, type ForkEdit, type SessionFork } from "./forkSession";
import { recordedThenLive } from "./recordedModel";

const FILES = { "/notes.md": "one\n" };

async function recorded(): Promise<SessionFixture> {
  const session = await sessionFixture({
    files: FILES,
    model: scriptedModel([
      { parts: [...callParts("c1", "Read", { path: "/notes.md" }), finishPart("tool-calls")] },
      { parts: [...callParts("c2", "Write", { path: "/out.md", fileText: "x" }), finishPart("tool-calls")] },
      { parts: [...textParts("t", "Done."), finishPart("stop")] },
      { parts: [...textParts("t", "Again."), finishPart("stop")] },
    ]),
  });
  await session.run("first");
  await session.run("second");
  return session;
}

const indexOf = (events: readonly SessionEvent[], line: string): number => {
  const index = events.findIndex((event) => eventLine(event).startsWith(line));
  if (index < 0) throw new Error(`no event ${line}`);
  return index;
};

function fork(session: SessionFixture, line: string, edit: ForkEdit): SessionFork {
  return forkSession(session.events, indexOf(session.events, line), edit, { seed: "new" });
}

/** Events of a fork but for pieces of texts and arguments. */
const shown = (events: readonly SessionEvent[]): string[] =>
  events.filter(({ type }) => !type.endsWith(".appended")).map(eventLine);

const FIRST_STEP = [
  "session.started",
  "turn.started",
  'message.received "first"',
  "step.started",
  "actions.requested c1 Read",
  "action.result c1 completed",
  "step.completed tool-calls",
];

describe("a fork", () => {
  test("before a step holds what came before it and goes on with the model", async () => {
    const session = await recorded();
    const second = session.events.filter(({ type }) => type === "step.started")[1];
    const at = session.events.findIndex((event) => event === second);
    const made = forkSession(session.events, at, { kind: "instructions", instructions: "Be brief." }, { seed: "new" });
    expect(shown(made.events)).toEqual(FIRST_STEP);
    expect(made).toMatchObject({ next: { kind: "continue" }, treeIndex: at - 1, playFrom: at });
    const started = made.events[0];
    if (started?.type !== "session.started") throw new Error("a log begins so");
    const definition: JsonObject = { name: "tester", instructions: "Be brief." };
    expect(started.data).toMatchObject({
      predecessor: { sessionId: sessionIdFromSeed(FIXTURE_SEED) },
      playground: {
        sessionId: sessionIdFromSeed("new"),
        seed: "new",
        definition,
        definitionHash: sha256HexSync('{"instructions":"Be brief.","name":"tester"}'),
        snapshot: "0".repeat(64),
      },
    });
  });

  test("with another message of a person sends that one", async () => {
    const session = await recorded();
    const made = fork(session, 'message.received "second"', { kind: "message", message: "other" });
    expect(made.next).toEqual({ kind: "send", message: "other" });
    expect(shown(made.events).at(-1)).toBe("session.waiting");
    expect(fork(session, 'message.received "first"', { kind: "message", message: "x" }).events).toHaveLength(1);
  });

  test("with another result, another word of the model, or another file goes on after that step", async () => {
    const session = await recorded();
    const result = fork(session, "action.result c1", { kind: "tool-result", output: "edited" });
    expect(shown(result.events)).toEqual(FIRST_STEP);
    expect(result.events.find(({ type }) => type === "action.result")?.data).toMatchObject({
      status: "completed",
      result: { output: "edited" },
    });
    const failed = fork(session, "action.result c1", { kind: "tool-result", output: "no", status: "failed" });
    expect(failed.events.find(({ type }) => type === "action.result")?.data).toMatchObject({
      status: "failed",
      error: { code: "tool-failed", message: "no" },
      result: { output: "no", isError: true },
    });
    const word = fork(session, 'message.completed "Done."', { kind: "message", message: "Not done." });
    expect(word.next).toEqual({ kind: "wait" });
    expect(shown(word.events).slice(-4)).toEqual([
      'message.completed "Not done." stop',
      "step.completed stop",
      "turn.completed",
      "session.waiting",
    ]);
    const file = fork(session, "action.result c1", { kind: "file", path: "/notes.md", contents: "two\n" });
    expect(shown(file.events)).toEqual([...FIRST_STEP, "tree.changed"]);
    expect(file.events.at(-1)?.data).toEqual({
      reason: "edit",
      changes: [{ path: "/notes.md", after: sha256HexSync("two\n"), sizeBytes: 4 }],
    });
    expect(file.file).toEqual({ path: "/notes.md", contents: new TextEncoder().encode("two\n") });
  });

  test("between a call and its result goes on before the step that asked for it", async () => {
    const session = await recorded();
    const requested = indexOf(session.events, "actions.requested c1");
    const note: SessionEvent = { type: "import.entry", data: { kind: "note", raw: {} }, meta: { id: "n", at: "" } };
    const events = session.events.toSpliced(requested + 1, 0, note);
    const made = forkSession(events, requested + 1, { kind: "none" }, { seed: "new" });
    expect(shown(made.events)).toEqual(FIRST_STEP.slice(0, 3));
    expect(made.next).toEqual({ kind: "continue" });
  });

  test("of what is no message or result is refused", async () => {
    const session = await recorded();
    expect(() => fork(session, "turn.started", { kind: "message", message: "x" })).toThrow("is no message");
    expect(() => fork(session, "turn.started", { kind: "tool-result", output: 1 })).toThrow("is no result of a tool");
    expect(() => forkSession(session.events, 999, { kind: "none" }, { seed: "new" })).toThrow("has no event 999");
  });
});

describe("going on", () => {
  async function goOn(
    edit: ForkEdit,
    line: string,
  ): Promise<{ lines: string[]; live: ScriptedModel; played: number[] }> {
    const session = await recorded();
    const made = fork(session, line, edit);
    const tree = tempFs(FILES, { now: () => 0 });
    if (made.file?.contents !== undefined) await tree.write(made.file.path, made.file.contents);
    const bound = await bindAgent(defineAgent({ ...session.bound.definition, root: tree }), tree);
    const live = scriptedModel([{ parts: [...textParts("t", "Live."), finishPart("stop")] }]);
    const played: number[] = [];
    const model = recordedThenLive({
      events: session.events,
      from: made.playFrom,
      live,
      sessionIds: { recorded: sessionIdFromSeed(FIXTURE_SEED), now: sessionIdFromSeed("new") },
      onLive: (count) => played.push(count),
    });
    const options = { ...session.options(), bound, events: made.events, services: { ...session.services, model } };
    const lines: string[] = [];
    for await (const event of continueTurn(options))
      if (!event.type.endsWith(".appended")) lines.push(eventLine(event));
    return { lines, live, played };
  }

  test("plays the recording while every request is the recorded one", async () => {
    const { lines, live, played } = await goOn({ kind: "none" }, "actions.requested c2");
    expect(lines).toEqual([
      "step.started",
      "actions.requested c2 Write",
      "action.result c2 completed",
      "step.completed tool-calls",
      "step.started",
      'message.completed "Done." stop',
      "step.completed stop",
      "turn.completed",
      "session.waiting",
    ]);
    expect(live.requests).toEqual([]);
    expect(played).toEqual([]);
  });

  test("asks the live model from the first other request on", async () => {
    const { lines, live, played } = await goOn({ kind: "tool-result", output: { edited: 1 } }, "action.result c1");
    expect(lines).toEqual([
      "step.started",
      'message.completed "Live." stop',
      "step.completed stop",
      "turn.completed",
      "session.waiting",
    ]);
    expect(played).toEqual([0]);
    expect(JSON.stringify(live.requests[0]?.prompt)).toContain("edited");
  });

  test("a log that ends where nobody is asked is refused", async () => {
    const session = await recorded();
    const model = session.services.model;
    const options = { ...session.options(), services: { ...session.services, model } };
    await expect(continueTurn(options).next()).rejects.toMatchObject({ code: "not-waiting" });
    await expect(runTurn({ ...options, message: "x" }).next()).resolves.toMatchObject({ done: false });
  });
});
