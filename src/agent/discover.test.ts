import { describe, expect, test } from "vitest";
import { allowlistNames, DiscoveryError } from "../base";
import { tempFs } from "../fs";
import type { AgentParts } from "./agentParts";
import { defineAgent } from "./defineAgent";
import { discover } from "./discover";
import { cloudRuntime } from "./runtime";

const base = { name: "reviewer", instructions: "Review the files." };
const root = tempFs({ "/a": "" });
const lint = { name: "lint" };
const script = { name: "lint", execution: "agent" } as const;

type Fields = Readonly<Record<string, unknown>>;

function faultsOf(extra: Fields) {
  return discover({ ...base, ...extra }).faults;
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

test("Faults of fields, of pairs, of tools and of the tree are told together", () => {
  const { faults } = discover(
    { ...base, name: "", root, runtime: "cloud", tools: ["shell", "nope"] },
    { tools: [{ name: "Read" }] },
  );
  expect(faults.map(({ field }) => field)).toEqual([
    "name",
    "tools",
    "root + runtime",
    "root + tools",
    "runtime + tools",
    "tools/Read",
  ]);
});

test("What is no JSON, and is inside itself, is a fault and breaks nothing", () => {
  const inItself: Record<string, unknown> = {};
  inItself["self"] = inItself;
  const list: unknown[] = [];
  list.push(list);
  const input = {
    ...base,
    name: list,
    model: inItself,
    local: { n: 1n },
    runtime: { kind: "cloud", options: inItself },
  };
  expect(discover(input).faults.map(({ field, problem }) => `${field}: ${problem}`)).toEqual([
    "name: A list is no name.",
    "model: It holds what cannot be written as JSON.",
    "runtime: An object is no runtime.",
    "local: It holds what cannot be written as JSON.",
  ]);
});

test("Options of the host's disk are checked each by itself, in either form", () => {
  const options = { cwd: " ", workspaceDir: 7, sandbox: "yes", workspace: "/x" };
  const told = (field: string) => [
    { field: `${field}.cwd`, problem: '" " is no directory.', mend: "Give the path of a directory." },
    { field: `${field}.workspaceDir`, problem: "7 is no directory.", mend: "Give the path of a directory." },
    {
      field: `${field}.sandbox`,
      problem: '"yes" is no sandbox setting.',
      mend: "Use true, false or an object of settings.",
    },
  ];
  expect(faultsOf({ local: options })).toEqual(told("local"));
  const runtime = { kind: "local", workspace: "host", options };
  expect(faultsOf({ runtime })).toEqual(told("runtime"));
  expect(faultsOf({ local: { cwd: "/x", workspaceDir: "y", sandbox: { level: 1 } } })).toEqual([]);
  const mend = "The options are cwd, workspaceDir, sandbox.";
  expect(discover({ ...base, local: { cwdd: "/x" } }).warnings).toEqual([
    { field: "local.cwdd", problem: "There is no such option; it is ignored.", mend },
  ]);
  expect(discover({ ...base, runtime }).warnings.map(({ field }) => field)).toEqual(["runtime.workspace"]);
});

test.each(["search", "write", "Read", "Shell", "todos", 7])("%j is no allowlist name", (name) => {
  const mend = `Legal names: ${allowlistNames.join(", ")}.`;
  expect(faultsOf({ tools: [name] })).toEqual([
    { field: "tools", problem: `${JSON.stringify(name)} is no name of the allowlist.`, mend },
  ]);
});

test.each(allowlistNames.filter((name) => name !== "readLints"))("%s is one, without a root", (name) => {
  expect(faultsOf({ tools: [name] })).toEqual([]);
});

type WarningRow = readonly [title: string, extra: Fields, parts: AgentParts, ...warnings: string[]];

const CLOUD = { runtime: cloudRuntime({ repos: ["a"] }) };
const WARNED: readonly WarningRow[] = [
  ["nothing", {}, { hasSkills: true, hasSeeds: true, tools: [lint] }],
  ["empty instructions", { instructions: " " }, {}, "instructions: They are empty."],
  ["a field that is none", { tool: [] }, {}, "tool: There is no such field; it is ignored."],
  ["no cloud block on cloud", { runtime: "cloud" }, {}, "cloud: It is missing."],
  ["no repositories on cloud", { runtime: cloudRuntime() }, {}, "cloud: It names no repositories."],
  ["skills on cloud", CLOUD, { hasSkills: true }, "skills: A cloud agent's files are not yours."],
  ["agent tools on cloud", CLOUD, { tools: [script] }, "tools/: Scripts are only told to a cloud agent."],
  ["server tools on cloud", CLOUD, { tools: [lint] }, "tools/: A cloud agent reaches them only over MCP."],
  ["seeds on cloud", CLOUD, { hasSeeds: true }, "seeds: They are not put into a cloud agent's workspace."],
  ["approvals on cloud", { ...CLOUD, approvals: "writes" }, {}, "approvals: A cloud agent asks nobody here."],
  [
    'local beside the older "cloud"',
    { runtime: "cloud", cloud: { repos: ["a"] }, local: { cwd: "/x" } },
    {},
    "local: A cloud loop ignores it.",
  ],
  ["skills on grokbot", { runtime: "grokbot" }, { hasSkills: true }, "skills: They are not on that loop's disk."],
  [
    "options and a model on grokbot",
    { runtime: "grokbot", local: {}, cloud: {}, model: {} },
    {},
    "local: A grokbot loop ignores it.",
    "cloud: A grokbot loop ignores it.",
    "model: A grokbot loop ignores it.",
  ],
  [
    "a base for the cloud beside a root",
    { root, cloud: { repos: ["a"] } },
    {},
    "cloud: An agent on a tree of its own cannot be sent to the cloud, so it is ignored.",
  ],
  [
    "a subagent's own runtime, tools, skills and MCP",
    {},
    { subagents: [{ name: "kid", hasRuntime: true, hasTools: true, hasSkills: true, hasConnections: true }] },
    "subagents/kid/runtime: It is ignored: a subagent has its parent's.",
    "subagents/kid/tools/: It is ignored: a subagent has its parent's.",
    "subagents/kid/skills/: It is ignored: a subagent has its parent's.",
    "subagents/kid/mcp-connections/: It is ignored: a subagent has its parent's.",
  ],
  [
    "subagents beside a root",
    { root },
    { subagents: [{ name: "kid" }] },
    "subagents/: An agent with a root has no task to give them, so they are not used.",
  ],
  ["agent/evals/", {}, { hasAgentEvals: true }, "agent/evals/: It is ignored: evals live in evals/."],
];

/** A row with its warnings in one list, as a test takes it. */
function gathered([title, extra, parts, ...warnings]: WarningRow) {
  return [title, extra, parts, warnings] as const;
}

describe("Warned of, and not refused", () => {
  test.each(WARNED.map(gathered))("%s", (_title, extra, parts, warnings) => {
    const found = discover({ ...base, ...extra }, parts);
    expect(found.faults).toEqual([]);
    expect(found.warnings.map(({ field, problem }) => `${field}: ${problem}`)).toEqual(warnings);
    expect(found.definition).toBeDefined();
  });
});
