import type { Usage } from "../../../session";
import type { SessionDraft, Where } from "../importBuilder";
import { field, filledText, isRecord, jsonValue, list, number, record, text, type UnknownRecord } from "../jsonAccess";
import { finishReason } from "../openaiChat/chatUsage";
import { messageContent, outputOf } from "../openaiChat/messageContent";
import { present } from "../present";

/** Figures of a message as it reports them: what was read from or written to a cache is not in its `input_tokens`. */
export function anthropicUsage(value: unknown): Usage | undefined {
  const usage = record(value);
  const read = present({
    inputTokens: number(usage.input_tokens),
    outputTokens: number(usage.output_tokens),
    cacheReadTokens: number(usage.cache_read_input_tokens),
    cacheWriteTokens: number(usage.cache_creation_input_tokens),
  });
  return Object.keys(read).length > 0 ? read : undefined;
}

/** A whole response: one step. Tools of the server are call and result in it. */
export function readAssistantMessage(message: UnknownRecord, draft: SessionDraft, where: Where): void {
  draft.step({ ...where, id: filledText(message.id), modelId: filledText(message.model) });
  const content = typeof message.content === "string" ? [message.content] : list(message.content);
  for (const block of content) readModelBlock(block, draft, where);
  const usage = anthropicUsage(message.usage);
  if (usage !== undefined) draft.usage(usage, "per-call");
  const reason = finishReason(message.stop_reason);
  if (reason !== undefined) draft.finish(reason);
}

function readModelBlock(value: unknown, draft: SessionDraft, where: Where): void {
  const block = record(value);
  const type = text(block.type) ?? "";
  if (typeof value === "string") draft.message(value, where);
  else if (type === "text") draft.message(text(block.text) ?? "", where);
  else if (type === "thinking" || type === "redacted_thinking") readThinking(block, draft, where);
  else if (/(?:^|_)tool_use$/.test(type))
    draft.call(
      present({
        callId: filledText(block.id),
        toolName: text(block.name) ?? "",
        input: block.input,
        providerMetadata:
          type === "tool_use" ? undefined : { anthropic: present({ type, serverName: filledText(block.server_name) }) },
      }),
      where,
    );
  else if (type === "compaction") draft.compaction(present({ summary: filledText(block.content) }), where);
  else if (isResultBlock(block)) readResultBlock(block, draft, where);
  else draft.note(type === "" ? "block" : type, value, where);
}

/** What was thought, with what the provider wants back of it. */
function readThinking(block: UnknownRecord, draft: SessionDraft, where: Where): void {
  const sealed = present({ signature: filledText(block.signature), redactedData: filledText(block.data) });
  const providerMetadata = Object.keys(sealed).length === 0 ? undefined : { anthropic: sealed };
  draft.reasoning(text(block.thinking) ?? "", { ...where, providerMetadata });
}

export function isResultBlock(block: UnknownRecord): boolean {
  return /(?:^|_)tool_result$/.test(text(block.type) ?? "");
}

/** `tool_result`, and the results of the server's tools, whose errors are a content of their own. */
export function readResultBlock(block: UnknownRecord, draft: SessionDraft, where: Where): void {
  const { content } = block;
  const errorCode = text(field(content, "error_code"));
  const isError = block.is_error === true || errorCode !== undefined;
  const output = Array.isArray(content) || isRecord(content) ? outputOf(content, draft) : jsonValue(content);
  draft.result(
    {
      callId: filledText(block.tool_use_id),
      output,
      status: isError ? "failed" : "completed",
      ...(content === undefined && { absent: true }),
      ...(isError && {
        error: { code: errorCode ?? "tool-error", message: typeof output === "string" ? output : (errorCode ?? "") },
      }),
    },
    where,
  );
}

/** A message of the user's side: results of tools first, then what a person wrote, if anything. */
export function readUserMessage(message: UnknownRecord, draft: SessionDraft, where: Where): void {
  const blocks = Array.isArray(message.content) ? list(message.content) : [message.content];
  const results = blocks.filter((block) => isResultBlock(record(block)));
  for (const block of results) readResultBlock(record(block), draft, where);
  const rest = blocks.filter((block) => !isResultBlock(record(block)));
  if (rest.length === 0) return;
  const { text: written, parts } = messageContent(rest, draft);
  if (results.length > 0 && written === "" && parts === undefined) return;
  draft.user(written, present({ ...where, parts }));
}
