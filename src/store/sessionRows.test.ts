import { describe, expect, it } from "vitest";
import { limits } from "../base";
import { sessionStateFromEvents, type SessionEvent } from "../session";
import { chatRows, groupCounts, groupTools, sameRows } from "./sessionRows";

const turn = { turnId: "turn_0", sequence: 0 };
const step = { ...turn, stepIndex: 0 };

function event(type: string, data: object): SessionEvent {
  return { type, data, meta: { id: "evt_1", at: "2026-01-01T00:00:00.000Z" } } as unknown as SessionEvent;
}

/** A turn in which `count` files are read, the last of them missing, and one is written. */
function readingTurn(count: number, isOver: boolean): SessionEvent[] {
  const ids = Array.from({ length: count }, (_, index) => `call_${index}`);
  const action = (callId: string, toolName: string) => ({ kind: "tool-call", callId, toolName, input: { path: "/a" } });
  const result = (callId: string, toolName: string, status: string) =>
    event("action.result", {
      ...step,
      status,
      toolName,
      result: { kind: "tool-result", callId, toolName, output: {} },
    });
  return [
    event("turn.started", turn),
    event("message.received", { ...turn, message: "go" }),
    event("step.started", { ...step, modelId: "m" }),
    event("message.completed", { ...step, message: "", finishReason: "tool-calls" }),
    event("actions.requested", { ...step, actions: [...ids.map((id) => action(id, "Read")), action("w", "Write")] }),
    ...ids.map((id, index) => result(id, "Read", index === count - 1 ? "failed" : "completed")),
    result("w", "Write", "completed"),
    event("step.completed", { ...step, finishReason: "tool-calls" }),
    ...(isOver ? [event("turn.completed", turn)] : []),
  ];
}

const none: ReadonlySet<string> = new Set();

describe("chatRows", () => {
  it("folds reads next to each other once their turn is over, and nothing while it runs", () => {
    const over = sessionStateFromEvents(readingTurn(limits.chatGroupCalls, true));
    const running = sessionStateFromEvents(readingTurn(limits.chatGroupCalls, false));
    const ids = Array.from({ length: limits.chatGroupCalls }, (_, index) => `call_${index}`);
    expect(chatRows(over, none).slice(1)).toEqual([
      { kind: "group", id: "group:call_0", callIds: ids, open: false },
      { kind: "item", id: "w" },
    ]);
    expect(chatRows(running, none).slice(1)).toEqual([...ids, "w"].map((id) => ({ kind: "item", id })));
  });

  it("shows the calls of an opened group below it, and never folds a few", () => {
    const state = sessionStateFromEvents(readingTurn(limits.chatGroupCalls, true));
    const rows = chatRows(state, new Set(["group:call_0"]));
    expect(rows.slice(1, 3)).toEqual([
      { kind: "group", id: "group:call_0", callIds: expect.any(Array) as unknown, open: true },
      { kind: "item", id: "call_0", within: "group:call_0" },
    ]);
    const few = chatRows(sessionStateFromEvents(readingTurn(2, true)), none);
    expect(few.map((row) => row.kind)).toEqual(["item", "item", "item", "item"]);
  });

  it("is the same array while no line comes, goes or folds", () => {
    const state = sessionStateFromEvents(readingTurn(3, false));
    const before = chatRows(state, none);
    expect(sameRows(before, chatRows(state, none))).toBe(before);
    const after = chatRows(sessionStateFromEvents(readingTurn(4, false)), none);
    expect(sameRows(before, after)).toBe(after);
  });

  it("counts how a group's calls ended and which tools they used", () => {
    const state = sessionStateFromEvents(readingTurn(7, true));
    const ids = ["call_0", "call_5", "call_6", "w"];
    expect([groupCounts(state, ids), groupTools(state, ids)]).toEqual([{ ok: 3, failed: 1 }, "Read 3, Write 1"]);
  });
});
