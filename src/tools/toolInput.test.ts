import { describe, expect, test } from "vitest";
import type { JsonObject } from "../base";
import { tempFs } from "../fs";
import { nativeTool, toolCall } from "../testing/runTool";
import { normalizeToolInput } from "./textFromResult";

const ALIASES: readonly [tool: string, published: string, aliases: readonly string[]][] = [
  [
    "Read",
    "path",
    ["target_file", "targetFile", "file_path", "filePath", "relative_workspace_path", "relativeWorkspacePath"],
  ],
  ["LS", "path", ["target_directory", "targetDirectory", "relative_workspace_path", "relativeWorkspacePath"]],
  ["LS", "ignore", ["ignore_globs", "ignoreGlobs"]],
  ["Glob", "globPattern", ["glob_pattern", "pattern"]],
  ["Glob", "targetDirectory", ["target_directory"]],
  ["Grep", "outputMode", ["output_mode"]],
  ["Grep", "contextBefore", ["-B", "context_before"]],
  ["Grep", "contextAfter", ["-A", "context_after"]],
  ["Grep", "context", ["-C"]],
  ["Grep", "caseInsensitive", ["-i", "case_insensitive"]],
  ["Grep", "headLimit", ["head_limit"]],
  ["Grep", "sortAscending", ["sort_ascending"]],
  ["Write", "path", ["file_path", "filePath", "target_file", "targetFile"]],
  ["Write", "fileText", ["contents", "content", "file_text"]],
  ["StrReplace", "path", ["file_path", "filePath", "target_file"]],
  ["StrReplace", "oldText", ["old_string", "oldString", "old_text"]],
  ["StrReplace", "newText", ["new_string", "newString", "new_text"]],
  ["StrReplace", "replaceAll", ["replace_all"]],
  ["Delete", "path", ["target_file", "targetFile", "file_path", "filePath"]],
  ["SemanticSearch", "targetDirectories", ["target_directories"]],
  ["SemanticSearch", "numResults", ["num_results"]],
  ["Shell", "workingDirectory", ["cwd", "working_directory"]],
  ["webSearch", "searchTerm", ["query", "search_term"]],
];

describe.each(ALIASES)("%s.%s", (tool, published, aliases) => {
  test.each(aliases)("is read from %s", (alias) => {
    expect(normalizeToolInput(tool, { [alias]: "value", other: 1 })).toEqual({ [published]: "value", other: 1 });
  });
});

test("A published name wins over its aliases, which then stay as keys nobody knows", () => {
  expect(normalizeToolInput("Read", { path: "/a", target_file: "/b", foo: [1] })).toEqual({
    path: "/a",
    target_file: "/b",
    foo: [1],
  });
});

test("An alias stands in for a published name sent as null", () => {
  expect(normalizeToolInput("Read", { path: null, file_path: "/b" })).toEqual({ path: "/b" });
});

test("files_with_matches is files; a tool that is not ours keeps its input", () => {
  expect(normalizeToolInput("Grep", { output_mode: "files_with_matches" })).toEqual({ outputMode: "files" });
  expect(normalizeToolInput("mcp_tool", { output_mode: "files_with_matches" })).toEqual({
    output_mode: "files_with_matches",
  });
});

test("Unknown keys are no error, and null counts as omitted", async () => {
  const read = nativeTool(tempFs({ "/a": "x" }), "Read");
  await expect(read.execute({ path: "/a", limit: null, foo: { bar: 1 } }, toolCall())).resolves.toMatchObject({
    content: "x",
  });
});

const FAULTS: readonly [tool: "Read" | "LS" | "Grep" | "Write" | "StrReplace", input: JsonObject, message: string][] = [
  [
    "Read",
    {},
    'Read: the argument "path" is missing: give a string (Absolute path of the file, e.g. /src/a.ts). Accepted arguments: path (required), offset, limit.',
  ],
  [
    "Read",
    { path: 7 },
    'Read: the argument "path" must be a string (Absolute path of the file, e.g. /src/a.ts), not 7',
  ],
  [
    "Read",
    { path: "/a", offset: "3" },
    'Read: the argument "offset" must be an integer (Line to start at, from 1), not "3"',
  ],
  [
    "Read",
    { path: "/a", limit: 0 },
    'Read: the argument "limit" must be an integer of 1 or more (How many lines to show), not 0',
  ],
  [
    "Write",
    { path: "/a", fileText: { a: 1 } },
    'Write: the argument "fileText" must be a string (The whole text of the file), not {"a":1}',
  ],
  [
    "StrReplace",
    { path: "/a", old_string: "a", new_string: "b", replace_all: "yes" },
    'StrReplace: the argument "replaceAll" must be true or false (Replace every occurrence), not "yes"',
  ],
  [
    "Grep",
    { pattern: "x", outputMode: "lines" },
    'Grep: the argument "outputMode" must be one of "content", "files", "count" (content (when omitted): matching lines; files: paths only; count: matches a file), not "lines"',
  ],
  ["LS", { path: "/", ignore: ["a", 1] }, 'LS: the argument "ignore[1]" must be a string, not 1'],
  [
    "LS",
    { path: "/", ignore: "a" },
    'LS: the argument "ignore" must be a list, each item a string (Glob patterns of what to leave out, e.g. node_modules or *.log; one without a slash fits at any depth), not "a"',
  ],
];

test.each(FAULTS)("%s %j is refused in words to act on", async (name, input, message) => {
  const tool = nativeTool(tempFs({ "/a": "x" }), name);
  await expect(tool.execute(input, toolCall())).rejects.toMatchObject({
    code: "invalid-input",
    toolName: name,
    message,
  });
});
