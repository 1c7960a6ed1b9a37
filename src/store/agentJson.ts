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
  const value: unknown = JSON.parse(text);
  const { discover } = await import("../agent");
  const isObject = value !== null && typeof value === "object" && !Array.isArray(value);
  // Its runs are bound to the mounts: rules on `root` hold for whatever else the definition names.
  const { faults, warnings } = discover(isObject ? { ...value, instructions, root: emptyFs() } : value);
  const refused = [...faults, ...warnings.filter((warning) => warning.field !== "instructions")];
  if (refused.length > 0) throw new DiscoveryError(refused);
  return { ...(value as Omit<AgentDocument, "instructions">), instructions };
}
