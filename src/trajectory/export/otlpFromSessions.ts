import { sha256HexSync, type JsonObject } from "../../base";
import type { Usage } from "../../session";
import {
  exportedSession,
  resultText,
  withSubagents,
  type ExportedCall,
  type ExportedSession,
  type ExportedStep,
  type ExportedTime,
  type ExportedTurn,
} from "./exportedSession";
import { inlinedSessions, type ExportInput } from "./exportOptions";
import { otlpMetrics } from "./otlpMetrics";
import { attribute, milliseconds, nanoseconds } from "./otlpValues";
import { summedUsage } from "./summedUsage";

export interface OtlpOptions {
  /** Whether texts, arguments and results go along; left out where absent. */
  readonly withContent?: boolean;
}

/**
 * Sessions as an OTLP JSON document (docs/trajectory.md, section 6): each turn is a root span of a trace of its own, its
 * calls are spans below it, a subagent's calls below the call it works for; sums are metrics beside the spans. There is no
 * span for a session.
 */
export async function otlpFromSessions(
  input: ExportInput,
  { withContent = false }: OtlpOptions = {},
): Promise<JsonObject> {
  const sessions = withSubagents(await inlinedSessions(input)).map(exportedSession);
  const spans = new SpanWriter(sessions, withContent).spans();
  const metrics = otlpMetrics(sessions);
  const resource = { attributes: [attribute("service.name", "rootscope")] };
  const scope = { name: "rootscope" };
  return {
    resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }],
    // Readers of traces pass over fields they do not know, as readers of metrics do: one file serves both.
    ...(metrics.length === 0 ? {} : { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] }),
  };
}

interface SpanPlace {
  readonly traceId: string;
  readonly parentSpanId?: string;
  /** The session whose conversation it is. */
  readonly session: ExportedSession;
  readonly turnId: string;
}

class SpanWriter {
  readonly #sessions: readonly ExportedSession[];
  readonly #withContent: boolean;

  constructor(sessions: readonly ExportedSession[], withContent: boolean) {
    this.#sessions = sessions;
    this.#withContent = withContent;
  }

  spans(): JsonObject[] {
    const calls = new Set(this.#sessions.flatMap(({ turns }) => callsOf(turns).map(({ action }) => action.callId)));
    // A session that answers a call is told below that call.
    const roots = this.#sessions.filter(({ parent }) => parent?.callId === undefined || !calls.has(parent.callId));
    return roots.flatMap((session) => session.turns.flatMap((turn) => this.#turnSpans(session, turn)));
  }

  #turnSpans(session: ExportedSession, turn: ExportedTurn): JsonObject[] {
    const traceId = sha256HexSync(`${session.id}/${turn.turnId}`).slice(0, 32);
    const spanId = spanIdOf(traceId, "turn");
    const place: SpanPlace = { traceId, parentSpanId: spanId, session, turnId: turn.turnId };
    const failed = turn.status === "failed" || turn.status === "cancelled";
    const root = {
      traceId,
      spanId,
      name: "agent_sdk.turn",
      kind: 1,
      ...timesOf(turn.startedAt, turn.endedAt),
      attributes: [...this.#turnAttributes(session, turn), ...timeAttribute(turn.startedAt)],
      ...statusOf(failed, turn.failure?.message, this.#withContent),
    };
    return [root, ...callsOf([turn]).flatMap((call) => this.#callSpans(place, call))];
  }

  #turnAttributes(session: ExportedSession, turn: ExportedTurn): JsonObject[] {
    const steps = turn.entries.filter((entry) => entry.kind === "step");
    const usage = summedUsage(steps.map((step) => step.usage ?? {}));
    const model = steps.find(({ modelId }) => modelId !== "")?.modelId;
    const finishes = steps.flatMap(({ finishReason }) => (finishReason === undefined ? [] : [finishReason]));
    const last = finishes.at(-1);
    return [
      ...sessionAttributes(session, turn.turnId),
      attribute("gen_ai.operation.name", "invoke_agent"),
      attribute("gen_ai.agent.name", session.agentName),
      attribute("gen_ai.conversation.id", session.id),
      ...(turn.isSynthetic === true ? [attribute("rootscope.turn", "synthetic")] : []),
      ...(model === undefined ? [] : [attribute("gen_ai.request.model", model)]),
      ...(last === undefined ? [] : [attribute("gen_ai.response.finish_reasons", [last])]),
      ...usageAttributes(usage),
      ...(turn.failure === undefined ? [] : [attribute("error.type", turn.failure.code)]),
      ...(this.#withContent && turn.isSynthetic !== true ? contentAttributes(session, turn, steps) : []),
    ];
  }

  #callSpans(place: SpanPlace, call: ExportedCall): JsonObject[] {
    const { action, result } = call;
    const below = this.#below(place, call);
    const spanId = spanIdOf(place.traceId, `${place.session.id}/${action.callId}`);
    const isSubagent = below !== undefined;
    const span = {
      traceId: place.traceId,
      spanId,
      ...(place.parentSpanId === undefined ? {} : { parentSpanId: place.parentSpanId }),
      name: isSubagent ? "agent_sdk.subagent" : "agent_sdk.tool",
      kind: 1,
      ...timesOf(call.requestedAt, call.resultAt ?? call.requestedAt, result?.durationMs),
      attributes: [...this.#callAttributes(place, call), ...timeAttribute(call.requestedAt)],
      ...statusOf(result !== undefined && result.status !== "completed", result?.error?.message, this.#withContent),
    };
    const nested = (below ?? []).flatMap((session) =>
      callsOf(session.turns).flatMap((each) => this.#callSpans({ ...place, parentSpanId: spanId, session }, each)),
    );
    return [span, ...nested];
  }

  /** The sessions that work for a call; none for a subagent whose log is not there. */
  #below({ session }: SpanPlace, { action }: ExportedCall): ExportedSession[] | undefined {
    const found = this.#sessions.filter(
      ({ parent }) => parent?.sessionId === session.id && parent.callId === action.callId,
    );
    return found.length > 0 || action.toolName === "task" ? found : undefined;
  }

  #callAttributes({ session, turnId }: SpanPlace, { action, result }: ExportedCall): JsonObject[] {
    const content = this.#withContent
      ? [
          attribute("gen_ai.tool.call.arguments", action.inputText ?? JSON.stringify(action.input)),
          ...(result === undefined ? [] : [attribute("gen_ai.tool.call.result", resultText(result))]),
        ]
      : [];
    return [
      ...sessionAttributes(session, turnId),
      attribute("agent_sdk.call_id", action.callId),
      attribute("gen_ai.operation.name", "execute_tool"),
      attribute("gen_ai.agent.name", session.agentName),
      attribute("gen_ai.conversation.id", session.id),
      attribute("gen_ai.tool.name", action.toolName),
      attribute("gen_ai.tool.call.id", action.callId),
      attribute("gen_ai.tool.type", "function"),
      ...(result === undefined ? [] : [attribute("agent_sdk.status", result.status)]),
      ...(result?.error === undefined ? [] : [attribute("error.type", result.error.code)]),
      ...content,
    ];
  }
}

function callsOf(turns: readonly ExportedTurn[]): ExportedCall[] {
  return turns.flatMap(({ entries }) => entries.flatMap((entry) => (entry.kind === "step" ? entry.calls : [])));
}

function sessionAttributes({ id, agentName }: ExportedSession, turnId: string): JsonObject[] {
  return [
    attribute("agent_sdk.session_id", id),
    attribute("cursor.conversation.id", id),
    attribute("agent_sdk.agent", agentName),
    attribute("agent_sdk.turn_id", turnId),
  ];
}

/** The messages of a turn in the form the conventions have for them. */
function contentAttributes(session: ExportedSession, turn: ExportedTurn, steps: readonly ExportedStep[]): JsonObject[] {
  const asked = turn.entries.flatMap((entry) =>
    entry.kind === "message" ? [{ role: "user", parts: [{ type: "text", content: entry.text }] }] : [],
  );
  const said = steps.flatMap(({ texts, reasoning, finishReason }) => {
    const parts = [
      ...reasoning.map((content) => ({ type: "reasoning", content })),
      ...texts.map((content) => ({ type: "text", content })),
    ];
    return parts.length === 0 ? [] : [{ role: "assistant", parts, finish_reason: finishReason ?? "other" }];
  });
  const { instructions } = session;
  const system = instructions === undefined || instructions === "" ? [] : [{ type: "text", content: instructions }];
  return [
    ...(system.length === 0 ? [] : [attribute("gen_ai.system_instructions", JSON.stringify(system))]),
    attribute("gen_ai.input.messages", JSON.stringify(asked)),
    attribute("gen_ai.output.messages", JSON.stringify(said)),
  ];
}

function usageAttributes(usage: Usage): JsonObject[] {
  const figures: [string, number | undefined][] = [
    ["gen_ai.usage.input_tokens", usage.inputTokens],
    ["gen_ai.usage.output_tokens", usage.outputTokens],
    ["gen_ai.usage.cache_read.input_tokens", usage.cacheReadTokens],
    ["gen_ai.usage.cache_creation.input_tokens", usage.cacheWriteTokens],
  ];
  const counts = figures.flatMap(([name, figure]) => (figure === undefined ? [] : [attribute(name, figure)]));
  return usage.costUsd === undefined
    ? counts
    : [...counts, { key: "cursor.cost.usage", value: { doubleValue: usage.costUsd } }];
}

function timeAttribute({ isKnown }: ExportedTime): JsonObject[] {
  return isKnown ? [] : [attribute("rootscope.time", "missing")];
}

function timesOf(start: ExportedTime, end: ExportedTime, durationMs?: number): JsonObject {
  const startMs = milliseconds(start);
  const endMs = durationMs === undefined ? Math.max(startMs, milliseconds(end)) : startMs + Math.max(0, durationMs);
  return { startTimeUnixNano: nanoseconds(startMs), endTimeUnixNano: nanoseconds(endMs) };
}

function statusOf(isError: boolean, message: string | undefined, withContent: boolean): { status: JsonObject } {
  if (!isError) return { status: {} };
  return { status: { code: 2, ...(withContent && message !== undefined ? { message } : {}) } };
}

function spanIdOf(traceId: string, name: string): string {
  return sha256HexSync(`${traceId}/${name}`).slice(0, 16);
}
