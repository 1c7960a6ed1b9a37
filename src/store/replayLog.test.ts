import { describe, expect, it } from "vitest";
import { SnapshotTree } from "../fs";
import { sessionStateFromEvents, type SessionEvent } from "../session";
import { createReplay } from "../trajectory";
import { longLog } from "../testing/longLog";
import { until, workbenchFixture, type WorkbenchFixture } from "../testing/workbenchFixture";

const replayOf = ({ workbench }: WorkbenchFixture) => workbench.replay.getState();
const blobs = { get: () => Promise.resolve(undefined) };

async function stored(events: readonly SessionEvent[]): Promise<WorkbenchFixture> {
  const fixture = await workbenchFixture();
  const { storage } = fixture.workbench;
  await storage.createSession({
    id: "long",
    name: "long",
    createdAt: 1,
    updatedAt: 1,
    eventCount: 0,
    status: "ready",
    preview: "",
    origin: "import",
  });
  for (let from = 0; from < events.length; from += 700)
    await storage.log("long").append(events.slice(from, from + 700));
  return fixture;
}

/** Goes to an event and waits until that is what is shown. */
async function at(fixture: WorkbenchFixture, index: number, event: SessionEvent | undefined) {
  replayOf(fixture).seek(index);
  await until(() => replayOf(fixture).isSettled && replayOf(fixture).event?.meta.id === event?.meta.id, "the event");
  return replayOf(fixture);
}

const allRead = (fixture: WorkbenchFixture) =>
  until(() => replayOf(fixture).indexing === undefined && replayOf(fixture).outline.length > 0, "all of it read");

describe("a long session in Replay", () => {
  it("is there at its end before the rest is read, and complete when it is", async () => {
    const events = [...longLog({ turns: 40, stepsATurn: 40 })];
    const fixture = await stored(events);
    await replayOf(fixture).open("long");
    await until(() => replayOf(fixture).event !== undefined, "the end");
    const first = replayOf(fixture);
    expect([first.loading, first.index, first.eventCount]).toEqual([undefined, events.length - 1, events.length]);
    expect(first.indexing).toMatchObject({ ofEvents: events.length });
    expect(first.event).toEqual(events.at(-1));
    expect([...first.look.getState().session.items].at(-1)).toEqual([...sessionStateFromEvents(events).items].at(-1));

    await allRead(fixture);
    await until(() => replayOf(fixture).windowStart < first.windowStart, "the place with its beginning");
    const whole = createReplay(events, SnapshotTree.empty, blobs);
    const { outline, stepIndexes, changeIndexes, totalMs, look } = replayOf(fixture);
    expect([stepIndexes, changeIndexes]).toEqual([whole.stepIndexes, whole.changeIndexes]);
    expect(totalMs).toBe(100 * (events.length - 1));
    expect(outline.length).toBe(40 + 1_600);
    expect(outline.slice(0, 3)).toEqual([
      { id: "turn_0", kind: "turn", index: 1, label: "Turn 1", about: "message 0", isFailed: false },
      { id: "turn_0/0", kind: "step", index: 3, label: "Step 1", about: "Read", isFailed: false },
      { id: "turn_0/1", kind: "step", index: 8, label: "Step 2", about: "Read", isFailed: false },
    ]);
    expect(look.getState().session.counts).toEqual(sessionStateFromEvents(events).counts);
  });

  it("shows any place with what came right before it, its sums and its tree, and holds no more than a stretch", async () => {
    const events = [...longLog({ turns: 2, stepsATurn: 900 })];
    const fixture = await stored(events);
    await replayOf(fixture).open("long");
    await allRead(fixture);
    const whole = createReplay(events, SnapshotTree.empty, blobs);
    for (const index of [-1, 0, 3_000, 3_001, 1_500, 7_777, 200, events.length - 1]) {
      const { look, tree, windowStart } = await at(fixture, index, events[index]);
      const state = whole.stateAt(index);
      await until(() => look.getState().session.counts.calls === state.counts.calls, "the sums");
      const { session, events: shownEvents, firstEvent } = look.getState();
      expect([session.usage, session.status, session.eventCount]).toEqual([
        state.usage,
        state.status,
        state.eventCount,
      ]);
      expect([...tree.files()].map(([path, file]) => [path, file.hash])).toEqual(
        [...whole.treeAt(index).files()].map(([path, file]) => [path, file.hash]),
      );
      const ids = [...session.itemIds];
      expect(ids).toEqual(ids.length === 0 ? [] : [...state.itemIds].slice(-ids.length));
      expect(firstEvent()).toBe(windowStart);
      expect(Object.keys(shownEvents()).length).toBeLessThanOrEqual(2 * 1_024);
      expect(shownEvents()[index]).toEqual(events[index]);
    }
  });

  it("shows more before a place when it is asked to, and plays on from it", async () => {
    const events = [...longLog({ turns: 20, stepsATurn: 60 })];
    const fixture = await stored(events);
    await replayOf(fixture).open("long");
    await allRead(fixture);
    await at(fixture, 4_500, events[4_500]);
    await until(() => replayOf(fixture).windowStart === 3_072, "two stretches");
    replayOf(fixture).showEarlier();
    await until(() => replayOf(fixture).windowStart === 2_048, "a third");
    expect(replayOf(fixture).look.getState().events()[2_048]).toEqual(events[2_048]);
    await at(fixture, 500, events[500]);
    await at(fixture, 5_110, events[5_110]);
    await until(() => replayOf(fixture).windowStart === 3_072, "two stretches again");
    replayOf(fixture).setSpeed(10);
    replayOf(fixture).play();
    await until(() => replayOf(fixture).index > 5_130 && replayOf(fixture).isSettled, "playing over the border");
    replayOf(fixture).pause();
    await until(() => replayOf(fixture).windowStart === 4_096, "the next stretch");
  });

  it("stops reading when it is closed", async () => {
    const events = [...longLog({ turns: 40, stepsATurn: 40 })];
    const fixture = await stored(events);
    await replayOf(fixture).open("long");
    replayOf(fixture).close();
    await until(() => replayOf(fixture).eventCount === 0, "closed");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(replayOf(fixture)).toMatchObject({
      sessionId: undefined,
      indexing: undefined,
      outline: [],
      problem: undefined,
    });
  });
});
