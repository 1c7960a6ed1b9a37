import { describe, expect, it } from "vitest";
import type { MountRecord } from "./mountRecord";
import { movedPrefixes, overlaysBegunAnew } from "./movedMounts";

const place = (id: string) => ({ id, prefix: `/${id}`, readOnly: true, color: 1 });
const work: MountRecord = { ...place("work"), kind: "idb", disk: "work" };
const empty: MountRecord = { ...place("zip"), kind: "archive", fileName: "a.zip", disk: "zip" };
const filled: MountRecord = { ...empty, disk: "zip-1", filledAt: 1 };
const fetched: MountRecord = { ...empty, disk: "zip-2", filledAt: 2 };
const over: MountRecord = { ...place("over"), kind: "overlay", upper: "zip", lower: "work" };
const twice: MountRecord = { ...place("twice"), kind: "overlay", upper: "over", lower: "work" };

describe("a mount table after another", () => {
  it.each([
    ["the same", [work, empty, over], [work, empty, over], [], []],
    ["one more", [work], [work, empty], ["/zip"], []],
    ["another colour", [work], [{ ...work, color: 2 }], [], []],
    ["filled", [work, empty, over, twice], [work, filled, over, twice], ["/zip", "/over", "/twice"], ["over", "twice"]],
    ["fetched again", [work, filled, over], [work, fetched, over], ["/zip", "/over"], []],
    ["a layer gone", [work, filled, over], [work, over], ["/zip", "/over"], ["over"]],
    ["a layer back", [work, over], [work, filled, over], ["/zip", "/over"], ["over"]],
    ["other layers", [work, over], [work, { ...over, upper: "work" }], ["/over"], ["over"]],
    ["moved", [work], [{ ...work, prefix: "/w" }], ["/work", "/w"], []],
  ] as const)("with %s: what moved, and which overlays begin anew", (_what, before, after, moved, anew) => {
    expect([movedPrefixes(before, after), overlaysBegunAnew(before, after)]).toEqual([moved, anew]);
  });
});
