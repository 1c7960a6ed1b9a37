import { nativeFileToolNames, type DiscoveryFault, type JsonObject } from "../base";
import type { Tool } from "../tools";
import type { AgentDefinition } from "./agentDefinition";
import { asOfFaults } from "./asOf";
import type { ExistingTools } from "./boundTools";
import { capabilityFaults } from "./capabilityFaults";
import type { Binding } from "./offeredToolNames";
import { partsFaults } from "./partsFaults";
import type { PartialFileSystem } from "./runtime";

/** What keeps a definition from being bound here: its tree, the tools it would stand beside, its frozen instant. */
export function bindFaults(
  definition: AgentDefinition,
  tree: PartialFileSystem | undefined,
  binding: Binding,
  { harnessTools = {}, authoredTools = [], asOf }: ExistingTools & { readonly asOf?: string },
): DiscoveryFault[] {
  const connected = harnessTools.mcp ?? [];
  return [
    ...capabilityFaults(definition, tree, binding),
    ...partsFaults(definition, { tools: authoredTools }),
    ...(binding === "host" && (harnessTools.shell ?? []).length === 0 ? authoredTools.flatMap(scriptFaults) : []),
    ...connected.flatMap((tool) => lookAlikeFaults(tool, authoredTools)),
    ...(asOf === undefined ? [] : [...asOfFaults(asOf), ...[...authoredTools, ...connected].flatMap(timeArgsFaults)]),
  ];
}

function scriptFaults({ name, execution }: Tool): DiscoveryFault[] {
  if (execution !== "agent") return [];
  return [
    {
      field: `tools/${name}`,
      problem: 'The tool runs in a shell (execution: "agent"), and there is none here.',
      mend: 'Use execution: "server".',
    },
  ];
}

/** The model is offered a native's name once, and never by a connection. */
function lookAlikeFaults({ name }: Tool, authoredTools: readonly Tool[]): DiscoveryFault[] {
  const isNative = (nativeFileToolNames as readonly string[]).includes(name);
  if (!isNative && !authoredTools.some((tool) => tool.name === name)) return [];
  return [
    {
      field: `mcp/${name}`,
      problem: `A tool of a connection is named like ${isNative ? "the native file tool" : "the authored tool"} ${name}.`,
      mend: "Give the connection a name of its own, which its tools' names begin with.",
    },
  ];
}

/** A bound nobody checks would let the future in, so a session with a frozen instant does not begin. */
function timeArgsFaults({ name, timeArgs = [], inputSchema }: Tool): DiscoveryFault[] {
  const properties = (inputSchema["properties"] ?? {}) as JsonObject;
  return timeArgs
    .filter((argument) => !Object.hasOwn(properties, argument))
    .map((argument) => ({
      field: `tools/${name} + asOf`,
      problem: `timeArgs names ${argument}, which is not in the input schema, so nothing would be checked.`,
      mend: "Name a property of the input schema, or begin the session without asOf.",
    }));
}
