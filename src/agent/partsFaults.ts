import { nativeFileToolNames, type DiscoveryFault } from "../base";
import type { AgentDefinition } from "./agentDefinition";
import type { AgentParts, AuthoredTool } from "./agentParts";
import { isVirtual, runtimeKind } from "./runtime";

/** What cannot stand beside an agent: its author's tools and connections against its runtime (docs/runtime.md, section 2). */
export function partsFaults(
  definition: AgentDefinition,
  { tools = [], connections = [] }: AgentParts,
): DiscoveryFault[] {
  return [
    ...nameFaults(tools),
    ...shellFaults(definition, tools),
    ...grokbotFaults(definition, tools),
    ...(runtimeKind(definition.runtime) === "cloud"
      ? connections.filter(({ advertiseTools }) => advertiseTools === true).map(({ name }) => advertiseFault(name))
      : []),
  ];
}

/** Names the harness gives its own tools. */
const HARNESS_NAMES = ["Shell", "webSearch", "webFetch", "updateTodos", "readTodos", "task", "ReadLints"];

function nameFaults(tools: readonly AuthoredTool[]): DiscoveryFault[] {
  const faults: DiscoveryFault[] = [];
  for (const [index, { name }] of tools.entries()) {
    const mend = "Give the authored tool another name.";
    if ((nativeFileToolNames as readonly string[]).includes(name)) {
      const problem = `An authored tool is named like the native file tool ${name}.`;
      faults.push({ field: `tools/${name}`, problem, mend });
    } else if (HARNESS_NAMES.includes(name)) {
      const problem = `An authored tool is named like the harness's own tool ${name}.`;
      faults.push({ field: `tools/${name}`, problem, mend });
    } else if (tools.findIndex((other) => other.name === name) < index) {
      faults.push({ field: `tools/${name}`, problem: `Two authored tools are named ${name}.`, mend });
    }
  }
  return faults;
}

/** A tool that runs as a script needs a shell to run it. */
function shellFaults({ root, runtime }: AgentDefinition, tools: readonly AuthoredTool[]): DiscoveryFault[] {
  if (root === undefined && !isVirtual(runtime)) return [];
  const where = root === undefined ? "a virtual tree" : "a root";
  return tools
    .filter(({ execution }) => execution === "agent")
    .map(({ name }) => ({
      field: `tools/${name} + ${root === undefined ? "runtime" : "root"}`,
      problem: `The tool runs in a shell (execution: "agent"), and ${where} has none.`,
      mend: 'Use execution: "server", or run the agent on localRuntime().',
    }));
}

function grokbotFaults({ runtime }: AgentDefinition, tools: readonly AuthoredTool[]): DiscoveryFault[] {
  if (runtimeKind(runtime) !== "grokbot") return [];
  return tools.flatMap(({ name, execution = "server", needsApproval = false }) => [
    ...(execution === "server"
      ? [
          {
            field: `tools/${name} + runtime`,
            problem: "A grokbot loop calls no tool that runs here.",
            mend: "Take the tool out, or run the agent here.",
          },
        ]
      : []),
    ...(needsApproval
      ? [
          {
            field: `tools/${name} + runtime`,
            problem: "A grokbot loop asks nobody before a tool runs.",
            mend: "Take needsApproval out, or run the agent here.",
          },
        ]
      : []),
  ]);
}

function advertiseFault(name: string): DiscoveryFault {
  return {
    field: `connections/${name} + runtime`,
    problem: "A cloud loop reads its connections itself and cannot be given their tools by name (advertiseTools).",
    mend: "Take advertiseTools out, or run the agent here.",
  };
}
