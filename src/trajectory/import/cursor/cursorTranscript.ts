import type { SourceRecord } from "../format";
import type { SessionDraft, Where } from "../importBuilder";
import { field, filledText, list, text } from "../jsonAccess";
import { outcomeOf, questionOf, textOf } from "./cursorContent";

/** What a transcript has said so far. */
export interface TranscriptNotes {
  /** Ids of its calls: a result may name an id its call was written without. */
  readonly ids: Set<string>;
  /** Calls that give somebody a task. */
  readonly tasks: { readonly callId: string; readonly prompt: string | undefined }[];
  /** The first thing that was asked. */
  question?: string;
}

const TASK = /^(?:agent|task|subagent|launch_?agent|spawn_?agent)$/i;

/** One line of a transcript the editor keeps: a message, and no results but where a later version writes them. */
export function writeTranscriptLine(
  { value, origin }: SourceRecord,
  draft: SessionDraft,
  notes: TranscriptNotes,
): void {
  const where = { origin };
  const content = field(field(value, "message"), "content");
  const role = text(field(value, "role"));
  if (role === "user") writeUser(value, content, draft, where, notes);
  else if (role === "assistant") {
    draft.step({ ...where, modelId: filledText(field(value, "model")) });
    if (typeof content === "string") draft.message(content, where);
    for (const block of list(content)) writeBlock(block, draft, where, notes);
  } else draft.note(role ?? "line", value, where);
}

function writeUser(line: unknown, content: unknown, draft: SessionDraft, where: Where, notes: TranscriptNotes): void {
  const blocks = list(content);
  const results = blocks.filter((block) => /^tool[-_]result$/.test(text(field(block, "type")) ?? ""));
  for (const block of results) {
    const status = text(field(field(line, "metadata"), "toolResultStatus"));
    const failed = status === "error" || field(block, "is_error") === true;
    const output = textOf(field(block, "content"));
    const named = filledText(field(block, "tool_use_id")) ?? filledText(field(block, "tool_call_id"));
    draft.result(
      {
        callId: named !== undefined && notes.ids.has(named) ? named : undefined,
        toolName: filledText(field(block, "name")),
        output,
        ...(failed ? { status: "failed", error: { code: "tool-error", message: output } } : {}),
      },
      where,
    );
  }
  if (results.length > 0 && results.length === blocks.length) return;
  const question = questionOf(textOf(content));
  notes.question ??= question;
  draft.user(question, where);
}

function writeBlock(block: unknown, draft: SessionDraft, where: Where, notes: TranscriptNotes): void {
  const kind = text(field(block, "type")) ?? "block";
  if (kind === "text") draft.message(text(field(block, "text")) ?? "", where);
  else if (kind === "thinking")
    draft.reasoning(text(field(block, "thinking")) ?? text(field(block, "text")) ?? "", where);
  else if (kind === "tool_use" || kind === "tool_call") {
    const callId = filledText(field(block, "id")) ?? filledText(field(block, "call_id"));
    const input = field(block, "input") ?? field(block, "args") ?? {};
    const toolName = text(field(block, "name")) ?? "";
    const made = draft.call({ callId, toolName, input }, where);
    if (callId !== undefined) notes.ids.add(callId);
    const prompt = text(field(input, "prompt"));
    if (TASK.test(toolName)) notes.tasks.push({ callId: made, prompt });
    const result = field(block, "result");
    if (result === undefined) return;
    const { output, failure } = outcomeOf(result, undefined);
    draft.result(
      { callId: made, output, ...(failure === undefined ? {} : { status: "failed", error: failure }) },
      where,
    );
  } else draft.note(kind, block, where);
}
