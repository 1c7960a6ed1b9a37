import { expect, test } from "vitest";
import { sessionStateFromEvents } from "./reduceSession";
import type { EventMeta, SessionEvent } from "./sessionEvent";

const place = { turnId: "turn_0", sequence: 0, stepIndex: 0 };

/** How long a call took by a log in which it is requested and answered at these times. */
function durationMs(requested: Partial<EventMeta>, answered: Partial<EventMeta>, measured: object = {}) {
  const event = (type: string, data: object, meta: Partial<EventMeta>) =>
    ({ type, data: { ...place, ...data }, meta: { id: "e", at: "2026-01-01T00:00:00.000Z", ...meta } }) as SessionEvent;
  const call = { callId: "c", toolName: "Read" };
  const state = sessionStateFromEvents([
    event("turn.started", {}, requested),
    event("step.started", { modelId: "m" }, requested),
    event("actions.requested", { actions: [{ kind: "tool-call", ...call, input: {} }] }, requested),
    event("action.result", { ...measured, status: "completed", result: { kind: "tool-result", ...call } }, answered),
  ]);
  const item = state.items.get("c");
  return item?.kind === "call" ? [item.state, item.durationMs] : undefined;
}

const origin = { byte: 0, length: 1 };
const first = { origin, at: "2026-01-01T01:02:00.863Z" };
const later = { origin, at: "2026-01-01T01:02:00.904Z" };

test("an imported call nobody measured took the time from its request to its result", () => {
  expect(durationMs(first, later)).toEqual(["completed", 41]);
  expect(durationMs(first, later, { durationMs: 7 })).toEqual(["completed", 7]);
});

test("how long a call took is unknown where a time is missing, both are the same, or it was recorded here", () => {
  expect([
    durationMs({ ...first, time: "missing" }, later),
    durationMs(first, { ...later, time: "missing" }),
    durationMs(first, first),
    durationMs({ at: first.at }, { at: later.at }),
  ]).toEqual(Array.from({ length: 4 }, () => ["completed", undefined]));
});
