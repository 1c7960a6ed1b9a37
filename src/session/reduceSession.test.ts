import { describe, expect, test } from "vitest";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { sessionFixture } from "../testing/sessionFixture";
import { reduceSession, sessionStateFromEvents } from "./reduceSession";
import type { SessionEvent } from "./sessionEvent";
import { initialSessionState, type SessionState } from "./sessionState";

const meta = { id: "evt", at: "2026-01-01T00:00:00.000Z" };
const place = { turnId: "turn_0", sequence: 0, stepIndex: 0 };

function event(type: string, data: object): SessionEvent {
  return { type, data, meta } as unknown as SessionEvent;
}

async function run() {
  const session = await sessionFixture({
    model: scriptedModel([
      {
        parts: [
          { type: "reasoning-start", id: "r" },
          { type: "reasoning-delta", id: "r", delta: "Hm." },
          { type: "reasoning-end", id: "r" },
          ...textParts("t", "I ", "read."),
          ...callParts("c1", "Read", { target_file: "/notes.md" }),
          ...callParts("c2", "Read", { path: "/none" }),
          finishPart("tool-calls", { input: 3, output: 1 }),
        ],
      },
      { parts: [...textParts("t", "Done."), finishPart("stop", { input: 5, output: 2 })] },
    ]),
  });
  await session.run("go");
  return session;
}

describe("the state of a session", () => {
  test("has one row of neighbouring changes of mounts, which says what they come to", () => {
    const mount = (prefix: string, readOnly = false) => ({ prefix, kind: "memory", readOnly });
    const changed = (...mounts: object[]) => event("tree.changed", { reason: "mounts", changes: [], mounts });
    const files = event("tree.changed", { reason: "mounts", changes: [{ path: "/a/x", after: "1" }] });
    const edited = event("tree.changed", { reason: "edit", changes: [{ path: "/work/x", after: "1" }] });
    const work = mount("/work");
    const started = event("session.started", { playground: { sessionId: "s", mounts: [work] } });
    const log = [started, changed(work, mount("/a")), files, changed(mount("/a"), mount("/b", true))];
    const texts = (events: SessionEvent[]) =>
      [...sessionStateFromEvents(events).items].flatMap((item) => (item.kind === "notice" ? [item.text] : []));
    const together = "The mounts changed: + /a (memory), + /b (memory, read-only), − /work; 1 file came.";
    expect(texts(log)).toEqual([together]);
    expect(texts([...log, edited, changed(mount("/a")), changed(mount("/a"), mount("/b", true))])).toEqual([
      together,
      "A person changed files: /work/x.",
      "The mounts changed, and are as they were.",
    ]);
  });

  test("holds every row of a run", async () => {
    const { events } = await run();
    const state = sessionStateFromEvents(events);
    expect(state).toMatchObject({
      status: "ready",
      eventCount: events.length,
      usage: { inputTokens: 8, outputTokens: 3 },
      counts: { calls: 2, ok: 1, stubbed: 0, failed: 1, rejected: 0, running: 0 },
    });
    expect([...state.itemIds]).toEqual([
      "turn_0/message",
      "turn_0/0/reasoning",
      "turn_0/0/text",
      "c1",
      "c2",
      "turn_0/1/text",
    ]);
    expect([...state.turns]).toMatchObject([{ id: "turn_0", status: "completed" }]);
    expect([...(state.turns.last?.stepIds ?? [])]).toEqual(["turn_0/0", "turn_0/1"]);
    expect([...state.steps]).toMatchObject([
      { id: "turn_0/0", modelId: "scripted", finishReason: "tool-calls", callIds: ["c1", "c2"], retries: 0 },
      { id: "turn_0/1", finishReason: "stop", callIds: [] },
    ]);
    expect(state.sessionId).toMatch(/^session_/);
    expect([...state.items].map((item) => [item.kind, "text" in item ? item.text : item.state])).toEqual([
      ["user", "go"],
      ["reasoning", "Hm."],
      ["assistant", "I read."],
      ["call", "completed"],
      ["call", "failed"],
      ["assistant", "Done."],
    ]);
    expect(state.items.get("c1")).toMatchObject({
      toolName: "Read",
      input: { path: "/notes.md" },
      inputText: '{"target_file":"/notes.md"}',
      stepId: "turn_0/0",
      firstEvent: events.findIndex((one) => one.type === "action.input.appended"),
      lastEvent: events.findIndex((one) => one.type === "action.result"),
    });
    expect(state.items.get("c2")).toMatchObject({ error: { code: "not-found", message: "not found: /none" } });
  });

  test("keeps a row the same object until it changes, and earlier states as they were", async () => {
    const { events } = await run();
    const states: SessionState[] = [];
    events.reduce((state, one, index) => {
      states.push(reduceSession(state, one, index));
      return states.at(-1) ?? state;
    }, initialSessionState);
    for (const [index, state] of states.entries()) {
      expect(state.eventCount).toBe(index + 1);
      const before = states[index - 1];
      const changed = [...state.itemIds].filter((id) => state.items.get(id) !== before?.items.get(id));
      expect(changed.length).toBeLessThanOrEqual(2);
      if (before?.itemIds.length === state.itemIds.length) expect(state.itemIds).toBe(before.itemIds);
      if (!/^(?:turn|step)\./.test(events[index]?.type ?? "")) expect(state.turns).toBe(before?.turns ?? state.turns);
    }
    const again = sessionStateFromEvents(events.slice(0, 8));
    expect([...(states[7]?.items ?? [])]).toEqual([...again.items]);
  });

  test("does not let two continuations of one state see each other", () => {
    const base = sessionStateFromEvents([
      event("turn.started", place),
      event("message.received", { ...place, message: "go" }),
    ]);
    const one = reduceSession(base, event("message.appended", { ...place, messageDelta: "one" }), 2);
    const other = reduceSession(base, event("reasoning.appended", { ...place, reasoningDelta: "other" }), 2);
    expect([...one.itemIds]).toEqual(["turn_0/message", "turn_0/0/text"]);
    expect([...other.itemIds]).toEqual(["turn_0/message", "turn_0/0/reasoning"]);
    expect(other.items.get("turn_0/0/text")).toBeUndefined();
    expect(base.items.size).toBe(1);
  });

  test("says unknown, by leaving it out, when one step does not tell its tokens", () => {
    const state = sessionStateFromEvents([
      event("step.completed", { ...place, finishReason: "stop", usage: { inputTokens: 1, outputTokens: 1 } }),
      event("step.completed", { ...place, stepIndex: 1, finishReason: "stop", usage: { inputTokens: 1 } }),
    ]);
    expect(state.usage).toEqual({ inputTokens: 2 });
  });

  test("keeps blocks of one step apart when their ends come", () => {
    const state = sessionStateFromEvents([
      event("message.appended", { ...place, messageDelta: "first " }),
      event("message.appended", { ...place, messageDelta: "second" }),
      event("message.completed", { ...place, message: "first ", finishReason: "stop" }),
      event("message.completed", { ...place, message: "second", finishReason: "stop" }),
    ]);
    expect([...state.items].map((item) => "text" in item && item.text)).toEqual(["first ", "second"]);
  });

  test("shows what it does not know, and survives what is not what it says", () => {
    const state = sessionStateFromEvents([
      event("authorization.required", {}),
      event("actions.requested", { ...place, actions: 5 }),
      event("action.result", {}),
      event("turn.failed", { ...place, code: "interrupted", message: "turn interrupted" }),
    ]);
    expect([...state.items].map((item) => item.kind === "notice" && [item.tone, item.code])).toEqual([
      ["info", "unknown-event"],
      ["warn", "unreadable"],
      ["warn", "unreadable"],
      ["warn", "interrupted"],
    ]);
  });

  test("shows what an import says of its file: whose session it is, what was compacted, entries that are none of ours", () => {
    const session = { id: "s1", title: "A title" };
    const state = sessionStateFromEvents([
      event("import.source", { format: "codex", version: "1", session }),
      event("compaction.requested", { ...place, sessionId: "s1", modelId: "m", usageInputTokens: null }),
      event("compaction.completed", { ...place, sessionId: "s1", modelId: "m" }),
      event("import.entry", { kind: "mode", raw: {} }),
    ]);
    expect(state.sessionId).toBe("s1");
    expect([...state.items].map((item) => item.kind === "notice" && [item.tone, item.code, item.text])).toEqual([
      ["info", "compaction", "The context was compacted."],
      ["info", "import-entry", "Recorded: mode"],
    ]);
  });

  test("counts the time turns ran, not the time a person was waited for", () => {
    const at = (second: number) => ({ id: "evt", at: new Date(second * 1_000).toISOString() });
    const events = [
      { ...event("turn.started", place), meta: at(0) },
      { ...event("turn.waiting", { ...place, on: "input" }), meta: at(2) },
      { ...event("input.resolved", { ...place, resolutions: [] }), meta: at(100) },
      { ...event("turn.completed", place), meta: at(101) },
      { ...event("session.waiting", { continuationToken: "", wait: "next-user-message" }), meta: at(200) },
    ] as SessionEvent[];
    expect(sessionStateFromEvents(events).wallTimeMs).toBe(3_000);
  });

  test("says what of the agent was changed", () => {
    const definition = { name: "A", instructions: "x" };
    const changed = (next: object) =>
      event("agent.changed", { definitionHash: "h", definition: { ...definition, ...next } });
    const state = sessionStateFromEvents([
      event("session.started", { playground: { definition } }),
      changed({ maxSteps: 20 }),
      changed({ maxSteps: 20, instructions: "y", tools: ["read"] }),
      changed({ instructions: "y", tools: ["read"] }),
      event("agent.changed", { definitionHash: "h" }),
    ]);
    expect([...state.items].map((item) => "text" in item && item.text)).toEqual([
      "Step limit 20 from here on.",
      "The agent was changed: instructions, tools.",
      "The usual step limit from here on.",
      "The agent was changed.",
    ]);
  });

  test("counts every call once by how it stands: one cut while it was written too, and a dry run's stub as not done", () => {
    const written = (callId: string) =>
      event("action.input.appended", { ...place, callId, toolName: "LS", inputTextDelta: '{"pa' });
    const requested = (callId: string) =>
      event("actions.requested", { ...place, actions: [{ kind: "tool-call", callId, toolName: "LS", input: {} }] });
    const events = [
      event("turn.started", place),
      event("step.started", { ...place, modelId: "scripted" }),
      written("c1"),
      requested("c1"),
      requested("c2"),
      event("action.result", {
        ...place,
        status: "completed",
        result: { kind: "tool-result", callId: "c1", toolName: "LS", output: "" },
      }),
      requested("c4"),
      event("action.result", {
        ...place,
        status: "completed",
        stub: true,
        result: { kind: "tool-result", callId: "c4", toolName: "LS", output: "" },
      }),
      written("c3"),
      event("turn.failed", { ...place, code: "host-lost", message: "The page was closed." }),
    ];
    const counts = events.map((_, index) => sessionStateFromEvents(events.slice(0, index + 1)).counts);
    for (const { calls, ...parts } of counts)
      expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(calls);
    expect(counts[2]).toEqual({ calls: 1, ok: 0, stubbed: 0, failed: 0, rejected: 0, running: 1 });
    expect(counts.at(-1)).toEqual({ calls: 4, ok: 1, stubbed: 1, failed: 2, rejected: 0, running: 0 });
  });

  test("numbers the blocks of one step one after the other", () => {
    const state = sessionStateFromEvents(
      Array.from({ length: 9 }, (_, index) =>
        event("message.completed", { ...place, message: `${index}`, finishReason: "stop" }),
      ),
    );
    expect([...state.itemIds]).toEqual([
      "turn_0/0/text",
      ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `turn_0/0/text/${number}`),
    ]);
  });

  test("does no more for an event of a long log than for one of a short log", () => {
    const [short, long] = [1_000, 8_000].map((steps) => {
      const events = longLog(steps);
      let state: SessionState | undefined;
      const values = valuesGoneThrough(() => (state = sessionStateFromEvents(events)));
      expect([state?.steps.length, state?.counts.ok, state?.turns.last?.stepIds.length]).toEqual([steps, steps, steps]);
      return values / events.length;
    });
    expect(long).toBeLessThan((short ?? 0) * 1.5);
  });
});

/** A log of one turn in which every step says something and makes a call. */
function longLog(steps: number): SessionEvent[] {
  const events = [event("turn.started", place)];
  for (let stepIndex = 0; stepIndex < steps; stepIndex++) {
    const at = { ...place, stepIndex };
    const call = { callId: `c${stepIndex}`, toolName: "LS" };
    events.push(
      event("step.started", { ...at, modelId: "scripted" }),
      event("message.completed", { ...at, message: "x", finishReason: "tool-calls" }),
      event("actions.requested", { ...at, actions: [{ kind: "tool-call", ...call, input: {} }] }),
      event("action.result", { ...at, status: "completed", result: { kind: "tool-result", ...call, output: "" } }),
      event("step.completed", { ...at, finishReason: "tool-calls" }),
    );
  }
  return events;
}

/** How many values of arrays were gone through meanwhile: counted work, where a time would differ by machine. */
function valuesGoneThrough(work: () => void): number {
  const names = [Symbol.iterator, "with", "slice", "map", "filter"] as const;
  const methods = names.map((name) => Object.getOwnPropertyDescriptor(Array.prototype, name) ?? {});
  const define = (name: (typeof names)[number], method: PropertyDescriptor) =>
    // oxlint-disable-next-line no-extend-native -- nothing else sees what is copied; all is put back
    Object.defineProperty(Array.prototype, name, method);
  let count = 0;
  for (const [index, name] of names.entries()) {
    const method = methods[index]?.value as (this: unknown[], ...given: unknown[]) => unknown;
    const counting = function (this: unknown[], one: unknown, other: unknown): unknown {
      count += this.length;
      return method.call(this, one, other);
    };
    define(name, { ...methods[index], value: counting });
  }
  try {
    work();
  } finally {
    for (const [index, name] of names.entries()) define(name, methods[index] ?? {});
  }
  return count;
}
