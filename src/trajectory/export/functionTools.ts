import type { JsonObject } from "../../base";
import type { OfferedTool } from "../../session";

/** Tools as OpenAI writes them down, and ATIF after it. */
export function functionTools(tools: readonly OfferedTool[]): JsonObject[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema },
  }));
}
