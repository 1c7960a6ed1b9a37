import { parseTree } from "jsonc-parser";
import { agentReport, definitionSchema, type AgentReport, type HostRuntime, type VirtualRuntime } from "../agent";
import type { DiscoveryFault, JsonObject } from "../base";
import type { FileSystem, VersionedTree } from "../fs";
import { parsedJson, type JsonProblem } from "./agentJsonParse";
import type { HarnessTools } from "./connectionsState";
import { hostBinding, hostDirectoryFaults } from "./hostAgent";
import { isHostRuntime } from "./hostRuntime";

export interface AgentJsonPlace {
  readonly instructions: string;
  readonly tree: FileSystem & VersionedTree;
  readonly harnessTools?: HarnessTools;
}

/** The text of `agent.json` as it stands: what it says, what is wrong with it, and what it comes to on the mounts. */
export interface AgentJsonReport {
  /** Why it is no JSON; all else is absent then. */
  readonly problem?: JsonProblem;
  /** What it says; an object unless a fault says that it is none. */
  readonly value?: unknown;
  /** All that keeps it from being saved. */
  readonly faults: readonly DiscoveryFault[];
  readonly warnings: readonly DiscoveryFault[];
  /** What the agent is offered and refused. */
  readonly report?: AgentReport;
}

/** Fields of a definition that a project has a place of its own for, or that nothing in the page stands behind. */
const ELSEWHERE: Readonly<Record<string, Omit<DiscoveryFault, "field">>> = {
  instructions: {
    problem: "They are a document of their own here.",
    mend: "Write them in instructions.md, and take this out.",
  },
  model: { problem: "The model is chosen in the header.", mend: "Choose it there, and take this out." },
  root: { problem: "The mounts are the agent's tree.", mend: "Take it out." },
  local: {
    problem: "Where the agent runs is said in runtime.",
    mend: 'Write "runtime": { "kind": "local", "workspace": "host", "options": {} } with what it says, and take this out.',
  },
  cloud: { problem: "There is no cloud loop in the page.", mend: "Take it out." },
};

/** Never throws. */
export function agentJsonReport(text: string, { instructions, tree, harnessTools }: AgentJsonPlace): AgentJsonReport {
  const parsed = parsedJson(text);
  if ("problem" in parsed) return { problem: parsed.problem, faults: [], warnings: [] };
  const { value } = parsed;
  if (!isObject(value)) {
    const { faults } = agentReport(value);
    return { value, faults, warnings: [] };
  }
  const own = Object.entries(ELSEWHERE).filter(([field]) => Object.hasOwn(value, field));
  const taken: { readonly runtime?: unknown } = Object.fromEntries(
    Object.entries(value).filter(([field]) => !Object.hasOwn(ELSEWHERE, field)),
  );
  const report = agentReport(
    { ...placedAgent(taken, tree), instructions },
    { tree, ...(harnessTools ? { harnessTools } : {}), ...hostReport(taken.runtime, tree, harnessTools) },
  );
  // A field nobody reads is a mistake: of what is empty only the instructions are let through.
  const unread = report.warnings.filter(({ field }) => field !== "instructions");
  return {
    value,
    faults: [
      ...own.map(([field, words]) => ({ field, ...words })),
      ...twiceNamed(text),
      ...report.faults,
      ...placeFaults(taken.runtime, report.faults),
      ...unread,
    ],
    warnings: report.warnings.filter(({ field }) => field === "instructions"),
    report,
  };
}

/** On the host the agent stands on its disk, and the host's shell is among the tools. */
function hostReport(
  runtime: unknown,
  tree: AgentJsonPlace["tree"],
  harnessTools: HarnessTools | undefined,
): Parameters<typeof agentReport>[1] {
  if (!isHostRuntime(runtime)) return {};
  // Nothing is run for a report.
  const shell = () => Promise.reject(new Error("A report runs nothing."));
  const { binding, shell: tools } = hostBinding({ options: {}, sessionId: "", disk: tree, shell });
  return { binding, harnessTools: { ...harnessTools, shell: tools } };
}

/** Directories that are none of the host's, where its options are otherwise sound. */
function placeFaults(runtime: unknown, others: readonly DiscoveryFault[]): DiscoveryFault[] {
  if (!isHostRuntime(runtime) || others.some(({ field }) => field.startsWith("runtime"))) return [];
  return hostDirectoryFaults(runtime.options ?? {});
}

/** A definition with the mounts put in: as its root, or as the tree of a virtual runtime; on the host it names no tree. */
export function placedAgent<Agent extends { readonly runtime?: unknown }>(
  agent: Agent,
  tree: FileSystem,
): Omit<Agent, "runtime"> & ({ readonly root: FileSystem } | { readonly runtime: VirtualRuntime | HostRuntime }) {
  const { runtime } = agent;
  if (isHostRuntime(runtime))
    return { ...agent, runtime: { ...runtime, options: runtime.options ?? {} } as HostRuntime };
  if (!isVirtualRuntime(agent.runtime)) return { ...agent, root: tree };
  return { ...agent, runtime: { kind: "local", workspace: "virtual", tree } };
}

/** What `virtualRuntime()` makes, which JSON can say. */
export function isVirtualRuntime(runtime: unknown): boolean {
  return isObject(runtime) && runtime["kind"] === "local" && runtime["workspace"] === "virtual";
}

const hostOptionsSchema: JsonObject = {
  type: "object",
  description: "Where on the host's disk sessions work, and how far the shell may go.",
  properties: {
    workspaceDir: {
      type: "string",
      description: "The directory that sessions work in; the host's root when left out.",
    },
    cwd: { type: "string", description: "A directory in which each session gets one of its own." },
    sandbox: {
      type: "boolean",
      description: "True hardens the shell's limits and takes the network from its commands.",
      default: true,
    },
  },
};

/** The schema of `agent.json`: the definition's, without what a project has elsewhere. */
export function agentJsonSchema(): { readonly properties: Readonly<Record<string, JsonObject>> } & JsonObject {
  const { properties, required, ...schema } = definitionSchema();
  const runtime = {
    ...properties["runtime"],
    description:
      "Left out, the mounts are the agent's root: a whole tree with every tool it can serve. A virtual runtime offers the file tools too, and of the others those that tools lists, task among them. On the host the agent has a disk of its own, and a shell on it.",
    anyOf: [
      {
        type: "object",
        properties: { kind: { const: "local" }, workspace: { const: "virtual" } },
        required: ["kind", "workspace"],
        default: { kind: "local", workspace: "virtual" },
      },
      {
        type: "object",
        properties: { kind: { const: "local" }, workspace: { const: "host" }, options: hostOptionsSchema },
        required: ["kind", "workspace"],
        default: { kind: "local", workspace: "host" },
      },
    ],
  };
  const here = Object.entries({ ...properties, runtime }).filter(([field]) => !Object.hasOwn(ELSEWHERE, field));
  return {
    ...schema,
    properties: Object.fromEntries(here),
    required: (required as readonly string[]).filter((field) => !Object.hasOwn(ELSEWHERE, field)),
  };
}

function twiceNamed(text: string): DiscoveryFault[] {
  const names = (parseTree(text)?.children ?? []).map((property) => String(property.children?.[0]?.value));
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...twice].map((field) => ({ field, problem: "It stands there twice.", mend: "Take one of them out." }));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
