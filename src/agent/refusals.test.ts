import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { allowlistNames, type DiscoveryFault } from "../base";
import { tempFs } from "../fs";
import type { AgentParts } from "./agentParts";
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

const lint = { name: "lint" };
const script = { name: "lint", execution: "agent" } as const;

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
    "root + tools with a name that is none beside shell",
    { tools: ["shell", "search"] },
    ["tools", '"search" is no name of the allowlist.', `Legal names: ${allowlistNames.join(", ")}.`],
    ["root + tools", "A root has no shell.", "Take shell out of tools, or root out of the agent."],
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

test("docs/runtime.md tells each of these refusals", () => {
  const rows = [...BESIDE_A_ROOT, ...WITHOUT_A_ROOT].flatMap(([, , ...faults]) => faults);
  const parts = BESIDE_ITS_PARTS.flatMap(([, , , ...faults]) => faults);
  const varied =
    /^(A grokbot loop (owns|chooses)|(cloud|grokbot)Runtime has no|.* is no runtime\.$|The tool runs in a shell .* a virtual tree)/;
  const untold = [...rows, ...parts]
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
    .replace(/native file tool (LS|Grep)/, "native file tool Read");
}
