import { limits, type JsonObject, type NativeFileToolName } from "../base";
import { readOnlyFs, tempFs, unionFs, type FileSystem } from "../fs";
import type { LanguageModelV4, LanguageModelV4Message, LanguageModelV4StreamPart } from "../model";
import { synthesizeTools, type Tool } from "../tools";

export interface DemoConversationOptions {
  readonly model: LanguageModelV4;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Files of a mount at `/sealed` that refuses writes. */
  readonly sealed?: Readonly<Record<string, string>>;
  /** The whole tree by mounts, told to the model as a session tells it; instead of `files`. */
  readonly mounts?: readonly DemoMount[];
  readonly instructions?: string;
  /** The tools offered; all that the tree can serve when left out. */
  readonly tools?: readonly NativeFileToolName[];
  /** Calls a person says no to, by tool name. */
  readonly denied?: readonly string[];
}

export interface DemoMount {
  readonly prefix: string;
  readonly readOnly?: boolean;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
}

export interface DemoTurn {
  /** One line a step: its calls, e.g. `Grep {"pattern":"TODO"} | Read {"path":"/a"}`. */
  readonly steps: readonly string[];
  /** The tools called: a word a step, several in one step joined by `+`. */
  readonly tools: string;
  readonly reply: string;
}

/** Talks with a model over real tools on a tree in memory, without a session around them. */
export function demoConversation(options: DemoConversationOptions): {
  readonly tree: FileSystem;
  readonly send: (text: string) => Promise<DemoTurn>;
} {
  const open = tempFs({ ...options.files });
  const tree = options.mounts
    ? unionFs(Object.fromEntries(options.mounts.map((mount) => [mount.prefix, mountedTree(mount)])))
    : options.sealed
      ? unionFs({ "/": open, "/sealed": readOnlyFs(tempFs({ ...options.sealed })) })
      : open;
  const bound = synthesizeTools(tree, options.tools);
  const prompt: LanguageModelV4Message[] = [];
  const system = [options.instructions ?? "", ...(options.mounts ? [mountsBrief(options.mounts)] : [])].join("\n\n");
  if (system !== "") prompt.push({ role: "system", content: system });
  const offered = bound.map((tool) => ({
    type: "function" as const,
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
  }));

  return {
    tree,
    async send(text) {
      prompt.push({ role: "user", content: [{ type: "text", text }] });
      const steps: string[] = [];
      const tools: string[] = [];
      for (let step = 0; step < limits.turnSteps; step++) {
        const { stream } = await options.model.doStream({ prompt, tools: offered });
        const said = await messageFromStream(stream);
        prompt.push({ role: "assistant", content: said.content });
        if (said.calls.length === 0) return { steps, tools: tools.join(" "), reply: said.text };
        steps.push(said.calls.map(({ toolName, input }) => `${toolName} ${input}`).join(" | "));
        tools.push(said.calls.map(({ toolName }) => toolName).join("+"));
        const content = await Promise.all(said.calls.map((call) => toolResult(bound, call, options.denied ?? [])));
        prompt.push({ role: "tool", content });
      }
      throw new Error(`no answer within ${limits.turnSteps} steps:\n${steps.join("\n")}`);
    },
  };
}

function mountedTree({ files, readOnly = false }: DemoMount): FileSystem {
  const tree = tempFs({ ...files });
  return readOnly ? readOnlyFs(tree) : tree;
}

/** The framework's part of the prompt (docs/runtime.md), as far as a mount is named in it. */
function mountsBrief(mounts: readonly DemoMount[]): string {
  const rows = mounts.map(({ prefix, readOnly }) => `- ${prefix}${readOnly === true ? " (read-only)" : ""}`);
  return ["## About you", "", "Your files are one tree under /, made of these mounts:", ...rows].join("\n");
}

type ToolCallPart = Extract<LanguageModelV4StreamPart, { type: "tool-call" }>;
type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];
type ToolContent = Extract<LanguageModelV4Message, { role: "tool" }>["content"];

async function messageFromStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<{ text: string; calls: ToolCallPart[]; content: AssistantContent }> {
  const reader = stream.getReader();
  const calls: ToolCallPart[] = [];
  let text = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (next.value.type === "text-delta") text += next.value.delta;
    if (next.value.type === "tool-call") calls.push(next.value);
  }
  const content: AssistantContent = text === "" ? [] : [{ type: "text", text }];
  for (const { toolCallId, toolName, input } of calls) {
    content.push({ type: "tool-call", toolCallId, toolName, input: objectFromText(input) ?? {} });
  }
  return { text, calls, content };
}

async function toolResult(
  tools: readonly Tool[],
  { toolCallId, toolName, input }: ToolCallPart,
  denied: readonly string[],
): Promise<ToolContent[number]> {
  const result = (type: "text" | "error-text", value: string): ToolContent[number] => ({
    type: "tool-result",
    toolCallId,
    toolName,
    output: { type, value },
  });
  if (denied.includes(toolName)) return result("error-text", "denied by the person");
  const tool = tools.find(({ name }) => name === toolName);
  const value = objectFromText(input);
  if (!tool || !value) return result("error-text", `no such tool or bad arguments: ${toolName}`);
  const call = {
    callId: toolCallId,
    sessionId: "ses_demo",
    signal: new AbortController().signal,
    now: () => 0,
    report: () => undefined,
  };
  try {
    const text = tool.modelText(await tool.execute(value, call), value);
    return result("text", typeof text === "string" ? text : JSON.stringify(text));
  } catch (error) {
    return result("error-text", error instanceof Error ? error.message : String(error));
  }
}

function objectFromText(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}
