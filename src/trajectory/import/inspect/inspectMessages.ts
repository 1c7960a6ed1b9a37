import { canonicalJson, type JsonObject } from "../../../base";
import type { FinishReason, Usage } from "../../../session";
import type { SessionDraft, Where } from "../importBuilder";
import { field, fieldAt, filledText, isRecord, jsonObject, list, number, text } from "../jsonAccess";
import { present } from "../present";

const DATA_URL = /^data:([\w.+/-]+);base64,(.*)$/s;

/** What a message is told from others by: its id, where it has one. */
export function messageKey(message: unknown): string {
  const id = filledText(field(message, "id"));
  if (id !== undefined) return `id ${id}`;
  const role = text(field(message, "role")) ?? "";
  const calls = list(field(message, "tool_calls")).map((call) => [field(call, "id"), field(call, "function")]);
  try {
    return canonicalJson([role, field(message, "content") ?? null, calls, field(message, "tool_call_id") ?? null]);
  } catch {
    return role;
  }
}

/** The text of a content, a string or a list of parts. */
export function textOfContent(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((part) => (field(part, "type") === "text" ? (text(field(part, "text")) ?? "") : ""))
    .filter((part) => part !== "")
    .join("\n");
}

export function reasoningOfContent(content: unknown): string {
  return list(content)
    .filter((part) => field(part, "type") === "reasoning")
    .map((part) =>
      field(part, "redacted") === true
        ? (text(field(part, "summary")) ?? "")
        : (text(field(part, "reasoning")) ?? text(field(part, "summary")) ?? ""),
    )
    .filter((part) => part !== "")
    .join("\n");
}

/** Parts that are no text, images as blobs. */
export function mediaOfContent(content: unknown, draft: SessionDraft): JsonObject[] {
  return list(content).flatMap((part) => {
    const kind = text(field(part, "type"));
    if (kind === "image") return [imageOf(part, draft)];
    const media = jsonObject(part);
    return media === undefined || kind === "text" || kind === "reasoning" || kind === "tool_use" ? [] : [media];
  });
}

function imageOf(part: unknown, draft: SessionDraft): JsonObject {
  const image = text(field(part, "image")) ?? "";
  const [, mediaType, data] = DATA_URL.exec(image) ?? [];
  if (mediaType !== undefined && data !== undefined) return draft.image(data, mediaType);
  return { type: "image", url: image };
}

/** What a tool answered, as the model was told it: a text where all of it is one. */
export function outputOfContent(content: unknown, draft: SessionDraft): unknown {
  if (!Array.isArray(content)) return content ?? null;
  const media = mediaOfContent(content, draft);
  const words = textOfContent(content);
  if (media.length === 0) return words;
  return [...(words === "" ? [] : [{ type: "text", text: words }]), ...media];
}

/** A model's message: what it thought, said and called. @returns the ids of its calls */
export function writeAssistantMessage(message: unknown, draft: SessionDraft, where: Where): string[] {
  const content = field(message, "content");
  draft.reasoning(filledText(field(message, "reasoning")) ?? reasoningOfContent(content), where);
  draft.message(textOfContent(content), where);
  const ids = list(field(message, "tool_calls")).map((call) => {
    const parseError = filledText(field(call, "parse_error"));
    return draft.call(
      {
        callId: filledText(field(call, "id")),
        toolName: text(field(call, "function")) ?? "",
        input: field(call, "arguments") ?? {},
        ...(parseError === undefined ? {} : { providerMetadata: { inspect: { parseError } } }),
      },
      where,
    );
  });
  for (const part of list(content))
    if (field(part, "type") === "tool_use") ids.push(writeServerTool(part, draft, where));
  return ids;
}

/** A tool the provider ran: call and result are one part of the message. */
function writeServerTool(part: unknown, draft: SessionDraft, where: Where): string {
  const callId = draft.call(
    {
      callId: filledText(field(part, "id")),
      toolName: text(field(part, "name")) ?? text(field(part, "tool_type")) ?? "",
      input: field(part, "arguments") ?? {},
    },
    where,
  );
  const error = filledText(field(part, "error"));
  draft.result(
    {
      callId,
      output: field(part, "result") ?? error ?? null,
      ...(error === undefined ? {} : { status: "failed", error: { code: "tool-error", message: error } }),
    },
    where,
  );
  return callId;
}

/** How a tool ended: `approval` is a person's or a policy's no, `cancelled` an operator's stop. */
export function writeToolResult(
  answer: {
    readonly callId: string | undefined;
    readonly toolName: string | undefined;
    readonly content: unknown;
    readonly error: unknown;
    readonly durationMs?: number | undefined;
    readonly truncated?: boolean;
  },
  draft: SessionDraft,
  where: Where,
): void {
  const { error, content, ...known } = answer;
  const output = outputOfContent(content, draft);
  if (!isRecord(error)) return draft.result({ ...known, output }, where);
  const code = filledText(field(error, "type")) ?? "tool-error";
  const message = text(field(error, "message")) ?? "";
  draft.result(
    {
      ...known,
      output: output === null || output === "" ? message : output,
      status: code === "approval" ? "rejected" : "failed",
      error: { code, message },
      truncated: known.truncated === true || code === "output_limit",
    },
    where,
  );
}

export function usageOfOutput(output: unknown): Usage {
  return usageOfCounts(field(output, "usage"));
}

export function usageOfCounts(usage: unknown): Usage {
  return present({
    inputTokens: number(field(usage, "input_tokens")),
    outputTokens: number(field(usage, "output_tokens")),
    cacheReadTokens: number(field(usage, "input_tokens_cache_read")),
    cacheWriteTokens: number(field(usage, "input_tokens_cache_write")),
    costUsd: number(field(usage, "total_cost")),
  });
}

export function finishReasonOf(output: unknown): FinishReason | undefined {
  switch (text(fieldAt(list(field(output, "choices"))[0], "stop_reason"))) {
    case "stop":
      return "stop";
    case "max_tokens":
    case "model_length":
      return "length";
    case "tool_calls":
      return "tool-calls";
    case "content_filter":
      return "content-filter";
    case "unknown":
      return "other";
    default:
      return undefined;
  }
}
