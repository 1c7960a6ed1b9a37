import { expect, test } from "vitest";
import type { JsonObject } from "../base";
import { textFromResult } from "./textFromResult";

test("A native's logged value reads as its tool tells it, bound or not", () => {
  expect(textFromResult("Write", { path: "/a", linesCreated: 1, fileSize: 2 }, {})).toBe("Wrote contents to /a");
  expect(textFromResult("Glob", { files: ["/a"], totalFiles: 1, clientTruncated: false }, {})).toBe("/a");
});

test("A value with the published fields only is read too", () => {
  expect(textFromResult("Read", { content: "a\nb\n", totalLines: 2, fileSize: 4 }, { path: "/a" })).toBe(
    "     1|a\n     2|b",
  );
  expect(textFromResult("Delete", { fileSize: 4 }, { target_file: "/a" })).toBe("Deleted /a");
});

test("A command's output is read, then its exit code when it is not 0", () => {
  const text = (output: JsonObject) => textFromResult("Shell", output, { command: "ls" });
  expect(text({ exitCode: 0, signal: "", stdout: "a\nb\n", stderr: "", executionTime: 3 })).toBe("a\nb");
  expect(text({ exitCode: 2, stdout: "a\n", stderr: "no\n" })).toBe("a\nno\nexit code 2");
  expect(text({ exitCode: 0, stdout: "", stderr: "" })).toBe("(no output)");
});

test("A string is read as it is, whatever the tool", () => {
  expect(textFromResult("Read", "not found: /a", {})).toBe("not found: /a");
  expect(textFromResult("mcp_tool", "text", {})).toBe("text");
});

test.each([
  "Read",
  "LS",
  "Grep",
  "Glob",
  "Write",
  "StrReplace",
  "Delete",
  "SemanticSearch",
  "updateTodos",
  "Shell",
  "webSearch",
  "mcp_tool",
])("A value of another shape than %s's is read as JSON", (toolName) => {
  for (const output of [{ status: "success" }, ["a"], 7, null]) {
    expect(textFromResult(toolName, output, {})).toBe(JSON.stringify(output));
  }
});
