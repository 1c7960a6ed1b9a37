import { type Usage } from "../../../session";
import type { SourceRecord } from "../format";
import type { SessionDraft, Where } from "../importBuilder";
import { field, fieldAt, filledText, list, number, text } from "../jsonAccess";
import { present } from "../present";
import { mediaOf, responseOf, textOf, thoughtsOf } from "./geminiContent";

type At = Pick<Where, "origin" | "at" | "replay">;

/** One message of a recorded conversation; `replay: false` where another session has counted it. */
export function writeGeminiMessage(message: SourceRecord, draft: SessionDraft, replay?: false): void {
  const { value, origin } = message;
  const where: At = { origin, at: text(field(value, "timestamp")), replay };
  const kind = text(field(value, "type"));
  if (kind === "user") {
    const content = contentOf(value);
    const parts = mediaOf(content, draft);
    draft.user(textOf(content), parts.length === 0 ? where : { ...where, parts });
  } else if (kind === "gemini" || kind === "model") writeResponse(value, draft, where);
  else draft.note(kind ?? "message", value, where);
}

/** Some versions have `parts`, as what is sent to the model does. */
function contentOf(message: unknown): unknown {
  return field(message, "content") ?? field(message, "parts");
}

/** Whether a person stopped it here: the program says so, or a call was refused or cut off, which ends its request too. */
export function isCancelled({ value }: SourceRecord): boolean {
  if (list(field(value, "toolCalls")).some((call) => field(call, "status") === "cancelled")) return true;
  return field(value, "type") === "info" && /^Request cancelled\.?$/.test(textOf(contentOf(value)));
}

function writeResponse(value: unknown, draft: SessionDraft, where: At): void {
  draft.step({ ...where, id: filledText(field(value, "id")), modelId: filledText(field(value, "model")) });
  draft.reasoning(thoughtsOf(field(value, "thoughts")), where);
  draft.message(textOf(contentOf(value)), where);
  const calls = list(field(value, "toolCalls"));
  draft.usage(usageOf(field(value, "tokens")), "per-call");
  // The calls of one response are made together, whichever was answered first.
  const made = calls.map((call) => ({ call, callId: writeCall(call, draft, where) }));
  for (const { call, callId } of made) writeResult(call, callId, draft, where);
}

function whereOfCall(call: unknown, where: At): At {
  return { ...where, at: text(field(call, "timestamp")) ?? where.at };
}

function writeCall(call: unknown, draft: SessionDraft, where: At): string {
  return draft.call(
    {
      callId: filledText(field(call, "id")),
      toolName: text(field(call, "name")) ?? "",
      input: field(call, "args") ?? {},
    },
    where,
  );
}

function writeResult(call: unknown, callId: string, draft: SessionDraft, where: At): void {
  const status = text(field(call, "status"));
  const at = whereOfCall(call, where);
  const response = responseOf(field(call, "result"));
  const message = response?.error ?? filledText(field(call, "resultDisplay"));
  if (status === "cancelled") {
    if (refused(message)) {
      draft.approval({ callId, outcome: "denied", ...(message === undefined ? {} : { text: message }) }, at);
      draft.result({ callId, output: response?.output ?? null, status: "rejected" }, at);
      return;
    }
    const error = { code: "cancelled", message: message ?? "The call was cancelled" };
    draft.result({ callId, output: response?.output ?? null, status: "failed", error }, at);
  } else if (status === "error" || (status !== "success" && response?.error !== undefined)) {
    const error = { code: "tool-error", message: message ?? "The tool failed" };
    draft.result({ callId, output: response?.output ?? message ?? null, status: "failed", error }, at);
  } else if (response !== undefined || status === "success") {
    draft.result({ callId, output: response?.output ?? null, absent: response === undefined }, at);
    writeEvidence(call, response?.output, draft);
  }
  // Any other status is that of a call that never ended.
}

function refused(message: string | undefined): boolean {
  return message !== undefined && /did not allow|user (declined|rejected|denied)/i.test(message);
}

/** What a call tells of a file: a whole text read, or the texts before and after a change. */
function writeEvidence(call: unknown, output: unknown, draft: SessionDraft): void {
  const path =
    filledText(fieldAt(call, "args", "absolute_path")) ??
    filledText(fieldAt(call, "args", "file_path")) ??
    filledText(fieldAt(call, "args", "path"));
  if (path === undefined) return;
  const before = text(fieldAt(call, "resultDisplay", "originalContent"));
  const after = text(fieldAt(call, "resultDisplay", "newContent"));
  if (before !== undefined) draft.file(path, before, "before");
  if (after !== undefined) draft.file(path, after, "after");
  const ranged = ["offset", "limit", "start_line", "end_line"].some(
    (name) => fieldAt(call, "args", name) !== undefined,
  );
  const whole = text(output);
  if (field(call, "name") === "read_file" && !ranged && whole !== undefined && !whole.startsWith("IMPORTANT:")) {
    draft.file(path, whole, "full");
  }
}

/** `input` counts what came from the cache too; what was thought is in `thoughts` alone. */
function usageOf(tokens: unknown): Usage {
  return present({
    inputTokens: number(field(tokens, "input")),
    outputTokens: number(field(tokens, "output")),
    cacheReadTokens: number(field(tokens, "cached")),
  });
}
