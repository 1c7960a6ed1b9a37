import { expect, test } from "vitest";
import { alignCalls, type ComparableCall } from "./alignCalls";

const call = (toolName: string, input: Record<string, string>): ComparableCall => ({
  callId: `${toolName} ${Object.values(input).join(" ")}`,
  toolName,
  input,
});
const table = (a: ComparableCall[], b: ComparableCall[]) =>
  alignCalls(a, b).map((row) => [row.a?.callId ?? "–", row.b?.callId ?? "–", row.relation, row.firstDivergence]);

test("sets the same calls side by side and marks where the runs first part", () => {
  const baseline = [
    call("LS", { path: "/repo" }),
    call("Read", { path: "/repo/src/index.ts" }),
    call("Read", { path: "/repo/src/createStore.ts" }),
    call("StrReplace", { path: "/repo/src/createStore.ts", oldText: "a" }),
  ];
  const grepFirst = [
    call("Grep", { pattern: "TODO", path: "/repo" }),
    call("Read", { path: "/repo/src/createStore.ts" }),
    call("StrReplace", { path: "/repo/src/createStore.ts", oldText: "b" }),
  ];
  expect(table(baseline, grepFirst)).toEqual([
    ["LS /repo", "–", "only-a", true],
    ["Read /repo/src/index.ts", "–", "only-a", false],
    ["–", "Grep TODO /repo", "only-b", false],
    ["Read /repo/src/createStore.ts", "Read /repo/src/createStore.ts", "same", false],
    ["StrReplace /repo/src/createStore.ts a", "StrReplace /repo/src/createStore.ts b", "same", false],
  ]);
});

test("equal runs have no divergence, and an empty run is all on one side", () => {
  const run = [call("Read", { path: "/a" }), call("Grep", { pattern: "x" })];
  expect(table(run, run).map((row) => row[2])).toEqual(["same", "same"]);
  expect(table([], run)).toEqual([
    ["–", "Read /a", "only-b", true],
    ["–", "Grep x", "only-b", false],
  ]);
  expect(alignCalls([], [])).toEqual([]);
});

test("a search is the same search wherever it looks; a repeated call is a call of its own", () => {
  const a = [call("Grep", { pattern: "x", path: "/a" }), call("Read", { path: "/a" }), call("Read", { path: "/a" })];
  const b = [call("Grep", { pattern: "x", path: "/b" }), call("Read", { path: "/a" })];
  expect(table(a, b).map((row) => row[2])).toEqual(["same", "same", "only-a"]);
});
