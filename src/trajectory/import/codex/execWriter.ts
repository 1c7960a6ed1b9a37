import type { ImportBuilder, SessionDraft, Where } from "../importBuilder";
import { field, filledText, isRecord, list, number, text, type UnknownRecord } from "../jsonAccess";
import { usageOfThread } from "./rolloutUsage";
import type { RolloutRecord } from "./rolloutRecord";

/** Writes the output of `codex exec --json` down: items as they begin and end, usage of the thread at the end of a turn. */
export class ExecWriter {
  readonly #draft: SessionDraft;
  readonly #out: ImportBuilder;
  /** Items that were begun as calls, by their id. */
  readonly #calls = new Map<string, string>();
  #response: "none" | "open" | "answered" = "none";
  #turnCount = 0;

  constructor(draft: SessionDraft, out: ImportBuilder) {
    this.#draft = draft;
    this.#out = out;
  }

  write({ type, payload, where }: RolloutRecord): void {
    switch (type) {
      case "thread.started":
        this.#draft.about({ id: filledText(field(payload, "thread_id")) });
        break;
      case "turn.started":
        this.#turnCount++;
        this.#response = "none";
        break;
      case "turn.completed": {
        const usage = usageOfThread(field(payload, "usage"));
        if (usage !== undefined) this.#draft.usage(usage, "cumulative");
        this.#draft.endTurn({ kind: "completed" }, where);
        break;
      }
      case "turn.failed": {
        const message = text(field(field(payload, "error"), "message")) ?? "The turn failed.";
        this.#draft.endTurn({ kind: "failed", code: "error", message }, where);
        break;
      }
      case "item.started":
      case "item.completed":
        this.#item(type, field(payload, "item"), where);
        break;
      case "item.updated":
        break;
      default:
        this.#draft.note(type, payload, where);
    }
  }

  #item(event: string, item: unknown, where: Where): void {
    if (!isRecord(item)) {
      this.#out.warn({
        code: "bad-field",
        message: "An item is none.",
        origin: where.origin,
        pointer: "/item",
        kept: true,
      });
      this.#draft.note(event, item, where);
      return;
    }
    const type = filledText(field(item, "type")) ?? filledText(field(item, "item_type")) ?? "item";
    const isDone = event === "item.completed";
    const said = text(field(item, "text")) ?? text(field(item, "message")) ?? "";
    switch (type) {
      case "agent_message":
      case "assistant_message":
        if (!isDone) break;
        this.#respond(where);
        this.#draft.message(said, where);
        break;
      case "reasoning":
        if (!isDone) break;
        this.#respond(where);
        this.#draft.reasoning(said, where);
        break;
      case "command_execution":
      case "file_change":
      case "mcp_tool_call":
      case "web_search":
      case "collab_tool_call":
        this.#call(type, item, isDone, where);
        break;
      default:
        if (isDone) this.#draft.note(type, item, where);
    }
  }

  #call(type: string, item: UnknownRecord, isDone: boolean, where: Where): void {
    const id = filledText(field(item, "id")) ?? "";
    let callId = this.#calls.get(`${this.#turnCount}/${id}`);
    if (callId === undefined) {
      this.#respond(where);
      callId = this.#draft.call({ callId: id, ...requestOf(type, item) }, where);
      if (id !== "") this.#calls.set(`${this.#turnCount}/${id}`, callId);
    }
    if (!isDone) return;
    if (id !== "") this.#calls.delete(`${this.#turnCount}/${id}`);
    if (this.#response === "open") this.#response = "answered";
    this.#draft.result({ callId, ...answerOf(type, item) }, where);
  }

  #respond(where: Where): void {
    if (this.#response === "open") return;
    this.#draft.step(where);
    this.#response = "open";
  }
}

function requestOf(type: string, item: UnknownRecord): { readonly toolName: string; readonly input: unknown } {
  switch (type) {
    case "command_execution":
      return { toolName: "shell", input: { command: field(item, "command") ?? "" } };
    case "file_change":
      return { toolName: "apply_patch", input: { changes: field(item, "changes") ?? [] } };
    case "web_search":
      return { toolName: "web_search", input: { query: field(item, "query") ?? "" } };
    default: {
      const input = field(item, "arguments");
      return { toolName: filledText(field(item, "tool")) ?? type, input: input ?? {} };
    }
  }
}

function answerOf(type: string, item: UnknownRecord) {
  const exitCode = number(field(item, "exit_code"));
  const status = text(field(item, "status"));
  const error = text(field(field(item, "error"), "message"));
  const isDeclined = status === "declined";
  const isFailed = status === "failed" || error !== undefined || (exitCode ?? 0) !== 0;
  const output =
    type === "command_execution" ? (field(item, "aggregated_output") ?? "") : (field(item, "result") ?? error ?? null);
  const isAbsent = type === "file_change" || type === "web_search";
  if (isDeclined)
    return { output, status: "rejected" as const, error: { code: "denied", message: "The call was declined." } };
  if (!isFailed) return { output, status: "completed" as const, absent: isAbsent && list(output).length === 0 };
  const message = error ?? (exitCode === undefined ? "The call failed." : `Exit code ${exitCode}`);
  return {
    output,
    status: "failed" as const,
    error: { code: exitCode === undefined ? "tool-failed" : "exit-code", message },
  };
}
