import { describe, expect, it } from "vitest";
import { SnapshotTree } from "../fs";
import { sessionStateFromEvents } from "../session";
import { longLog } from "../testing/longLog";
import { createReplay } from "./createReplay";
import { ReplayIndex } from "./replayIndex";

const blobs = { get: () => Promise.resolve(undefined) };
const filesOf = (tree: SnapshotTree) => [...tree.files()].map(([path, { hash }]) => `${path} ${hash}`);

function indexed(events: Iterable<Parameters<ReplayIndex["add"]>[0]>, characters = 0): ReplayIndex {
  const index = new ReplayIndex(SnapshotTree.empty, blobs);
  for (const event of events) index.add(event, characters);
  return index;
}

describe("ReplayIndex", () => {
  // One turn that is longer than several stretches, and many that are short.
  it.each([
    { turns: 2, stepsATurn: 600 },
    { turns: 300, stepsATurn: 4 },
  ])("lets any stretch of a log of $turns turns be folded: later rows, sums and trees as of the whole log", (shape) => {
    const events = [...longLog(shape)];
    const index = indexed(events);
    const whole = createReplay(events, SnapshotTree.empty, blobs);
    expect([index.stepIndexes, index.changeIndexes]).toEqual([whole.stepIndexes, whole.changeIndexes]);
    expect(index.segmentCount).toBeGreaterThan(5);
    for (let number = 0; number < index.segmentCount; number++) {
      const base = index.segment(number);
      const end = index.segment(number + 1)?.from ?? events.length;
      if (base === undefined) throw new Error("no such segment");
      expect([index.segmentOf(base.from), index.segmentOf(end - 1)]).toEqual([number, number]);
      const replay = createReplay(events.slice(base.from, end), base.tree, blobs, base);
      expect([replay.from, replay.eventCount]).toEqual([base.from, end]);
      for (const at of [base.from, base.from + 77, end - 1]) {
        const { items: _i, itemIds, steps: _s, ...sums } = replay.stateAt(at);
        const { items, itemIds: allIds, steps, ...expected } = whole.stateAt(at);
        expect(sums).toEqual(expected);
        // The rows are the last ones of the whole log, and each of them is what it is there.
        const ids = [...itemIds];
        expect(ids).toEqual(ids.length === 0 ? [] : [...allIds].slice(-ids.length));
        expect(ids.map((id) => replay.stateAt(at).items.get(id))).toEqual(ids.map((id) => items.get(id)));
        expect(replay.stateAt(at).steps.last).toEqual(steps.last);
        expect(filesOf(replay.treeAt(at))).toEqual(filesOf(whole.treeAt(at)));
        expect(replay.eventAt(at)).toBe(events[at]);
      }
    }
  });

  it("ends a stretch early where its lines are long, and keeps none of them", () => {
    const index = indexed(longLog({ turns: 1, stepsATurn: 200 }), 64 * 1_024);
    expect(index.segmentCount).toBe(Math.ceil(index.eventCount / 16));
    const last = index.segment(index.segmentCount - 1);
    expect([...(last?.state.items ?? [])].length).toBeLessThanOrEqual(1);
    expect(last?.state.counts).toEqual(
      sessionStateFromEvents([...longLog({ turns: 1, stepsATurn: 200 })].slice(0, last?.from)).counts,
    );
  });

  it("tells when each event was, standing still where times run backwards or are none", () => {
    const [first, second, third, fourth] = longLog({ turns: 1, stepsATurn: 1 });
    if (first === undefined || second === undefined || third === undefined || fourth === undefined) throw new Error();
    const at = (event: typeof first, time: string) => ({ ...event, meta: { ...event.meta, at: time } });
    const index = indexed([
      at(first, "2026-01-01T00:00:00.000Z"),
      at(second, "2026-01-01T00:00:02.000Z"),
      at(third, "2026-01-01T00:00:01.000Z"),
      at(fourth, "some day"),
    ]);
    expect([...index.times]).toEqual([0, 2_000, 2_000, 2_000]);
  });
});
