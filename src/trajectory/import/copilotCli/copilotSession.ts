import type { SourceRecord } from "../format";
import type { ImportBuilder, SessionDraft, Where } from "../importBuilder";
import { field, fieldAt, filledText, jsonObject, list, number, text } from "../jsonAccess";
import { present } from "../present";

/** The id of a step that began with a tool. */
const EARLY = "early";

/** One log on its way into sessions: its own, and one for each subagent, named by the call it answers. */
export class CopilotSession {
  version: string | undefined;
  readonly #key: string;
  readonly #out: ImportBuilder;
  readonly #draft: SessionDraft;
  /** Calls by their ids in the log: those a message asked for, and those only their execution tells of. */
  readonly #called = new Set<string>();
  /** Calls whose tool began before a message asked for them. */
  readonly #begun = new Set<string>();
  /** Sessions whose turn has a message of the model. */
  readonly #spoken = new Set<SessionDraft>();
  /** Sessions in which a tool began before the message that asks for it. */
  readonly #early = new Set<SessionDraft>();
  /** The call each request for permission is about. */
  readonly #requests = new Map<string, string>();

  constructor(key: string, out: ImportBuilder) {
    this.#key = key;
    this.#out = out;
    this.#draft = out.session(key);
  }

  event({ value, origin }: SourceRecord): void {
    const kind = text(field(value, "type")) ?? "event";
    const data = field(value, "data");
    const draft = this.#draftOf(data);
    const where = { origin, at: text(field(value, "timestamp")) };
    switch (kind) {
      case "session.start":
        this.#start(data);
        return draft.note(kind, value, where);
      case "session.model_change": {
        const modelId = filledText(field(data, "newModel"));
        if (modelId !== undefined) draft.about({ modelId });
        return draft.note(kind, value, where);
      }
      case "system.message":
        return draft.system(text(field(data, "content")) ?? "", where);
      case "user.message":
        return this.#user(data, draft, where);
      case "assistant.message":
        return this.#assistant(data, draft, where);
      case "assistant.reasoning":
        return draft.reasoning(text(field(data, "content")) ?? "", where);
      case "assistant.usage":
        return this.#usage(data, draft);
      case "tool.execution_start":
        return this.#toolStart(data, draft, where);
      case "tool.execution_complete":
        return this.#toolComplete(data, draft, where);
      case "permission.requested": {
        const requestId = filledText(field(data, "requestId"));
        const callId = filledText(fieldAt(data, "permissionRequest", "toolCallId"));
        if (requestId !== undefined && callId !== undefined) this.#requests.set(requestId, callId);
        return draft.note(kind, value, where);
      }
      case "permission.completed":
        return this.#permission(value, data, draft, where);
      case "subagent.started":
        return this.#subagent(value, data, where);
      case "abort":
        return draft.endTurn({ kind: "cancelled", code: "abort", message: text(field(data, "reason")) ?? "" }, where);
      case "session.compaction_complete":
      case "session.truncation":
        return draft.compaction(compactionOf(data), where);
      default:
        return draft.note(kind, value, where);
    }
  }

  /** What a subagent did names the call of its parent. */
  #draftOf(data: unknown): SessionDraft {
    const callId = filledText(field(data, "parentToolCallId"));
    return callId === undefined ? this.#draft : this.#child(callId);
  }

  #child(callId: string): SessionDraft {
    return this.#out.session(`${this.#key}/${callId}`, { parent: { key: this.#key, callId } });
  }

  #start(data: unknown): void {
    this.version ??= filledText(field(data, "copilotVersion")) ?? numberText(field(data, "version"));
    const id = filledText(field(data, "sessionId"));
    const cwd = filledText(fieldAt(data, "context", "cwd"));
    const modelId = filledText(field(data, "selectedModel"));
    const agentName = filledText(field(data, "producer"));
    this.#draft.about({
      ...(id === undefined ? {} : { id }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(modelId === undefined ? {} : { modelId }),
      ...(agentName === undefined ? {} : { agentName }),
    });
  }

  #user(data: unknown, draft: SessionDraft, where: Where): void {
    this.#spoken.delete(draft);
    this.#early.delete(draft);
    const parts = list(field(data, "attachments"))
      .map((attachment) => jsonObject(attachment))
      .filter((part) => part !== undefined);
    draft.user(text(field(data, "content")) ?? "", parts.length === 0 ? where : { ...where, parts });
  }

  /** Pieces of one message have its id. */
  #assistant(data: unknown, draft: SessionDraft, where: Where): void {
    const id = filledText(field(data, "messageId"));
    this.#spoken.add(draft);
    const step = this.#early.delete(draft) ? EARLY : id;
    draft.step({ ...where, id: step, modelId: filledText(field(data, "model")) });
    draft.reasoning(text(field(data, "reasoningText")) ?? "", where);
    draft.message(text(field(data, "content")) ?? "", where);
    for (const request of list(field(data, "toolRequests"))) {
      const callId = filledText(field(request, "toolCallId"));
      if (callId !== undefined && this.#begun.delete(callId)) continue;
      const made = draft.call(
        { callId, toolName: text(field(request, "name")) ?? "", input: field(request, "arguments") ?? {} },
        where,
      );
      this.#called.add(callId ?? made);
    }
    draft.usage(present({ outputTokens: number(field(data, "outputTokens")) }), "per-call");
  }

  /** Where the whole usage of a call is written, it says more than the message's own count. */
  #usage(data: unknown, draft: SessionDraft): void {
    draft.usage(
      present({
        inputTokens: number(field(data, "inputTokens")),
        outputTokens: number(field(data, "outputTokens")),
        cacheReadTokens: number(field(data, "cacheReadTokens")),
        cacheWriteTokens: number(field(data, "cacheWriteTokens")),
      }),
      "per-call",
    );
  }

  #toolStart(data: unknown, draft: SessionDraft, where: Where): void {
    const callId = filledText(field(data, "toolCallId"));
    if (callId === undefined || this.#called.has(callId)) return;
    this.#called.add(callId);
    this.#begun.add(callId);
    if (!this.#spoken.has(draft)) {
      this.#early.add(draft);
      draft.step({ ...where, id: EARLY, modelId: filledText(field(data, "model")) });
    }
    draft.call({ callId, toolName: text(field(data, "toolName")) ?? "", input: field(data, "arguments") ?? {} }, where);
  }

  #toolComplete(data: unknown, draft: SessionDraft, where: Where): void {
    const callId = filledText(field(data, "toolCallId"));
    const result = field(data, "result");
    const output = text(field(result, "content")) ?? field(result, "contents") ?? result ?? null;
    const durationMs = number(fieldAt(data, "toolTelemetry", "metrics", "durationMs"));
    if (field(data, "success") !== false) return draft.result({ callId, output, durationMs }, where);
    const code = filledText(fieldAt(data, "error", "code")) ?? "tool-error";
    const message = text(fieldAt(data, "error", "message")) ?? text(output) ?? "The tool failed";
    const refused = /^(rejected|denied)$/.test(code);
    draft.result(
      {
        callId,
        output: output ?? message,
        durationMs,
        status: refused ? "rejected" : "failed",
        error: { code, message },
      },
      where,
    );
  }

  #permission(event: unknown, data: unknown, draft: SessionDraft, where: Where): void {
    const callId = filledText(field(data, "toolCallId")) ?? this.#requests.get(text(field(data, "requestId")) ?? "");
    const outcome = text(fieldAt(data, "result", "kind")) ?? "";
    if (callId === undefined || !this.#called.has(callId)) return draft.note("permission.completed", event, where);
    draft.approval({ callId, outcome: outcome.startsWith("approved") ? "approved" : "denied", text: outcome }, where);
  }

  #subagent(event: unknown, data: unknown, where: Where): void {
    const callId = filledText(field(data, "toolCallId"));
    this.#draft.note("subagent.started", event, where);
    if (callId === undefined) return;
    const name = filledText(field(data, "agentDisplayName")) ?? filledText(field(data, "agentName"));
    this.#child(callId).about(name === undefined ? {} : { agentName: name, title: name });
  }
}

function numberText(value: unknown): string | undefined {
  return typeof value === "number" ? `${value}` : filledText(value);
}

function compactionOf(data: unknown): { summary?: string; tokensBefore?: number; tokensAfter?: number } {
  return present({
    summary: text(field(data, "summaryContent")),
    tokensBefore: number(field(data, "preCompactionTokens")) ?? number(field(data, "preTruncationTokensInMessages")),
    tokensAfter: number(field(data, "postCompactionTokens")) ?? number(field(data, "postTruncationTokensInMessages")),
  });
}
