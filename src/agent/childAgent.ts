import { todosTools, todoList, type Subagent, type Tool } from "../tools";
import type { BoundAgent } from "./bindAgent";
import { identityText, type PromptPart } from "./promptParts";

/**
 * A subagent bound: its parent's tree, tools and gates, its own instructions and todos. It has no subagents of its own,
 * and nothing its parent is not offered.
 */
export function childAgent(parent: BoundAgent, { name, description, instructions }: Subagent): BoundAgent {
  const { description: _parents, ...definition } = parent.definition;
  const shared = parent.prompt.filter(({ owner }) => owner !== "instructions" && owner !== "identity");
  const own: PromptPart[] = [
    { owner: "instructions", text: instructions },
    { owner: "identity", text: identityText({ name, description }) },
  ];
  return {
    ...parent,
    definition: { ...definition, name, description, instructions },
    tools: withOwnTodos(parent.tools.filter((tool) => tool.name !== "task")),
    offered: { ...parent.offered, harness: parent.offered.harness.filter((each) => each !== "task") },
    prompt: [...own, ...shared],
    subagents: [],
  };
}

function withOwnTodos(tools: readonly Tool[]): Tool[] {
  const own = todosTools(todoList());
  return tools.map((tool) => (tool.native ? (own.find(({ name }) => name === tool.name) ?? tool) : tool));
}
