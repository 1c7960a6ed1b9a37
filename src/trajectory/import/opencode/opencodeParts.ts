import type { JsonObject } from "../../../base";
import type { FinishReason, Usage } from "../../../session";
import type { SourceRecord } from "../format";
import type { SessionDraft, Where } from "../importBuilder";
import { field, fieldAt, filledText, list, number, text } from "../jsonAccess";
import { present } from "../present";

/** A call and its result are one part, which has a state. */
export function writeTool({ value, origin }: SourceRecord, draft: SessionDraft): void {
  const state = field(value, "state");
  const status = text(field(state, "status"));
  const started = whereOf(origin, fieldAt(state, "time", "start"));
  const ended = whereOf(origin, fieldAt(state, "time", "end") ?? fieldAt(state, "time", "start"));
  const callId = draft.call(
    {
      callId: filledText(field(value, "callID")),
      toolName: text(field(value, "tool")) ?? "",
      input: field(state, "input") ?? field(state, "raw") ?? {},
    },
    started,
  );
  const [start, end] = [number(fieldAt(state, "time", "start")), number(fieldAt(state, "time", "end"))];
  const durationMs = start === undefined || end === undefined ? undefined : end - start;
  if (status === "error") {
    const message = text(field(state, "error")) ?? text(field(state, "output")) ?? "The tool failed";
    if (/reject(ed)? permission|denied permission|permission (was )?(denied|rejected)/i.test(message)) {
      draft.approval({ callId, outcome: "denied", text: message }, ended);
      return draft.result({ callId, output: message, status: "rejected", durationMs }, ended);
    }
    const code = /abort/i.test(message) ? "aborted" : "tool-error";
    return draft.result({ callId, output: message, status: "failed", error: { code, message }, durationMs }, ended);
  }
  // What is pending or running has no result: the recording ends before it.
  if (status !== "completed" && status !== "success") return;
  const output = field(state, "output") ?? null;
  const attachments = list(field(state, "attachments")).map((file) => filePart(file, draft));
  // A result given up to make room is a word for it.
  const absent = fieldAt(state, "time", "compacted") !== undefined;
  draft.result(
    {
      callId,
      output: attachments.length === 0 ? output : [{ type: "text", text: text(output) ?? "" }, ...attachments],
      durationMs,
      ...(absent ? { absent } : {}),
      truncated: fieldAt(state, "metadata", "truncated") === true,
    },
    ended,
  );
  writeEvidence(value, state, draft);
}

/** Tools that change files say how they were before and after. */
function writeEvidence(part: unknown, state: unknown, draft: SessionDraft): void {
  const path =
    filledText(fieldAt(state, "input", "filePath")) ?? filledText(fieldAt(state, "metadata", "filediff", "file"));
  if (path === undefined) return;
  const before = text(fieldAt(state, "metadata", "filediff", "before"));
  const after = text(fieldAt(state, "metadata", "filediff", "after"));
  if (before !== undefined) draft.file(path, before, "before");
  if (after !== undefined) draft.file(path, after, "after");
  const written = text(fieldAt(state, "input", "content"));
  if (field(part, "tool") === "write" && after === undefined && written !== undefined)
    draft.file(path, written, "after");
}

export function filePart(part: unknown, draft: SessionDraft): JsonObject {
  const mediaType = filledText(field(part, "mime")) ?? "application/octet-stream";
  const url = text(field(part, "url")) ?? "";
  const [, data] = /^data:[^,]*;base64,(.*)$/s.exec(url) ?? [];
  if (data !== undefined && mediaType.startsWith("image/")) return draft.image(data, mediaType);
  const filename = filledText(field(part, "filename"));
  return { type: "file", mediaType, url, ...(filename === undefined ? {} : { filename }) };
}

/** Reasoning is billed as output and told apart from it. */
export function usageOf(source: unknown): Usage {
  const tokens = field(source, "tokens");
  const cost = field(source, "cost");
  return present({
    inputTokens: number(field(tokens, "input")),
    outputTokens: number(field(tokens, "output")),
    cacheReadTokens: number(fieldAt(tokens, "cache", "read")),
    cacheWriteTokens: number(fieldAt(tokens, "cache", "write")),
    costUsd: number(cost) ?? number(field(cost, "usd")),
  });
}

export function finishReasonOf(reason: unknown): FinishReason | undefined {
  switch (reason) {
    case "stop":
    case "completed":
      return "stop";
    case "length":
      return "length";
    case "tool-calls":
      return "tool-calls";
    case "content-filter":
      return "content-filter";
    case "error":
      return "error";
    default:
      return typeof reason === "string" ? "other" : undefined;
  }
}

export function whereOf(origin: SourceRecord["origin"], at: unknown): Where {
  return { origin, at: typeof at === "number" || typeof at === "string" ? at : undefined };
}
