import type { JsonObject } from "../base";

/** What differs between two definitions of an agent, for a person. `undefined` for one that was not kept. */
export function agentChangedText(before: JsonObject | undefined, after: JsonObject | undefined): string {
  if (before === undefined || after === undefined) return "The agent was changed.";
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  const { maxSteps } = after;
  if (fields.join() === "maxSteps") {
    return typeof maxSteps === "number" ? `Step limit ${maxSteps} from here on.` : "The usual step limit from here on.";
  }
  const words = fields.map((field) => (field === "maxSteps" ? "step limit" : field));
  return fields.length === 0 ? "The agent was changed." : `The agent was changed: ${words.join(", ")}.`;
}
