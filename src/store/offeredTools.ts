import type { FileSystem } from "../fs";
import type { HarnessTools } from "./connectionsState";
import { messageFromError } from "./messageFromError";
import type { AgentDocument } from "./projectDocument";

/** What the model is offered, or why the agent cannot be bound to the tree. */
export interface OfferedTools {
  readonly tools: readonly { readonly name: string; readonly summary: string }[];
  readonly problem?: string;
}

/** The tools a run would offer now. */
export async function offeredTools(
  agent: AgentDocument,
  tree: FileSystem,
  harnessTools: HarnessTools = {},
): Promise<OfferedTools> {
  try {
    const { bindAgent, defineAgent } = await import("../agent");
    const { tools } = await bindAgent(defineAgent({ ...agent, root: tree }), tree, { harnessTools });
    return { tools: tools.map(({ name, description }) => ({ name, summary: firstSentence(description) })) };
  } catch (error) {
    return { tools: [], problem: messageFromError(error) };
  }
}

function firstSentence(description: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(description)?.[0] ?? description;
}
