import type { JsonObject } from "../../../base";
import type { ImportBuilder, SessionDraft, Where } from "../importBuilder";
import { field, fieldAt, filledText, text } from "../jsonAccess";
import { seenMessages, type SeenMessages } from "../seenMessages";
import { sameValue, traceMessageKey, type TraceMessage } from "./traceMessage";
import { tracePlan, type PlannedSession, type TracePlan } from "./tracePlan";
import { hasUsage, spanKey, type TraceSpan } from "./traceSpan";

/** Writes spans down as sessions. What spans repeat of a conversation is written once. */
export function writeTraces(spans: readonly TraceSpan[], out: ImportBuilder): void {
  const plan = tracePlan(spans);
  const calls = new Map<string, string>();
  let contentCount = 0;
  let responseCount = 0;
  for (const planned of plan.sessions) {
    if (!planned.spans.some(({ kind }) => kind !== "other")) {
      out.warn({
        code: "trace-without-model",
        message: `Trace ${planned.key} has no model, agent or tool in it`,
        kept: false,
      });
      continue;
    }
    const writer = new TraceWriter(planned, plan, calls, out);
    writer.write();
    contentCount += writer.contentCount;
    responseCount += writer.responseCount;
  }
  if (spans.some(({ masked }) => masked)) out.fidelity({ results: "masked" });
  if (responseCount === 0 || contentCount > 0) return;
  out.fidelity({ results: "absent" });
  out.warn({
    code: "content-absent",
    message: "The spans hold no texts of messages and results: the session can be looked at, not replayed",
    kept: false,
  });
}

interface OpenCall {
  readonly callId: string;
  /** The id the trace has for it; some models begin anew with each response. */
  readonly recordedId: string | undefined;
  readonly toolName: string;
  readonly input: unknown;
}

class TraceWriter {
  responseCount = 0;
  contentCount = 0;
  readonly #planned: PlannedSession;
  readonly #plan: TracePlan;
  /** The call each tool's span is of, for the sessions of subagents. */
  readonly #callOfSpan: Map<string, string>;
  readonly #draft: SessionDraft;
  readonly #seen: SeenMessages = seenMessages();
  #open: OpenCall[] = [];
  readonly #answered = new Set<string>();
  #openTurn: TraceSpan | undefined;
  #isOneStep = false;
  #failure: { readonly message: string; readonly where: Where } | undefined;

  constructor(planned: PlannedSession, plan: TracePlan, callOfSpan: Map<string, string>, out: ImportBuilder) {
    this.#planned = planned;
    this.#plan = plan;
    this.#callOfSpan = callOfSpan;
    const { agent, parent, spans } = planned;
    const root = agent ?? spans.find(({ kind }) => kind === "agent");
    const conversation = spans.map((span) => span.conversation).find(Boolean);
    const name = root?.agentName;
    const callId = parent?.callSpan === undefined ? undefined : callOfSpan.get(spanKey(parent.callSpan));
    const tools = spans.map((span) => span.tools).find((offered) => offered.length > 0);
    const modelId = spans.map((span) => span.modelId).find(Boolean);
    this.#draft = out.session(planned.key, {
      id: agent === undefined ? (conversation ?? planned.key) : planned.key,
      ...(name === undefined ? {} : { agentName: name }),
      ...(tools === undefined ? {} : { tools }),
      ...(modelId === undefined ? {} : { modelId }),
      ...(parent === undefined ? {} : { parent: { key: parent.key, ...(callId === undefined ? {} : { callId }) } }),
    });
  }

  write(): void {
    const { spans } = this.#planned;
    const hasResponse = spans.some((span) => this.#plan.isResponse(span));
    for (const span of spans) {
      const where = whereOf(span, span.startMs);
      if (this.#plan.isResponse(span)) this.#response(span);
      else if (span.kind === "tool" && !this.#isRecordedTwice(span)) this.#tool(span);
      else if (span.kind === "turn") this.#turn(span, !hasResponse);
      else if (span.kind === "agent" && !hasResponse && isAnswer(span)) this.#response(span);
      else this.#draft.note("span", { name: span.name, spanId: span.id, kind: span.kind }, where);
    }
    this.#endTurn();
    if (this.#failure === undefined) return;
    const { message, where } = this.#failure;
    this.#draft.endTurn({ kind: "failed", code: "model-error", message }, where);
  }

  /** A turn's span. Where no span within is a model's, it is one step, and what it says at its end is said then. */
  #turn(span: TraceSpan, isOneStep: boolean): void {
    this.#endTurn();
    const where = whereOf(span, span.startMs);
    for (const message of this.#seen.fresh(span.input, traceMessageKey)) {
      if (message.role === "user") this.#user(message, where);
      else if (message.role === "system") this.#draft.system(message.text, where);
    }
    this.#openTurn = span;
    if (!isOneStep) return;
    this.responseCount++;
    if (span.input.length > 0 || span.output.length > 0) this.contentCount++;
    this.#draft.step({ ...where, modelId: span.modelId });
    this.#isOneStep = true;
  }

  #endTurn(): void {
    const span = this.#openTurn;
    if (span === undefined) return;
    const done = whereOf(span, span.endMs ?? span.startMs);
    if (this.#isOneStep) {
      for (const message of span.output) {
        this.#draft.reasoning(message.reasoning, done);
        this.#draft.message(message.text, done);
      }
      this.#draft.usage(span.usage, "per-call");
      if (span.finishReason !== undefined) this.#draft.finish(span.finishReason);
    }
    const { failure } = span;
    this.#draft.endTurn(failure === undefined ? { kind: "completed" } : { kind: "failed", message: failure }, done);
    this.#openTurn = undefined;
    this.#isOneStep = false;
  }

  #response(span: TraceSpan): void {
    const draft = this.#draft;
    const where = whereOf(span, span.startMs);
    const done = whereOf(span, span.endMs ?? span.startMs);
    this.#context(span, where);
    this.responseCount++;
    if (span.input.length > 0 || span.output.length > 0) this.contentCount++;
    draft.step({ ...where, modelId: span.modelId });
    for (const message of span.output) {
      this.#seen.add(traceMessageKey(message));
      draft.reasoning(message.reasoning, done);
      draft.message(message.text, done);
      for (const { callId, toolName, input } of message.calls) {
        const made = draft.call({ callId, toolName, input }, done);
        this.#open.push({ callId: made, recordedId: callId, toolName, input });
      }
    }
    draft.usage(span.usage, "per-call");
    this.#failure = undefined;
    if (span.failure === undefined) {
      if (span.finishReason !== undefined) draft.finish(span.finishReason);
      return;
    }
    // What it used is told by the end of a step alone: a failed one has no figures.
    if (!hasUsage(span.usage) && span.output.length === 0) return draft.stepFailed("model-error", span.failure, done);
    draft.finish("error");
    this.#failure = { message: span.failure, where: done };
  }

  /** What a model was sent and was not written yet. What came before the last question of the first call is context. */
  #context(span: TraceSpan, where: Where): void {
    const isFirst = this.responseCount === 0;
    const own = span.input;
    const input = isFirst && !own.some(({ role }) => role === "user") ? [...own, ...this.#questionAround(span)] : own;
    const fresh = this.#seen.fresh(input, traceMessageKey);
    const lastQuestion = isFirst ? fresh.findLastIndex(({ role }) => role === "user") : -1;
    for (const [index, message] of fresh.entries()) {
      const past = isFirst && index < lastQuestion ? { ...where, replay: false as const } : where;
      if (message.role === "system") this.#draft.system(message.text, where);
      else if (message.role === "user") this.#user(message, past);
      else if (message.role === "tool") this.#answer(message, isFirst ? { ...where, replay: false } : where);
      else this.#copied(message, where);
    }
  }

  /** The question where only a span around the first call has it. */
  #questionAround(span: TraceSpan): readonly TraceMessage[] {
    for (const outer of this.#plan.ancestors(span)) {
      const question = outer.input.findLast(({ role }) => role === "user");
      if (question !== undefined) return [question];
    }
    return [];
  }

  #user(message: TraceMessage, where: Where): void {
    const parts = message.media.map((part) => mediaPart(part, this.#draft));
    this.#draft.user(message.text, parts.length === 0 ? where : { ...where, parts });
  }

  /** A model's message that no span of the file recorded. */
  #copied(message: TraceMessage, where: Where): void {
    const past = { ...where, replay: false as const };
    this.#draft.message(message.text, past);
    for (const call of message.calls) {
      if (call.callId !== undefined) this.#answered.add(call.callId);
      this.#draft.call(call, past);
    }
  }

  /** A result as the model was told it, unless the tool's own span has said it already. */
  #answer(message: TraceMessage, where: Where): void {
    const { callId, toolName, output } = message;
    const call = this.#open.find((open) =>
      callId === undefined ? toolName === undefined || open.toolName === toolName : open.recordedId === callId,
    );
    if (call === undefined && callId !== undefined && this.#answered.has(callId)) return;
    // Its call has no id: the span of its tool has answered for it.
    if (call === undefined && where.replay !== false && this.#answeredWith(output)) return;
    this.#close(call);
    this.#draft.result({ callId: call?.callId ?? callId, toolName, output }, where);
  }

  readonly #outputs: unknown[] = [];

  #answeredWith(output: unknown): boolean {
    return this.#outputs.some((known) => sameValue(known, output));
  }

  #close(call: OpenCall | undefined): void {
    if (call === undefined) return;
    this.#open = this.#open.filter((open) => open !== call);
    this.#answered.add(call.recordedId ?? call.callId);
  }

  #tool(span: TraceSpan): void {
    const { tool } = span;
    if (tool === undefined) return;
    const start = whereOf(span, span.startMs);
    const end = whereOf(span, span.endMs ?? span.startMs);
    let call = this.#callOf(span);
    if (call === undefined) {
      const callId = this.#draft.call({ callId: tool.callId, toolName: tool.name, input: tool.input }, start);
      call = { callId, recordedId: tool.callId, toolName: tool.name, input: tool.input };
    }
    this.#close(call);
    this.#callOfSpan.set(spanKey(span), call.callId);
    if (tool.output !== undefined) {
      this.contentCount++;
      this.#outputs.push(tool.output);
    }
    const { startMs, endMs, failure } = span;
    this.#draft.result(
      {
        callId: call.callId,
        output: tool.output ?? failure ?? null,
        absent: tool.output === undefined,
        durationMs: startMs === undefined || endMs === undefined ? undefined : endMs - startMs,
        ...(failure === undefined ? {} : { status: "failed", error: { code: "tool-error", message: failure } }),
      },
      end,
    );
  }

  /** Of a call that two instrumentations recorded the inner one, or the later, is no call of its own. */
  #isRecordedTwice(span: TraceSpan): boolean {
    const { tool } = span;
    if (tool?.callId !== undefined && this.#answered.has(tool.callId) && this.#callOf(span) === undefined) return true;
    return this.#plan
      .ancestors(span)
      .some((outer) => outer.kind === "tool" && outer.tool?.name === tool?.name && this.#planned.spans.includes(outer));
  }

  /** The call a tool's span is of: by its id, else of that name and input, else the oldest of that name. */
  #callOf({ tool }: TraceSpan): OpenCall | undefined {
    if (tool === undefined) return undefined;
    if (tool.callId !== undefined) return this.#open.find(({ recordedId }) => recordedId === tool.callId);
    const named = this.#open.filter(({ toolName }) => toolName === tool.name);
    return named.find(({ input }) => sameValue(input, tool.input)) ?? named[0];
  }
}

/** An agent's span stands for a response where nothing within it does. */
function isAnswer(span: TraceSpan): boolean {
  return span.output.length > 0 || hasUsage(span.usage);
}

function whereOf(span: TraceSpan, atMs: number | undefined): Where {
  return atMs === undefined ? { origin: span.origin } : { origin: span.origin, at: new Date(atMs) };
}

const DATA_URL = /^data:([\w.+/-]+);base64,(.*)$/s;

/** A part that is no text: an image becomes a blob where its bytes are there. */
function mediaPart(part: JsonObject, draft: SessionDraft): JsonObject {
  const url =
    [
      fieldAt(part, "image", "image", "url"),
      fieldAt(part, "image", "url"),
      fieldAt(part, "image_url", "url"),
      field(part, "image_url"),
      field(part, "url"),
      field(part, "uri"),
      field(part, "image"),
    ]
      .map((found) => filledText(found))
      .find(Boolean) ?? "";
  const [, urlType, urlData] = DATA_URL.exec(url) ?? [];
  if (urlType?.startsWith("image/") === true && urlData !== undefined) return draft.image(urlData, urlType);
  const mediaType =
    filledText(field(part, "mime_type")) ??
    filledText(field(part, "mediaType")) ??
    filledText(fieldAt(part, "source", "media_type"));
  const data =
    filledText(fieldAt(part, "source", "data")) ??
    (field(part, "type") === "blob" ? text(field(part, "content")) : undefined);
  if (mediaType?.startsWith("image/") === true && data !== undefined) return draft.image(data, mediaType);
  return url === "" ? part : { type: text(field(part, "type")) ?? "file", url };
}
