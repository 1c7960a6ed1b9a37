import { describe, expect, it } from "vitest";
import { sessionStateFromEvents, type SessionEvent } from "../session";
import { traceRows } from "./sessionTrace";

const turn = { turnId: "turn_0", sequence: 0 };
const step = { ...turn, stepIndex: 0 };
const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();
const event = (ms: number, type: string, data: object) =>
  ({ type, data, meta: { id: "evt_1", at: at(ms) } }) as unknown as SessionEvent;

describe("traceRows", () => {
  it("places turns, steps and calls by when they began and how long they took", () => {
    const action = { kind: "tool-call", callId: "call_1", toolName: "Read", input: { path: "/a" } };
    const events = [
      event(0, "turn.started", turn),
      event(10, "step.started", { ...step, modelId: "m" }),
      event(40, "actions.requested", { ...step, actions: [action, { ...action, callId: "call_2" }] }),
      event(45, "action.result", {
        ...step,
        status: "completed",
        toolName: "Read",
        durationMs: 5,
        result: { ...action, kind: "tool-result", output: {} },
      }),
    ];
    const looks = traceRows(sessionStateFromEvents(events));
    expect(
      looks.rows.map(({ id, bar, word, startMs, durationMs }) => ({ id, bar, word, startMs, durationMs })),
    ).toEqual([
      { id: "turn_0", bar: "", word: "running", startMs: 0, durationMs: undefined },
      { id: "turn_0/0", bar: "running", word: "running", startMs: 10, durationMs: undefined },
      { id: "call_1", bar: "", word: "ok", startMs: 40, durationMs: 5 },
      { id: "call_2", bar: "running", word: "about to run", startMs: 40, durationMs: undefined },
    ]);
    expect([looks.spanMs, looks.steps, looks.calls]).toEqual([45, 1, 2]);
  });

  it("leaves out of the scale what passed between two turns, and tells how long it was", () => {
    const second = { turnId: "turn_1", sequence: 1 };
    const events = [
      event(0, "turn.started", turn),
      event(100, "turn.completed", turn),
      event(50_100, "turn.started", second),
      event(50_150, "step.started", { ...second, stepIndex: 0, modelId: "m" }),
      event(50_200, "step.completed", { ...second, stepIndex: 0, finishReason: "stop" }),
      event(50_200, "turn.completed", second),
    ];
    const trace = traceRows(sessionStateFromEvents(events));
    expect(trace.rows.map(({ id, startMs, durationMs }) => ({ id, startMs, durationMs }))).toEqual([
      { id: "turn_0", startMs: 0, durationMs: 100 },
      { id: "gap:turn_1", startMs: 100, durationMs: 50_000 },
      { id: "turn_1", startMs: 100, durationMs: 100 },
      { id: "turn_1/0", startMs: 150, durationMs: 50 },
    ]);
    expect(trace.spanMs).toBe(200);
  });

  it("ends what a crash has cut when the page was last heard of", () => {
    const action = { kind: "tool-call", callId: "call_1", toolName: "Write", input: { path: "/a" } };
    const lost = { code: "host-lost", message: "The page was closed." };
    const result = { kind: "tool-result", callId: "call_1", toolName: "Write", output: "", isError: true };
    const state = sessionStateFromEvents([
      event(0, "turn.started", turn),
      event(10, "step.started", { ...step, modelId: "m" }),
      event(20, "actions.requested", { ...step, actions: [action] }),
      event(40, "action.partial", { ...step, result }),
      event(90_000, "tree.changed", { reason: "edit", changes: [] }),
      event(90_000, "action.result", { ...step, status: "failed", error: lost, result }),
      event(90_000, "step.failed", { ...step, ...lost }),
      event(90_000, "turn.failed", { ...turn, ...lost }),
      event(90_000, "session.waiting", { wait: "next-user-message" }),
    ]);
    const trace = traceRows(state);
    expect(trace.rows.map(({ id, startMs, lengthMs }) => ({ id, startMs, lengthMs }))).toEqual([
      { id: "turn_0", startMs: 0, lengthMs: 40 },
      { id: "turn_0/0", startMs: 10, lengthMs: 30 },
      { id: "call_1", startMs: 20, lengthMs: 20 },
    ]);
    expect([trace.spanMs, state.wallTimeMs]).toEqual([40, 40]);
  });

  it("has nothing to show of a session that has not begun", () => {
    expect(traceRows(sessionStateFromEvents([]))).toEqual({ rows: [], spanMs: 0, steps: 0, calls: 0, stubbed: 0 });
  });
});
