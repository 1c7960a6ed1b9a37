import { describe, expect, it } from "vitest";
import { memoryFile, SnapshotTree } from "../fs";
import type { SessionEvent } from "../session";
import { sessionTreeChanges, treeChangesToTell, type TreeToTell } from "./sessionTreeChanges";

const file = (text: string) => memoryFile(text, 0);
const hash = (text: string) => file(text).hash;
const changed = (type: string, changes: readonly object[]) =>
  ({ type, data: { changes }, meta: {} }) as unknown as SessionEvent;

describe("sessionTreeChanges", () => {
  const start = SnapshotTree.empty.withFile("/a", file("a0")).withFile("/b", file("b0"));
  const events = [
    changed("action.result", [{ path: "/a", before: hash("a0"), after: hash("a1") }]),
    changed("action.result", [{ path: "/new", after: hash("n1") }]),
    changed("tree.changed", [{ path: "/b", before: hash("b0") }]),
  ];
  const told = start.withFile("/a", file("a1")).withFile("/new", file("n1")).without("/b");

  it("finds nothing while the log leads to the tree as it is", () => {
    expect(sessionTreeChanges(events, start, told)).toEqual([]);
  });

  it("tells what a person changed since, against what the log last said", () => {
    const now = told.withFile("/a", file("a2")).withFile("/b", file("b0")).without("/new").withFile("/c", file("c"));
    expect(sessionTreeChanges(events, start, now)).toEqual([
      { path: "/a", before: hash("a1"), after: hash("a2"), sizeBytes: 2 },
      { path: "/b", after: hash("b0"), sizeBytes: 2 },
      { path: "/c", after: hash("c"), sizeBytes: 1 },
      { path: "/new", before: hash("n1") },
    ]);
  });
});

describe("treeChangesToTell", () => {
  const work = { prefix: "/work", kind: "idb", readOnly: false };
  const memory = { prefix: "/work/memory", kind: "memory", readOnly: false };
  const data = { prefix: "/data", kind: "idb", readOnly: true };
  const start = SnapshotTree.empty.withFile("/work/a", file("a0")).withFile("/work/memory/m", file("m0"));
  const started = {
    type: "session.started",
    data: { playground: { mounts: [work, memory] } },
    meta: {},
  } as unknown as SessionEvent;
  const told = (more: Partial<TreeToTell>) =>
    treeChangesToTell({ events: [started], start, now: start, mounts: [work, memory], known: [], ...more });
  const edited = { path: "/work/a", before: hash("a0"), after: hash("a1"), sizeBytes: 2 };
  const now = start.withFile("/work/a", file("a1"));

  it("tells nothing while neither files nor mounts differ, whatever the order of the table", () => {
    expect(told({ mounts: [memory, work], known: [{ reason: "edit", paths: ["/work"] }] })).toEqual([]);
  });

  it("tells a change of the table though no file differs, and not again once it was told", () => {
    const [change] = told({ mounts: [work, memory, data] });
    expect(change).toEqual({ reason: "mounts", changes: [], mounts: [work, memory, data] });
    const event = { type: "tree.changed", data: change, meta: {} } as unknown as SessionEvent;
    expect(told({ events: [started, event], mounts: [work, memory, data] })).toEqual([]);
    expect(told({ events: [started, event], mounts: [work, memory, data], now })).toEqual([
      { reason: "edit", changes: [edited] },
    ]);
    expect(told({ events: [started, event], mounts: [work, memory] })).toEqual([
      { reason: "mounts", changes: [], mounts: [work, memory] },
    ]);
  });

  it("gives each file the reason of what was done to it last", () => {
    const known: TreeToTell["known"] = [
      { reason: "edit", paths: ["/work"] },
      { reason: "revert", paths: ["/work/a"] },
    ];
    expect(told({ now: now.withFile("/work/b", file("b")), known })).toEqual([
      { reason: "revert", changes: [edited] },
      { reason: "edit", changes: [{ path: "/work/b", after: hash("b"), sizeBytes: 1 }] },
    ]);
  });

  it("lays files that came or went with a mount on the mounts, and others on nobody's mount", () => {
    const withData = now.withFile("/data/d", file("d"));
    expect(told({ now: withData, mounts: [work, memory, data] })).toEqual([
      {
        reason: "mounts",
        changes: [{ path: "/data/d", after: hash("d"), sizeBytes: 1 }],
        mounts: [work, memory, data],
      },
      { reason: "edit", changes: [edited] },
    ]);
  });

  it("takes a mount in memory that began anew for no edit, and leaves it to the next message where others may have it", () => {
    const anew = now.without("/work/memory/m");
    const reset = { reason: "mounts", changes: [{ path: "/work/memory/m", before: hash("m0") }] };
    expect(told({ now: anew, memory: "began-anew" })).toEqual([reset, { reason: "edit", changes: [edited] }]);
    expect(told({ now: anew, memory: "later" })).toEqual([{ reason: "edit", changes: [edited] }]);
  });

  it("lays what nobody could write, and the first list of a folder or store, on the mounts", () => {
    const dav = { prefix: "/dav", kind: "webdav", readOnly: false };
    const table = { ...data, kind: "overlay" };
    const added = { type: "tree.changed", data: { reason: "mounts", changes: [], mounts: [work, memory, table, dav] } };
    const events = [started, { ...added, meta: {} } as unknown as SessionEvent];
    const listed = start.withFile("/data/d", file("d")).withFile("/dav/f", file("f"));
    const options = { events, mounts: [work, memory, table, dav] };
    const changes = [
      { path: "/data/d", after: hash("d"), sizeBytes: 1 },
      { path: "/dav/f", after: hash("f"), sizeBytes: 1 },
    ];
    const [change, ...rest] = treeChangesToTell({ ...options, start, now: listed, known: [] });
    expect([change, rest]).toEqual([{ reason: "mounts", changes }, []]);
    events.push({ type: "tree.changed", data: change, meta: {} } as unknown as SessionEvent);
    const known = [{ reason: "edit" as const, paths: ["/work"] }];
    expect(
      treeChangesToTell({ ...options, start, now: listed.without("/data/d").withFile("/dav/g", file("g")), known }),
    ).toEqual([
      {
        reason: "edit",
        changes: [
          { path: "/data/d", before: hash("d") },
          { path: "/dav/g", after: hash("g"), sizeBytes: 1 },
        ],
      },
    ]);
  });
});
