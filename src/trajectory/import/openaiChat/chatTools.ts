import type { OfferedTool } from "../../../session";
import { field, filledText, isRecord, jsonObject, list, record, text } from "../jsonAccess";

/** Tools as requests offer them: OpenAI's `function`, its flat form, Anthropic's and MCP's. */
export function offeredTools(value: unknown): OfferedTool[] {
  return list(value).flatMap((item) => {
    const tool = isRecord(field(item, "function")) ? record(field(item, "function")) : record(item);
    const name = filledText(tool.name) ?? filledText(tool.type);
    if (name === undefined) return [];
    const schema = tool.parameters ?? tool.input_schema ?? tool.inputSchema;
    return [{ name, description: text(tool.description) ?? "", inputSchema: jsonObject(schema) ?? {} }];
  });
}
