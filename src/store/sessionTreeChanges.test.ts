import { describe, expect, it } from "vitest";
import { memoryFile, SnapshotTree } from "../fs";
import type { SessionEvent } from "../session";
import { sessionTreeChanges } from "./sessionTreeChanges";

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
      { path: "/a", before: hash("a1"), after: hash("a2") },
      { path: "/b", after: hash("b0") },
      { path: "/c", after: hash("c") },
      { path: "/new", before: hash("n1") },
    ]);
  });
});
