import type { DiscoveryFault } from "../base";
import type { AgentDefinition } from "./agentDefinition";
import type { AgentParts, AuthoredSubagent } from "./agentParts";
import { isVirtual, runtimeKind } from "./runtime";

/** What will be ignored or looks like a mistake; nothing is refused for it (docs/runtime.md, section 2). */
export function definitionWarnings(definition: AgentDefinition, parts: AgentParts): DiscoveryFault[] {
  const { instructions, runtime } = definition;
  const warnings: DiscoveryFault[] = [];
  if (instructions !== undefined && instructions.trim() === "") {
    warnings.push({
      field: "instructions",
      problem: "They are empty.",
      mend: "Say what the agent is for and how it should work.",
    });
  }
  const kind = runtimeKind(runtime);
  if (kind === "cloud") warnings.push(...cloudWarnings(definition, parts));
  if (kind === "grokbot") warnings.push(...grokbotWarnings(definition, parts));
  if (kind === "local") warnings.push(...localWarnings(definition));
  return [
    ...warnings,
    ...rootWarnings(definition, parts),
    ...(parts.subagents ?? []).flatMap(subagentWarnings),
    ...evalsWarning(parts),
  ];
}

function cloudWarnings(definition: AgentDefinition, parts: AgentParts): DiscoveryFault[] {
  const { runtime, cloud, local, approvals } = definition;
  const warnings: DiscoveryFault[] = [];
  const warn = (field: string, problem: string, mend: string) => warnings.push({ field, problem, mend });
  if (runtime === "cloud" && cloud === undefined) warn("cloud", "It is missing.", "Name the repositories to work on.");
  else if (repositoriesOf(definition) === 0) {
    warn("cloud", "It names no repositories.", "Name the repositories to work on in repos.");
  }
  if (parts.hasSkills === true) {
    warn("skills", "A cloud agent's files are not yours.", "Keep the skills in the agent's repository.");
  }
  if (parts.tools?.some(({ execution }) => execution === "agent") === true) {
    warn("tools/", "Scripts are only told to a cloud agent.", "Keep them in the agent's repository.");
  }
  if (parts.tools?.some(({ execution = "server" }) => execution === "server") === true) {
    warn("tools/", "A cloud agent reaches them only over MCP.", "Offer them over a connection it can reach.");
  }
  if (parts.hasSeeds === true) {
    warn("seeds", "They are not put into a cloud agent's workspace.", "Keep them in the agent's repository.");
  }
  if (approvals === "writes") warn("approvals", "A cloud agent asks nobody here.", "Run the agent here to be asked.");
  if (local !== undefined) warn("local", "A cloud loop ignores it.", "Take it out.");
  return warnings;
}

function grokbotWarnings({ local, cloud, model }: AgentDefinition, { hasSkills }: AgentParts): DiscoveryFault[] {
  const warnings: DiscoveryFault[] = [];
  if (hasSkills === true) {
    const mend = "Put them into the instructions.";
    warnings.push({ field: "skills", problem: "They are not on that loop's disk.", mend });
  }
  const ignored = Object.entries({ local, cloud, model }).filter(([, value]) => value !== undefined);
  return [
    ...warnings,
    ...ignored.map(([field]) => ({ field, problem: "A grokbot loop ignores it.", mend: "Take it out." })),
  ];
}

/** A tree of its own is never exchanged for a cloud loop's, so the base of an attach is of no use. */
function localWarnings({ root, runtime, cloud }: AgentDefinition): DiscoveryFault[] {
  if (cloud === undefined || (root === undefined && !isVirtual(runtime))) return [];
  const problem = "An agent on a tree of its own cannot be sent to the cloud, so it is ignored.";
  return [{ field: "cloud", problem, mend: "Take it out." }];
}

/** With a root nobody offers `task` (docs/filesystem.md, section 4). */
function rootWarnings({ root }: AgentDefinition, { subagents = [] }: AgentParts): DiscoveryFault[] {
  if (root === undefined || subagents.length === 0) return [];
  const problem = "An agent with a root has no task to give them, so they are not used.";
  return [{ field: "subagents/", problem, mend: "Take them out, or the root." }];
}

function subagentWarnings(subagent: AuthoredSubagent): DiscoveryFault[] {
  const ignored = [
    ...(subagent.hasRuntime === true ? ["runtime"] : []),
    ...(subagent.hasTools === true ? ["tools/"] : []),
    ...(subagent.hasSkills === true ? ["skills/"] : []),
    ...(subagent.hasConnections === true ? ["mcp-connections/"] : []),
  ];
  return ignored.map((part) => ({
    field: `subagents/${subagent.name}/${part}`,
    problem: "It is ignored: a subagent has its parent's.",
    mend: "Take it out, or give it to the parent.",
  }));
}

function evalsWarning({ hasAgentEvals }: AgentParts): DiscoveryFault[] {
  if (hasAgentEvals !== true) return [];
  return [{ field: "agent/evals/", problem: "It is ignored: evals live in evals/.", mend: "Move it to evals/." }];
}

function repositoriesOf({ runtime, cloud }: AgentDefinition): number {
  const options = typeof runtime === "object" && runtime.kind === "cloud" ? runtime.options : cloud;
  const repos = options?.["repos"];
  return Array.isArray(repos) ? repos.length : 0;
}
