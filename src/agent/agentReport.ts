import type { AllowlistName, DiscoveryFault, JsonObject } from "../base";
import type { ToolEffect } from "../tools";
import type { AgentDefinition } from "./agentDefinition";
import type { AgentParts } from "./agentParts";
import { bindFaults } from "./bindFaults";
import {
  boundTools,
  hasScratch,
  refusedTools,
  withOwnTools,
  type ExistingTools,
  type RefusedTool,
  type ToolOwner,
} from "./boundTools";
import { discovered, discover, staticTree } from "./discover";
import { bindingOf, offeredToolNames, type Binding } from "./offeredToolNames";
import type { PartialFileSystem } from "./runtime";

export interface ReportOptions extends ExistingTools, AgentParts {
  /** The tree it would be bound to; the definition's own where it names one that is there already. */
  readonly tree?: PartialFileSystem;
  /** What the tools stand on; as the definition says when omitted. */
  readonly binding?: Binding;
  /** The session's frozen instant, ISO-8601 with a zone. */
  readonly asOf?: string;
}

export interface ReportedTool {
  readonly name: string;
  readonly owner: ToolOwner;
  /** The name of the allowlist it comes under; an author's tools come under none. */
  readonly allowlistName?: AllowlistName;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly effect: ToolEffect;
  readonly needsApproval: boolean;
}

/** What a definition comes to on a tree. */
export interface AgentReport {
  /** There exactly when it can be bound. */
  readonly definition?: AgentDefinition;
  readonly binding: Binding;
  readonly offered: readonly ReportedTool[];
  /** Every tool of the allowlist that is not offered, with the reason. */
  readonly refused: readonly RefusedTool[];
  /** Whether each turn gets a `/tmp` of its own. */
  readonly scratch: boolean;
  /** Why it cannot be bound; offered and refused then go by the fields that are sound. */
  readonly faults: readonly DiscoveryFault[];
  readonly warnings: readonly DiscoveryFault[];
}

/**
 * What an agent may do, what is refused it and why, before anything runs; cheap enough to be asked at every key stroke.
 * Never throws.
 */
export function agentReport(input: unknown, options: ReportOptions = {}): AgentReport {
  const parts = { ...options, tools: [...(options.tools ?? []), ...(options.authoredTools ?? [])] };
  const { definition: sound, faults, warnings } = discovered(input, parts);
  const tree = options.tree ?? staticTree(sound);
  const binding = options.binding ?? bindingOf(sound, tree);
  const existing = withOwnTools(options);
  const tools = boundTools(tree, offeredToolNames(sound, tree, binding), existing);
  const all = unique([...faults, ...bindFaults(sound, tree, binding, options)]);
  const { definition } = all.length === 0 ? discover(input, parts) : {};
  return {
    ...(definition === undefined ? {} : { definition }),
    binding,
    offered: tools.map(({ tool, owner, allowlistName }) => ({
      name: tool.name,
      owner,
      ...(allowlistName === undefined ? {} : { allowlistName }),
      description: tool.description,
      inputSchema: tool.inputSchema,
      effect: tool.effect,
      needsApproval: tool.needsApproval === true,
    })),
    refused: refusedTools(sound, tree, binding, existing),
    scratch: hasScratch(binding, tools),
    faults: all,
    warnings,
  };
}

/** Some faults are found in the definition and again on the tree. */
function unique(faults: readonly DiscoveryFault[]): DiscoveryFault[] {
  return faults.filter(
    ({ field, problem }, index) =>
      faults.findIndex((other) => other.field === field && other.problem === problem) === index,
  );
}
