import type { EventOrigin, Usage } from "../../../session";
import { field, fieldAt, filledText, instant, number, parsedJson, text } from "../jsonAccess";
import { SpanAttributes } from "../otel/anyValue";
import { messagesOf } from "../otel/traceMessage";
import { finishReasonOf, type TraceSpan } from "../otel/traceSpan";
import { present } from "../present";

const TYPES = /^(GENERATION|SPAN|EVENT|TOOL|AGENT|CHAIN|RETRIEVER|EVALUATOR|EMBEDDING|GUARDRAIL)$/;

export function isObservation(value: unknown): boolean {
  return (
    TYPES.test(text(field(value, "type")) ?? "") &&
    filledText(field(value, "id")) !== undefined &&
    filledText(field(value, "traceId")) !== undefined &&
    field(value, "startTime") !== undefined
  );
}

/** An observation as a span: what a model answered is a generation's, what a tool did a tool's. */
export function observedSpan(
  observation: unknown,
  conversation: string | undefined,
  origin: EventOrigin,
): TraceSpan | undefined {
  const id = filledText(field(observation, "id"));
  if (id === undefined) return undefined;
  const metadata = parsedJson(field(observation, "metadata")) ?? field(observation, "metadata");
  // Observations made from other traces keep what those said.
  const attributes = new SpanAttributes(field(metadata, "attributes"));
  const kind = kindOf(observation);
  const input = field(observation, "input");
  const output = field(observation, "output");
  const name = text(field(observation, "name")) ?? "";
  return {
    id,
    parentId: filledText(field(observation, "parentObservationId")),
    traceId: filledText(field(observation, "traceId")) ?? "",
    name,
    kind,
    startMs: instant(field(observation, "startTime"))?.at.getTime(),
    endMs: instant(field(observation, "endTime"))?.at.getTime(),
    failure:
      field(observation, "level") === "ERROR"
        ? (filledText(field(observation, "statusMessage")) ?? "The observation ended with an error")
        : undefined,
    conversation,
    scope: "",
    origin,
    agentName: kind === "agent" ? name : undefined,
    modelId: filledText(field(observation, "model")),
    // A step of a program has no messages, whatever it was given.
    input: kind === "model" || kind === "agent" ? messagesOf(input, "user") : [],
    output: kind === "model" || kind === "agent" ? messagesOf(output, "assistant") : [],
    usage: usageOf(observation),
    finishReason: finishReasonOf(filledText(fieldAt(observation, "modelParameters", "finishReason"))),
    tools: [],
    tool:
      kind === "tool"
        ? {
            callId: attributes.text("ai.toolCall.id", "gen_ai.tool.call.id"),
            name: attributes.text("ai.toolCall.name", "gen_ai.tool.name") ?? name,
            input: parsedJson(input) ?? input ?? {},
            output: output === null ? undefined : (parsedJson(output) ?? output),
          }
        : undefined,
    masked: false,
  };
}

/** A trace around its observations: it has the question and the answer where those have none. */
export function traceSpan(trace: unknown, traceId: string, origin: EventOrigin): TraceSpan {
  return {
    id: `trace ${traceId}`,
    parentId: undefined,
    traceId,
    name: text(field(trace, "name")) ?? "",
    kind: "model",
    startMs: instant(field(trace, "timestamp"))?.at.getTime(),
    endMs: undefined,
    failure: undefined,
    conversation: filledText(field(trace, "sessionId")),
    scope: "",
    origin,
    agentName: undefined,
    modelId: undefined,
    input: messagesOf(field(trace, "input"), "user"),
    output: messagesOf(field(trace, "output"), "assistant"),
    usage: {},
    finishReason: undefined,
    tools: [],
    tool: undefined,
    masked: false,
  };
}

function kindOf(observation: unknown): TraceSpan["kind"] {
  switch (field(observation, "type")) {
    case "GENERATION":
      return "model";
    case "TOOL":
      return "tool";
    case "AGENT":
      return "agent";
    default:
      return "other";
  }
}

function usageOf(observation: unknown): Usage {
  const details = field(observation, "usageDetails");
  const usage = field(observation, "usage");
  return present({
    inputTokens:
      number(field(details, "input")) ?? number(field(usage, "input")) ?? number(field(usage, "promptTokens")),
    outputTokens:
      number(field(details, "output")) ?? number(field(usage, "output")) ?? number(field(usage, "completionTokens")),
    cacheReadTokens: number(field(details, "input_cached_tokens")) ?? number(field(details, "cache_read_input_tokens")),
    cacheWriteTokens: number(field(details, "cache_creation_input_tokens")),
    costUsd: number(fieldAt(observation, "costDetails", "total")) ?? paid(field(observation, "calculatedTotalCost")),
  });
}

/** A total of nothing is how an unknown cost is written. */
function paid(value: unknown): number | undefined {
  const cost = number(value);
  return cost === 0 ? undefined : cost;
}
