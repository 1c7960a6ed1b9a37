import { nativeFileToolNames, type DiscoveryFault } from "../base";
import { canServe } from "../tools";
import type { AgentDefinition } from "./agentDefinition";
import { bindingOf, fileFamilies } from "./offeredToolNames";
import type { PartialFileSystem } from "./runtime";

/** What a definition asks of a tree that the tree cannot do, and authored tools in the way of native ones. */
export function capabilityFaults(
  definition: Pick<AgentDefinition, "tools" | "root" | "runtime">,
  tree: PartialFileSystem | undefined,
  authoredToolNames: readonly string[],
): DiscoveryFault[] {
  return [
    ...nameClashFaults(authoredToolNames),
    ...(tree === undefined ? [] : missingVerbFaults(definition, tree)),
    ...(bindingOf(definition, tree) === "virtual" ? shellFaults(definition) : []),
  ];
}

function nameClashFaults(names: readonly string[]): DiscoveryFault[] {
  return names
    .filter((name) => (nativeFileToolNames as readonly string[]).includes(name))
    .map((name) => ({
      field: `tools/${name}`,
      problem: `An authored tool is named like the native file tool ${name}.`,
      mend: "Give the authored tool another name.",
    }));
}

/** `edit` is satisfied by either of its two tools. */
function missingVerbFaults({ tools }: Pick<AgentDefinition, "tools">, tree: PartialFileSystem): DiscoveryFault[] {
  return (tools ?? []).flatMap((listed) => {
    const family = fileFamilies[listed];
    if (family === undefined || family.some((name) => canServe(tree, name))) return [];
    return [
      {
        field: "tools + tree",
        problem: `tools lists ${listed}, but the tree has not the verbs it needs.`,
        mend: `Take ${listed} out of tools, or use a tree that has them.`,
      },
    ];
  });
}

function shellFaults({ tools }: Pick<AgentDefinition, "tools">): DiscoveryFault[] {
  if (tools?.includes("shell") !== true) return [];
  return [
    {
      field: "tools + runtime",
      problem: "tools lists shell, but a virtual tree has none.",
      mend: "Take shell out of tools, or use localRuntime().",
    },
  ];
}
