import { expect, test } from "vitest";
import type { ReexecutedCall, ResultClass } from "../../../trajectory";
import { verdictText } from "./verdictText";

const none: Readonly<Record<ResultClass, number>> = {
  equal: 0,
  "equal after normalisation": 0,
  differs: 0,
  "status differs": 0,
  "not run": 0,
  "not comparable": 0,
  extra: 0,
  missing: 0,
};

function verdictOf(roots: readonly number[], counts: Partial<Record<ResultClass, number>>): string {
  const length = Object.values(counts).reduce((sum, count) => sum + count, 0);
  // Only how many there are counts.
  const calls = Array.from({ length }, () => ({}) as ReexecutedCall);
  return verdictText({ calls, roots, counts: { ...none, ...counts } });
}

test("a verdict tells of every call: what diverged by itself, what followed, what was the same and what nobody could compare", () => {
  expect([
    verdictOf([], { equal: 1, "equal after normalisation": 1 }),
    verdictOf([], { equal: 1, "not run": 1 }),
    verdictOf([1], { differs: 1, "status differs": 1, equal: 1 }),
    verdictOf([1, 2], { differs: 3, missing: 1, equal: 1, "not comparable": 1 }),
  ]).toEqual([
    "2 calls: no divergence, all came to the same",
    "2 calls: no divergence, 1 came to the same, 1 could not be compared",
    "3 calls: 1 divergence of its own, 1 that follows from it, 1 came to the same",
    "6 calls: 2 divergences of their own, 2 that follow from them, 1 came to the same, 1 could not be compared",
  ]);
});
