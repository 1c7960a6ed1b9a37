import { DiscoveryError, type AllowlistName, type Clock } from "../base";
import type { FileSystem } from "../fs";
import { effectOfAllowlistName, synthesizeTools, todoList, todosTools, type TodoList, type Tool } from "../tools";
import type { AgentDefinition } from "./agentDefinition";
import { capabilityFaults } from "./capabilityFaults";
import { bindingOf, offeredToolNames, type Binding, type OfferedToolNames } from "./offeredToolNames";
import { promptParts, type PromptPart, type PromptSources } from "./promptParts";
import type { PartialFileSystem } from "./runtime";

export interface BindOptions extends PromptSources {
  /** What the tools stand on; as the definition says when omitted. */
  readonly binding?: Binding;
  /** The session's list of todos; a fresh one when omitted. */
  readonly todos?: TodoList;
  /** Tools of the harness that exist where the agent runs, by the allowlist name they come under (`webSearch`, `shell`). */
  readonly harnessTools?: Readonly<Partial<Record<AllowlistName, readonly Tool[]>>>;
  /** Tools of the author's own; offered whatever the allowlist says. */
  readonly authoredTools?: readonly Tool[];
  readonly now?: Clock;
}

/** A definition on a tree: what the loop runs. Holds the tree, owns nothing that must be closed. */
export interface BoundAgent {
  readonly definition: AgentDefinition;
  readonly tree: FileSystem;
  readonly tools: readonly Tool[];
  readonly offered: OfferedToolNames;
  /** In the order the model reads them. */
  readonly prompt: readonly PromptPart[];
}

/**
 * Binds a definition to a tree: the tools it may offer there and the parts of its prompt. The tree may lack verbs where
 * the binding is virtual; tools that need them are then not offered.
 * @throws DiscoveryError where the definition names what the tree cannot do; whatever the tree's `brief` throws
 */
export async function bindAgent(
  definition: AgentDefinition,
  tree: FileSystem | PartialFileSystem,
  options: BindOptions = {},
): Promise<BoundAgent> {
  const binding = options.binding ?? bindingOf(definition, tree);
  const authoredTools = options.authoredTools ?? [];
  const faults = capabilityFaults(
    definition,
    tree,
    authoredTools.map(({ name }) => name),
  );
  if (faults.length > 0) throw new DiscoveryError(faults);
  const offered = offeredToolNames(definition, tree, binding);
  return {
    definition,
    tree: tree as FileSystem,
    tools: [...synthesizeTools(tree, offered.names), ...harnessTools(offered.harness, options), ...authoredTools],
    offered,
    prompt: await promptParts(definition, tree, options),
  };
}

function harnessTools(offered: readonly AllowlistName[], options: BindOptions): Tool[] {
  const todos = todosTools(options.todos ?? todoList());
  const existing: BindOptions["harnessTools"] = {
    updateTodos: todos.filter(({ name }) => name === "updateTodos"),
    readTodos: todos.filter(({ name }) => name === "readTodos"),
    ...options.harnessTools,
  };
  return offered.flatMap((name) => (existing[name] ?? []).map((tool) => withOwnEffect(name, tool)));
}

/** What stands under a name of the harness has that name's effect, whatever it says; only connections tell their own. */
function withOwnEffect(name: AllowlistName, tool: Tool): Tool {
  return name === "mcp" ? tool : { ...tool, effect: effectOfAllowlistName(name) };
}
