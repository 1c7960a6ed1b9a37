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
  test("holds every row of a run", async () => {
    const { events } = await run();
    const state = sessionStateFromEvents(events);
    expect(state).toMatchObject({
      status: "ready",
      eventCount: events.length,
      itemIds: ["turn_0/message", "turn_0/0/reasoning", "turn_0/0/text", "c1", "c2", "turn_0/1/text"],
      turns: [{ id: "turn_0", status: "completed", stepIds: ["turn_0/0", "turn_0/1"] }],
      steps: [
        { id: "turn_0/0", modelId: "scripted", finishReason: "tool-calls", callIds: ["c1", "c2"], retries: 0 },
        { id: "turn_0/1", finishReason: "stop", callIds: [] },
      ],
      usage: { inputTokens: 8, outputTokens: 3 },
      counts: { calls: 2, ok: 1, failed: 1, rejected: 0, running: 0 },
    });
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
      const changed = state.itemIds.filter((id) => state.items.get(id) !== before?.items.get(id));
      expect(changed.length).toBeLessThanOrEqual(2);
      if (before?.itemIds.length === state.itemIds.length) expect(state.itemIds).toBe(before.itemIds);
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
    expect(one.itemIds).toEqual(["turn_0/message", "turn_0/0/text"]);
    expect(other.itemIds).toEqual(["turn_0/message", "turn_0/0/reasoning"]);
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
      event("compaction.requested", {}),
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

  test("folds ten thousand rows in a moment", () => {
    const events = Array.from({ length: 30_000 }, (_, index) =>
      index % 3 === 0
        ? event("actions.requested", {
            ...place,
            actions: [{ kind: "tool-call", callId: `c${index}`, toolName: "LS", input: {} }],
          })
        : index % 3 === 1
          ? event("action.result", {
              ...place,
              status: "completed",
              result: { kind: "tool-result", callId: `c${index - 1}`, toolName: "LS", output: "" },
              toolName: "LS",
            })
          : event("message.appended", { ...place, messageDelta: "x" }),
    );
    const begun = performance.now();
    expect(sessionStateFromEvents(events).counts.ok).toBe(10_000);
    expect(performance.now() - begun).toBeLessThan(3_000);
  });
});
