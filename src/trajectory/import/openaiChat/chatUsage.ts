import type { FinishReason, Usage } from "../../../session";
import { fieldAt, number, record } from "../jsonAccess";
import { present } from "../present";

/** The figures of a chat completion or a response; prompts count what came from a cache. */
export function openaiUsage(value: unknown, costUsd?: unknown): Usage | undefined {
  const usage = record(value);
  const read = present({
    inputTokens: number(usage.prompt_tokens) ?? number(usage.input_tokens),
    outputTokens: number(usage.completion_tokens) ?? number(usage.output_tokens),
    cacheReadTokens:
      number(fieldAt(usage, "prompt_tokens_details", "cached_tokens")) ??
      number(fieldAt(usage, "input_tokens_details", "cached_tokens")) ??
      number(usage.cache_read_input_tokens) ??
      number(usage.cached_tokens),
    cacheWriteTokens:
      number(usage.cache_creation_input_tokens) ?? number(fieldAt(usage, "input_tokens_details", "cache_write_tokens")),
    costUsd: number(costUsd) ?? number(usage.cost),
  });
  return Object.keys(read).length > 0 ? read : undefined;
}

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  end_turn: "stop",
  stop_sequence: "stop",
  length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  model_context_window_exceeded: "length",
  tool_calls: "tool-calls",
  "tool-calls": "tool-calls",
  tool_use: "tool-calls",
  function_call: "tool-calls",
  content_filter: "content-filter",
  "content-filter": "content-filter",
  refusal: "content-filter",
  error: "error",
};

/** Why a model stopped, in our words; `undefined` where it is not said. */
export function finishReason(value: unknown): FinishReason | undefined {
  if (typeof value !== "string") return undefined;
  return Object.hasOwn(FINISH_REASONS, value) ? FINISH_REASONS[value] : "other";
}
