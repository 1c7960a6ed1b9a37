import type { EventOrigin, OfferedTool, Usage } from "../../../session";
import { field, fieldAt, filledText, jsonObject, list, number, parsedJson, text } from "../jsonAccess";
import { present } from "../present";
import { SpanAttributes } from "./anyValue";
import { messagesOf, type TraceMessage } from "./traceMessage";
import { finishReasonOf, type TraceSpan, type TraceToolCall } from "./traceSpan";

/** A span of OTLP's JSON. Which convention wrote it is told by the names of its attributes. */
export function otlpSpan(
  span: unknown,
  resource: SpanAttributes,
  scope: string,
  origin: EventOrigin,
): TraceSpan | undefined {
  const id = filledText(field(span, "spanId")) ?? filledText(field(span, "span_id"));
  if (id === undefined) return undefined;
  const attributes = new SpanAttributes(field(span, "attributes"));
  const kind = kindOf(attributes, text(field(span, "name")) ?? "");
  const speaks = kind === "model" || kind === "agent" || kind === "turn";
  const output = speaks ? outputOf(span, attributes) : [];
  return {
    id,
    parentId: filledText(field(span, "parentSpanId")) ?? filledText(field(span, "parent_span_id")),
    traceId: filledText(field(span, "traceId")) ?? filledText(field(span, "trace_id")) ?? "",
    name: text(field(span, "name")) ?? "",
    kind,
    startMs: millisecondsOf(field(span, "startTimeUnixNano") ?? field(span, "start_time_unix_nano")),
    endMs: millisecondsOf(field(span, "endTimeUnixNano") ?? field(span, "end_time_unix_nano")),
    failure: failureOf(span, attributes),
    conversation: attributes.text(...CONVERSATION) ?? resource.text(...CONVERSATION),
    scope,
    origin,
    agentName: attributes.text("gen_ai.agent.name", "agent.name", "ai.telemetry.functionId", "traceloop.entity.name"),
    modelId: attributes.text(...MODEL),
    input: speaks ? inputOf(span, attributes) : [],
    output,
    usage: speaks ? usageOf(attributes) : {},
    finishReason: finishReasonOf(finishOf(attributes, output)),
    tools: kind === "model" || kind === "agent" ? toolsOf(attributes) : [],
    tool: kind === "tool" ? toolOf(attributes, text(field(span, "name")) ?? "") : undefined,
    masked: isMasked(attributes),
  };
}

const CONVERSATION = [
  "gen_ai.conversation.id",
  "agent_sdk.session_id",
  "cursor.conversation.id",
  "session.id",
  "langfuse.session.id",
  "traceloop.association.properties.session_id",
  "ai.telemetry.metadata.sessionId",
  "langsmith.trace.session_id",
];

const MODEL = [
  "gen_ai.response.model",
  "ai.response.model",
  "gen_ai.request.model",
  "llm.model_name",
  "ai.model.id",
  "embedding.model_name",
];

function kindOf(attributes: SpanAttributes, name: string): TraceSpan["kind"] {
  switch (attributes.text("openinference.span.kind")?.toUpperCase()) {
    case undefined:
      break;
    case "LLM":
      return "model";
    case "TOOL":
      return "tool";
    case "AGENT":
      return "agent";
    default:
      return "other";
  }
  if (name.startsWith("agent_sdk.")) {
    if (name === "agent_sdk.turn") return "turn";
    // A subagent is a call of its parent too.
    if (name === "agent_sdk.tool" || name === "agent_sdk.subagent") return "tool";
  }
  const operation = attributes.text("gen_ai.operation.name");
  if (operation !== undefined && /^(chat|text_completion|generate_content|completion)$/.test(operation)) return "model";
  if (operation === "execute_tool") return "tool";
  if (operation === "invoke_agent" || operation === "create_agent") return "agent";
  const aiOperation = attributes.text("ai.operationId");
  if (aiOperation !== undefined) return kindOfAiSdk(aiOperation);
  switch (attributes.text("traceloop.span.kind")) {
    case "tool":
      return "tool";
    case "agent":
      return "agent";
    case undefined:
      break;
    default:
      return "other";
  }
  if (operation !== undefined && operation !== "embeddings") return "other";
  if (attributes.text("gen_ai.tool.name") !== undefined) return "tool";
  const isModel = attributes.get("llm.request.type", "gen_ai.request.model", "gen_ai.response.model") !== undefined;
  return isModel && operation === undefined && attributes.get("llm.request.type") !== "embedding" ? "model" : "other";
}

function kindOfAiSdk(operation: string): TraceSpan["kind"] {
  if (operation === "ai.toolCall") return "tool";
  if (/\.do(Generate|Stream)$/.test(operation)) return "model";
  return /^ai\.(generate|stream)(Text|Object)$/.test(operation) ? "agent" : "other";
}

/** Nanoseconds as a string; 0 is how an unfinished span says nothing. */
function millisecondsOf(value: unknown): number | undefined {
  const digits = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
  if (!Number.isFinite(digits) || digits <= 0) return undefined;
  return typeof value === "string" && /^\d{7,}$/.test(value) ? Number(value.slice(0, -6)) : Math.floor(digits / 1e6);
}

function failureOf(span: unknown, attributes: SpanAttributes): string | undefined {
  const code = field(fieldAt(span, "status"), "code");
  const isError = code === 2 || code === "2" || code === "STATUS_CODE_ERROR" || code === "ERROR";
  // The conventions have a type of error exactly where there was one, whatever the status says.
  if (!isError && attributes.text("error.type") === undefined) return undefined;
  const exception = list(field(span, "events")).find((event) => field(event, "name") === "exception");
  return (
    filledText(fieldAt(span, "status", "message")) ??
    new SpanAttributes(field(exception, "attributes")).text("exception.message", "exception.type") ??
    attributes.text("error.type", "exception.message") ??
    "The span ended with an error"
  );
}

/** Contents may also stand in events of the span, as older conventions have it. */
function eventMessages(span: unknown, names: RegExp, attributeNames: readonly string[]): TraceMessage[] {
  return list(field(span, "events")).flatMap((event) => {
    const attributes = new SpanAttributes(field(event, "attributes"));
    const direct = attributes.get(...attributeNames);
    if (direct !== undefined) return messagesOf(direct, names.test("choice") ? "assistant" : "user");
    const [, role] =
      /^gen_ai\.(system|user|assistant|tool|choice)(?:\.message)?$/.exec(text(field(event, "name")) ?? "") ?? [];
    if (role === undefined || !names.test(role)) return [];
    const body = parsedJson(attributes.get("gen_ai.event.content", "event_body")) ?? bodyOf(attributes);
    return messagesOf({ role: role === "choice" ? "assistant" : role, ...jsonObject(body) }, "user");
  });
}

function bodyOf(attributes: SpanAttributes): unknown {
  return Object.fromEntries(
    [...attributes.names].map((name) => [name, parsedJson(attributes.get(name)) ?? attributes.get(name)]),
  );
}

function inputOf(span: unknown, attributes: SpanAttributes): readonly TraceMessage[] {
  const system = messagesOf(systemText(attributes.get("gen_ai.system_instructions", "gen_ai.system_prompt")), "system");
  const found = firstFilled(
    () => messagesOf(attributes.get("gen_ai.input.messages", "gen_ai.prompt"), "user"),
    () => messagesOf(attributes.list("llm.input_messages"), "user"),
    () => messagesOf(attributes.list("gen_ai.prompt"), "user"),
    () => messagesOf(attributes.get("ai.prompt.messages"), "user"),
    () => messagesOf(attributes.get("ai.prompt"), "user"),
    () => eventMessages(span, /^(system|user|assistant|tool)$/, ["gen_ai.input.messages", "gen_ai.prompt"]),
    () => messagesOf(attributes.get("input.value", "traceloop.entity.input"), "user"),
  );
  return [...system, ...found];
}

function systemText(value: unknown): unknown {
  const parsed = parsedJson(value) ?? value;
  if (!Array.isArray(parsed)) return parsed;
  return (parsed as readonly unknown[])
    .map((part) => text(field(part, "content")) ?? text(field(part, "text")) ?? "")
    .filter((part) => part !== "")
    .join("\n");
}

function outputOf(span: unknown, attributes: SpanAttributes): readonly TraceMessage[] {
  return firstFilled(
    () => messagesOf(attributes.get("gen_ai.output.messages", "gen_ai.completion"), "assistant"),
    () => messagesOf(attributes.list("llm.output_messages"), "assistant"),
    () => messagesOf(attributes.list("gen_ai.completion"), "assistant"),
    () => aiSdkAnswer(attributes),
    () => eventMessages(span, /^choice$/, ["gen_ai.output.messages", "gen_ai.completion"]),
    () => messagesOf(attributes.get("output.value", "traceloop.entity.output"), "assistant"),
  );
}

function aiSdkAnswer(attributes: SpanAttributes): TraceMessage[] {
  const words = attributes.text("ai.response.text", "ai.response.object");
  const reasoning = attributes.text("ai.response.reasoning");
  const calls = parsedJson(attributes.get("ai.response.toolCalls"));
  if (words === undefined && reasoning === undefined && calls === undefined) return [];
  return messagesOf({ role: "assistant", content: words ?? "", reasoning, tool_calls: calls }, "assistant");
}

function firstFilled(...readers: readonly (() => readonly TraceMessage[])[]): readonly TraceMessage[] {
  for (const reader of readers) {
    const found = reader();
    if (found.length > 0) return found;
  }
  return [];
}

function usageOf(attributes: SpanAttributes): Usage {
  return present({
    inputTokens: attributes.number(
      "gen_ai.usage.input_tokens",
      "gen_ai.usage.prompt_tokens",
      "llm.token_count.prompt",
      "ai.usage.inputTokens",
      "ai.usage.promptTokens",
    ),
    outputTokens: attributes.number(
      "gen_ai.usage.output_tokens",
      "gen_ai.usage.completion_tokens",
      "llm.token_count.completion",
      "ai.usage.outputTokens",
      "ai.usage.completionTokens",
    ),
    cacheReadTokens: attributes.number(
      "gen_ai.usage.cache_read.input_tokens",
      "gen_ai.usage.cache_read_input_tokens",
      "llm.token_count.prompt_details.cache_read",
      "ai.usage.cachedInputTokens",
    ),
    cacheWriteTokens: attributes.number(
      "gen_ai.usage.cache_creation.input_tokens",
      "gen_ai.usage.cache_creation_input_tokens",
      "llm.token_count.prompt_details.cache_write",
    ),
    costUsd: attributes.number("gen_ai.usage.cost", "llm.cost.total", "gen_ai.usage.total_cost", "cursor.cost.usage"),
  });
}

function finishOf(attributes: SpanAttributes, output: readonly TraceMessage[]): string | undefined {
  const reasons = attributes.get("gen_ai.response.finish_reasons", "ai.response.finishReason");
  const parsed = parsedJson(reasons) ?? reasons;
  return (
    filledText(parsed) ?? filledText(list(parsed)[0]) ?? output.map(({ finishReason }) => finishReason).find(Boolean)
  );
}

function toolsOf(attributes: SpanAttributes): OfferedTool[] {
  const written = parsedJson(attributes.get("gen_ai.tool.definitions", "ai.prompt.tools"));
  const flat = attributes.list("llm.tools").map((entry) => parsedJson(fieldAt(entry, "tool", "json_schema")));
  const listed = list(written).map((entry) => parsedJson(entry) ?? entry);
  return (listed.length > 0 ? listed : flat).flatMap((entry) => {
    const source = jsonObject(field(entry, "function")) ?? entry;
    const name = filledText(field(source, "name"));
    if (name === undefined) return [];
    const schema = field(source, "parameters") ?? field(source, "inputSchema") ?? field(source, "input_schema");
    return [{ name, description: text(field(source, "description")) ?? "", inputSchema: jsonObject(schema) ?? {} }];
  });
}

function toolOf(attributes: SpanAttributes, spanName: string): TraceToolCall {
  const input = attributes.get(
    "gen_ai.tool.call.arguments",
    "ai.toolCall.args",
    "ai.toolCall.input",
    "tool.parameters",
    "input.value",
    "traceloop.entity.input",
  );
  const output = attributes.get(
    "gen_ai.tool.call.result",
    "ai.toolCall.result",
    "ai.toolCall.output",
    "output.value",
    "traceloop.entity.output",
  );
  return {
    callId: attributes.text("gen_ai.tool.call.id", "ai.toolCall.id", "tool_call.id", "tool.id"),
    name:
      attributes.text("gen_ai.tool.name", "ai.toolCall.name", "tool.name", "traceloop.entity.name") ??
      spanName.replace(/^execute_tool\s+/, ""),
    input: pythonValue(input) ?? input ?? {},
    output: unwrapped(output),
  };
}

/** The text of a Python dictionary of strings, as LangChain writes inputs: JSON where nothing but the quotes differ. */
function pythonValue(value: unknown): unknown {
  if (typeof value !== "string" || !value.startsWith("{'") || value.includes('"') || value.includes("\\"))
    return undefined;
  const json = value
    .replace(/'((?:[^'])*)'/g, (_quoted, inner: string) => JSON.stringify(inner))
    .replace(/\bTrue\b/g, "true")
    .replace(/\bFalse\b/g, "false")
    .replace(/\bNone\b/g, "null");
  return jsonObject(parsedJson(json));
}

/** LangChain puts what a tool answered into a record of its own. */
function unwrapped(output: unknown): unknown {
  const parsed = parsedJson(output);
  const inner = field(parsed, "output");
  return inner !== undefined && Object.keys(parsed as object).length === 1 ? inner : (parsed ?? output);
}

function isMasked(attributes: SpanAttributes): boolean {
  for (const name of attributes.names) {
    const value = attributes.get(name);
    if (value === "__REDACTED__" || value === "[masked]" || value === "[REDACTED]") return true;
  }
  return false;
}

/** Whether a value is a span as OTLP writes it. */
export function isOtlpSpan(value: unknown): boolean {
  return (
    filledText(field(value, "spanId")) !== undefined &&
    filledText(field(value, "traceId")) !== undefined &&
    (number(field(value, "startTimeUnixNano")) !== undefined || field(value, "attributes") !== undefined)
  );
}
