import type { JsonObject } from "../../../base";
import type { FinishReason, Usage } from "../../../session";
import type { SourceRecord } from "../format";
import type { SessionDraft, Where } from "../importBuilder";
import { field, fieldAt, filledText, list, number, text } from "../jsonAccess";
import { present } from "../present";

/** One entry of a path; `replay: false` where another path has counted it. */
export function writePiEntry({ value, origin }: SourceRecord, draft: SessionDraft, replay?: false): void {
  const at = field(value, "timestamp");
  const where: Where = { origin, at: typeof at === "string" || typeof at === "number" ? at : undefined, replay };
  const kind = text(field(value, "type")) ?? "entry";
  if (kind === "message") return writeMessage(field(value, "message"), draft, where);
  if (kind === "compaction") {
    const tokensBefore = number(field(value, "tokensBefore"));
    const summary = text(field(value, "summary"));
    return draft.compaction(
      { ...(summary === undefined ? {} : { summary }), ...(tokensBefore === undefined ? {} : { tokensBefore }) },
      where,
    );
  }
  if (kind === "model_change") {
    const modelId = filledText(field(value, "modelId"));
    if (modelId !== undefined && replay !== false) draft.about({ modelId });
  }
  if (kind === "session_info" && replay !== false) {
    const title = filledText(field(value, "name"));
    if (title !== undefined) draft.about({ title });
  }
  draft.note(kind, value, where);
}

function writeMessage(message: unknown, draft: SessionDraft, where: Where): void {
  const content = field(message, "content");
  const role = text(field(message, "role"));
  if (role === "user") {
    const parts = imagesOf(content, draft);
    draft.user(textOf(content), parts.length === 0 ? where : { ...where, parts });
  } else if (role === "assistant") writeResponse(message, draft, where);
  else if (role === "toolResult") writeResult(message, draft, where);
  // A command a person ran, a note of an extension: said to the model, asked by nobody.
  else draft.note(role ?? "message", message, where);
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((part) => (field(part, "type") === "text" ? (text(field(part, "text")) ?? "") : ""))
    .filter((part) => part !== "")
    .join("\n");
}

function imagesOf(content: unknown, draft: SessionDraft): JsonObject[] {
  return list(content).flatMap((part) => {
    const data = text(field(part, "data"));
    const mediaType = filledText(field(part, "mimeType"));
    return field(part, "type") === "image" && data !== undefined && mediaType !== undefined
      ? [draft.image(data, mediaType)]
      : [];
  });
}

function writeResponse(message: unknown, draft: SessionDraft, where: Where): void {
  draft.step({ ...where, modelId: filledText(field(message, "model")) });
  for (const part of list(field(message, "content"))) {
    const kind = field(part, "type");
    if (kind === "thinking") draft.reasoning(text(field(part, "thinking")) ?? "", where);
    else if (kind === "text") draft.message(text(field(part, "text")) ?? "", where);
    else if (kind === "toolCall") {
      const input = field(part, "arguments") ?? {};
      draft.call({ callId: filledText(field(part, "id")), toolName: text(field(part, "name")) ?? "", input }, where);
    }
  }
  if (typeof field(message, "content") === "string") draft.message(textOf(field(message, "content")), where);
  if (where.replay === false) return;
  draft.usage(usageOf(field(message, "usage")), "per-call");
  const reason = text(field(message, "stopReason"));
  const failure = filledText(field(message, "errorMessage"));
  if (reason === "aborted") draft.endTurn({ kind: "cancelled", code: "aborted", message: failure ?? "Aborted" }, where);
  else if (reason === "error") draft.stepFailed("model-error", failure ?? "The model's answer failed", where);
  else {
    const finish = FINISHES.get(reason ?? "");
    if (finish !== undefined) draft.finish(finish);
  }
}

const FINISHES: ReadonlyMap<string, FinishReason> = new Map([
  ["stop", "stop"],
  ["length", "length"],
  ["toolUse", "tool-calls"],
]);

function writeResult(message: unknown, draft: SessionDraft, where: Where): void {
  const words = textOf(field(message, "content"));
  const images = imagesOf(field(message, "content"), draft);
  const failed = field(message, "isError") === true;
  draft.result(
    {
      callId: filledText(field(message, "toolCallId")),
      toolName: filledText(field(message, "toolName")),
      output: images.length === 0 ? words : [{ type: "text", text: words }, ...images],
      truncated: fieldAt(message, "details", "truncation", "truncated") === true,
      ...(failed ? { status: "failed", error: { code: "tool-error", message: words } } : {}),
    },
    where,
  );
}

function usageOf(usage: unknown): Usage {
  return present({
    inputTokens: number(field(usage, "input")),
    outputTokens: number(field(usage, "output")),
    cacheReadTokens: number(field(usage, "cacheRead")),
    cacheWriteTokens: number(field(usage, "cacheWrite")),
    costUsd: number(fieldAt(usage, "cost", "total")),
  });
}
