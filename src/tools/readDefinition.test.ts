import { expect, test } from "vitest";
import { tempFs } from "../fs";
import { runTool } from "../testing/runTool";

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3);

function numbered(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join("");
}

test("Numbers every line, six wide, and gives the text, its lines and its bytes as the value", async () => {
  const tree = tempFs({ "/a.ts": "const a = 1;\nconst ä = 2;\n" });
  expect(await runTool(tree, "Read", { path: "/a.ts" })).toEqual({
    output: {
      path: "/a.ts",
      content: "const a = 1;\nconst ä = 2;\n",
      totalLines: 2,
      fileSize: 27,
      startLine: 1,
      shownLines: 2,
    },
    text: "     1|const a = 1;\n     2|const ä = 2;",
  });
});

test("A file without a last line end has the same lines", async () => {
  const { output, text } = await runTool(tempFs({ "/a": "one\n\nthree" }), "Read", { path: "/a" });
  expect(output).toMatchObject({ content: "one\n\nthree", totalLines: 3, shownLines: 3 });
  expect(text).toBe("     1|one\n     2|\n     3|three");
});

test("CRLF and a byte order mark are kept", async () => {
  const { output, text } = await runTool(tempFs({ "/a": "\uFEFFone\r\ntwo\r\n" }), "Read", { path: "/a" });
  expect(output).toMatchObject({ content: "\uFEFFone\r\ntwo\r\n", totalLines: 2, fileSize: 13 });
  expect(text).toBe("     1|\uFEFFone\r\n     2|two\r");
});

test("An empty file says so", async () => {
  expect((await runTool(tempFs({ "/a": "" }), "Read", { path: "/a" })).text).toBe("(empty file)");
});

test("offset and limit choose lines, and the rest is named", async () => {
  const tree = tempFs({ "/a": numbered(1, 10) });
  const { output, text } = await runTool(tree, "Read", { path: "/a", offset: 3, limit: 2 });
  expect(output).toMatchObject({ content: "line 3\nline 4\n", totalLines: 10, startLine: 3, shownLines: 2 });
  expect(text).toBe("     3|line 3\n     4|line 4\n[6 more lines: continue with offset=5]");
});

test("A negative offset counts from the end, 0 is the start, and one past the end says how long the file is", async () => {
  const tree = tempFs({ "/a": numbered(1, 10) });
  expect((await runTool(tree, "Read", { path: "/a", offset: -1 })).text).toBe("    10|line 10");
  expect((await runTool(tree, "Read", { path: "/a", offset: -99, limit: 1 })).text).toBe(
    "     1|line 1\n[9 more lines: continue with offset=2]",
  );
  expect((await runTool(tree, "Read", { path: "/a", offset: 0, limit: 9 })).text).toMatch(
    /\[1 more line: continue with offset=10\]$/,
  );
  expect((await runTool(tree, "Read", { path: "/a", offset: 11 })).text).toBe("[no line 11: the file has 10 lines]");
});

test("2,000 lines are shown, and the cut says how to go on", async () => {
  const { output, text } = await runTool(tempFs({ "/a": numbered(1, 2312) }), "Read", { path: "/a" });
  expect(output).toMatchObject({ totalLines: 2312, startLine: 1, shownLines: 2000 });
  expect((text as string).split("\n").slice(-2)).toEqual([
    "  2000|line 2000",
    "[312 more lines: continue with offset=2001]",
  ]);
});

test("50 KB are shown in whole lines", async () => {
  const { output, text } = await runTool(tempFs({ "/a": `${"x".repeat(1023)}\n`.repeat(60) }), "Read", { path: "/a" });
  expect(output).toMatchObject({ totalLines: 60, shownLines: 50 });
  expect(text).toMatch(/\n\[10 more lines: continue with offset=51\]$/);
});

test("A long line is cut at 2,000 characters, on a code point, and can be read whole alone", async () => {
  const tree = tempFs({ "/a": `short\n${"😀".repeat(2001)}\r\nend\n` });
  const { output, text } = await runTool(tree, "Read", { path: "/a" });
  expect(output).toMatchObject({
    content: `short\n${"😀".repeat(2000)}\r\nend\n`,
    cutLines: [{ line: 2, missingCharacters: 1 }],
  });
  expect((text as string).split("\n").at(-1)).toBe(
    "[line 2 is cut, 1 more character: read it whole with offset=2 and limit=1]",
  );
  const whole = await runTool(tree, "Read", { path: "/a", offset: 2, limit: 1 });
  expect(whole.text).toBe(`     2|${"😀".repeat(2001)}\r\n[1 more line: continue with offset=3]`);
});

test("Several cuts are told in one line", async () => {
  const long = "x".repeat(2005);
  const { text } = await runTool(tempFs({ "/a": `${long}\n${long}\nend\n` }), "Read", { path: "/a", limit: 2 });
  expect((text as string).split("\n").at(-1)).toBe(
    "[1 more line: continue with offset=3; 2 lines are cut, the first is 1: read one whole with offset=1 and limit=1]",
  );
});

test("A line of more than 50 KB is cut on a code point even alone, and points to Grep", async () => {
  const { output, text } = await runTool(tempFs({ "/a": `x${"😀".repeat(20_000)}` }), "Read", { path: "/a", limit: 1 });
  expect(output).toMatchObject({ content: `x${"😀".repeat(12_799)}`, totalLines: 1 });
  expect((text as string).split("\n").at(-1)).toBe(
    "[line 1 is cut, 7201 more characters: Grep for a plain text in it to see the part around that text]",
  );
});

test("An image is a base64 part", async () => {
  const part = { type: "image", base64: "iVBORw0KGgoBAgM=", mediaType: "image/png" };
  expect(await runTool(tempFs({ "/i.png": PNG }), "Read", { path: "/i.png" })).toEqual({
    output: { path: "/i.png", content: [part], fileSize: 11 },
    text: [part],
  });
});

test("Other bytes, and images too large to show, are named with their size", async () => {
  const huge = new Uint8Array(5 * 1024 * 1024 + 1);
  huge.set(PNG);
  const tree = tempFs({ "/b": Uint8Array.of(0, 1, 2), "/i.png": huge });
  expect(await runTool(tree, "Read", { path: "/b" })).toEqual({
    output: { path: "/b", binary: true, fileSize: 3 },
    text: "binary file (3 bytes)",
  });
  expect((await runTool(tree, "Read", { path: "/i.png" })).text).toBe(
    "binary file (5242881 bytes): an image larger than the 5242880 bytes that can be shown",
  );
});

test("A relative path is one from the root, and a missing one is the tree's error", async () => {
  const tree = tempFs({ "/src/a": "x" });
  expect((await runTool(tree, "Read", { path: "src/../src/a" })).text).toBe("     1|x");
  await expect(runTool(tree, "Read", { path: "/no" })).rejects.toMatchObject({
    code: "not-found",
    message: "not found: /no",
  });
});

test("Needs the verb read alone", async () => {
  const { text } = await runTool({ read: async (path: string) => `contents of ${path}` }, "Read", { path: "/a" });
  expect(text).toBe("     1|contents of /a");
});
