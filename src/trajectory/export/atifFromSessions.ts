import type { JsonObject, JsonValue } from "../../base";
import type { Usage } from "../../session";
import { CARRIED_KEY, carriedJson } from "./carriedLog";
import {
  exportedSession,
  imageText,
  resultText,
  withSubagents,
  type ExportedCall,
  type ExportedMessage,
  type ExportedNote,
  type ExportedSession,
  type ExportedStep,
  type ExportedTime,
  type ExportedTurn,
} from "./exportedSession";
import { inlinedSessions, type CarryOptions, type ExportInput } from "./exportOptions";
import { functionTools } from "./functionTools";
import { summedUsage } from "./summedUsage";

/**
 * Sessions as one ATIF document: the oldest version that has what they need (1.4; 1.5 with tools, 1.7 with subagents in
 * it). A step's texts are one message; what people answered, pieces as they came and what files changed have no place in
 * it and are in the log it carries.
 */
export async function atifFromSessions(input: ExportInput, { withLog = true }: CarryOptions = {}): Promise<JsonObject> {
  const [main, ...others] = withSubagents(await inlinedSessions(input)).map(exportedSession);
  if (main === undefined) throw new RangeError("There is no session to export.");
  const document = trajectory(main, others);
  const version = others.length > 0 ? "ATIF-v1.7" : main.tools.length > 0 ? "ATIF-v1.5" : "ATIF-v1.4";
  const versioned = withVersion(document, version);
  if (!withLog) return versioned;
  return { ...versioned, extra: { [CARRIED_KEY]: await carriedJson(input.sessions, input.blobs, versioned) } };
}

function withVersion(document: JsonObject, version: string): JsonObject {
  const { subagent_trajectories: subagents, ...own } = document;
  const inner = Array.isArray(subagents)
    ? { subagent_trajectories: (subagents as readonly JsonObject[]).map((each) => withVersion(each, version)) }
    : {};
  return { schema_version: version, ...own, ...inner };
}

function trajectory(session: ExportedSession, others: readonly ExportedSession[]): JsonObject {
  const children = others.filter(({ parent }) => parent?.sessionId === session.id);
  const steps = [...systemSteps(session), ...session.turns.flatMap((turn) => turnSteps(turn, children))].map(
    (step, index): JsonObject => ({ step_id: index + 1, ...step }),
  );
  const embedded = children.map((child) => trajectory(child, others));
  return {
    session_id: session.id,
    ...(children.length > 0 || session.parent !== undefined ? { trajectory_id: session.id } : {}),
    agent: agentOf(session),
    steps,
    ...finalMetrics(session),
    ...(embedded.length === 0 ? {} : { subagent_trajectories: embedded }),
  };
}

function agentOf({ agentName, agentVersion, modelId, tools }: ExportedSession): JsonObject {
  return {
    name: agentName,
    version: agentVersion ?? "unknown",
    ...(modelId === undefined || modelId === "" ? {} : { model_name: modelId }),
    ...(tools.length === 0
      ? {}
      : {
          tool_definitions: functionTools(tools),
        }),
  };
}

function systemSteps({ instructions, notes }: ExportedSession): JsonObject[] {
  const said = instructions === undefined || instructions === "" ? [] : [{ source: "system", message: instructions }];
  return [...said, ...notes.flatMap(noteSteps)];
}

function turnSteps(turn: ExportedTurn, children: readonly ExportedSession[]): JsonObject[] {
  return turn.entries.flatMap((entry) => {
    if (entry.kind === "message") return [userStep(entry)];
    return entry.kind === "step" ? [agentStep(entry, children)] : noteSteps(entry);
  });
}

function userStep({ time, text, parts }: ExportedMessage): JsonObject {
  const images = parts.filter(({ type }) => type === "image").map(imageText);
  return { ...timestamp(time), source: "user", message: [text, ...images].filter((each) => each !== "").join("\n") };
}

/** A summary stands for the history; entries of other programs say nothing a reader of this format knows. */
function noteSteps({ kind, time, text }: ExportedNote): JsonObject[] {
  if (kind !== "compaction") return [];
  const extra = { context_management: { type: "compaction", boundary: "replace" } };
  return [{ ...timestamp(time), source: "system", message: text, extra }];
}

function agentStep(step: ExportedStep, children: readonly ExportedSession[]): JsonObject {
  const results = step.calls.flatMap((call) => (call.result === undefined ? [] : [observation(call, children)]));
  return {
    ...timestamp(step.time),
    source: "agent",
    ...(step.modelId === "" ? {} : { model_name: step.modelId }),
    message: step.texts.join("\n\n"),
    ...(step.reasoning.length === 0 ? {} : { reasoning_content: step.reasoning.join("\n\n") }),
    ...(step.calls.length === 0 ? {} : { tool_calls: step.calls.map(toolCall) }),
    ...(results.length === 0 ? {} : { observation: { results } }),
    ...metricsOf(step.usage),
    ...extraOf(step),
  };
}

/** What the format has no place for: why a step failed, and which calls did. */
function extraOf({ failure, calls }: ExportedStep): { extra?: JsonObject } {
  const failed = calls.filter(({ result }) => result !== undefined && result.status !== "completed");
  if (failure === undefined && failed.length === 0) return {};
  return {
    extra: {
      ...(failure === undefined ? {} : { error: { ...failure } }),
      ...(failed.length === 0 ? {} : { failed_calls: failed.map(({ action }) => action.callId) }),
    },
  };
}

function toolCall({ action }: ExportedCall): JsonObject {
  const { callId, toolName, input, inputText } = action;
  // Arguments that were no JSON object have no other place.
  return {
    tool_call_id: callId,
    function_name: toolName,
    arguments: inputText === undefined ? input : { input: inputText },
  };
}

function observation({ action, result }: ExportedCall, children: readonly ExportedSession[]): JsonObject {
  const refs = children
    .filter(({ parent }) => parent?.callId === action.callId)
    .map(({ id }) => ({ session_id: id, trajectory_id: id }));
  return {
    source_call_id: action.callId,
    content: result === undefined ? "" : resultText(result),
    ...(refs.length === 0 ? {} : { subagent_trajectory_ref: refs }),
  };
}

function metricsOf(usage: Usage | undefined): JsonObject {
  if (usage === undefined || Object.keys(usage).length === 0) return {};
  return { metrics: metricFigures(usage, "") };
}

function metricFigures(usage: Usage, prefix: "" | "total_"): JsonObject {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd } = usage;
  return {
    ...(inputTokens === undefined ? {} : { [`${prefix}prompt_tokens`]: inputTokens }),
    ...(outputTokens === undefined ? {} : { [`${prefix}completion_tokens`]: outputTokens }),
    ...(cacheReadTokens === undefined ? {} : { [`${prefix}cached_tokens`]: cacheReadTokens }),
    ...(costUsd === undefined ? {} : { [`${prefix}cost_usd`]: costUsd }),
    ...(cacheWriteTokens === undefined
      ? {}
      : { extra: { [`${prefix}cache_creation_input_tokens`]: cacheWriteTokens } }),
  };
}

function finalMetrics({ turns }: ExportedSession): { final_metrics?: JsonObject } {
  const steps = turns.flatMap(({ entries }) => entries).filter((entry) => entry.kind === "step");
  if (steps.length === 0) return {};
  const usage = summedUsage(steps.map((step) => step.usage ?? {}));
  return { final_metrics: { ...metricFigures(usage, "total_"), total_steps: steps.length } };
}

function timestamp({ at, isKnown }: ExportedTime): { timestamp?: JsonValue } {
  return isKnown ? { timestamp: at } : {};
}
