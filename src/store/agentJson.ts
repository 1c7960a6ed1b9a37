import { DiscoveryError } from "../base";
import { emptyFs } from "../fs";
import type { AgentDocument } from "./projectDocument";

/** The agent definition as the editor shows it; the instructions are a document of their own. */
export function agentJsonFromDocument(agent: AgentDocument): string {
  const { instructions: _own, ...rest } = agent;
  return `${JSON.stringify(rest, undefined, 2)}\n`;
}

/**
 * The agent in the editor's text.
 * @throws DiscoveryError with every fault, or SyntaxError when the text is no JSON
 */
export async function agentDocumentFromJson(text: string, instructions: string): Promise<AgentDocument> {
  const { agentJsonReport } = await import("./agentJsonCheck");
  // Its runs are bound to the mounts: the rules of a tree hold for whatever else the definition names.
  const { problem, value, faults } = agentJsonReport(text, { instructions, tree: emptyFs() });
  if (problem !== undefined) throw new SyntaxError(problem.sentence);
  if (faults.length > 0) throw new DiscoveryError(faults);
  return { ...(value as Omit<AgentDocument, "instructions">), instructions };
}
