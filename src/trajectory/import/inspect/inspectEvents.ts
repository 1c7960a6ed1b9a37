import type { EventOrigin } from "../../../session";
import type { SourceRecord } from "../format";
import type { ImportBuilder, SessionDraft } from "../importBuilder";
import { field, fieldAt, filledText, isRecord, list, number, text } from "../jsonAccess";
import { seenMessages, type SeenMessages } from "../seenMessages";
import type { Resolve } from "./inspectAttachments";
import {
  finishReasonOf,
  mediaOfContent,
  messageKey,
  textOfContent,
  usageOfOutput,
  writeAssistantMessage,
  writeToolResult,
} from "./inspectMessages";
import { inputMessages, inspectSpans, type AgentSpan, type InspectSpans } from "./inspectSpans";
import { toolsOfModelEvent } from "./inspectTools";

/** Subagents nest a few levels; what is deeper is kept as it is. */
const DEPTH = 16;

interface At {
  readonly origin: EventOrigin;
  readonly at?: string | undefined;
}

/** One sample on its way into sessions: its own, and one for each subagent. */
export class InspectTranscript {
  readonly seen: SeenMessages = seenMessages();
  /** Calls that have their result. */
  readonly answered = new Set<string>();
  /** Calls a model asked for. */
  readonly called = new Set<string>();
  /** Model calls that were written. */
  modelCalls = 0;
  readonly #key: string;
  readonly #draft: SessionDraft;
  readonly #out: ImportBuilder;
  readonly #resolve: Resolve;
  readonly #pool: readonly unknown[];
  /** Subagents around this one. */
  readonly #depth: number;
  readonly #messages = new WeakMap<object, { readonly message: unknown; readonly key: string }>();
  readonly #told = new Set<SessionDraft>();
  /** Steps of the first logs that score: they have a beginning and an end, and no spans. */
  #scoringSteps = 0;

  constructor(
    key: string,
    draft: SessionDraft,
    out: ImportBuilder,
    resolve: Resolve,
    pool: readonly unknown[],
    depth = 0,
  ) {
    this.#depth = depth;
    this.#key = key;
    this.#draft = draft;
    this.#out = out;
    this.#resolve = resolve;
    this.#pool = pool;
  }

  events(events: readonly SourceRecord[]): void {
    const spans = inspectSpans(events.map(({ value }) => value));
    for (const event of events) this.#event(event, this.#draftOf(spans.agentOf(event.value)), spans);
  }

  #draftOf(agent: AgentSpan | undefined): SessionDraft {
    if (agent === undefined) return this.#draft;
    const { branch } = agent;
    if (branch !== undefined) {
      const predecessor = branch.from === undefined ? this.#key : `${this.#key}/${branch.from}`;
      return this.#out.session(`${this.#key}/${agent.id}`, { predecessor, branch: agent.name ?? agent.id });
    }
    const parent = agent.parent === undefined ? this.#key : `${this.#key}/${agent.parent}`;
    return this.#out.session(`${this.#key}/${agent.id}`, {
      ...(agent.name === undefined ? {} : { agentName: agent.name, title: agent.name }),
      parent: { key: parent, ...(agent.callId === undefined ? {} : { callId: agent.callId }) },
    });
  }

  #event({ value, origin }: SourceRecord, draft: SessionDraft, spans: InspectSpans): void {
    const kind = text(field(value, "event")) ?? text(field(value, "type")) ?? "event";
    const where = { origin, at: text(field(value, "timestamp")) };
    // The way to where a branch leaves is the one its predecessor went.
    if (spans.replayed(value)) return draft.note(kind, value, { ...where, replay: false });
    if (kind === "step" && /^scorers?$/.test(text(field(value, "type")) ?? "")) {
      this.#scoringSteps += field(value, "action") === "begin" ? 1 : -1;
    }
    if (kind === "model" && (this.#scoringSteps > 0 || spans.scoring(value))) draft.note("scorer", value, where);
    else if (kind === "model") this.#model(value, draft, where);
    else if (kind === "tool") this.#tool(value, draft, where);
    else if (kind === "subtask") this.#subtask(value, draft, where);
    else if (kind === "approval") this.#approval(value, draft, where);
    else if (kind === "compaction") {
      const before = number(field(value, "tokens_before"));
      const after = number(field(value, "tokens_after"));
      draft.compaction(
        {
          ...(before === undefined ? {} : { tokensBefore: before }),
          ...(after === undefined ? {} : { tokensAfter: after }),
        },
        where,
      );
    } else if (kind === "interrupt") {
      draft.note(kind, value, where);
      const code = text(field(value, "source")) ?? "interrupted";
      draft.endTurn({ kind: code === "limit" ? "failed" : "cancelled", code }, where);
    } else draft.note(kind, value, where);
  }

  #model(event: unknown, draft: SessionDraft, where: At): void {
    this.modelCalls++;
    if (!this.#told.has(draft)) {
      this.#told.add(draft);
      const tools = toolsOfModelEvent(event, this.#resolve);
      if (tools.length > 0) draft.about({ tools });
    }
    const input = inputMessages(event, this.#pool).map((message) => this.known(message));
    for (const { message } of this.seen.fresh(input, ({ key }) => key)) this.#context(message, draft, where);
    const output = field(event, "output");
    const completed = filledText(field(event, "completed"));
    const done = completed === undefined ? where : { ...where, at: completed };
    draft.step({ ...where, modelId: filledText(field(event, "model")) ?? filledText(field(output, "model")) });
    const message = this.#resolve(fieldAt(list(field(output, "choices"))[0], "message"));
    if (isRecord(message)) {
      this.seen.add(messageKey(message));
      for (const callId of writeAssistantMessage(message, draft, done)) this.called.add(callId);
    }
    // An answer from the cache cost nothing, whatever the first one did.
    if (field(event, "cache") !== "read") draft.usage(usageOfOutput(output), "per-call");
    const failure = filledText(field(event, "error")) ?? filledText(field(output, "error"));
    if (failure !== undefined) draft.stepFailed("model-error", failure, done);
    else if (!isRecord(message)) draft.stepFailed("interrupted", "The model's answer is not in the log", done);
    const reason = finishReasonOf(output);
    if (reason !== undefined) draft.finish(reason);
  }

  /** A message with its texts put back; one of the pool is asked for by every call that follows. */
  known(message: unknown): { readonly message: unknown; readonly key: string } {
    const known = isRecord(message) ? this.#messages.get(message) : undefined;
    if (known !== undefined) return known;
    const resolved = this.#resolve(message);
    const found = { message: resolved, key: messageKey(resolved) };
    if (isRecord(message)) this.#messages.set(message, found);
    return found;
  }

  /** A message that is in what a model was sent and was not written yet. */
  #context(message: unknown, draft: SessionDraft, where: At): void {
    const role = text(field(message, "role"));
    const content = field(message, "content");
    if (role === "system") draft.system(textOfContent(content), where);
    else if (role === "user") this.user(message, draft, where);
    else if (role === "tool") this.toolMessage(message, draft, where);
    // Written beforehand, by no model of this sample.
    else if (role === "assistant") draft.message(textOfContent(content), { ...where, replay: false });
    else draft.note(role ?? "message", message, where);
  }

  user(message: unknown, draft: SessionDraft, where: At): void {
    const parts = mediaOfContent(field(message, "content"), draft);
    draft.user(textOfContent(field(message, "content")), parts.length === 0 ? where : { ...where, parts });
  }

  /** A result as the model was told it; the tool's own event, where there is one, has said it already. */
  toolMessage(message: unknown, draft: SessionDraft, where: At): void {
    const callId = filledText(field(message, "tool_call_id"));
    if (callId !== undefined && this.answered.has(callId)) return;
    if (callId !== undefined) this.answered.add(callId);
    const toolName = filledText(field(message, "function"));
    writeToolResult(
      { callId, toolName, content: field(message, "content"), error: field(message, "error") },
      draft,
      where,
    );
  }

  #tool(event: unknown, draft: SessionDraft, where: At): void {
    const callId = filledText(field(event, "id"));
    const toolName = text(field(event, "function")) ?? "";
    let id = callId;
    if (callId === undefined || !this.called.has(callId)) {
      id = draft.call({ callId, toolName, input: this.#resolve(field(event, "arguments") ?? {}) }, where);
      this.called.add(id);
    }
    this.#nested(event, id, toolName, draft, where);
    const error = field(event, "error");
    if (field(event, "pending") === true && !isRecord(error)) return;
    if (id === undefined || this.answered.has(id)) return;
    this.answered.add(id);
    const seconds = number(field(event, "working_time"));
    const completed = filledText(field(event, "completed"));
    writeToolResult(
      {
        callId: id,
        toolName,
        content: this.#resolve(field(event, "result")),
        error,
        durationMs: seconds === undefined ? undefined : Math.max(0, Math.round(seconds * 1_000)),
        truncated: Array.isArray(field(event, "truncated")),
      },
      draft,
      completed === undefined ? where : { ...where, at: completed },
    );
  }

  /** The first logs kept what happened within a tool or a task in its event: a subagent's, when a model took part. */
  #nested(event: unknown, callId: string | undefined, name: string, draft: SessionDraft, where: At): void {
    const events = list(field(event, "events"));
    const { origin } = where;
    const nested = events.map((value) => ({ value, origin }));
    if (this.#depth >= DEPTH || !events.some((entry) => field(entry, "event") === "model")) {
      for (const { value } of nested) draft.note(text(field(value, "event")) ?? "event", value, { origin });
      return;
    }
    const key = `${this.#key}/${callId ?? name}`;
    const child = this.#out.session(key, {
      agentName: name,
      title: name,
      parent: { key: this.#key, ...(callId === undefined ? {} : { callId }) },
    });
    const transcript = new InspectTranscript(key, child, this.#out, this.#resolve, this.#pool, this.#depth + 1);
    transcript.events(nested);
    this.modelCalls += transcript.modelCalls;
  }

  #subtask(event: unknown, draft: SessionDraft, where: At): void {
    draft.note("subtask", { ...(isRecord(event) ? event : {}), events: undefined }, where);
    this.#nested(event, undefined, text(field(event, "name")) ?? "subtask", draft, where);
  }

  #approval(event: unknown, draft: SessionDraft, where: At): void {
    const decision = text(field(event, "decision"));
    const callId = filledText(fieldAt(event, "call", "id"));
    const stage = field(event, "stage") ?? "call";
    if (callId === undefined || !this.called.has(callId) || decision === "escalate" || stage !== "call") {
      return draft.note("approval", event, where);
    }
    const prompt = filledText(this.#resolve(field(event, "message")));
    const explanation = filledText(field(event, "explanation"));
    draft.approval(
      {
        callId,
        outcome: decision === "approve" || decision === "modify" ? "approved" : "denied",
        ...(prompt === undefined ? {} : { prompt }),
        ...(explanation === undefined ? {} : { text: explanation }),
      },
      where,
    );
  }
}
