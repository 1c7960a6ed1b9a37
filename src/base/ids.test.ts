import { expect, it } from "vitest";
import { sessionIds } from "./ids";
import { seededRandom } from "./random";

const idsFrom = (seed: string) => sessionIds(() => Date.UTC(2026, 0, 2, 3, 4, 5, 6), seededRandom(seed));

it("gives the same ids for the same clock and seed, and no id twice", () => {
  const ids = idsFrom("a");
  const given = [ids.next("evt"), ids.uuid(), ids.uuid()];
  const again = idsFrom("a");
  expect([again.next("evt"), again.uuid(), again.uuid()]).toEqual(given);
  expect(new Set([...given, idsFrom("b").uuid()]).size).toBe(4);
});

it("makes UUIDs of version 7: the time first, then version and variant", () => {
  const milliseconds = Date.UTC(2026, 0, 2, 3, 4, 5, 6).toString(16).padStart(12, "0");
  for (let count = 0, ids = idsFrom("c"); count < 100; count++) {
    const uuid = ids.uuid();
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(uuid.replaceAll("-", "").slice(0, 12)).toBe(milliseconds);
  }
});
