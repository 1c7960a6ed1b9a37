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

  it("has nothing to show of a session that has not begun", () => {
    expect(traceRows(sessionStateFromEvents([]))).toEqual({ rows: [], spanMs: 0, steps: 0, calls: 0 });
  });
});
