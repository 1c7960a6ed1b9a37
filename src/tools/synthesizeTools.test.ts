import { expect, test } from "vitest";
import { nativeFileToolNames, type NativeFileToolName } from "../base";
import { tempFs, type FileSystem } from "../fs";
import { synthesizeTools } from "./synthesizeTools";

const stub = () => {
  throw new Error("unsupported");
};

const NEEDS: readonly [verbs: readonly (keyof FileSystem)[], tools: readonly NativeFileToolName[]][] = [
  [[], []],
  [["read"], ["Read"]],
  [["list"], []],
  [["list", "stat"], ["LS"]],
  [["glob"], ["Glob"]],
  [["grep"], ["Grep"]],
  [["write"], ["Write"]],
  [
    ["read", "write"],
    ["Read", "Write", "StrReplace"],
  ],
  [["delete"], ["Delete"]],
  [["search"], ["SemanticSearch"]],
];

test.each(NEEDS)("A tree with %j serves %j, and a stub that throws counts as there", (verbs, tools) => {
  const tree = Object.fromEntries(verbs.map((verb) => [verb, stub]));
  expect(synthesizeTools(tree).map(({ name }) => name)).toEqual(tools);
});

test("A whole tree serves all eight, and names narrow them", () => {
  expect(synthesizeTools(tempFs()).map(({ name }) => name)).toEqual(nativeFileToolNames);
  expect(synthesizeTools(tempFs(), ["StrReplace", "Read"]).map(({ name }) => name)).toEqual(["Read", "StrReplace"]);
});

test("Each tool has its effect and an open schema of its published arguments", () => {
  const tools = synthesizeTools(tempFs());
  expect(tools.map(({ name, effect, native }) => [name, effect, native])).toEqual([
    ["Read", "read", true],
    ["LS", "read", true],
    ["Grep", "read", true],
    ["Glob", "read", true],
    ["Write", "write", true],
    ["StrReplace", "write", true],
    ["Delete", "write", true],
    ["SemanticSearch", "read", true],
  ]);
  const shapes = tools.map(({ name, inputSchema }) => [
    name,
    Object.keys(inputSchema.properties as object).join(" "),
    (inputSchema.required as string[]).join(" "),
    "additionalProperties" in inputSchema,
  ]);
  expect(shapes).toEqual([
    ["Read", "path offset limit", "path", false],
    ["LS", "path ignore", "path", false],
    [
      "Grep",
      "pattern path glob type outputMode contextBefore contextAfter context caseInsensitive headLimit offset multiline sort sortAscending",
      "pattern",
      false,
    ],
    ["Glob", "globPattern targetDirectory", "globPattern", false],
    ["Write", "path fileText", "path fileText", false],
    ["StrReplace", "path oldText newText replaceAll", "path oldText newText", false],
    ["Delete", "path", "path", false],
    ["SemanticSearch", "query targetDirectories explanation numResults", "query", false],
  ]);
});
