import type { JsonObject, JsonValue, NativeFileToolName } from "../base";
import type { FileSystem } from "../fs";
import { synthesizeTools, type ModelContent, type Tool, type ToolCall } from "../tools";

/** A call as the loop would describe it, for tests that run tools by hand. */
export function toolCall(signal: AbortSignal = new AbortController().signal): ToolCall {
  return { callId: "call_1", sessionId: "ses_1", signal, now: () => 0, report: () => undefined };
}

/** Runs a native tool on a tree: its value, and what the model reads of it. */
export async function runTool(
  tree: Partial<FileSystem>,
  name: NativeFileToolName,
  input: JsonObject,
): Promise<{ output: JsonValue; text: string | readonly ModelContent[] }> {
  const tool = nativeTool(tree, name);
  const output = await tool.execute(input, toolCall());
  // A value goes through the log before the model reads it.
  const logged = JSON.parse(JSON.stringify(output)) as JsonValue;
  return { output: logged, text: tool.modelText(logged, input) };
}

export function nativeTool(tree: Partial<FileSystem>, name: NativeFileToolName): Tool {
  const [tool] = synthesizeTools(tree, [name]);
  if (tool === undefined) throw new Error(`the tree cannot serve ${name}`);
  return tool;
}
