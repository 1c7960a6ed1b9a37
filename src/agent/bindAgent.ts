import { DiscoveryError, type Clock, type DiscoveryFault } from "../base";
import type { FileSystem, TreeEngine } from "../fs";
import type { Subagent, TodoList, Tool } from "../tools";
import type { AgentDefinition } from "./agentDefinition";
import { bindFaults } from "./bindFaults";
import {
  boundTools,
  hasScratch,
  isWebName,
  subagentFrom,
  withOwnTools,
  type ExistingTools,
  type OwnedTool,
} from "./boundTools";
import { bindingOf, offeredToolNames, type Binding, type OfferedToolNames } from "./offeredToolNames";
import { promptParts, type PromptPart, type PromptSources } from "./promptParts";
import { runtimeKind, type PartialFileSystem } from "./runtime";
import { ownDirectory } from "./sendTarget";
import { toolWithScratch, treeWithScratch, turnScratch, type TurnScratch } from "./turnScratch";

export interface BindOptions extends PromptSources, ExistingTools {
  /** What the tools stand on; as the definition says when omitted. */
  readonly binding?: Binding;
  /** The session's list of todos; a fresh one when omitted. */
  readonly todos?: TodoList;
  /** Dates the files of the scratch; the system's clock when omitted. */
  readonly now?: Clock;
  /** Searches the scratch: a page gives the engine of its workers, or a pattern that runs away stops the page itself. */
  readonly engine?: TreeEngine;
  /** The turn's scratch where the turn goes on; a new, empty one when omitted. */
  readonly scratch?: TurnScratch;
}

/** A definition on a tree: what the loop runs for one turn. Holds the tree, owns nothing that must be closed. */
export interface BoundAgent {
  readonly definition: AgentDefinition;
  /** What the turn runs on: the tree given, with the turn's scratch at `/tmp` where there is one. */
  readonly tree: FileSystem;
  readonly tools: readonly Tool[];
  readonly offered: OfferedToolNames;
  readonly binding: Binding;
  /** In the order the model reads them. */
  readonly prompt: readonly PromptPart[];
  /** There where a web tool is offered on a root (docs/tools.md, section 10). */
  readonly scratch?: TurnScratch;
  /** The harness's own directory: what paths of a host's disk are meant by, on a root too. */
  readonly cwd: string;
  /** Children it may give tasks to, beside the one there always is. */
  readonly subagents: readonly Subagent[];
}

/**
 * Binds a definition to a tree for a turn: the tools it may offer there and the parts of its prompt. The tree may lack
 * verbs where the binding is virtual; tools that need them are then not offered.
 * @throws DiscoveryError with every reason why it cannot be bound; whatever the tree's `brief` throws
 */
export async function bindAgent(
  definition: AgentDefinition,
  tree: FileSystem | PartialFileSystem,
  options: BindOptions = {},
): Promise<BoundAgent> {
  const binding = options.binding ?? bindingOf(definition, tree);
  const faults = [...remoteFaults(definition), ...bindFaults(definition, tree, binding, options)];
  if (faults.length > 0) throw new DiscoveryError(faults);
  const names = offeredToolNames(definition, tree, binding);
  const cwd = options.cwd ?? (binding === "host" ? "/" : ownDirectory(options.sessionId ?? ""));
  const hostDirectory = binding === "host" ? cwd : undefined;
  const owned = boundTools(tree, names, withOwnTools(options, options.todos), hostDirectory);
  const scratch = hasScratch(binding, owned) ? (options.scratch ?? turnScratch(cwd, options)) : undefined;
  const whole = tree as FileSystem;
  return {
    definition,
    tree: scratch === undefined ? whole : treeWithScratch(whole, scratch),
    tools: owned.map((each) => onScratch(each, scratch)),
    offered: { ...names, scratch: scratch !== undefined },
    binding,
    prompt: await promptParts(definition, tree, {
      ...options,
      workspacePath: hostDirectory ?? "/",
      hasShell: owned.some(({ allowlistName }) => allowlistName === "shell"),
    }),
    ...(scratch === undefined ? {} : { scratch }),
    cwd,
    subagents: (options.subagents ?? []).map(subagentFrom),
  };
}

function onScratch({ tool, allowlistName }: OwnedTool, scratch: TurnScratch | undefined): Tool {
  return scratch !== undefined && isWebName(allowlistName) ? toolWithScratch(tool, scratch) : tool;
}

/** A remote loop owns its tree and its tools; nothing of it is executed here. */
function remoteFaults({ runtime }: AgentDefinition): DiscoveryFault[] {
  const kind = runtimeKind(runtime);
  if (kind === "local") return [];
  return [
    {
      field: "runtime",
      problem: `A ${kind} loop runs elsewhere, and no endpoint is set up for it here.`,
      mend: "Leave runtime out to run the agent here.",
    },
  ];
}
