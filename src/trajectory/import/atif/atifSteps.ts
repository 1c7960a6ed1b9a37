import type { JsonValue } from "../../../base";
import type { Usage } from "../../../session";
import type { ImportBuilder, SessionDraft, Where } from "../importBuilder";
import {
  field,
  fieldAt,
  filledText,
  isRecord,
  jsonValue,
  list,
  number,
  record,
  text,
  type UnknownRecord,
} from "../jsonAccess";
import { finishReason } from "../openaiChat/chatUsage";
import { messageContent, outputOf, whereOf } from "../openaiChat/messageContent";
import { present } from "../present";
import type { AtifStep, AtifTrajectory } from "./atifTrajectory";

/** Figures of a step. Its prompt counts what came from a cache. */
function stepUsage(value: unknown): Usage | undefined {
  const metrics = record(value);
  const usage = present({
    inputTokens: number(metrics.prompt_tokens),
    outputTokens: number(metrics.completion_tokens),
    cacheReadTokens: number(metrics.cached_tokens),
    cacheWriteTokens: number(fieldAt(metrics, "extra", "cache_creation_input_tokens")),
    costUsd: number(metrics.cost_usd),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

/** A result that writers of their own put into a system step, before the call it answers. */
interface EarlyResult {
  readonly output: JsonValue;
  readonly isFailed: boolean;
  readonly where: Where;
}

/** Reads the steps of one trajectory into its session. */
export class AtifSteps {
  readonly #draft: SessionDraft;
  readonly #out: ImportBuilder;
  readonly #early = new Map<string, EarlyResult>();
  /** Tells a call's id of what refers to it. */
  readonly #onReference: (reference: unknown, callId: string | undefined) => void;
  #hasMetrics = false;

  constructor(
    draft: SessionDraft,
    out: ImportBuilder,
    onReference: (reference: unknown, callId: string | undefined) => void,
  ) {
    this.#draft = draft;
    this.#out = out;
    this.#onReference = onReference;
  }

  read({ head, steps, source }: AtifTrajectory): void {
    const called = new Set(steps.flatMap(({ value }) => list(field(value, "tool_calls")).map(callIdOf)));
    for (const step of steps) this.#step(step, called);
    if (!this.#hasMetrics) this.#totals(head.final_metrics);
    if (head.continued_trajectory_ref !== undefined && head.continued_trajectory_ref !== null)
      this.#draft.note(
        "continued-trajectory",
        head.continued_trajectory_ref,
        whereOf(source, "/continued_trajectory_ref"),
      );
  }

  #step({ value, source, pointer }: AtifStep, called: ReadonlySet<string | undefined>): void {
    const step = record(value);
    const where: Where = {
      ...whereOf(source, pointer, step.timestamp),
      ...(step.is_copied_context === true && { replay: false as const }),
    };
    if (step.source === "user") this.#user(step, where);
    else if (step.source === "agent") this.#agent(step, where);
    else if (step.source === "system") this.#system(step, where, called);
    else {
      this.#out.warn(present({ code: "unknown-step", origin: where.origin, kept: true }));
      this.#draft.note("step", value, where);
    }
  }

  #user(step: UnknownRecord, where: Where): void {
    const { text: written, parts } = messageContent(step.message ?? step.content, this.#draft);
    this.#draft.user(written, present({ ...where, parts }));
    if (isRecord(step.observation)) this.#loose(step, where);
  }

  #agent(step: UnknownRecord, where: Where): void {
    const draft = this.#draft;
    draft.step({ ...where, modelId: filledText(step.model_name) });
    draft.reasoning(text(step.reasoning_content) ?? "", where);
    const { text: written, parts } = messageContent(step.message ?? step.content, draft);
    draft.message(written, where);
    for (const part of parts ?? []) if (part.type !== "text") draft.note("part", part, where);
    // `replay: false` leaves the usage of copied steps to the trajectory they were copied from.
    const usage = where.replay === false ? undefined : stepUsage(step.metrics);
    if (usage !== undefined) {
      this.#hasMetrics = true;
      draft.usage(usage, "per-call");
    }
    const reason = finishReason(fieldAt(step, "metrics", "extra", "finish_reason"));
    if (reason !== undefined && where.replay !== false) draft.finish(reason);
    const calls = list(step.tool_calls).flatMap((call) => this.#call(call, where));
    this.#results(step, calls, where);
  }

  /** @returns the call's ids, of the file and of the session */
  #call(value: unknown, where: Where): { readonly recordedId: string | undefined; readonly callId: string }[] {
    if (!isRecord(value)) {
      this.#draft.note("tool-call", value, where);
      return [];
    }
    const recordedId = callIdOf(value);
    const toolName = text(value.function_name) ?? text(value.name) ?? "";
    const callId = this.#draft.call({ callId: recordedId, toolName, input: value.arguments }, where);
    const early = this.#early.get(recordedId ?? "");
    if (early === undefined) return [{ recordedId, callId }];
    this.#early.delete(recordedId ?? "");
    this.#draft.result({ callId, output: early.output, ...failure(early.isFailed, early.output) }, early.where);
    return [];
  }

  /**
   * Results name their call. Those that do not belong to the calls of their step in order; where there are fewer, as of a
   * terminal that shows all it was sent at once, the last call has the output. Without any call the action was in the text.
   */
  #results(
    step: UnknownRecord,
    calls: { readonly recordedId: string | undefined; readonly callId: string }[],
    where: Where,
  ): void {
    const open = [...calls];
    const unnamed: UnknownRecord[] = [];
    const results = list(field(step.observation, "results"));
    // The format has no place for it; our own exports say it beside the step.
    const failed = new Set(list(fieldAt(step, "extra", "failed_calls")));
    for (const value of results) {
      const result = failed.has(field(value, "source_call_id")) ? { ...record(value), is_error: true } : record(value);
      const id = filledText(result.source_call_id);
      if (id === undefined) {
        unnamed.push(result);
        continue;
      }
      const at = open.findIndex(({ recordedId }) => recordedId === id);
      const callId = at === -1 ? id : (open.splice(at, 1)[0]?.callId ?? id);
      this.#result(result, callId, where);
    }
    if (results.length === 0 && isRecord(step.observation)) unnamed.push(...this.#unlisted(step.observation));
    const without = unnamed.length === 0 ? [] : open.splice(0, Math.max(0, open.length - unnamed.length));
    for (const { callId } of without) this.#draft.result({ callId, output: null, absent: true }, where);
    for (const result of unnamed) {
      const call = open.shift();
      if (call === undefined) this.#observation(result, where);
      else this.#result(result, call.callId, where);
    }
  }

  /** An observation that is itself the result. */
  #unlisted(observation: UnknownRecord): UnknownRecord[] {
    return observation.content === undefined && observation.result === undefined ? [] : [observation];
  }

  #result(result: UnknownRecord, callId: string, where: Where): void {
    const output = outputOf(result.content, this.#draft);
    const isFailed =
      result.is_error === true || field(result.result, "success") === false || field(result.extra, "is_error") === true;
    const isAbsent = result.content === undefined || result.content === null;
    this.#draft.result({ callId, output, ...(isAbsent && { absent: true }), ...failure(isFailed, output) }, where);
    for (const reference of list(result.subagent_trajectory_ref)) this.#onReference(reference, callId);
  }

  /** Feedback to what is no call: an action in the text, or the system's own doing. */
  #observation(result: UnknownRecord, where: Where): void {
    const references = list(result.subagent_trajectory_ref);
    for (const reference of references) this.#onReference(reference, undefined);
    const content = result.content === undefined ? result : outputOf(result.content, this.#draft);
    this.#draft.note(references.length > 0 ? "subagents" : "observation", content, where);
  }

  #system(step: UnknownRecord, where: Where, called: ReadonlySet<string | undefined>): void {
    const written = messageContent(step.message ?? step.content, this.#draft).text;
    const management = record(fieldAt(step, "extra", "context_management"));
    const answered = /^Tool result for (\S+)/.exec(written)?.[1];
    if (answered !== undefined && called.has(answered) && isRecord(step.observation)) {
      this.#answer(answered, step.observation, where);
      return;
    }
    if (management.type === "compaction") {
      // The summary is what the compaction led to; the message only says that there was one.
      const results = list(field(step.observation, "results")).map(
        (result) => messageContent(field(result, "content"), this.#draft).text,
      );
      const summary = filledText(results.filter((result) => result !== "").join("\n")) ?? filledText(written);
      this.#draft.compaction(present({ summary }), where);
    } else if (step.observation === undefined && fieldAt(step, "extra", "event_type") === undefined)
      this.#draft.system(written, where);
    else this.#draft.note("system", { message: written, extra: jsonValue(step.extra) }, where);
    if (isRecord(step.observation)) this.#loose(step, where);
  }

  #loose(step: UnknownRecord, where: Where): void {
    const results = list(field(step.observation, "results"));
    for (const result of results) {
      const callId = filledText(field(result, "source_call_id"));
      if (callId === undefined) this.#observation(record(result), where);
      else this.#result(record(result), callId, where);
    }
    if (results.length === 0) this.#draft.note("observation", step.observation, where);
  }

  #answer(recordedId: string, observation: UnknownRecord, where: Where): void {
    const output = outputOf(observation.content ?? observation.result, this.#draft);
    const isFailed = field(observation.result, "success") === false;
    this.#early.set(recordedId, { output, isFailed, where });
  }

  /** Totals are all there is where no step has figures. */
  #totals(value: unknown): void {
    const metrics = record(value);
    const usage = present({
      inputTokens: number(metrics.total_prompt_tokens),
      outputTokens: number(metrics.total_completion_tokens),
      cacheReadTokens: number(metrics.total_cached_tokens),
      costUsd: number(metrics.total_cost_usd),
    });
    // Zeros throughout stand for figures nobody took.
    if (Object.values(usage).some((figure) => figure !== undefined && figure > 0))
      this.#draft.usage(usage, "cumulative");
  }
}

function callIdOf(call: unknown): string | undefined {
  return filledText(field(call, "tool_call_id")) ?? filledText(field(call, "id"));
}

function failure(
  isFailed: boolean,
  output: JsonValue,
): { status: "completed" } | { status: "failed"; error: { code: string; message: string } } {
  if (!isFailed) return { status: "completed" };
  return { status: "failed", error: { code: "tool-error", message: typeof output === "string" ? output : "" } };
}
