import type { JsonObject } from "../base";
import { checkedInput } from "./checkedInput";
import type { Tool } from "./tool";

/**
 * Resolves when the tool would take the input.
 * @throws ToolInputError that says what does not fit
 */
export async function checkToolInput(tool: Tool, input: JsonObject): Promise<void> {
  if (tool.check === undefined) checkedInput(tool.name, tool.inputSchema, input);
  else await tool.check(input);
}
