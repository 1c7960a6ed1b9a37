import { nativeFileToolNames, type DiscoveryFault } from "../base";
import { canServe, missingVerbs } from "../tools";
import type { AgentDefinition } from "./agentDefinition";
import { bindingOf, fileFamilies, type Binding } from "./offeredToolNames";
import type { PartialFileSystem } from "./runtime";

/** What a definition asks of a tree that the tree cannot do. Without a tree (a factory's, say) it is checked when bound. */
export function capabilityFaults(
  definition: Pick<AgentDefinition, "tools" | "root" | "runtime">,
  tree: PartialFileSystem | undefined,
  binding: Binding = bindingOf(definition, tree),
): DiscoveryFault[] {
  const { tools = [] } = definition;
  if (binding === "virtual")
    return [...(tree === undefined ? [] : missingVerbFaults(tools, tree)), ...shellFaults(tools)];
  if (tree === undefined) return [];
  if (binding === "root") return wholeTreeFaults(tree);
  return binding === "host" && tools.includes("semSearch") ? [NO_INDEX] : [];
}

const NO_INDEX: DiscoveryFault = {
  field: "tools + tree",
  problem: "tools lists semSearch, but the host's disk has no index.",
  mend: "Take semSearch out of tools, or give the agent a root that has one.",
};

/** A root has every verb, so that what it is offered does not hang on how it was made. */
function wholeTreeFaults(tree: PartialFileSystem): DiscoveryFault[] {
  const missing = new Set(nativeFileToolNames.flatMap((name) => missingVerbs(tree, name)));
  if (missing.size === 0) return [];
  return [
    {
      field: "root",
      problem: `The tree lacks ${[...missing].join(", ")}.`,
      mend: "Give a whole FileSystem, or pass it as virtualRuntime(fs), which may lack verbs.",
    },
  ];
}

/** `edit` is satisfied by either of its two tools. */
function missingVerbFaults(tools: readonly string[], tree: PartialFileSystem): DiscoveryFault[] {
  return tools.flatMap((listed) => {
    const family = fileFamilies[listed as keyof typeof fileFamilies];
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

function shellFaults(tools: readonly string[]): DiscoveryFault[] {
  if (!tools.includes("shell")) return [];
  return [
    {
      field: "tools + runtime",
      problem: "tools lists shell, but a virtual tree has none.",
      mend: "Take shell out of tools, or use localRuntime().",
    },
  ];
}
