import type { Usage } from "../../../session";
import type { SourceRecord } from "../format";
import type { ImportBuilder, SessionDraft, Where } from "../importBuilder";
import { field, fieldAt, filledText, isRecord, number, text } from "../jsonAccess";
import { present } from "../present";
import { outcomeOf, questionOf, textOf } from "./cursorContent";

/**
 * Messages of the SDK, and of the command line's stream, which are nearly the same. A call is told by its id when it
 * begins and when it ended. No message says where one response of the model ends and the next begins: after results.
 */
export class CursorStream {
  readonly #draft: SessionDraft;
  readonly #called = new Set<string>();
  readonly #ended = new Set<string>();
  #modelId: string | undefined;
  #inStep = false;

  constructor(key: string, out: ImportBuilder) {
    this.#draft = out.session(key);
  }

  message({ value, origin }: SourceRecord): void {
    const at = field(value, "timestamp") ?? field(value, "timestamp_ms");
    const where: Where = { origin, at: typeof at === "string" || typeof at === "number" ? at : undefined };
    const kind = text(field(value, "type")) ?? "message";
    switch (kind) {
      case "system":
        return this.#system(value, where);
      case "user":
        this.#inStep = false;
        return this.#draft.user(questionOf(textOf(contentOf(value))), where);
      case "thinking": {
        this.#respond(where);
        return this.#draft.reasoning(text(field(value, "text")) ?? text(field(value, "thinking")) ?? "", where);
      }
      case "assistant": {
        this.#respond(where);
        return this.#draft.message(textOf(contentOf(value)), where);
      }
      case "tool_call":
        return this.#call(value, where);
      case "usage":
        return this.#draft.usage(usageOf(field(value, "usage") ?? value), "per-call");
      case "status":
        return this.#status(value, where);
      case "result":
        return this.#result(value, where);
      default:
        return this.#draft.note(kind, value, where);
    }
  }

  #system(message: unknown, where: Where): void {
    const model = field(message, "model");
    this.#modelId = filledText(model) ?? filledText(field(model, "id")) ?? this.#modelId;
    const id = filledText(field(message, "session_id")) ?? filledText(field(message, "agent_id"));
    const cwd = filledText(field(message, "cwd"));
    const modelId = this.#modelId;
    this.#draft.about({
      ...(id === undefined ? {} : { id }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(modelId === undefined ? {} : { modelId }),
    });
    this.#draft.note("system", message, where);
  }

  #respond(where: Where): void {
    if (this.#inStep) return;
    this.#inStep = true;
    this.#draft.step({ ...where, modelId: this.#modelId });
  }

  #call(message: unknown, where: Where): void {
    const callId = filledText(field(message, "call_id"));
    const named = namedCall(message);
    const status = text(field(message, "status")) ?? text(field(message, "subtype"));
    if (callId === undefined || !this.#called.has(callId)) {
      this.#respond(where);
      const made = this.#draft.call({ callId, toolName: named.name, input: named.args }, where);
      this.#called.add(callId ?? made);
    }
    if (callId === undefined || status === "running" || status === "started" || this.#ended.has(callId)) return;
    this.#ended.add(callId);
    const { output, failure, rejected } = outcomeOf(named.result, status);
    const masked = field(message, "truncated");
    const truncated = masked === true || fieldAt(message, "truncated", "result") === true;
    this.#draft.result(
      {
        callId,
        output,
        truncated,
        ...(failure === undefined ? {} : { status: rejected ? "rejected" : "failed", error: failure }),
      },
      where,
    );
    // Of calls made at once the others still run.
    if ([...this.#called].every((id) => this.#ended.has(id))) this.#inStep = false;
  }

  #status(message: unknown, where: Where): void {
    const status = text(field(message, "status")) ?? "";
    this.#draft.note("status", message, where);
    const said = text(field(message, "message"));
    const words = said === undefined ? {} : { message: said };
    if (/^cancelled$/i.test(status)) this.#draft.endTurn({ kind: "cancelled", code: "cancelled", ...words }, where);
    else if (/^(error|expired)$/i.test(status)) {
      this.#draft.endTurn({ kind: "failed", code: status.toLowerCase(), ...words }, where);
    } else if (/^finished$/i.test(status)) this.#draft.endTurn({ kind: "completed" }, where);
  }

  #result(message: unknown, where: Where): void {
    if (isRecord(field(message, "usage"))) this.#draft.usage(usageOf(field(message, "usage")), "per-call");
    this.#draft.note("result", message, where);
    if (field(message, "is_error") === true) {
      const said = text(field(message, "result"));
      this.#draft.endTurn({ kind: "failed", code: "error", ...(said === undefined ? {} : { message: said }) }, where);
    } else this.#draft.endTurn({ kind: "completed" }, where);
  }
}

function contentOf(message: unknown): unknown {
  return fieldAt(message, "message", "content") ?? field(message, "text") ?? field(message, "content");
}

/** `{ name, args, result }`, or `{ readToolCall: { args, result } }` as the command line has it. */
function namedCall(message: unknown): { name: string; args: unknown; result: unknown } {
  const inner = field(message, "tool_call");
  if (isRecord(inner)) {
    for (const [name, call] of Object.entries(inner)) {
      if (!isRecord(call) || !name.endsWith("ToolCall")) continue;
      const toolName = name.slice(0, -"ToolCall".length);
      return { name: toolName, args: field(call, "args") ?? {}, result: field(call, "result") };
    }
    const called = field(inner, "function");
    if (isRecord(called)) {
      const name = text(field(called, "name")) ?? "";
      return { name, args: field(called, "arguments") ?? {}, result: field(inner, "result") };
    }
  }
  return {
    name: text(field(message, "name")) ?? "",
    args: field(message, "args") ?? {},
    result: field(message, "result"),
  };
}

function usageOf(usage: unknown): Usage {
  return present({
    inputTokens: number(field(usage, "inputTokens")),
    outputTokens: number(field(usage, "outputTokens")),
    cacheReadTokens: number(field(usage, "cacheReadTokens")),
    cacheWriteTokens: number(field(usage, "cacheWriteTokens")),
  });
}
