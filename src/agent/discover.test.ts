import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { allowlistNames, DiscoveryError, type DiscoveryFault } from "../base";
import { tempFs, type FileSystem } from "../fs";
import { defineTool, type Tool } from "../tools";
import type { AgentParts } from "./agentParts";
import { agentReport } from "./agentReport";
import { defineAgent } from "./defineAgent";
import { discover } from "./discover";
import { cloudRuntime, grokbotRuntime, localRuntime, sandboxRuntime, virtualRuntime } from "./runtime";

const base = { name: "reviewer", instructions: "Review the files." };
const root = tempFs({ "/a": "" });
const docs = readFileSync("docs/runtime.md", "utf8");

type Fields = Readonly<Record<string, unknown>>;
type Row = readonly [title: string, extra: Fields, ...faults: readonly (readonly [string, string, string])[]];

function faultsOf(extra: Fields, parts: AgentParts = {}) {
  return discover({ ...base, ...extra }, parts).faults;
}

/** A row with its faults in one list, as a test takes it. */
function gathered<Fault>([title, extra, ...faults]: readonly [string, Fields, ...Fault[]]) {
  return [title, extra, faults] as const;
}

function gatheredBeside<Beside, Fault>([title, extra, beside, ...faults]: readonly [
  string,
  Fields,
  Beside,
  ...Fault[],
]) {
  return [title, extra, beside, faults] as const;
}

function listed(faults: readonly (readonly [string, string, string])[]): DiscoveryFault[] {
  return faults.map(([field, problem, mend]) => ({ field, problem, mend }));
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
  expect(faults.map(({ field }) => field)).toEqual(["name", "tools", "root + runtime", "tools/Read"]);
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

test.each(["search", "write", "Read", "Shell", "todos", 7])("%j is no allowlist name", (name) => {
  const mend = `Legal names: ${allowlistNames.join(", ")}.`;
  expect(faultsOf({ tools: [name] })).toEqual([
    { field: "tools", problem: `${JSON.stringify(name)} is no name of the allowlist.`, mend },
  ]);
});

test.each(allowlistNames.filter((name) => name !== "readLints"))("%s is one, without a root", (name) => {
  expect(faultsOf({ tools: [name] })).toEqual([]);
});

const NO_DISK = (option: string) =>
  [
    `root + local.${option}`,
    `An agent with a root does not run on the host's disk, so local.${option} has no meaning.`,
    `Take out root or local.${option}.`,
  ] as const;
const NO_ROOT = (problem: string) => ["root + runtime", problem, "Take out root, or leave runtime out."] as const;
const NO_TOOLS = (kind: string) =>
  [
    "runtime + tools",
    `A ${kind} loop chooses its own tools and cannot be held to a list.`,
    "Take out tools, or run the agent here.",
  ] as const;
const NO_SIBLING = (field: string, problem: string) =>
  [field, problem, "Keep the runtime and take the other out."] as const;

const BESIDE_A_ROOT: readonly Row[] = [
  ["root + local.cwd", { local: { cwd: "/x" } }, NO_DISK("cwd")],
  ["root + local.workspaceDir", { local: { workspaceDir: "/x" } }, NO_DISK("workspaceDir")],
  ["root + local.sandbox", { local: { sandbox: true } }, NO_DISK("sandbox")],
  ['root + runtime: "cloud"', { runtime: "cloud" }, NO_ROOT("A cloud loop owns its tree and cannot run on a root.")],
  [
    'root + runtime: "grokbot"',
    { runtime: "grokbot" },
    NO_ROOT("A grokbot loop owns its tree and cannot run on a root."),
  ],
  [
    "root + sandboxRuntime",
    { runtime: sandboxRuntime() },
    NO_ROOT("A root has no host's disk for the runtime's sandbox."),
  ],
  [
    "root + cloudRuntime",
    { runtime: cloudRuntime({ repos: [] }) },
    NO_ROOT("A cloud loop owns its tree and cannot run on a root."),
  ],
  [
    "root + grokbotRuntime",
    { runtime: grokbotRuntime() },
    NO_ROOT("A grokbot loop owns its tree and cannot run on a root."),
  ],
  [
    "root + localRuntime with a cwd",
    { runtime: localRuntime({ cwd: "/x" }) },
    NO_ROOT("A root has no host's disk for the runtime's cwd."),
  ],
  [
    "root + localRuntime with a workspaceDir and a sandbox",
    { runtime: localRuntime({ workspaceDir: "/x", sandbox: true }) },
    NO_ROOT("A root has no host's disk for the runtime's workspaceDir, sandbox."),
  ],
  [
    "root + virtualRuntime",
    { runtime: virtualRuntime(root) },
    NO_ROOT("Root and virtualRuntime are two ways to pass a tree."),
  ],
  [
    'root + tools with "shell"',
    { tools: ["shell"] },
    ["root + tools", "A root has no shell.", "Take shell out of tools, or root out of the agent."],
  ],
  [
    'root + tools with "task"',
    { tools: ["read", "task"] },
    ["root + tools", "A subagent (task) would not get the root.", "Take task out of tools, or root out of the agent."],
  ],
  [
    'root + tools with "readLints"',
    { tools: ["readLints"] },
    ["root + tools", "There is no language service for readLints.", "Take readLints out of tools."],
  ],
];

describe("Refused beside a root", () => {
  test.each(BESIDE_A_ROOT.map(gathered))("%s", (_title, extra, faults) => {
    expect(faultsOf({ root, ...extra })).toEqual(listed(faults));
    // A factory of one is refused the same.
    expect(faultsOf({ root: () => root, ...extra })).toEqual(listed(faults));
  });

  test("a root that lacks verbs", () => {
    expect(faultsOf({ root: { ...root, grep: undefined, search: undefined } })).toEqual([
      {
        field: "root",
        problem: "The tree lacks grep, search.",
        mend: "Give a whole FileSystem, or pass it as virtualRuntime(fs), which may lack verbs.",
      },
    ]);
  });
});

test.each([
  ['runtime: "local"', { runtime: "local" }],
  ["localRuntime()", { runtime: localRuntime() }],
  ["tools: []", { tools: [] }],
])("%s beside a root is legal", (_title, extra) => {
  expect(faultsOf({ root, ...extra })).toEqual([]);
});

const WITHOUT_A_ROOT: readonly Row[] = [
  [
    'tools with "readLints"',
    { tools: ["readLints"] },
    ["tools", "There is no language service for readLints.", "Take readLints out of tools."],
  ],
  [
    "virtualRuntime + local",
    { runtime: virtualRuntime(root), local: {} },
    NO_SIBLING("runtime + local", "virtualRuntime has no host's disk for local."),
  ],
  [
    "virtualRuntime + local.workspaceDir",
    { runtime: virtualRuntime(root), local: { workspaceDir: "/x" } },
    NO_SIBLING("runtime + local", "virtualRuntime has no host's disk for local."),
  ],
  [
    "virtualRuntime + local.sandbox",
    { runtime: virtualRuntime(root), local: { sandbox: true } },
    NO_SIBLING("runtime + local", "virtualRuntime has no host's disk for local."),
  ],
  [
    "cloudRuntime + local",
    { runtime: cloudRuntime(), local: { cwd: "/x" } },
    NO_SIBLING("runtime + local", "cloudRuntime has no host's disk for local."),
  ],
  [
    "grokbotRuntime + local",
    { runtime: grokbotRuntime(), local: {} },
    NO_SIBLING("runtime + local", "grokbotRuntime has no host's disk for local."),
  ],
  [
    "localRuntime + a local that differs",
    { runtime: localRuntime({ cwd: "/x" }), local: { cwd: "/y" } },
    NO_SIBLING("runtime + local", "They say different things of the same disk."),
  ],
  [
    "sandboxRuntime + a local without the sandbox",
    { runtime: sandboxRuntime({ cwd: "/x" }), local: { cwd: "/x" } },
    NO_SIBLING("runtime + local", "They say different things of the same disk."),
  ],
  [
    "cloudRuntime + a cloud that differs",
    { runtime: cloudRuntime({ repos: ["a"] }), cloud: { repos: ["b"] } },
    NO_SIBLING("runtime + cloud", "They say different things of the same loop."),
  ],
  [
    "grokbotRuntime + cloud",
    { runtime: grokbotRuntime(), cloud: {} },
    NO_SIBLING("runtime + cloud", "grokbotRuntime is no cloud loop and takes no options."),
  ],
  ['"cloud" + tools', { runtime: "cloud", tools: ["read"] }, NO_TOOLS("cloud")],
  ["cloudRuntime + an empty tools", { runtime: cloudRuntime(), tools: [] }, NO_TOOLS("cloud")],
  ['"grokbot" + tools', { runtime: "grokbot", tools: ["read"] }, NO_TOOLS("grokbot")],
  [
    'grokbotRuntime + tools and approvals: "writes"',
    { runtime: grokbotRuntime(), tools: ["read"], approvals: "writes" },
    NO_TOOLS("grokbot"),
    ["runtime + approvals", "That loop asks nobody before it writes.", "Take out approvals, or run the agent here."],
  ],
  [
    'virtualRuntime + tools with "shell"',
    { runtime: virtualRuntime(root), tools: ["shell"] },
    [
      "tools + runtime",
      "tools lists shell, but a virtual tree has none.",
      "Take shell out of tools, or use localRuntime().",
    ],
  ],
  [
    "virtualRuntime + tools the tree has not the verbs for",
    { runtime: virtualRuntime({ read: async () => "" }), tools: ["read", "grep", "edit"] },
    [
      "tools + tree",
      "tools lists grep, but the tree has not the verbs it needs.",
      "Take grep out of tools, or use a tree that has them.",
    ],
    [
      "tools + tree",
      "tools lists edit, but the tree has not the verbs it needs.",
      "Take edit out of tools, or use a tree that has them.",
    ],
  ],
  [
    "an empty virtualRuntime + tools",
    { runtime: virtualRuntime(), tools: ["read"] },
    [
      "tools + tree",
      "tools lists read, but the tree has not the verbs it needs.",
      "Take read out of tools, or use a tree that has them.",
    ],
  ],
  ...[
    { runtime: "docker" },
    { runtime: { kind: "local" } },
    { runtime: { kind: "cloud" } },
    { runtime: { kind: "local", workspace: "virtual", tree: 7 } },
  ].map((extra): Row => [
    `no runtime: ${JSON.stringify(extra.runtime)}`,
    extra,
    [
      "runtime",
      `${typeof extra.runtime === "string" ? JSON.stringify(extra.runtime) : "An object"} is no runtime.`,
      "Use localRuntime(), sandboxRuntime(), virtualRuntime(fs), cloudRuntime({ repos }) or grokbotRuntime().",
    ],
  ]),
];

describe("Refused without a root", () => {
  test.each(WITHOUT_A_ROOT.map(gathered))("%s", (_title, extra, faults) => {
    expect(faultsOf(extra)).toEqual(listed(faults));
  });
});

test.each([
  ["the older form of localRuntime", { runtime: "local", local: { workspaceDir: "/repo", sandbox: true } }],
  ["the older form of cloudRuntime", { runtime: "cloud", cloud: { repos: ["a"] } }],
  ["local options without a runtime", { local: { cwd: "/x" } }],
  ["localRuntime + an equal local", { runtime: localRuntime({ cwd: "/x" }), local: { cwd: "/x" } }],
  ["sandboxRuntime + an equal local", { runtime: sandboxRuntime({ cwd: "/x" }), local: { cwd: "/x", sandbox: true } }],
  ["cloudRuntime + an equal cloud", { runtime: cloudRuntime({ repos: ["a"] }), cloud: { repos: ["a"] } }],
  ["localRuntime + cloud, the base for an attach", { runtime: localRuntime(), cloud: { repos: ["a"] } }],
  ["virtualRuntime + read and task", { runtime: virtualRuntime(root), tools: ["read", "task"] }],
  [
    "edit on a tree that can only write",
    { runtime: virtualRuntime({ write: async () => undefined }), tools: ["edit"] },
  ],
  ["a factory's tree, checked when it is bound", { runtime: virtualRuntime(async () => ({})), tools: ["read"] }],
  ["an empty virtualRuntime", { runtime: virtualRuntime() }],
])("Legal: %s", (_title, extra) => {
  expect(faultsOf(extra)).toEqual([]);
});

type PartsRow = readonly [
  title: string,
  extra: Fields,
  parts: AgentParts,
  ...faults: readonly (readonly [string, string, string])[],
];

const lint = { name: "lint" };
const script = { name: "lint", execution: "agent" } as const;
const NATIVE_NAME = (name: string) =>
  [
    `tools/${name}`,
    `An authored tool is named like the native file tool ${name}.`,
    "Give the authored tool another name.",
  ] as const;

const BESIDE_ITS_PARTS: readonly PartsRow[] = [
  [
    "authored tools named like natives, without a root",
    {},
    { tools: [{ name: "Read" }, { name: "search" }, { name: "LS" }] },
    NATIVE_NAME("Read"),
    NATIVE_NAME("LS"),
  ],
  ["authored tools named like natives, with one", { root }, { tools: [{ name: "Grep" }] }, NATIVE_NAME("Grep")],
  [
    "an authored tool named like the harness's own",
    {},
    { tools: [{ name: "webSearch" }] },
    [
      "tools/webSearch",
      "An authored tool is named like the harness's own tool webSearch.",
      "Give the authored tool another name.",
    ],
  ],
  [
    "two authored tools of one name",
    {},
    { tools: [lint, lint] },
    ["tools/lint", "Two authored tools are named lint.", "Give the authored tool another name."],
  ],
  [
    "agent tools on a root",
    { root },
    { tools: [script] },
    [
      "tools/lint + root",
      'The tool runs in a shell (execution: "agent"), and a root has none.',
      'Use execution: "server", or run the agent on localRuntime().',
    ],
  ],
  [
    "agent tools on a virtual tree",
    { runtime: virtualRuntime(root) },
    { tools: [script] },
    [
      "tools/lint + runtime",
      'The tool runs in a shell (execution: "agent"), and a virtual tree has none.',
      'Use execution: "server", or run the agent on localRuntime().',
    ],
  ],
  [
    "server tools on grokbot",
    { runtime: grokbotRuntime() },
    { tools: [lint] },
    [
      "tools/lint + runtime",
      "A grokbot loop calls no tool that runs here.",
      "Take the tool out, or run the agent here.",
    ],
  ],
  [
    "tool approvals on grokbot",
    { runtime: "grokbot" },
    { tools: [{ ...script, needsApproval: true }] },
    [
      "tools/lint + runtime",
      "A grokbot loop asks nobody before a tool runs.",
      "Take needsApproval out, or run the agent here.",
    ],
  ],
  [
    "advertiseTools on cloud",
    { runtime: cloudRuntime({ repos: ["a"] }) },
    { connections: [{ name: "docs", advertiseTools: true }, { name: "plain" }] },
    [
      "connections/docs + runtime",
      "A cloud loop reads its connections itself and cannot be given their tools by name (advertiseTools).",
      "Take advertiseTools out, or run the agent here.",
    ],
  ],
];

describe("Refused beside its parts", () => {
  test.each(BESIDE_ITS_PARTS.map(gatheredBeside))("%s", (_title, extra, parts, faults) => {
    expect(faultsOf(extra, parts)).toEqual(listed(faults));
  });

  test("an agent's script and advertiseTools are legal on the host's disk", () => {
    const parts = { tools: [script], connections: [{ name: "docs", advertiseTools: true }] };
    expect(faultsOf({}, parts)).toEqual([]);
  });
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
  ["agent/evals/", {}, { hasAgentEvals: true }, "agent/evals/: It is ignored: evals live in evals/."],
];

describe("Warned of, and not refused", () => {
  test.each(WARNED.map(gatheredBeside))("%s", (_title, extra, parts, warnings) => {
    const found = discover({ ...base, ...extra }, parts);
    expect(found.faults).toEqual([]);
    expect(found.warnings.map(({ field, problem }) => `${field}: ${problem}`)).toEqual(warnings);
    expect(found.definition).toBeDefined();
  });
});

/** Refusals that need a tree or a session, each as `agentReport` tells it. */
const BOUND: readonly (readonly [
  string,
  Fields,
  Parameters<typeof agentReport>[1],
  ...(readonly [string, string])[],
])[] = [
  [
    "a factory's tree that lacks a verb of tools",
    { runtime: virtualRuntime(() => ({})), tools: ["read"] },
    { tree: {} },
    ["tools + tree", "tools lists read, but the tree has not the verbs it needs."],
  ],
  [
    "a factory's root that lacks verbs",
    { root: () => ({}) as FileSystem },
    { tree: { ...root, list: undefined } as unknown as Partial<FileSystem> },
    ["root", "The tree lacks list."],
  ],
  [
    "semSearch on the host's disk",
    { tools: ["semSearch"] },
    { tree: root, binding: "host" },
    ["tools + tree", "tools lists semSearch, but the host's disk has no index."],
  ],
  [
    "a script where the host has no shell",
    {},
    { tree: root, binding: "host", authoredTools: [tool("lint", { execution: "agent" })] },
    ["tools/lint", 'The tool runs in a shell (execution: "agent"), and there is none here.'],
  ],
  [
    "a look-alike through a connection",
    {},
    { tree: root, harnessTools: { mcp: [tool("Read")] } },
    ["mcp/Read", "A tool of a connection is named like the native file tool Read."],
  ],
  [
    "a connection's tool named like an authored one",
    {},
    { tree: root, harnessTools: { mcp: [tool("lint")] }, authoredTools: [tool("lint")] },
    ["mcp/lint", "A tool of a connection is named like the authored tool lint."],
  ],
  ["an asOf that is none", {}, { tree: root, asOf: "yesterday" }, ["asOf", '"yesterday" is no instant.']],
  [
    "timeArgs that name nothing, in a session with asOf",
    {},
    { tree: root, asOf: "2026-01-01T00:00:00Z", authoredTools: [tool("query", { timeArgs: ["until"] })] },
    ["tools/query + asOf", "timeArgs names until, which is not in the input schema, so nothing would be checked."],
  ],
];

function tool(name: string, more: Partial<Tool> = {}): Tool {
  const plain = defineTool({
    name: "plain",
    description: "Does it.",
    inputSchema: { type: "object" },
    execute: () => 1,
  });
  return { ...plain, name, ...more };
}

describe("Refused when it is bound", () => {
  test.each(BOUND.map(gatheredBeside))("%s", (_title, extra, options, faults) => {
    const report = agentReport({ ...base, ...extra }, options);
    expect(report.faults.map(({ field, problem }) => [field, problem])).toEqual(faults);
    expect(report.definition).toBeUndefined();
  });

  test("timeArgs that name nothing are ignored in a session without asOf", () => {
    const options = { tree: root, authoredTools: [tool("query", { timeArgs: ["until"] })] };
    expect(agentReport(base, options).faults).toEqual([]);
  });
});

test("docs/runtime.md tells each of these refusals", () => {
  const rows = [...BESIDE_A_ROOT, ...WITHOUT_A_ROOT].flatMap(([, , ...faults]) => faults);
  const parts = BESIDE_ITS_PARTS.flatMap(([, , , ...faults]) => faults);
  const bound = BOUND.flatMap(([, , , ...faults]) => faults);
  const varied =
    /^(A grokbot loop (owns|chooses)|(cloud|grokbot)Runtime has no|.* is no runtime\.$|The tool runs in a shell .* a virtual tree)/;
  const untold = [...rows, ...parts, ...bound]
    .map(([, problem]) => problem)
    .filter((problem) => !varied.test(problem) && !docs.includes(textInDocs(problem)));
  expect(untold).toEqual([]);
});

/** The page has one example of each text. */
function textInDocs(problem: string): string {
  return problem
    .replace(/local\.(workspaceDir|sandbox)/, "local.cwd")
    .replace(/runtime's (sandbox|workspaceDir, sandbox)\./, "runtime's cwd.")
    .replace(/^tools lists (read|edit),/, "tools lists grep,")
    .replace(/native file tool (LS|Grep)/, "native file tool Read")
    .replace(/lacks list/, "lacks grep, search")
    .replace("authored tool lint.", "native file tool Read.");
}
