import type { JsonObject, JsonValue } from "../base";
import { isMcpToolName, textFromMcp } from "./mcpText";
import { publishedInput, textFromShape } from "./nativeDefinition";
import { shapeOf } from "./nativeDefinitions";
import type { ModelContent } from "./tool";

/**
 * What the model reads of a logged result, whether or not the tool is bound still: a string as it is, a native's value
 * as that tool tells it, all else as JSON. Never throws.
 */
export function textFromResult(
  toolName: string,
  output: JsonValue,
  input: JsonObject,
): string | readonly ModelContent[] {
  if (typeof output === "string") return output;
  const shape = shapeOf(toolName);
  if (shape !== undefined) return textFromShape(shape, output, input);
  return (isMcpToolName(toolName) ? textFromMcp(output) : undefined) ?? JSON.stringify(output);
}

/** A call's arguments under their published names; keys nobody knows, and tools nobody knows, keep theirs. */
export function normalizeToolInput(toolName: string, input: JsonObject): JsonObject {
  const shape = shapeOf(toolName);
  return shape === undefined ? input : publishedInput(shape, input);
}
