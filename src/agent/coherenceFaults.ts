import { canonicalJson, type DiscoveryFault, type JsonObject } from "../base";
import type { AgentDefinition } from "./agentDefinition";
import { localOptionNames } from "./fieldFaults";
import { isVirtual, runtimeKind, type LocalOptions, type Runtime } from "./runtime";

/** Pairs of fields that cannot stand together; each fault names the pair and the way out (docs/runtime.md, section 2). */
export function coherenceFaults(definition: AgentDefinition): DiscoveryFault[] {
  return [
    ...rootFaults(definition),
    ...rootToolsFaults(definition),
    ...siblingFaults(definition),
    ...remoteFaults(definition),
  ];
}

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
  const kind = runtimeKind(runtime);
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
  return [...localSiblingFaults(runtime, local), ...cloudSiblingFaults(runtime, cloud)];
}

const SIBLING_MEND = "Keep the runtime and take the other out.";

function localSiblingFaults(runtime: Runtime, local: LocalOptions | undefined): DiscoveryFault[] {
  if (local === undefined) return [];
  const fault = (problem: string) => [{ field: "runtime + local", problem, mend: SIBLING_MEND }];
  if (runtime.kind !== "local") return fault(`${runtime.kind}Runtime has no host's disk for local.`);
  if (isVirtual(runtime)) return fault("virtualRuntime has no host's disk for local.");
  return isSame(runtime.options, local) ? [] : fault("They say different things of the same disk.");
}

/** A loop that runs here may have a `cloud` beside it: the base it is sent to the cloud with. */
function cloudSiblingFaults(runtime: Runtime, cloud: JsonObject | undefined): DiscoveryFault[] {
  if (cloud === undefined || runtime.kind === "local") return [];
  const fault = (problem: string) => [{ field: "runtime + cloud", problem, mend: SIBLING_MEND }];
  if (runtime.kind === "grokbot") return fault("grokbotRuntime is no cloud loop and takes no options.");
  return isSame(runtime.options, cloud) ? [] : fault("They say different things of the same loop.");
}

function remoteFaults({ runtime, tools, approvals }: AgentDefinition): DiscoveryFault[] {
  const kind = runtimeKind(runtime);
  if (kind === "local") return [];
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
  return localOptionNames.filter((option) => options?.[option] !== undefined);
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
