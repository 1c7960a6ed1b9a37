import { expect, it, test } from "vitest";
import { mergedMountsChange, treeChangedText } from "./treeChangedText";

const paths = (...names: string[]) => names.map((path) => ({ path }));
const work = { prefix: "/work", kind: "idb", readOnly: false };
const data = { prefix: "/data", kind: "webdav", readOnly: true };
const came = { path: "/data/x", after: "1" };
const went = { path: "/data/y", before: "1" };
const other = { path: "/data/z", before: "1", after: "2" };

test.each([
  [{ reason: "edit", changes: paths("/a") }, "A person changed files: /a."],
  [{ reason: "edit", changes: paths("/a", "/b", "/c", "/d", "/e") }, "A person changed files: /a, /b, /c and 2 more."],
  [{ reason: "revert", changes: paths("/a", "/b") }, "A person took changes back: /a, /b."],
  [{ reason: "mounts", changes: [] }, "The mounts changed."],
  [{ reason: "seed", changes: paths("/a.md") }, "The message brought files: /a.md."],
  [{ reason: "mounts", changes: [], mounts: [] }, "The mounts changed: there are none now."],
  [
    { reason: "mounts", changes: [came], mounts: [work, data] },
    "The mounts changed: now /work, /data (read-only); 1 file came.",
  ],
] as const)("%j is said in a sentence", (changed, text) => {
  expect(treeChangedText(changed)).toBe(text);
});

test.each([
  [[work, data], [], "The mounts changed: + /data (WebDAV, read-only)."],
  [
    [data],
    [came, went, other],
    "The mounts changed: + /data (WebDAV, read-only), − /work; 1 file came; 1 file went; 1 file changed.",
  ],
  [[{ ...work, readOnly: true }], [], "The mounts changed: /work is read-only now."],
  [[{ ...work, prefix: "/w" }], [], "The mounts changed: + /w (IndexedDB), − /work."],
  [[work], [], "The mounts changed, and are as they were."],
  [undefined, [came, { ...came, path: "/data/w" }], "Files of the mounts: 2 files came."],
] as const)("of a table only the difference is said: %j", (mounts, changes, text) => {
  expect(treeChangedText({ reason: "mounts", changes, ...(mounts && { mounts }) }, [work])).toBe(text);
});

it("does not say that files went where the agent went to the host", () => {
  const host = { prefix: "/home/project", kind: "host", readOnly: false };
  const changed = { reason: "mounts", changes: [went], mounts: [host] } as const;
  expect(treeChangedText(changed, [work, data, host])).toBe(
    "The agent sees the host disk alone now; not in its tree any more: /work, /data.",
  );
  const back = { reason: "mounts", changes: [came], mounts: [work, host] } as const;
  expect(treeChangedText(back, [host])).toBe("The mounts changed: + /work (IndexedDB); 1 file came.");
});

it("makes one of two changes of mounts", () => {
  const first = { reason: "mounts", changes: [came, went, other], mounts: [work, data] } as const;
  const back = [
    { path: "/data/x", before: "1" },
    { path: "/data/y", after: "3" },
  ];
  expect(mergedMountsChange(first, { reason: "mounts", changes: back })).toEqual({
    reason: "mounts",
    changes: [{ path: "/data/y", before: "1", after: "3" }, other],
    mounts: [work, data],
  });
});
