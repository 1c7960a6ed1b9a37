import type { JsonValue } from "../../../base";
import type { ResultDraft, SessionDraft, Where } from "../importBuilder";
import { field, fieldAt, filledText, isRecord, list, number, text } from "../jsonAccess";
import { INTERRUPTED, isBlock } from "./entry";

/** How results say that a person, or the rules a person set, refused the call. */
const REFUSED =
  /^(The user doesn't want to (proceed with this tool use|take this action right now)|Claude requested permissions to |Permission to use .{1,80} has been denied|User rejected)/;
const SAID = /the user said:\s*([\s\S]*)$/;

/**
 * A result as the model was told it, and what the program noted beside it (`toolUseResult`): the evidence of what was on
 * the disk, answers to questions, how long it took.
 */
export function writeToolResult(
  draft: SessionDraft,
  block: unknown,
  noted: unknown,
  where: Where & { readonly denied: ReadonlySet<string> },
): void {
  const callId = filledText(field(block, "tool_use_id"));
  const output = outputOf(draft, field(block, "content"));
  const said = typeof output === "string" ? output : firstText(output);
  const isError = field(block, "is_error") === true;
  const isDenied = where.denied.has(callId ?? "") || REFUSED.test(said);
  const isRefused = isError && (isDenied || text(noted)?.startsWith("User rejected") === true);
  if (isRefused && callId !== undefined) {
    const word = SAID.exec(said)?.[1]?.trim();
    draft.approval({ callId, outcome: "denied", text: word === undefined || word === "" ? undefined : word }, where);
  } else if (callId !== undefined && said.startsWith("User has approved your plan")) {
    draft.approval({ callId, outcome: "approved", prompt: "Carry out this plan?" }, where);
  }
  writeAnswers(draft, callId, noted, where);
  draft.result(
    {
      callId,
      output,
      ...statusOf(isError, isRefused, said, noted),
      durationMs: number(field(noted, "totalDurationMs")) ?? number(field(noted, "durationMs")),
      truncated: said.startsWith("<persisted-output>"),
    },
    where,
  );
  writeEvidence(draft, noted);
}

function statusOf(
  isError: boolean,
  isRefused: boolean,
  said: string,
  noted: unknown,
): Pick<ResultDraft, "status" | "error"> {
  if (isRefused) return { status: "rejected", error: { code: "denied", message: said } };
  if (said.startsWith(INTERRUPTED) || field(noted, "interrupted") === true) {
    return {
      status: "failed",
      error: { code: "interrupted", message: said === "" ? "The call was interrupted." : said },
    };
  }
  return { status: isError ? "failed" : "completed" };
}

/** A text, or a list of parts with images in the blobs. */
export function outputOf(draft: SessionDraft, content: unknown): JsonValue {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined ? "" : (content as JsonValue);
  const parts = list(content).map((part) => partOf(draft, part));
  const [only] = parts;
  if (parts.length === 1 && isRecord(only) && only["type"] === "text" && typeof only["text"] === "string") {
    return only["text"];
  }
  return parts;
}

/** A part of a message with its image in the blobs; others as they are. */
export function partOf(draft: SessionDraft, part: unknown): JsonValue {
  const data = text(fieldAt(part, "source", "data"));
  if (!isBlock(part, "image") && !isBlock(part, "document"))
    return typeof part === "string" ? { type: "text", text: part } : (part as JsonValue);
  if (data === undefined || fieldAt(part, "source", "type") !== "base64") return part as JsonValue;
  return {
    ...draft.image(data, text(fieldAt(part, "source", "media_type")) ?? "image/png"),
    type: text(field(part, "type")) ?? "image",
  };
}

function firstText(output: JsonValue): string {
  for (const part of list(output)) {
    const said = text(field(part, "text"));
    if (said !== undefined) return said;
  }
  return "";
}

/** `AskUserQuestion` notes each question with what the person chose. */
function writeAnswers(draft: SessionDraft, callId: string | undefined, noted: unknown, where: Where): void {
  const answers = field(noted, "answers");
  if (!isRecord(answers)) return;
  for (const question of list(field(noted, "questions"))) {
    const prompt = text(field(question, "question"));
    if (prompt === undefined) continue;
    const answer = field(answers, prompt);
    const chosen = Array.isArray(answer) ? answer.filter((each) => typeof each === "string").join(", ") : text(answer);
    draft.question({ callId, prompt, answer: chosen }, where);
  }
}

function writeEvidence(draft: SessionDraft, noted: unknown): void {
  const file = field(noted, "file");
  const readPath = text(field(file, "filePath"));
  const content = text(field(file, "content"));
  if (readPath !== undefined && content !== undefined && isWhole(file)) draft.file(readPath, content, "full");
  const path = text(field(noted, "filePath"));
  if (path === undefined) return;
  const before = text(field(noted, "originalFile")) ?? text(field(noted, "originalFileContents"));
  if (before !== undefined) draft.file(path, before, "before");
  const after = text(field(noted, "content")) ?? (before === undefined ? undefined : edited(before, noted));
  if (after !== undefined) draft.file(path, after, "after");
}

function isWhole(file: unknown): boolean {
  const total = number(field(file, "totalLines"));
  const lines = number(field(file, "numLines"));
  return (number(field(file, "startLine")) ?? 1) <= 1 && (total === undefined || lines === undefined || lines >= total);
}

/** The text after the edits that were noted; `undefined` when one of them does not fit. */
function edited(before: string, noted: unknown): string | undefined {
  const edits = Array.isArray(field(noted, "edits")) ? list(field(noted, "edits")) : [noted];
  let content = before;
  for (const edit of edits) {
    const from = text(field(edit, "oldString")) ?? text(field(edit, "old_string"));
    const to = text(field(edit, "newString")) ?? text(field(edit, "new_string"));
    if (from === undefined || to === undefined) return undefined;
    const isAll = field(edit, "replaceAll") === true || field(edit, "replace_all") === true;
    if (from === "") content = content === "" ? to : content;
    else if (!content.includes(from)) return undefined;
    else content = isAll ? content.replaceAll(from, () => to) : content.replace(from, () => to);
  }
  return content;
}
