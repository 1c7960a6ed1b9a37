import { expect, test } from "vitest";
import { nativeFileToolNames, type AllowlistName } from "../base";
import { tempFs } from "../fs";
import { offeredToolNames } from "./offeredToolNames";
import { cloudRuntime, grokbotRuntime, localRuntime, virtualRuntime } from "./runtime";

const root = tempFs();
const ALL = nativeFileToolNames;
const stub = () => {
  throw new Error("unsupported");
};
const SEVEN = ALL.filter((name) => name !== "SemanticSearch");

type Row = [
  tools: AllowlistName[] | undefined,
  names: readonly string[],
  harness: readonly AllowlistName[],
  scratch?: boolean,
];

const HOST: Row[] = [
  [undefined, SEVEN, ["shell", "webSearch", "webFetch", "updateTodos", "readTodos", "task", "mcp"]],
  [["read", "shell"], ["Read"], ["shell", "mcp"]],
  [["webSearch"], [], ["webSearch", "mcp"]],
  [["semSearch"], [], ["mcp"]],
  [[], [], []],
];

test.each(HOST)("On the host's disk %j offers %j and %j", (tools, names, harness) => {
  const expected = { names, harness, scratch: false };
  expect(offeredToolNames(tools === undefined ? {} : { tools })).toEqual(expected);
  expect(offeredToolNames({ runtime: localRuntime(), ...(tools && { tools }) })).toEqual(expected);
});

const ROOT: Row[] = [
  [undefined, ALL, ["webSearch", "webFetch", "updateTodos", "readTodos", "mcp"], true],
  [["updateTodos"], ALL, ["updateTodos", "mcp"]],
  [["mcp"], ALL, ["mcp"]],
  [["semSearch"], ["SemanticSearch"], ["mcp"]],
  [["read"], ["Read"], ["mcp"]],
  [["edit"], ["Write", "StrReplace"], ["mcp"]],
  [["ls", "grep", "glob", "delete"], ["LS", "Grep", "Glob", "Delete"], ["mcp"]],
  [["webSearch"], ALL, ["webSearch", "mcp"], true],
  [["webFetch"], ALL, ["webFetch", "mcp"], true],
  [["read", "webSearch"], ["Read"], ["webSearch", "mcp"], true],
  [[], [], []],
];

test.each(ROOT)("On a root %j offers %j and %j", (tools, names, harness, scratch = false) => {
  const expected = { names, harness, scratch };
  const list = tools === undefined ? {} : { tools };
  expect(offeredToolNames({ root, ...list })).toEqual(expected);
  // A tree handed over is a root, whether or not the definition names it.
  expect(offeredToolNames(list, root)).toEqual(expected);
});

const VIRTUAL: Row[] = [
  [undefined, ["Read", "LS"], ["mcp"]],
  [["webSearch"], [], ["webSearch"]],
  [["read", "task"], ["Read"], ["task"]],
  [[], [], []],
];

test.each(VIRTUAL)("On a virtual tree %j offers %j and %j", (tools, names, harness) => {
  const tree = { read: stub, list: stub, stat: stub };
  const runtime = virtualRuntime(tree);
  expect(offeredToolNames({ runtime, ...(tools && { tools }) }, tree)).toEqual({ names, harness, scratch: false });
});

test("An empty virtual tree offers no file tool", () => {
  expect(offeredToolNames({ runtime: virtualRuntime() }, {}).names).toEqual([]);
});

test.each(["cloud" as const, "grokbot" as const, cloudRuntime(), grokbotRuntime()])(
  "A remote loop is offered nothing here: %j",
  (runtime) => {
    expect(offeredToolNames({ runtime }, root)).toEqual({ names: [], harness: [], scratch: false });
  },
);
