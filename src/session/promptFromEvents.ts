import type { JsonObject, JsonValue } from "../base";
import type { BoundAgent } from "../agent";
import { wellFormed, type LanguageModelV4Message, type LanguageModelV4Prompt } from "../model";
import { textFromResult, type ModelContent } from "../tools";
import { stubText } from "./stubText";
import type { EventData, PlaygroundStart, ProviderMetadata, SessionEvent, ToolCallAction } from "./sessionEvent";

type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];
type ToolPart = Extract<Extract<LanguageModelV4Message, { role: "tool" }>["content"][number], { type: "tool-result" }>;
type ToolOutput = ToolPart["output"];
type ProviderOptions = NonNullable<LanguageModelV4Message["providerOptions"]>;

/** The key of our own notes on a message; providers read only theirs. */
export const NOTES_KEY = "rootscope";

/** The lines around what the loop says before the first message. */
export const CONTEXT_BEGIN = "<agentkit_context>";
export const CONTEXT_END = "</agentkit_context>";

/** What a model reads for a call that never got its result. */
const INTERRUPTED_TEXT = "The call was interrupted; it is not known how far it came.";

/** One model call's share of the history. */
interface StepShare {
  readonly parts: AssistantPart[];
  readonly actions: ToolCallAction[];
  /** Text that was streamed and has no end yet. */
  pendingText: string;
}

/**
 * What the model is sent: the one place that turns a log into a prompt. Every call has exactly one result, calls cut off
 * get one that says so; provider metadata goes back verbatim; a system message notes which part of it is whose.
 */
export function promptFromEvents(bound: BoundAgent, events: readonly SessionEvent[]): LanguageModelV4Prompt {
  const history = new History(bound);
  for (const event of events) history.add(event);
  const system = systemMessage(bound);
  return system === undefined ? history.messages() : [system, ...history.messages()];
}

function systemMessage(bound: BoundAgent): LanguageModelV4Message | undefined {
  const parts = bound.prompt.filter((part) => part.owner !== "context" && part.text !== "");
  if (parts.length === 0) return undefined;
  const texts = parts.map((part) => wellFormed(part.text));
  return {
    role: "system",
    content: texts.join("\n\n"),
    providerOptions: {
      [NOTES_KEY]: { parts: parts.map((part, index) => ({ owner: part.owner, length: texts[index]?.length ?? 0 })) },
    },
  };
}

/**
 * What the loop tells of the session itself, from its log alone: a request is the same whenever it is made. Nothing for a
 * log from elsewhere.
 */
function contextText(start: PlaygroundStart | undefined): string | undefined {
  if (start === undefined) return undefined;
  const time = start.asOf ?? start.startedAt;
  const lines = [
    `session: ${start.sessionId}`,
    "channel: playground",
    ...(time === undefined ? [] : [`time: ${time}`]),
  ];
  return [CONTEXT_BEGIN, ...lines, CONTEXT_END].join("\n");
}

class History {
  readonly #bound: BoundAgent;
  readonly #messages: LanguageModelV4Message[] = [];
  readonly #results = new Map<string, EventData["action.result"]>();
  /** Arguments a person put in the place of the model's, by call. */
  readonly #edited = new Map<string, JsonValue>();
  readonly #asked = new Map<string, string>();
  #step: StepShare | undefined;
  /** For the first message only. */
  #context: string | undefined;

  constructor(bound: BoundAgent) {
    this.#bound = bound;
  }

  add(event: SessionEvent): void {
    switch (event.type) {
      case "session.started":
        this.#context = contextText(event.data.playground);
        break;
      case "message.received":
        this.#close();
        this.#messages.push({ role: "user", content: [{ type: "text", text: this.#userText(event.data.message) }] });
        break;
      case "step.started":
        this.#close();
        this.#step = { parts: [], actions: [], pendingText: "" };
        break;
      case "reasoning.completed":
        this.#step?.parts.push({
          type: "reasoning",
          text: wellFormed(event.data.reasoning),
          ...optionsFrom(event.data.providerMetadata),
        });
        break;
      case "message.appended":
        if (this.#step) this.#step.pendingText += event.data.messageDelta;
        break;
      case "message.completed":
        if (this.#step === undefined) break;
        this.#step.pendingText = "";
        this.#step.parts.push({
          type: "text",
          text: wellFormed(event.data.message),
          ...optionsFrom(event.data.providerMetadata),
        });
        break;
      case "actions.requested":
        this.#step?.actions.push(...event.data.actions);
        break;
      case "input.requested":
        // A subagent's call is no call of this session: its model is told, not this one.
        for (const { requestId, action, task } of event.data.requests)
          if (task === undefined) this.#asked.set(requestId, action.callId);
        break;
      case "input.resolved":
        for (const { requestId, response } of event.data.resolutions) {
          const callId = this.#asked.get(requestId);
          const input = response?.["input"];
          if (callId !== undefined && input !== undefined) this.#edited.set(callId, input);
        }
        break;
      case "action.result":
        this.#results.set(event.data.result.callId, event.data);
        break;
      case "turn.completed":
      case "turn.failed":
      case "turn.cancelled":
        this.#close();
        break;
      // Everything else tells a person something and a model nothing.
      default:
    }
  }

  messages(): LanguageModelV4Prompt {
    this.#close();
    return this.#messages;
  }

  /** The first message has the context before it. */
  #userText(message: string): string {
    const context = this.#context;
    this.#context = undefined;
    return wellFormed(context === undefined ? message : `${context}\n\n${message}`);
  }

  /** Puts the step's messages down. Its results have come by now, or never will. */
  #close(): void {
    const step = this.#step;
    if (step === undefined) return;
    this.#step = undefined;
    const content = step.parts;
    if (step.pendingText !== "") content.push({ type: "text", text: wellFormed(step.pendingText) });
    for (const action of step.actions) content.push(toolCallPart(action));
    // Reasoning that led to nothing, as a call that failed leaves it, is no answer a provider takes back.
    if (content.some((part) => part.type !== "reasoning")) this.#messages.push({ role: "assistant", content });
    if (step.actions.length === 0) return;
    this.#messages.push({
      role: "tool",
      content: step.actions.map((action) => ({
        type: "tool-result",
        toolCallId: action.callId,
        toolName: action.toolName,
        output: this.#output(action),
      })),
    });
  }

  #output(action: ToolCallAction): ToolOutput {
    const data = this.#results.get(action.callId);
    if (data === undefined) return { type: "error-text", value: INTERRUPTED_TEXT };
    if (data.status === "rejected") {
      return { type: "execution-denied", reason: wellFormed(data.error?.message ?? "A person refused this call.") };
    }
    if (data.status === "failed") {
      return { type: "error-text", value: wellFormed(data.error?.message ?? plainText(data.result.output)) };
    }
    const edited = this.#edited.get(action.callId);
    const content = this.#resultContent(action, data, isObject(edited) ? edited : action.input);
    const note = edited === undefined ? undefined : `[A person changed the arguments to ${JSON.stringify(edited)}]`;
    return outputFrom(content, note);
  }

  #resultContent(
    action: ToolCallAction,
    data: EventData["action.result"],
    input: JsonObject,
  ): string | readonly ModelContent[] {
    const output = data.result.output;
    if (data.stub === true) return stubText(output);
    const tool = this.#bound.tools.find((offered) => offered.name === action.toolName);
    return tool === undefined ? textFromResult(action.toolName, output, input) : tool.modelText(output, input);
  }
}

function toolCallPart(action: ToolCallAction): AssistantPart {
  return {
    type: "tool-call",
    toolCallId: action.callId,
    toolName: action.toolName,
    input: action.input,
    ...optionsFrom(action.providerMetadata),
  };
}

function outputFrom(content: string | readonly ModelContent[], note: string | undefined): ToolOutput {
  if (typeof content === "string") {
    return { type: "text", value: wellFormed(note === undefined ? content : `${note}\n${content}`) };
  }
  const value = content.map((part) =>
    part.type === "text"
      ? { type: "text" as const, text: wellFormed(part.text) }
      : {
          type: "file" as const,
          data: { type: "data" as const, data: part.base64 },
          mediaType: part.mediaType,
        },
  );
  return { type: "content", value: note === undefined ? value : [{ type: "text", text: wellFormed(note) }, ...value] };
}

/** Provider metadata came as JSON and goes back as it came. */
function optionsFrom(metadata: ProviderMetadata | undefined): { providerOptions?: ProviderOptions } {
  return metadata === undefined ? {} : { providerOptions: metadata as unknown as ProviderOptions };
}

function plainText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
