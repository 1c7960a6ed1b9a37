import { canonicalJson, type DiscoveryFault } from "../base";
import type { AgentDefinition } from "./agentDefinition";
import type { LocalOptions } from "./runtime";

/** Pairs of fields that cannot stand together; each fault names the pair and the way out (docs/tools.md, section 5). */
export function coherenceFaults(definition: AgentDefinition): DiscoveryFault[] {
  return [
    ...rootFaults(definition),
    ...rootToolsFaults(definition),
    ...siblingFaults(definition),
    ...remoteFaults(definition),
  ];
}

const LOCAL_OPTIONS = ["cwd", "workspaceDir", "sandbox"] as const;

function rootFaults({ root, runtime, local }: AgentDefinition): DiscoveryFault[] {
  if (root === undefined) return [];
  const faults = givenOptions(local).map((option) => ({
    field: `root + local.${option}`,
    problem: `An agent with a root does not run on the host's disk, so local.${option} has no meaning.`,
    mend: `Take out root or local.${option}.`,
  }));
  const problem = runtimeProblem(runtime);
  if (problem === undefined) return faults;
  return [...faults, { field: "root + runtime", problem, mend: "Take out root, or leave runtime out." }];
}

/** Why a runtime cannot stand beside a root. */
function runtimeProblem(runtime: AgentDefinition["runtime"]): string | undefined {
  if (runtime === undefined || runtime === "local") return undefined;
  const kind = typeof runtime === "string" ? runtime : runtime.kind;
  if (kind !== "local") return `A ${kind} loop owns its tree and cannot run on a root.`;
  if (typeof runtime === "string" || runtime.kind !== "local") return undefined;
  if (runtime.workspace === "virtual") return "Root and virtualRuntime are two ways to pass a tree.";
  const options = givenOptions(runtime.options);
  return options.length === 0 ? undefined : `A root has no host's disk for the runtime's ${options.join(", ")}.`;
}

function rootToolsFaults({ root, tools = [] }: AgentDefinition): DiscoveryFault[] {
  const faults: DiscoveryFault[] = [];
  if (root !== undefined && tools.includes("shell")) {
    faults.push({
      field: "root + tools",
      problem: "A root has no shell.",
      mend: "Take shell out of tools, or root out of the agent.",
    });
  }
  if (root !== undefined && tools.includes("task")) {
    faults.push({
      field: "root + tools",
      problem: "A subagent (task) would not get the root.",
      mend: "Take task out of tools, or root out of the agent.",
    });
  }
  if (tools.includes("readLints")) {
    faults.push({
      field: root === undefined ? "tools" : "root + tools",
      problem: "There is no language service for readLints.",
      mend: "Take readLints out of tools.",
    });
  }
  return faults;
}

/** A constructor beside the older form of its options. */
function siblingFaults({ runtime, local, cloud }: AgentDefinition): DiscoveryFault[] {
  if (typeof runtime !== "object") return [];
  const mend = "Keep the runtime and take the other out.";
  const isVirtual = runtime.kind === "local" && runtime.workspace === "virtual";
  if (local !== undefined && (isVirtual || runtime.kind === "cloud")) {
    const name = isVirtual ? "virtualRuntime" : "cloudRuntime";
    return [{ field: "runtime + local", problem: `${name} has no host's disk for local.`, mend }];
  }
  if (local !== undefined && runtime.kind === "local" && !isVirtual && !isSame(runtime.options, local)) {
    return [{ field: "runtime + local", problem: "They say different things of the same disk.", mend }];
  }
  if (cloud !== undefined && runtime.kind === "cloud" && !isSame(runtime.options, cloud)) {
    return [{ field: "runtime + cloud", problem: "They say different things of the same loop.", mend }];
  }
  return [];
}

function remoteFaults({ runtime, tools, approvals }: AgentDefinition): DiscoveryFault[] {
  const kind = typeof runtime === "object" ? runtime.kind : runtime;
  if (kind !== "cloud" && kind !== "grokbot") return [];
  const faults: DiscoveryFault[] = [];
  if (tools !== undefined) {
    faults.push({
      field: "runtime + tools",
      problem: `A ${kind} loop chooses its own tools and cannot be held to a list.`,
      mend: "Take out tools, or run the agent here.",
    });
  }
  if (kind === "grokbot" && approvals === "writes") {
    faults.push({
      field: "runtime + approvals",
      problem: "That loop asks nobody before it writes.",
      mend: "Take out approvals, or run the agent here.",
    });
  }
  return faults;
}

function givenOptions(options: LocalOptions | undefined): string[] {
  return LOCAL_OPTIONS.filter((option) => options?.[option] !== undefined);
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
