import type { Usage } from "../../../session";
import { field, fieldAt, filledText, isRecord, list, number, record, text, type UnknownRecord } from "../jsonAccess";
import { present } from "../present";

/** Whether a value is an event: an action with its arguments, or an observation with its content. */
export function isV0Event(value: unknown): boolean {
  // Messages of a chat may tell their action too.
  if (!isRecord(value) || "role" in value) return false;
  const { action, observation } = value;
  if (typeof action === "string" && !("observation" in value)) return isRecord(value.args) || hasFlatArguments(value);
  return typeof observation === "string" && !("thought" in value) && ("content" in value || "extras" in value);
}

/** Rows of evaluations hold the arguments beside the action. */
function hasFlatArguments(value: UnknownRecord): boolean {
  return ["content", "command", "code", "thought", "path", "url", "outputs", "agent_state"].some(
    (name) => name in value,
  );
}

/** The events of a history; the oldest have them in pairs of an action and an observation. */
export function historyEvents(value: unknown): readonly unknown[] {
  return list(value).flatMap((item) => (Array.isArray(item) ? (item as unknown[]) : [item]));
}

export function argumentsOf(event: UnknownRecord): UnknownRecord {
  return isRecord(event.args) ? event.args : event;
}

/** The response of the model that an event came from. */
export function responseOf(event: UnknownRecord): UnknownRecord {
  return record(fieldAt(event, "tool_call_metadata", "model_response"));
}

/** The text of an event's response. */
export function responseMessage(event: UnknownRecord): UnknownRecord {
  return record(field(list(responseOf(event).choices)[0], "message"));
}

/** Fields of an action that are not what its tool is given. */
const OUTSIDE: ReadonlySet<string> = new Set([
  "action",
  "thought",
  "id",
  "timestamp",
  "source",
  "message",
  "cause",
  "timeout",
  "is_confirmed",
  "confirmation_state",
  "action_risk",
  "security_risk",
  "keep_prompt",
  "kernel_init_code",
  "include_extra",
  "tool_call_metadata",
  "llm_metrics",
]);

/** What the model wrote as a call's arguments, else the arguments of the action. */
export function callInput(event: UnknownRecord): unknown {
  const id = fieldAt(event, "tool_call_metadata", "tool_call_id");
  const calls = list(responseMessage(event).tool_calls);
  const called = calls.find((call) => field(call, "id") === id);
  const written = fieldAt(called, "function", "arguments");
  if (written !== undefined) return written;
  return Object.fromEntries(
    Object.entries(argumentsOf(event)).filter(([name, value]) => !OUTSIDE.has(name) && value !== undefined),
  );
}

/** The totals so far that an event carries. */
export function totalsOf(metrics: unknown): Usage | undefined {
  const tokens = record(field(metrics, "accumulated_token_usage"));
  return filled({ ...tokenUsage(tokens), costUsd: number(field(metrics, "accumulated_cost")) });
}

/** Prompts count what came from a cache. */
export function tokenUsage(tokens: UnknownRecord): Usage {
  return present({
    inputTokens: number(tokens.prompt_tokens),
    outputTokens: number(tokens.completion_tokens),
    cacheReadTokens: number(tokens.cache_read_tokens),
    cacheWriteTokens: number(tokens.cache_write_tokens),
  });
}

function filled(usage: { readonly [Key in keyof Usage]: Usage[Key] | undefined }): Usage | undefined {
  const told = present(usage);
  return Object.keys(told).length > 0 ? told : undefined;
}

/** How outputs say that something was left out of them, or hidden. */
const TRUNCATED = /\[\.\.\. Observation truncated due to length \.\.\.\]|<response clipped>|\[\.\.\. Text truncated/;
const MASKED = /<secret[-_]hidden>/;

export function isTruncated(output: unknown): boolean {
  return typeof output === "string" && TRUNCATED.test(output);
}

export function isMasked(output: unknown): boolean {
  return typeof output === "string" && MASKED.test(output);
}

/** What stands for the response an action came from: its id, or the action itself. */
export function stepKey(event: UnknownRecord, index: number): string {
  return filledText(responseOf(event).id) ?? `#${text(event.id) ?? number(event.id) ?? index}`;
}
