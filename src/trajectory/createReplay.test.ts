import { describe, expect, test } from "vitest";
import { sha256HexSync } from "../base";
import { isVersionedTree, SnapshotTree, type FileSystem } from "../fs";
import { sessionStateFromEvents, type SessionEvent } from "../session";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { sessionFixture } from "../testing/sessionFixture";
import { createReplay } from "./createReplay";
import { projectFromZip, projectZip } from "./projectZip";
import { sessionFromZip, sessionZip } from "./sessionZip";

async function snapshot(tree: FileSystem): Promise<SnapshotTree> {
  if (!isVersionedTree(tree)) throw new Error("the fixture's tree is versioned");
  return await tree.snapshot();
}

/** A run that writes, overwrites and deletes, with the tree before it and all that was kept. */
async function recorded() {
  const session = await sessionFixture({
    files: { "/notes.md": "one\n", "/docs/a.md": "a" },
    model: scriptedModel([
      {
        parts: [
          ...callParts("c1", "Write", { path: "/new.md", fileText: "1" }),
          ...callParts("c2", "Write", { path: "/new.md", fileText: "2" }),
          finishPart("tool-calls"),
        ],
      },
      { parts: [...callParts("c3", "Delete", { path: "/docs/a.md" }), finishPart("tool-calls")] },
      { parts: [...textParts("t", "Done."), finishPart("stop")] },
    ]),
  });
  const start = await snapshot(session.tree);
  await session.run("go");
  const contents = new Map<string, Uint8Array>();
  for (const tree of session.kept) for (const [, file] of tree.files()) contents.set(file.hash, await file.bytes());
  for (const [hash, text] of session.blobs) contents.set(hash, new TextEncoder().encode(text));
  const blobs = { get: (hash: string) => Promise.resolve(contents.get(hash)) };
  return { session, start, blobs };
}

async function texts(tree: SnapshotTree): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [path, file] of tree.files()) found[path] = new TextDecoder().decode(await file.bytes());
  return found;
}

describe("a replay", () => {
  test("has the tree as it was after every event", async () => {
    const { session, start, blobs } = await recorded();
    const { events } = session;
    const replay = createReplay(events, start, blobs);
    const after = (callId: string): number =>
      events.findIndex((event) => event.type === "action.result" && event.data.result.callId === callId);
    expect(replay.changeIndexes).toEqual(["c1", "c2", "c3"].map(after));
    expect(replay.treeAt(-1)).toBe(start);
    expect(replay.treeAt(after("c1") - 1)).toBe(start);
    expect(await texts(replay.treeAt(after("c1")))).toEqual({
      "/docs/a.md": "a",
      "/new.md": "1",
      "/notes.md": "one\n",
    });
    expect(await texts(replay.treeAt(after("c2")))).toEqual({
      "/docs/a.md": "a",
      "/new.md": "2",
      "/notes.md": "one\n",
    });
    expect(await texts(replay.treeAt(after("c3")))).toEqual({ "/new.md": "2", "/notes.md": "one\n" });
    const end = await snapshot(session.tree);
    expect(await replay.treeAt(events.length - 1).rootHash()).toBe(await end.rootHash());
  });

  test("has the state after every event, in whichever order it is asked for", async () => {
    const { session, start, blobs } = await recorded();
    const { events } = session;
    const long = Array.from({ length: 700 }, (_, index): SessionEvent => {
      const data = { turnId: "turn_0", sequence: 0, stepIndex: 9, messageDelta: String(index) };
      return { type: "message.appended", data, meta: { id: "", at: "" } };
    });
    const all = [...events, ...long];
    const replay = createReplay(all, start, blobs);
    for (const index of [600, 3, 4, 5, 700, 255, 256, 255, -1, 0, all.length - 1, 511, 10_000]) {
      const state = replay.stateAt(index);
      const expected = sessionStateFromEvents(all.slice(0, index + 1));
      expect({ ...state, items: [...state.items] }).toEqual({ ...expected, items: [...expected.items] });
    }
    expect(replay.stepIndexes.map((index) => all[index]?.type)).toEqual([
      "step.started",
      "step.started",
      "step.started",
    ]);
  });

  test("of a change that does not fit the tree leaves it out", async () => {
    const { start, blobs } = await recorded();
    const changes = [
      { path: "/notes.md/below", after: sha256HexSync("x") },
      { path: "/ok", after: sha256HexSync("2"), sizeBytes: 1 },
    ];
    const events = [
      { type: "tree.changed", data: { reason: "edit", changes }, meta: { id: "", at: "" } },
    ] as const satisfies SessionEvent[];
    const replay = createReplay(events, start, blobs);
    expect([...replay.treeAt(0).files()].map(([path]) => path)).toEqual(["/docs/a.md", "/notes.md", "/ok"]);
  });
});

describe("a session file", () => {
  test("holds all it takes to replay the session on another machine", async () => {
    const { session, start, blobs } = await recorded();
    const events = session.events;
    const zip = await sessionZip({ events, blobs, loadSnapshot: () => Promise.resolve(start) });
    const opened = await sessionFromZip(zip);
    expect(opened.events).toEqual(JSON.parse(JSON.stringify(events)));
    expect(opened.warnings).toEqual([]);
    expect(await opened.start?.rootHash()).toBe(await start.rootHash());
    const replay = createReplay(opened.events, opened.start ?? SnapshotTree.empty, opened.blobs);
    expect(await texts(replay.treeAt(events.length - 1))).toEqual({ "/new.md": "2", "/notes.md": "one\n" });
    const step = opened.events.find((event) => event.type === "step.started");
    const blob = step?.type === "step.started" ? step.data.request?.blob : undefined;
    expect(await opened.blobs.get(blob ?? "")).toBeDefined();
    // The same session gives the same bytes.
    const again = await sessionZip({ events, blobs, loadSnapshot: () => Promise.resolve(start) });
    expect(new Uint8Array(await again.arrayBuffer())).toEqual(new Uint8Array(await zip.arrayBuffer()));
  });

  test("without its tree or its values opens, and says what is missing", async () => {
    const { session } = await recorded();
    const gone = { get: () => Promise.resolve(undefined) };
    const zip = await sessionZip({
      events: session.events,
      blobs: gone,
      loadSnapshot: () => Promise.reject(new Error("not kept")),
    });
    const opened = await sessionFromZip(zip);
    expect(opened.events.length).toBe(session.events.length);
    expect(opened.start).toBeUndefined();
    expect(opened.warnings.map(({ code }) => code)).toEqual(["missing-blob"]);
  });

  test("that is something else is refused with a code", async () => {
    await expect(sessionFromZip(new TextEncoder().encode("no zip"))).rejects.toMatchObject({ code: "broken-archive" });
    const project = await projectZip({
      name: "p",
      document: {},
      disks: [],
      sessions: [],
      blobs: { get: () => Promise.resolve(undefined) },
      loadSnapshot: () => Promise.reject(new Error("none")),
    });
    await expect(sessionFromZip(project)).rejects.toMatchObject({ code: "not-a-session" });
  });
});

describe("a project file", () => {
  test("gives back the document, the disks and the sessions", async () => {
    const { session, start, blobs } = await recorded();
    const disk = SnapshotTree.empty.withSubtree("/kept", start).withDirectory("/empty");
    const zip = await projectZip({
      name: "My project",
      document: { agent: { name: "tester" } },
      disks: [{ id: "disk_1", tree: disk }],
      sessions: [{ record: { id: "s1", name: "First" }, events: session.events }],
      blobs,
      loadSnapshot: () => Promise.resolve(start),
    });
    const opened = await projectFromZip(zip);
    expect(opened).toMatchObject({
      name: "My project",
      document: { agent: { name: "tester" } },
      disks: [{ id: "disk_1" }],
      sessions: [{ record: { id: "s1", name: "First" } }],
      warnings: [],
    });
    expect(await opened.disks[0]?.tree.rootHash()).toBe(await disk.rootHash());
    expect(opened.sessions[0]?.events).toEqual(JSON.parse(JSON.stringify(session.events)));
    expect(await opened.sessions[0]?.start?.rootHash()).toBe(await start.rootHash());
  });
});
