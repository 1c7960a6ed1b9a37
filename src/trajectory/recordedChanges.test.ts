import { expect, test } from "vitest";
import type { FileEvidence, SessionEvent } from "../session";
import { EvidencedStart, recordedChanges } from "./recordedChanges";

const blobs = { get: async (hash: string) => new TextEncoder().encode(`text of ${hash}`) };
const known = (path: string, when: FileEvidence["known"], blob: string): FileEvidence => ({
  path,
  blob,
  sizeBytes: 3,
  known: when,
});
const result = (data: object) =>
  ({ type: "action.result", data, meta: { id: "evt", at: "2026-01-01T00:00:00.000Z" } }) as SessionEvent;

test("what a log says of its changes stands; else whole texts of after a call tell them", () => {
  const told = [{ path: "/a", after: "h1" }];
  expect(recordedChanges(result({ changes: told, evidence: [known("/b", "after", "h2")] }))).toEqual(told);
  const shown = [
    known("/a", "before", "h1"),
    known("/a", "after", "h2"),
    known("/b", "after", "h3"),
    known("/c", "full", "h4"),
  ];
  expect(recordedChanges(result({ evidence: shown }))).toEqual([
    { path: "/a", before: "h1", after: "h2", sizeBytes: 3 },
    { path: "/b", after: "h3", sizeBytes: 3 },
  ]);
  expect([recordedChanges(undefined), recordedChanges(result({}))]).toEqual([[], []]);
});

test("a recording began with what was read of it before it was written", async () => {
  const start = new EvidencedStart(blobs);
  start.add(result({ evidence: [known("/read", "full", "h1"), known("relative", "full", "h9")] }));
  start.add(result({ evidence: [known("/made", "after", "h2")] }));
  start.add(
    result({
      evidence: [known("/made", "full", "h2"), known("/edited", "before", "h3"), known("/edited", "after", "h4")],
    }),
  );
  const files = [];
  for (const [path, file] of start.tree.files()) files.push([path, new TextDecoder().decode(await file.bytes())]);
  expect(files).toEqual([
    ["/edited", "text of h3"],
    ["/read", "text of h1"],
    ["/relative", "text of h9"],
  ]);
});
