import { DiscoveryError } from "../base";
import type { AgentDefinition } from "./agentDefinition";
import { discover } from "./discover";

/**
 * A checked, frozen definition.
 * @throws DiscoveryError once, with every fault found
 */
export function defineAgent(input: unknown): AgentDefinition {
  const { definition, faults } = discover(input);
  if (definition === undefined) throw new DiscoveryError(faults);
  return definition;
}
