import type { JsonObject } from "../base";
import { toolFromShape, type ToolShape } from "./nativeDefinition";
import { ToolInputError } from "./toolInputError";
import type { Tool } from "./tool";

/** A child an agent may give a task to. */
export interface Subagent {
  readonly name: string;
  /** When to give it a task; the parent's model reads it. */
  readonly description: string;
  readonly instructions: string;
}

/** The child there always is. */
export const generalSubagent: Subagent = {
  name: "general",
  description: "Works on any task that can be described whole.",
  instructions:
    "You work for another agent, which gives you one task and reads nothing but your last message. Do the task, and say in " +
    "that message what you found or did, with the paths it is about.",
};

export const taskShape: ToolShape = {
  name: "task",
  description:
    "Gives a task to a subagent, which works on the same files with the same tools and answers once, when it is done. " +
    "It knows nothing of this conversation: describe the task whole.",
  effect: "always",
  arguments: {
    prompt: { schema: { type: "string", description: "The task, whole." }, required: true },
    description: { schema: { type: "string", description: "What it is about, in a few words." } },
    subagentType: { schema: { type: "string", description: "Which subagent; general when left out." } },
  },
  modelText: ({ message }: JsonObject) => (typeof message === "string" ? message : undefined),
};

/** The tool as it is offered; the loop runs its calls, since only a turn has what a child needs. */
export function taskTool(subagents: readonly Subagent[] = []): Tool {
  const listed = [generalSubagent, ...subagents].map(({ name, description }) => `- ${name}: ${description}`);
  const shape: ToolShape = {
    ...taskShape,
    description: [taskShape.description, "Subagents:", ...listed].join("\n"),
  };
  const tool = toolFromShape(shape, () => Promise.reject(new Error("A subagent runs only in a turn of a session.")));
  return {
    ...tool,
    async check(input) {
      await tool.check?.(input);
      subagentOf(input, subagents);
    },
  };
}

/** The child a call asks for. @throws ToolInputError where there is none of that name */
export function subagentOf(input: JsonObject, subagents: readonly Subagent[]): Subagent {
  const { subagentType } = input;
  const all = [generalSubagent, ...subagents];
  const found = all.find(({ name }) => name === (subagentType ?? generalSubagent.name));
  if (found !== undefined) return found;
  const names = all.map(({ name }) => JSON.stringify(name)).join(", ");
  throw new ToolInputError("task", "subagentType", `the argument "subagentType" must be one of ${names}`);
}
