import { expect, test } from "vitest";
import { emptyFs, ReadOnlyMountError, readOnlyFs, tempFs, UnavailableError, type FileSystem } from "../fs";
import { runTool } from "../testing/runTool";

test("Write creates and overwrites, and tells lines and bytes", async () => {
  const tree = tempFs({ "/a.md": "old" });
  expect(await runTool(tree, "Write", { path: "/a.md", fileText: "eins\nzwölf\n" })).toEqual({
    output: { path: "/a.md", linesCreated: 2, fileSize: 12 },
    text: "Wrote contents to /a.md",
  });
  expect(await runTool(tree, "Write", { path: "new/b", fileText: "" })).toEqual({
    output: { path: "/new/b", linesCreated: 0, fileSize: 0 },
    text: "Wrote contents to /new/b",
  });
  expect([await tree.read("/a.md"), await tree.read("/new/b")]).toEqual(["eins\nzwölf\n", ""]);
});

test("Write on a read-only tree is the tree's own error", async () => {
  await expect(runTool(emptyFs(), "Write", { path: "/a", fileText: "x" })).rejects.toMatchObject({
    code: "read-only-mount",
    message: "read-only mount: /a",
  });
});

test("StrReplace replaces one occurrence and shows the difference", async () => {
  const tree = tempFs({ "/a.ts": "one\ntwo\nthree\n" });
  expect(await runTool(tree, "StrReplace", { path: "/a.ts", oldText: "two", newText: "2\n2" })).toEqual({
    output: {
      path: "/a.ts",
      occurrencesModified: 1,
      linesAdded: 2,
      linesRemoved: 1,
      diffString: "@@ -1,3 +1,4 @@\n one\n-two\n+2\n+2\n three",
    },
    text: "Replaced 1 occurrence in /a.ts",
  });
  expect(await tree.read("/a.ts")).toBe("one\n2\n2\nthree\n");
});

test("StrReplace is literal: no pattern in the old text, no $ in the new one", async () => {
  const tree = tempFs({ "/a": "a.c abc" });
  await runTool(tree, "StrReplace", { path: "/a", oldText: "a.c", newText: "$& $1 $$ $`" });
  expect(await tree.read("/a")).toBe("$& $1 $$ $` abc");
});

test("StrReplace with replaceAll replaces every occurrence that does not overlap another", async () => {
  const tree = tempFs({ "/a": "aaaaa" });
  const { output, text } = await runTool(tree, "StrReplace", {
    path: "/a",
    oldText: "aa",
    newText: "b",
    replaceAll: true,
  });
  expect(output).toMatchObject({ occurrencesModified: 2 });
  expect(text).toBe("Replaced 2 occurrences in /a");
  expect(await tree.read("/a")).toBe("bba");
});

test.each([
  ["", "x", "oldText is empty"],
  ["a", "a", "oldText and newText are exactly the same"],
  ["z", "x", "The string to replace was not found in the file"],
  [
    "a",
    "x",
    "The string to replace was found multiple times in the file. Use replace_all to replace all occurrences, or include more context to only edit one occurrence.",
  ],
])("StrReplace of %j by %j is refused: %s", async (oldText, newText, message) => {
  const tree = tempFs({ "/a": "a a" });
  await expect(runTool(tree, "StrReplace", { path: "/a", oldText, newText })).rejects.toMatchObject({
    code: "edit",
    path: "/a",
    message,
  });
  expect(await tree.read("/a")).toBe("a a");
});

test("StrReplace of a missing file, and of bytes, is an error", async () => {
  const tree = tempFs({ "/b": Uint8Array.of(0) });
  const edit = { oldText: "a", newText: "b" };
  await expect(runTool(tree, "StrReplace", { path: "/no", ...edit })).rejects.toThrow("not found: /no");
  await expect(runTool(tree, "StrReplace", { path: "/b", ...edit })).rejects.toMatchObject({
    code: "invalid-input",
    message: "StrReplace: /b is a binary file; only text can be replaced",
  });
});

test("A failed write-back is a failed write, but what the tree says of the path passes as it is", async () => {
  const edit = { path: "/a", oldText: "a", newText: "b" };
  const failing = (error: Error): Partial<FileSystem> => ({
    read: async () => "a",
    write: async () => {
      throw error;
    },
  });
  const cause = new Error("disk on fire");
  await expect(runTool(failing(cause), "StrReplace", edit)).rejects.toMatchObject({
    code: "write-failed",
    message: "write failed: /a",
    cause,
  });
  await expect(runTool(failing(new UnavailableError("/a")), "StrReplace", edit)).rejects.toThrow("unavailable: /a");
  await expect(runTool(readOnlyFs(tempFs({ "/a": "a" })), "StrReplace", edit)).rejects.toThrow(ReadOnlyMountError);
});

test("Delete deletes a file and tells its size, where the tree knows it", async () => {
  const tree = tempFs({ "/a": "123" });
  expect(await runTool(tree, "Delete", { path: "/a" })).toEqual({
    output: { path: "/a", fileSize: 3 },
    text: "Deleted /a",
  });
  expect(await tree.stat("/a")).toEqual({ kind: "missing" });
  await expect(runTool(tree, "Delete", { path: "/a" })).rejects.toThrow("not found: /a");
  expect(await runTool({ delete: async () => undefined }, "Delete", { path: "/a" })).toEqual({
    output: { path: "/a" },
    text: "Deleted /a",
  });
});
