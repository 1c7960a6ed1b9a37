import { canonicalJson, type JsonObject } from "../../../base";
import { field, fieldAt, filledText, isRecord, jsonObject, jsonText, list, parsedJson, text } from "../jsonAccess";

/** Messages are wrapped some times over; what is deeper is none. */
const DEPTH = 16;

export interface TraceCall {
  readonly callId: string | undefined;
  readonly toolName: string;
  readonly input: unknown;
}

/** A message of a conversation as a span has it, whichever convention wrote it. */
export interface TraceMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly text: string;
  readonly reasoning: string;
  /** What is neither text nor a call: images, files. */
  readonly media: readonly JsonObject[];
  readonly calls: readonly TraceCall[];
  /** Of a tool's: the call it answers, and what it answered. */
  readonly callId?: string;
  readonly toolName?: string;
  readonly output?: unknown;
  readonly finishReason?: string;
}

/**
 * What tells a message from another. Ids of calls are left out: of two instrumentations that record one call to a model
 * one may have them and the other not.
 */
export function traceMessageKey(message: TraceMessage): string {
  const calls = message.calls.map(({ toolName, input }) => [toolName, parsedJson(input) ?? input]);
  const output = message.role === "tool" ? (parsedJson(message.output) ?? message.output ?? null) : null;
  try {
    return canonicalJson([message.role, message.text, calls, output, message.media.length]);
  } catch {
    return `${message.role} ${message.text}`;
  }
}

/**
 * Messages out of whatever a span has for them: JSON as text or as it is; a list, or an object that holds one; in the
 * shapes of OpenAI, Anthropic, Gemini, the AI SDK, LangChain and the semantic conventions. A text that is no JSON is one
 * message of `role`.
 */
export function messagesOf(value: unknown, role: TraceMessage["role"], depth = 0): TraceMessage[] {
  if (depth > DEPTH) return [];
  const parsed = parsedJson(value) ?? value;
  if (typeof parsed === "string") return parsed === "" ? [] : [plainMessage(role, parsed)];
  if (Array.isArray(parsed)) {
    const entries = parsed as readonly unknown[];
    // LangChain sends lists of lists.
    const flat = entries.every((entry) => Array.isArray(entry)) ? entries.flat() : entries;
    if (flat.some((entry) => isMessage(entry))) return flat.flatMap((entry) => messageOf(entry, role, depth + 1));
    // Parts without a message around them.
    return flat.some((entry) => isRecord(entry)) ? messageOf({ role, content: flat }, role, depth + 1) : [];
  }
  if (!isRecord(parsed)) return [];
  const system = field(parsed, "system") ?? field(parsed, "system_instruction") ?? field(parsed, "instructions");
  const before = role === "user" && system !== undefined ? messagesOf(asText(system), "system", depth + 1) : [];
  for (const name of ["messages", "contents", "prompt", "input", "choices", "generations", "candidates", "output"]) {
    const inner = field(parsed, name);
    if (inner === undefined || inner === null) continue;
    return [...before, ...messagesOf(inner, role, depth + 1)];
  }
  return isMessage(parsed) ? [...before, ...messageOf(parsed, role, depth + 1)] : before;
}

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return list(isRecord(value) ? field(value, "parts") : value)
    .map((part) => text(field(part, "text")) ?? text(field(part, "content")) ?? "")
    .filter((part) => part !== "")
    .join("\n");
}

function isMessage(value: unknown): boolean {
  return (
    isRecord(value) &&
    ["role", "message", "kwargs", "tool_calls", "toolCalls"].some((name) => field(value, name) !== undefined)
  );
}

function plainMessage(role: TraceMessage["role"], content: string): TraceMessage {
  return { role, text: content, reasoning: "", media: [], calls: [] };
}

const ROLES: ReadonlyMap<string, TraceMessage["role"]> = new Map([
  ["system", "system"],
  ["developer", "system"],
  ["user", "user"],
  ["human", "user"],
  ["assistant", "assistant"],
  ["ai", "assistant"],
  ["model", "assistant"],
  ["tool", "tool"],
  ["function", "tool"],
  ["systemmessage", "system"],
  ["humanmessage", "user"],
  ["aimessage", "assistant"],
  ["aimessagechunk", "assistant"],
  ["toolmessage", "tool"],
]);

/** One entry of a list; a message that answers several calls is as many. */
function messageOf(entry: unknown, fallback: TraceMessage["role"], depth: number): TraceMessage[] {
  if (depth > DEPTH) return [];
  if (typeof entry === "string") return [plainMessage(fallback, entry)];
  if (!isRecord(entry)) return [];
  const wrapped = field(entry, "message");
  const finish = filledText(field(entry, "finish_reason")) ?? filledText(field(entry, "finishReason"));
  if (isRecord(wrapped)) return withFinish(messageOf(wrapped, fallback, depth + 1), finish);
  const kwargs = field(entry, "kwargs");
  if (isRecord(kwargs)) return messageOf({ ...kwargs, role: list(field(entry, "id")).at(-1) }, fallback, depth + 1);
  const name = text(field(entry, "role")) ?? text(field(entry, "type")) ?? "";
  const role = ROLES.get(name.toLowerCase()) ?? fallback;
  const parts = new MessageParts();
  const structured = field(entry, "parts") ?? field(entry, "contents");
  if (structured !== undefined) parts.content(structured);
  // Written both ways, the parts say more; the text alone stands for what is left of an image that was taken out.
  if (structured === undefined || !parts.hasText) parts.content(field(entry, "content"));
  parts.reasoning(field(entry, "reasoning_content") ?? field(entry, "reasoning"));
  for (const call of list(field(entry, "tool_calls") ?? field(entry, "toolCalls"))) parts.call(call);
  const legacy = field(entry, "function_call_name") ?? fieldAt(entry, "function_call", "name");
  if (typeof legacy === "string") {
    const input = field(entry, "function_call_arguments_json") ?? fieldAt(entry, "function_call", "arguments");
    parts.calls.push({ callId: undefined, toolName: legacy, input });
  }
  const callId = filledText(field(entry, "tool_call_id")) ?? filledText(field(entry, "toolCallId"));
  return withFinish(parts.messages(role, callId, filledText(field(entry, "name"))), finish);
}

function withFinish(messages: TraceMessage[], finishReason: string | undefined): TraceMessage[] {
  return finishReason === undefined ? messages : messages.map((message) => ({ ...message, finishReason }));
}

interface Answer {
  readonly callId: string | undefined;
  readonly toolName: string | undefined;
  readonly output: unknown;
}

/** The parts of one message, sorted by what they are. */
class MessageParts {
  readonly calls: TraceCall[] = [];
  readonly #texts: string[] = [];
  readonly #thoughts: string[] = [];
  readonly #media: JsonObject[] = [];
  readonly #answers: Answer[] = [];

  content(content: unknown): void {
    // Some write the list of parts as a text.
    const parsed = typeof content === "string" && /^\s*\[\s*\{/.test(content) ? parsedJson(content) : content;
    const parts = Array.isArray(parsed) && list(parsed).every((part) => isPart(part)) ? parsed : content;
    if (typeof parts === "string") this.#texts.push(parts);
    else if (isRecord(parts)) this.#part(parts);
    else for (const part of list(parts)) this.#part(part);
  }

  reasoning(value: unknown): void {
    if (typeof value === "string" && value !== "") this.#thoughts.push(value);
  }

  call(call: unknown): void {
    const inner = field(call, "tool_call") ?? call;
    const named = field(inner, "function");
    const source = isRecord(named) ? named : inner;
    this.calls.push({
      callId: filledText(field(inner, "id")) ?? filledText(field(inner, "toolCallId")),
      toolName: text(field(source, "name")) ?? text(field(inner, "toolName")) ?? "",
      input: firstOf(source, "arguments", "args", "input", "parameters") ?? {},
    });
  }

  get hasText(): boolean {
    return this.#texts.length > 0 || this.calls.length > 0 || this.#answers.length > 0;
  }

  messages(role: TraceMessage["role"], callId: string | undefined, name: string | undefined): TraceMessage[] {
    const words = this.#texts.filter((part) => part !== "").join("\n");
    const reasoning = this.#thoughts.join("\n");
    const base = { text: words, reasoning, media: this.#media, calls: this.calls };
    const answers = this.#answers.map((answer): TraceMessage => ({
      ...plainMessage("tool", ""),
      ...(answer.callId === undefined ? {} : { callId: answer.callId }),
      ...(answer.toolName === undefined ? {} : { toolName: answer.toolName }),
      output: answer.output,
    }));
    if (answers.length > 0) {
      const rest = words !== "" && role !== "tool" ? [{ ...base, role }] : [];
      return [...answers, ...rest];
    }
    if (role !== "tool") return [{ ...base, role }];
    const named = name === undefined ? {} : { toolName: name };
    return [{ ...plainMessage("tool", ""), ...named, ...(callId === undefined ? {} : { callId }), output: words }];
  }

  #part(part: unknown): void {
    if (typeof part === "string") return void this.#texts.push(part);
    const inner = field(part, "message_content") ?? part;
    const kind = text(field(inner, "type")) ?? "";
    const called = field(inner, "functionCall");
    const answered = field(inner, "functionResponse");
    if (isRecord(called)) this.call(called);
    else if (isRecord(answered)) {
      this.#answers.push({
        callId: filledText(field(answered, "id")),
        toolName: filledText(field(answered, "name")),
        output: field(answered, "response"),
      });
    } else if (/^(reasoning|thinking|thought)$/.test(kind)) {
      this.reasoning(firstOf(inner, "content", "text", "thinking", "reasoning"));
    } else if (/^tool[_-](call|use)$/.test(kind)) this.call(inner);
    else if (/^tool[_-](call[_-]response|result)$/.test(kind)) this.#answer(inner);
    else if (kind === "" || kind.endsWith("text")) {
      const words = firstOf(inner, "text", "content");
      if (typeof words === "string") this.#texts.push(words);
    } else {
      const media = jsonObject(inner);
      if (media !== undefined) this.#media.push(media);
    }
  }

  #answer(part: unknown): void {
    const output = firstOf(part, "response", "result", "output", "content");
    const value = field(output, "value");
    this.#answers.push({
      callId: ["id", "tool_use_id", "toolCallId", "tool_call_id"]
        .map((name) => filledText(field(part, name)))
        .find((id) => id !== undefined),
      toolName: filledText(field(part, "name")) ?? filledText(field(part, "toolName")),
      // The AI SDK says what kind its value is of.
      output: value !== undefined && field(output, "type") !== undefined ? value : (output ?? null),
    });
  }
}

function isPart(part: unknown): boolean {
  return isRecord(part) && ["type", "text", "message_content"].some((name) => field(part, name) !== undefined);
}

function firstOf(value: unknown, ...names: readonly string[]): unknown {
  for (const name of names) {
    const found = field(value, name);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}

/** The text of what a tool was given or answered, for comparing. */
export function sameValue(a: unknown, b: unknown): boolean {
  const plain = (value: unknown): string => {
    const parsed = parsedJson(value) ?? value;
    try {
      return canonicalJson(parsed) ?? "null";
    } catch {
      return jsonText(parsed);
    }
  };
  return plain(a) === plain(b);
}
