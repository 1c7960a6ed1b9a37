import { expect, test } from "vitest";
import { timelineMarks } from "./timelineMarks";

test("events have a mark each, one where they lie on one another", () => {
  expect(timelineMarks([0, 1, 3], 4)).toBe("M250.0 0v5M500.0 0v5M1000.0 0v5");
  expect(timelineMarks([10, 10], 99_999)).toBe("M0.1 0v5");
  expect(timelineMarks([], 0)).toBe("");
});

test("more than can be told apart are told by parts of the line: the taller, the more", () => {
  const dense = Array.from({ length: 8_000 }, (_, index) => index);
  const sparse = Array.from({ length: 4_000 }, (_, index) => 8_000 + 2 * index);
  const marks = timelineMarks([...dense, ...sparse], 16_000)
    .split("M")
    .slice(1);
  expect([marks.length, marks[0], marks[61], marks[62], marks[124]]).toEqual([
    125,
    "4 0v5",
    "492 0v5",
    "500 0v4",
    "996 0v3",
  ]);
});
