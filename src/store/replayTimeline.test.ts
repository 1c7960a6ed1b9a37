import { expect, test } from "vitest";
import { indexAt, playTimes } from "./replayTimeline";

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
