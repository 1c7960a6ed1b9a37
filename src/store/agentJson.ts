import { allowlistNames, type AllowlistName } from "../base";
import type { AgentDocument } from "./projectDocument";

/** The agent definition as the editor shows it; the instructions are a document of their own. */
export function agentJsonFromDocument(agent: AgentDocument): string {
  const { instructions: _own, ...rest } = agent;
  return `${JSON.stringify(rest, undefined, 2)}\n`;
}

/** @throws Error with every fault when the text is no agent definition */
export function agentPatchFromJson(text: string, instructions: string): AgentDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`This is not JSON yet: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new Error("The definition is an object: { … }.");
  const { name, tools, maxSteps, ...unknown } = value as Record<string, unknown>;
  const faults = [
    typeof name === "string" && name.trim() !== "" ? undefined : "name: it is a text that is not empty.",
    tools === undefined || isToolList(tools)
      ? undefined
      : `tools: it is a list of ${allowlistNames.join(", ")}. Leave it out for all the tree can serve.`,
    maxSteps === undefined || (Number.isInteger(maxSteps) && (maxSteps as number) > 0)
      ? undefined
      : "maxSteps: it is a whole number above 0.",
    ...Object.keys(unknown).map((key) => `${key}: this is not known here; name, tools and maxSteps are.`),
  ].filter((fault) => fault !== undefined);
  if (faults.length > 0) throw new Error(faults.join(" "));
  return {
    name: name as string,
    instructions,
    ...(tools === undefined ? {} : { tools: tools as readonly AllowlistName[] }),
    ...(maxSteps === undefined ? {} : { maxSteps: maxSteps as number }),
  };
}

function isToolList(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => (allowlistNames as readonly unknown[]).includes(name));
}
