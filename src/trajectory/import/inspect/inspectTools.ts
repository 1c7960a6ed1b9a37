import type { OfferedTool } from "../../../session";
import { field, filledText, jsonObject, list, text } from "../jsonAccess";
import type { Resolve } from "./inspectAttachments";

/** The tools a model was offered, with their schemas. */
export function toolsOfModelEvent(event: unknown, resolve: Resolve): OfferedTool[] {
  return list(field(event, "tools")).flatMap((tool) => {
    const name = filledText(field(tool, "name"));
    if (name === undefined) return [];
    return [
      {
        name,
        description: text(resolve(field(tool, "description"))) ?? "",
        inputSchema: jsonObject(resolve(field(tool, "parameters"))) ?? {},
      },
    ];
  });
}
