import { expect, test } from "vitest";
import { treeChangedText } from "./treeChangedText";

const paths = (...names: string[]) => names.map((path) => ({ path }));

test.each([
  [{ reason: "edit", changes: paths("/a") }, "A person changed files: /a."],
  [{ reason: "edit", changes: paths("/a", "/b", "/c", "/d", "/e") }, "A person changed files: /a, /b, /c and 2 more."],
  [{ reason: "revert", changes: paths("/a", "/b") }, "A person took changes back: /a, /b."],
  [{ reason: "mounts", changes: [] }, "The mounts changed."],
  [{ reason: "seed", changes: paths("/a.md") }, "The message brought files: /a.md."],
  [{ reason: "mounts", changes: [], mounts: [] }, "The mounts changed: there are none now."],
  [
    {
      reason: "mounts",
      changes: paths("/data/x"),
      mounts: [
        { prefix: "/work", kind: "idb", readOnly: false },
        { prefix: "/data", kind: "idb", readOnly: true },
      ],
    },
    "The mounts changed: now /work, /data (read-only); /data/x.",
  ],
] as const)("%j is said in a sentence", (data, text) => {
  expect(treeChangedText(data)).toBe(text);
});
