import type { JsonObject, JsonValue } from "../base";
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
  return shape === undefined ? JSON.stringify(output) : textFromShape(shape, output, input);
}

/** A call's arguments under their published names; keys nobody knows, and tools nobody knows, keep theirs. */
export function normalizeToolInput(toolName: string, input: JsonObject): JsonObject {
  const shape = shapeOf(toolName);
  return shape === undefined ? input : publishedInput(shape, input);
}
