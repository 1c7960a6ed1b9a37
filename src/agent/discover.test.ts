import { describe, expect, test } from "vitest";
import { allowlistNames, DiscoveryError } from "../base";
import { tempFs } from "../fs";
import { defineAgent } from "./defineAgent";
import { discover } from "./discover";
import { cloudRuntime, grokbotRuntime, localRuntime, sandboxRuntime, virtualRuntime } from "./runtime";

const base = { name: "reviewer", instructions: "Review the files." };
const root = tempFs({ "/a": "" });

function faultsOf(extra: Readonly<Record<string, unknown>>) {
  return discover({ ...base, ...extra }).faults.map(({ field, problem }) => `${field}: ${problem}`);
}

test("A sound definition is a frozen copy of what the author wrote", () => {
  const tools = ["read", "edit"];
  const definition = defineAgent({ ...base, tools, root, maxSteps: 3, model: { kind: "demo" }, approvals: "writes" });
  expect(definition).toEqual({
    ...base,
    tools: ["read", "edit"],
    root,
    maxSteps: 3,
    model: { kind: "demo" },
    approvals: "writes",
  });
  tools.push("delete");
  expect(definition.tools).toEqual(["read", "edit"]);
  expect(definition.root).toBe(root);
  expect([Object.isFrozen(definition), Object.isFrozen(definition.tools), Object.isFrozen(root)]).toEqual([
    true,
    true,
    false,
  ]);
});

test("One error tells every fault with its field, its problem and its mend", () => {
  const input = { name: " ", tools: ["read", "search", "Read"], maxSteps: 0, model: "x", root: 7, approvals: "always" };
  const mend = `Legal names: ${allowlistNames.join(", ")}.`;
  const faults = [
    { field: "name", problem: '" " is no name.', mend: "Give a short name, e.g. reviewer." },
    { field: "instructions", problem: "It is missing.", mend: "Say what the agent is for and how it should work." },
    { field: "model", problem: '"x" is no object.', mend: "Give the model's settings as an object." },
    { field: "tools", problem: '"search" is no name of the allowlist.', mend },
    { field: "tools", problem: '"Read" is no name of the allowlist.', mend },
    { field: "maxSteps", problem: "0 is no number of steps.", mend: "Give a whole number of 1 or more." },
    { field: "root", problem: "7 is no tree.", mend: "Give a FileSystem, or a function that returns one." },
    { field: "approvals", problem: '"always" is no approval mode.', mend: 'Use "never" or "writes".' },
  ];
  expect(discover(input).faults).toEqual(faults);
  expect(() => defineAgent(input)).toThrow(DiscoveryError);
  expect(() => defineAgent(null)).toThrow("agent: It is not an object. Give name and instructions at least.");
});

test.each(["search", "write", "Read", "Shell", "todos", 7])("%j is no allowlist name", (name) => {
  expect(faultsOf({ tools: [name] })).toEqual([`tools: ${JSON.stringify(name)} is no name of the allowlist.`]);
});

test.each(allowlistNames.filter((name) => name !== "readLints"))("%s is one, without a root", (name) => {
  expect(faultsOf({ tools: [name] })).toEqual([]);
});

describe("Refused beside a root", () => {
  test.each([
    [
      { local: { cwd: "/x" } },
      ["root + local.cwd: An agent with a root does not run on the host's disk, so local.cwd has no meaning."],
    ],
    [{ local: { workspaceDir: "/x" } }, [expect.stringMatching(/^root \+ local\.workspaceDir: /)]],
    [{ local: { sandbox: true } }, [expect.stringMatching(/^root \+ local\.sandbox: /)]],
    [{ runtime: "cloud" }, ["root + runtime: A cloud loop owns its tree and cannot run on a root."]],
    [{ runtime: "grokbot" }, ["root + runtime: A grokbot loop owns its tree and cannot run on a root."]],
    [
      { runtime: cloudRuntime({ repos: [] }) },
      ["root + runtime: A cloud loop owns its tree and cannot run on a root."],
    ],
    [{ runtime: grokbotRuntime() }, ["root + runtime: A grokbot loop owns its tree and cannot run on a root."]],
    [{ runtime: sandboxRuntime() }, ["root + runtime: A root has no host's disk for the runtime's sandbox."]],
    [{ runtime: localRuntime({ cwd: "/x" }) }, ["root + runtime: A root has no host's disk for the runtime's cwd."]],
    [
      { runtime: localRuntime({ workspaceDir: "/x", sandbox: true }) },
      ["root + runtime: A root has no host's disk for the runtime's workspaceDir, sandbox."],
    ],
    [{ runtime: virtualRuntime(root) }, ["root + runtime: Root and virtualRuntime are two ways to pass a tree."]],
    [{ tools: ["shell"] }, ["root + tools: A root has no shell."]],
    [{ tools: ["read", "task"] }, ["root + tools: A subagent (task) would not get the root."]],
    [{ tools: ["readLints"] }, ["root + tools: There is no language service for readLints."]],
  ])("%j", (extra, faults) => {
    expect(faultsOf({ root, ...extra })).toEqual(faults);
  });
});

test.each([{ runtime: "local" }, { runtime: localRuntime() }, { tools: [] }, { cloud: { repos: [] } }])(
  "%j beside a root is legal",
  (extra) => {
    expect(faultsOf({ root, ...extra })).toEqual([]);
  },
);

describe("Refused without a root", () => {
  test.each([
    [{ tools: ["readLints"] }, ["tools: There is no language service for readLints."]],
    [{ runtime: virtualRuntime(root), local: {} }, ["runtime + local: virtualRuntime has no host's disk for local."]],
    [
      { runtime: cloudRuntime(), local: { cwd: "/x" } },
      ["runtime + local: cloudRuntime has no host's disk for local."],
    ],
    [
      { runtime: localRuntime({ cwd: "/x" }), local: { cwd: "/y" } },
      ["runtime + local: They say different things of the same disk."],
    ],
    [
      { runtime: cloudRuntime({ repos: ["a"] }), cloud: { repos: ["b"] } },
      ["runtime + cloud: They say different things of the same loop."],
    ],
    [
      { runtime: "cloud", tools: ["read"] },
      ["runtime + tools: A cloud loop chooses its own tools and cannot be held to a list."],
    ],
    [
      { runtime: cloudRuntime(), tools: [] },
      ["runtime + tools: A cloud loop chooses its own tools and cannot be held to a list."],
    ],
    [
      { runtime: grokbotRuntime(), tools: ["read"], approvals: "writes" },
      [expect.stringMatching(/^runtime \+ tools: /), "runtime + approvals: That loop asks nobody before it writes."],
    ],
    [
      { runtime: virtualRuntime(root), tools: ["shell"] },
      ["tools + runtime: tools lists shell, but a virtual tree has none."],
    ],
    [
      { runtime: virtualRuntime({ read: async () => "" }), tools: ["read", "grep", "edit"] },
      [
        "tools + tree: tools lists grep, but the tree has not the verbs it needs.",
        "tools + tree: tools lists edit, but the tree has not the verbs it needs.",
      ],
    ],
    [
      { runtime: virtualRuntime(), tools: ["read"] },
      ["tools + tree: tools lists read, but the tree has not the verbs it needs."],
    ],
    [{ runtime: "docker" }, ['runtime: "docker" is no runtime.']],
  ])("%j", (extra, faults) => {
    expect(faultsOf(extra)).toEqual(faults);
  });
});

test.each([
  { runtime: localRuntime({ cwd: "/x" }), local: { cwd: "/x" } },
  { runtime: cloudRuntime({ repos: ["a"] }), cloud: { repos: ["a"] } },
  { runtime: localRuntime(), cloud: { repos: ["a"] } },
  { runtime: virtualRuntime(root), tools: ["read", "task"] },
  { runtime: virtualRuntime({ write: async () => undefined }), tools: ["edit"] },
  { runtime: virtualRuntime(async () => ({})), tools: ["read"] },
])("%j is legal", (extra) => {
  expect(faultsOf(extra)).toEqual([]);
});

test.each([{}, { root }])("An authored tool may not be named like a native one: %j", (extra) => {
  const { faults } = discover({ ...base, ...extra }, { tools: [{ name: "Read" }, { name: "search" }, { name: "LS" }] });
  expect(faults.map(({ field, problem }) => `${field}: ${problem}`)).toEqual([
    "tools/Read: An authored tool is named like the native file tool Read.",
    "tools/LS: An authored tool is named like the native file tool LS.",
  ]);
});

test("What will be ignored is a warning, not a fault", () => {
  const warningsOf = (extra: Readonly<Record<string, unknown>>) => {
    const found = discover({ ...base, ...extra }, { hasSkills: true, tools: [{ name: "a" }] });
    expect(found.faults).toEqual([]);
    return found.warnings.map(({ field, problem }) => `${field}: ${problem}`);
  };
  expect(warningsOf({})).toEqual([]);
  expect(warningsOf({ instructions: "", tool: [] })).toEqual([
    "tool: There is no such field; it is ignored.",
    "instructions: They are empty.",
  ]);
  expect(warningsOf({ runtime: "cloud" })).toEqual([
    "cloud: It is missing.",
    "skills: A cloud agent's files are not yours.",
    "tools/: A cloud agent reaches them only over MCP.",
  ]);
});
