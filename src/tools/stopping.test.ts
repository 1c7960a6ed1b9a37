import { expect, test } from "vitest";
import type { JsonObject, NativeFileToolName } from "../base";
import type { DirEntry, GrepResult, SearchResult } from "../fs";
import { nativeTool, toolCall } from "../testing/runTool";
import { whileRunning } from "./stopping";

const unanswered = () => new Promise<string>(() => undefined);

/** Yields for ever without waiting, aborts after `after` items, and tells when it is closed. */
function endless<T>(item: T, controller: AbortController, after: number) {
  const state = { yielded: 0, isClosed: false };
  const items = async function* () {
    try {
      for (;;) {
        if (++state.yielded === after) controller.abort();
        yield item;
      }
    } finally {
      state.isClosed = true;
    }
  };
  return { state, items };
}

test.each([
  ["LS", { path: "/" }, { path: "/a", kind: "file" } satisfies DirEntry, "list"],
  ["Glob", { globPattern: "*" }, { path: "/a", kind: "file" } satisfies DirEntry, "glob"],
  [
    "Grep",
    { pattern: "x", outputMode: "count" },
    { path: "/a", lineNumber: 1, line: "x" } satisfies GrepResult,
    "grep",
  ],
  [
    "SemanticSearch",
    { query: "x", numResults: 1000 },
    { path: "/a", score: 1, startLine: 1, endLine: 1, text: "" } satisfies SearchResult,
    "search",
  ],
] as const)("%s stops in mid-iteration and closes the tree's iterator", async (name, input, item, verb) => {
  const controller = new AbortController();
  const { state, items } = endless(item, controller, 50);
  const tree = { [verb]: items, stat: async () => ({ kind: "directory" }) };
  await expect(nativeTool(tree as never, name).execute(input, toolCall(controller.signal))).rejects.toMatchObject({
    name: "AbortError",
  });
  await Promise.resolve();
  expect(state).toEqual({ yielded: 50, isClosed: true });
});

const UNANSWERED: readonly [name: NativeFileToolName, input: JsonObject, tree: object][] = [
  ["Read", { path: "/a" }, { read: unanswered }],
  ["Write", { path: "/a", fileText: "" }, { write: unanswered }],
  ["StrReplace", { path: "/a", oldText: "a", newText: "b" }, { read: async () => "a", write: unanswered }],
  ["Delete", { path: "/a" }, { delete: unanswered }],
  ["LS", { path: "/a" }, { stat: unanswered, list: unanswered }],
  ["Grep", { pattern: "x" }, { grep: () => ({ [Symbol.asyncIterator]: () => ({ next: unanswered }) }) }],
];

test.each(UNANSWERED)("%s stops while the tree does not answer", async (name, input, tree) => {
  const controller = new AbortController();
  const running = nativeTool(tree, name).execute(input, toolCall(controller.signal));
  controller.abort();
  await expect(running).rejects.toMatchObject({ name: "AbortError" });
});

test("A signal that has fired lets nothing begin", async () => {
  let reads = 0;
  const read = async () => String(reads++);
  const tool = nativeTool({ read }, "Read");
  await expect(tool.execute({ path: "/a" }, toolCall(AbortSignal.abort()))).rejects.toMatchObject({
    name: "AbortError",
  });
  expect(reads).toBe(0);
});

test("A source that never waits leaves the event loop its turns", async () => {
  const loop = { turns: 0 };
  const timer = setInterval(() => loop.turns++, 1);
  const items = async function* () {
    for (let item = 0; loop.turns < 2 && item < 10_000_000; item++) yield item;
  };
  for await (const _item of whileRunning(items(), new AbortController().signal)) void _item;
  clearInterval(timer);
  expect(loop.turns).toBeGreaterThanOrEqual(2);
});

test("The source's own error passes", async () => {
  const items = async function* () {
    yield 1;
    throw new Error("lost");
  };
  const read = async () => {
    for await (const _item of whileRunning(items(), new AbortController().signal)) void _item;
  };
  await expect(read()).rejects.toThrow("lost");
});
