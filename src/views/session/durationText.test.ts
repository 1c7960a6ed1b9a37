import { expect, test } from "vitest";
import { durationText } from "./durationText";

test("a span is told in the two largest units a person reads", () => {
  const spans = [
    undefined,
    0,
    999,
    1_000,
    59_949,
    59_950,
    200_000,
    3_599_499,
    3_599_500,
    5_580_000,
    86_369_999,
    86_370_000,
  ];
  expect([...spans, 5_616_001_000].map(durationText)).toEqual([
    "unknown",
    "0 ms",
    "999 ms",
    "1.0 s",
    "59.9 s",
    "1 min 0 s",
    "3 min 20 s",
    "59 min 59 s",
    "1 h 0 min",
    "1 h 33 min",
    "23 h 59 min",
    "1 d 0 h",
    "65 d 0 h",
  ]);
});
