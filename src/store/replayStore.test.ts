import { describe, expect, it } from "vitest";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { until, workbenchFixture, type WorkbenchFixture } from "../testing/workbenchFixture";

const says = (text: string) => ({ parts: [...textParts("t", text), finishPart("stop")] });
const calls = (id: string, tool: string, input: object) => ({
  parts: [...callParts(id, tool, input), finishPart("tool-calls")],
});
const replayOf = ({ workbench }: WorkbenchFixture) => workbench.replay.getState();

async function recorded(): Promise<{ fixture: WorkbenchFixture; sessionId: string }> {
  const fixture = await workbenchFixture({
    model: scriptedModel([
      calls("c1", "Write", { path: "/work/a.md", fileText: "one\n" }),
      calls("c2", "StrReplace", { path: "/work/a.md", oldText: "one", newText: "two" }),
      calls("c3", "Delete", { path: "/notes/old.md" }),
      says("Done."),
    ]),
    document: {
      mounts: [
        { id: "work", prefix: "/work", kind: "memory", readOnly: false, color: 1 },
        { id: "notes", prefix: "/notes", kind: "memory", readOnly: false, color: 2, seed: { "/old.md": "old\n" } },
      ],
    },
  });
  await fixture.workbench.session.getState().send("go");
  return { fixture, sessionId: fixture.workbench.session.getState().currentId ?? "" };
}

/** Goes to an event and waits for the frame that shows it. */
async function at(fixture: WorkbenchFixture, index: number): Promise<ReturnType<typeof replayOf>> {
  const { seek, events } = { ...replayOf(fixture), events: replayOf(fixture).look.getState().events };
  seek(index);
  await until(() => replayOf(fixture).index === index && replayOf(fixture).event === events()[index], "the event");
  return replayOf(fixture);
}

async function opened() {
  const { fixture, sessionId } = await recorded();
  await replayOf(fixture).open(sessionId);
  await until(() => replayOf(fixture).event !== undefined, "the end");
  return { fixture, sessionId };
}

describe("createReplayStore", () => {
  it("shows the session and its tree as they were after every event", async () => {
    const { fixture } = await opened();
    const live = fixture.workbench.session.getState();
    const { changeIndexes, eventCount, isStartKept } = replayOf(fixture);
    expect([eventCount, isStartKept, changeIndexes.length]).toEqual([live.events().length, true, 3]);
    const files = [];
    for (const index of [0, ...changeIndexes]) {
      const { tree, changes, touched, selected } = await at(fixture, index);
      files.push({
        files: [...tree.files()].map(([path]) => path),
        changed: changes.list().map(({ path, kind }) => `${kind} ${path}`),
        touched: [...touched],
        selected,
      });
    }
    expect(files).toEqual([
      { files: ["/notes/old.md"], changed: [], touched: [], selected: "/notes/old.md" },
      {
        files: ["/notes/old.md", "/work/a.md"],
        changed: ["added /work/a.md"],
        touched: ["/work/a.md"],
        selected: "/work/a.md",
      },
      {
        files: ["/notes/old.md", "/work/a.md"],
        changed: ["added /work/a.md"],
        touched: ["/work/a.md"],
        selected: "/work/a.md",
      },
      {
        files: ["/work/a.md"],
        changed: ["deleted /notes/old.md", "added /work/a.md"],
        touched: ["/notes/old.md"],
        selected: "/notes/old.md",
      },
    ]);
    const { look } = await at(fixture, eventCount - 1);
    expect(look.getState().session).toEqual(live.session);
    expect((await at(fixture, changeIndexes[0] ?? 0)).look.getState().session.counts.ok).toBe(1);
  });

  it("reads a file as it was and what differs from the start", async () => {
    const { fixture } = await opened();
    const [written = 0, replaced = 0, deleted = 0] = replayOf(fixture).changeIndexes;
    await at(fixture, written);
    expect(await replayOf(fixture).fileAt("/work/a.md")).toEqual({
      path: "/work/a.md",
      sizeBytes: 4,
      text: "one\n",
      difference: {
        path: "/work/a.md",
        kind: "added",
        linesAdded: 1,
        linesRemoved: 0,
        lines: [{ kind: "added", text: "one" }],
      },
    });
    await at(fixture, replaced);
    expect((await replayOf(fixture).fileAt("/work/a.md")).text).toBe("two\n");
    expect((await replayOf(fixture).fileAt("/notes/old.md")).difference).toBeUndefined();
    await at(fixture, deleted);
    const gone = await replayOf(fixture).fileAt("/notes/old.md");
    expect([gone.text, gone.difference?.kind]).toEqual([undefined, "deleted"]);
    await at(fixture, 0);
    expect((await replayOf(fixture).fileAt("/work/a.md")).problem).toBe("There is no such file at this point.");
  });

  it("goes by steps, lists them, and plays to the end", async () => {
    const { fixture } = await opened();
    const { outline, stepIndexes } = replayOf(fixture);
    expect(outline.map(({ label, about }) => `${label}: ${about}`)).toEqual([
      "Turn 1: go",
      "Step 1: Write",
      "Step 2: StrReplace",
      "Step 3: Delete",
      "Step 4: answers",
    ]);
    await at(fixture, stepIndexes[1] ?? 0);
    replayOf(fixture).seekStep(1);
    await until(() => replayOf(fixture).index === stepIndexes[2], "the next step");
    replayOf(fixture).seekStep(-1);
    await until(() => replayOf(fixture).index === stepIndexes[1], "the step before");
    await at(fixture, replayOf(fixture).eventCount - 3);
    replayOf(fixture).setSpeed(10);
    replayOf(fixture).play();
    await until(() => replayOf(fixture).isPlaying, "playing");
    await until(() => !replayOf(fixture).isPlaying, "the end");
    expect(replayOf(fixture).index).toBe(replayOf(fixture).eventCount - 1);
  });

  it("says that the starting tree was not kept when a log comes without it, and shows what was written", async () => {
    const { fixture, sessionId } = await recorded();
    const { contents } = await fixture.workbench.session.getState().exportSession(sessionId, "ndjson");
    const other = await workbenchFixture();
    const imported = await other.workbench.session.getState().importSession({ name: "log.ndjson", contents });
    await replayOf(other).open(imported ?? "");
    await until(() => replayOf(other).event !== undefined, "the end");
    const { isStartKept, tree, changes } = replayOf(other);
    expect([isStartKept, [...tree.files()].map(([path]) => path)]).toEqual([false, ["/work/a.md"]]);
    expect(changes.list().map(({ path }) => path)).toEqual(["/work/a.md"]);
    expect((await replayOf(other).fileAt("/work/a.md")).problem).toBe(
      "The saved session does not hold the contents of this file.",
    );
  });

  it("tells when a session cannot be read, and lets go of it", async () => {
    const fixture = await workbenchFixture();
    await replayOf(fixture).open("session_none");
    expect(replayOf(fixture).problem).toBe("The session has no events: it may have been deleted.");
    replayOf(fixture).close();
    await until(() => replayOf(fixture).problem === undefined, "closed");
    expect(replayOf(fixture).sessionId).toBeUndefined();
  });
});
