import { expect, test } from "vitest";
import type { SessionEvent } from "../session";
import { eventTimes, indexAt, playTimes } from "./replayTimeline";

const event = (at: string): SessionEvent => ({
  type: "turn.completed",
  data: { turnId: "turn_0", sequence: 0 },
  meta: { id: "evt", at },
});

test("times never run backwards; those that cannot be read stand still", () => {
  const events = ["2026-01-01T00:00:01.000Z", "2026-01-01T00:00:03.000Z", "2026-01-01T00:00:02.000Z", "?"].map(event);
  expect([...eventTimes(events)]).toEqual([0, 2_000, 2_000, 2_000]);
});

test("long pauses are shortened unless played as recorded; the speed divides what is left", () => {
  const times = Float64Array.from([0, 100, 60_100, 60_600]);
  expect([...playTimes(times, 1)]).toEqual([0, 100, 1_100, 1_600]);
  expect([...playTimes(times, 2)]).toEqual([0, 50, 550, 800]);
  expect([...playTimes(times, "recorded")]).toEqual([0, 100, 60_100, 60_600]);
});

test("the event due at a time is the last that has come", () => {
  const due = Float64Array.from([0, 100, 100, 300]);
  expect([-1, 0, 99, 100, 299, 300, 900].map((playedMs) => indexAt(due, playedMs))).toEqual([-1, 0, 0, 2, 2, 3, 3]);
  expect(indexAt(new Float64Array(), 5)).toBe(-1);
});
