import type { SourceRecord } from "../format";
import type { SessionDraft, Where } from "../importBuilder";
import { field, filledText, list, text } from "../jsonAccess";
import { outcomeOf, questionOf, textOf } from "./cursorContent";

/**
 * One line of a transcript the editor keeps: a message, and no results but where a later version writes them. `ids` are
 * those of the calls so far: a result may name an id its call was written without.
 */
export function writeTranscriptLine({ value, origin }: SourceRecord, draft: SessionDraft, ids: Set<string>): void {
  const where = { origin };
  const content = field(field(value, "message"), "content");
  const role = text(field(value, "role"));
  if (role === "user") writeUser(value, content, draft, where, ids);
  else if (role === "assistant") {
    draft.step({ ...where, modelId: filledText(field(value, "model")) });
    if (typeof content === "string") draft.message(content, where);
    for (const block of list(content)) writeBlock(block, draft, where, ids);
  } else draft.note(role ?? "line", value, where);
}

function writeUser(line: unknown, content: unknown, draft: SessionDraft, where: Where, ids: ReadonlySet<string>): void {
  const blocks = list(content);
  const results = blocks.filter((block) => /^tool[-_]result$/.test(text(field(block, "type")) ?? ""));
  for (const block of results) {
    const status = text(field(field(line, "metadata"), "toolResultStatus"));
    const failed = status === "error" || field(block, "is_error") === true;
    const output = textOf(field(block, "content"));
    const named = filledText(field(block, "tool_use_id")) ?? filledText(field(block, "tool_call_id"));
    draft.result(
      {
        callId: named !== undefined && ids.has(named) ? named : undefined,
        toolName: filledText(field(block, "name")),
        output,
        ...(failed ? { status: "failed", error: { code: "tool-error", message: output } } : {}),
      },
      where,
    );
  }
  if (results.length > 0 && results.length === blocks.length) return;
  draft.user(questionOf(textOf(content)), where);
}

function writeBlock(block: unknown, draft: SessionDraft, where: Where, ids: Set<string>): void {
  const kind = text(field(block, "type")) ?? "block";
  if (kind === "text") draft.message(text(field(block, "text")) ?? "", where);
  else if (kind === "thinking")
    draft.reasoning(text(field(block, "thinking")) ?? text(field(block, "text")) ?? "", where);
  else if (kind === "tool_use" || kind === "tool_call") {
    const callId = filledText(field(block, "id")) ?? filledText(field(block, "call_id"));
    const input = field(block, "input") ?? field(block, "args") ?? {};
    const made = draft.call({ callId, toolName: text(field(block, "name")) ?? "", input }, where);
    if (callId !== undefined) ids.add(callId);
    const result = field(block, "result");
    if (result === undefined) return;
    const { output, failure } = outcomeOf(result, undefined);
    draft.result(
      { callId: made, output, ...(failure === undefined ? {} : { status: "failed", error: failure }) },
      where,
    );
  } else draft.note(kind, block, where);
}
