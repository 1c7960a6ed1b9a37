import { present } from "../present";
import type { SessionDraft, Where } from "../importBuilder";
import { field, filledText, isRecord, list, number, record, text, type UnknownRecord } from "../jsonAccess";
import { finishReason, openaiUsage } from "./chatUsage";
import { messageContent, outputOf } from "./messageContent";

/** Roles of a chat; anything else is kept raw. */
const ROLES: ReadonlySet<string> = new Set(["system", "developer", "user", "assistant", "tool", "function"]);

/** Whether a value is a message of a chat: a role that is known and content, calls or a call it answers. */
export function isChatMessage(value: unknown): boolean {
  const message = record(value);
  if (!ROLES.has(text(message.role) ?? "")) return false;
  return "content" in message || "tool_calls" in message || "function_call" in message || "refusal" in message;
}

/** When a message was written, as far as writers that keep it say. */
export function messageTime(message: unknown): unknown {
  return (
    field(message, "timestamp") ??
    field(message, "created_at") ??
    field(message, "createdAt") ??
    field(field(message, "extra"), "timestamp")
  );
}

export function readChatMessage(value: unknown, draft: SessionDraft, where: Where): void {
  const message = record(value);
  switch (message.role) {
    case "system":
    case "developer":
      draft.system(messageContent(message.content, draft).text, where);
      break;
    case "user": {
      const { text: written, parts } = messageContent(message.content, draft);
      draft.user(written, present({ ...where, parts }));
      break;
    }
    case "assistant":
      readAssistant(message, draft, where);
      break;
    case "tool":
    case "function":
      readToolMessage(message, draft, where);
      break;
    default:
      draft.note(isRecord(value) ? `message:${text(message.role) ?? "?"}` : "message", value, where);
  }
}

/** A whole response of a model: one step. */
export function readAssistant(message: UnknownRecord, draft: SessionDraft, where: Where): void {
  draft.step({ ...where, id: filledText(message.id), modelId: filledText(message.model) });
  readReasoning(message, draft, where);
  const { text: written } = messageContent(message.content, draft);
  draft.message(written === "" ? (text(message.refusal) ?? "") : written, where);
  for (const call of list(message.tool_calls)) readToolCall(call, draft, where);
  if (isRecord(message.function_call))
    draft.call({ toolName: text(message.function_call.name) ?? "", input: message.function_call.arguments }, where);
  const usage = openaiUsage(message.usage, message.cost);
  if (usage !== undefined) draft.usage(usage, "per-call");
  const reason = finishReason(message.finish_reason);
  if (reason !== undefined) draft.finish(reason);
}

function readReasoning(message: UnknownRecord, draft: SessionDraft, where: Where): void {
  const reasoning = filledText(message.reasoning_content) ?? filledText(message.reasoning);
  if (reasoning !== undefined) draft.reasoning(reasoning, where);
  else for (const block of list(message.thinking_blocks)) draft.reasoning(text(field(block, "thinking")) ?? "", where);
}

function readToolCall(value: unknown, draft: SessionDraft, where: Where): void {
  const call = record(value);
  if (!isRecord(value)) {
    draft.note("tool-call", value, where);
    return;
  }
  // A call of a custom tool has `custom.input`, plain text.
  const called = isRecord(call.function) ? call.function : isRecord(call.custom) ? call.custom : call;
  draft.call(
    {
      callId: filledText(call.id),
      toolName: text(called.name) ?? "",
      input: called.arguments ?? called.input ?? call.args,
    },
    where,
  );
}

function readToolMessage(message: UnknownRecord, draft: SessionDraft, where: Where): void {
  const isError = message.error === true || message.is_error === true || message.status === "error";
  const output = outputOf(message.content, draft);
  draft.result(
    {
      callId: filledText(message.tool_call_id),
      toolName: filledText(message.name),
      output,
      status: isError ? "failed" : "completed",
      durationMs: number(message.duration_ms),
      ...(isError && { error: { code: "tool-error", message: typeof output === "string" ? output : "" } }),
    },
    where,
  );
}
