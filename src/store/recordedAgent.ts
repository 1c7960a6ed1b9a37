import type { JsonObject } from "../base";
import type { AgentDocument } from "./projectDocument";

/** The agent a log of ours names; whether writes ask is the choice of whoever runs it. */
export function recordedAgent(definition: JsonObject): AgentDocument {
  const { approvals: _choice, ...rest } = definition;
  const { name, instructions } = rest;
  return {
    ...(rest as unknown as AgentDocument),
    name: typeof name === "string" ? name : "agent",
    instructions: typeof instructions === "string" ? instructions : "",
  };
}
