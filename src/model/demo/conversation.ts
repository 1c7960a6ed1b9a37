import type { LanguageModelV4Prompt, LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";

/** What came back from one tool call. */
export interface CallOutcome {
  readonly toolName: string;
  readonly input: unknown;
  readonly text: string;
  readonly failed: boolean;
  /** A person said no to it. */
  readonly denied: boolean;
  /** A dry run stood in for it: it was not carried out. */
  readonly stubbed?: boolean;
}

/** One user message, the calls made since, step by step, and what was answered last. */
export interface Exchange {
  readonly text: string;
  readonly steps: CallOutcome[][];
  reply: string;
}

/** A place the tree is made of, as the framework's part of the prompt lists it. */
export interface KnownMount {
  readonly prefix: string;
  readonly readOnly: boolean;
}

export interface Conversation {
  readonly instructions: string;
  readonly mounts: readonly KnownMount[];
  readonly exchanges: readonly Exchange[];
}

/** How the loop ends a result that is a stand-in (docs/runtime.md, section 3). */
const STUB = /\(Dry run: this result is a stub\..*\)$/;

const NO_RESULT: CallOutcome = { toolName: "", input: {}, text: "no result", failed: true, denied: false };

/** Reads a prompt as the planner sees it: everything it knows comes from here. */
export function conversationFromPrompt(prompt: LanguageModelV4Prompt): Conversation {
  const results = resultsById(prompt);
  const exchanges: Exchange[] = [];
  const system: string[] = [];
  let afterUser = false;
  for (const message of prompt) {
    if (message.role === "system") system.push(message.content);
    if (message.role === "user") {
      const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
      const asked = withoutContextBlocks(text);
      const last = exchanges.at(-1);
      // Two user messages in a row are one request.
      if (afterUser && last) exchanges[exchanges.length - 1] = { ...last, text: `${last.text}\n${asked}`.trim() };
      else exchanges.push({ text: asked, steps: [], reply: "" });
    }
    afterUser = message.role === "user";
    const exchange = exchanges.at(-1);
    if (message.role !== "assistant" || !exchange) continue;
    const texts = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    if (texts !== "") exchange.reply = texts;
    const calls = message.content.flatMap((part) => (part.type === "tool-call" ? [part] : []));
    if (calls.length === 0) continue;
    exchange.steps.push(
      calls.map(({ toolCallId, toolName, input }) => ({ ...(results.get(toolCallId) ?? NO_RESULT), toolName, input })),
    );
  }
  const text = system.join("\n\n");
  return { instructions: authorsPart(text), mounts: mountsIn(text.slice(authorsPart(text).length)), exchanges };
}

/** The list of mounts in the brief (docs/runtime.md). */
function mountsIn(frameworkPart: string): KnownMount[] {
  const rows = /made of these mounts:\n((?:- .*(?:\n|$))+)/.exec(frameworkPart)?.[1] ?? "";
  return [...rows.matchAll(/^- (\/.*?)( \(read-only\))?$/gm)].map(([, prefix = "/", readOnly]) => ({
    prefix,
    readOnly: readOnly !== undefined,
  }));
}

/** The author's own words: what the framework adds after them starts with this heading (docs/runtime.md). */
function authorsPart(system: string): string {
  return system.split(/^## About you\s*$/m)[0] ?? "";
}

function withoutContextBlocks(text: string): string {
  return text.replaceAll(/<([a-z][\w-]*)>[\s\S]*?<\/\1>/g, "").trim();
}

function resultsById(prompt: LanguageModelV4Prompt): Map<string, CallOutcome> {
  const results = new Map<string, CallOutcome>();
  for (const message of prompt) {
    if (message.role !== "tool" && message.role !== "assistant") continue;
    for (const part of message.content) {
      if (part.type === "tool-result") results.set(part.toolCallId, outcomeFromOutput(part.output));
    }
  }
  return results;
}

function outcomeFromOutput(output: LanguageModelV4ToolResultOutput): CallOutcome {
  const base = { toolName: "", input: {}, failed: false, denied: false };
  switch (output.type) {
    case "text":
      return { ...base, text: output.value, stubbed: STUB.test(output.value) };
    case "error-text":
      return {
        ...base,
        text: output.value,
        failed: true,
        denied: /\b(?:denied|rejected|declined|refused this call)\b/i.test(output.value),
      };
    case "json":
      return { ...base, text: typeof output.value === "string" ? output.value : JSON.stringify(output.value) };
    case "error-json":
      return { ...base, text: JSON.stringify(output.value), failed: true };
    case "execution-denied":
      return { ...base, text: output.reason ?? "denied", failed: true, denied: true };
    case "content":
      return {
        ...base,
        text: output.value.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("\n"),
      };
    default:
      return { ...base, text: "", failed: true };
  }
}
