import type { SourceRecord } from "../format";
import type { FormatFile } from "../importSource";
import type { ImportBuilder, SessionDraft } from "../importBuilder";
import { field, fieldAt, filledText, isRecord, list, text } from "../jsonAccess";
import { mediaOf, partsOf, responseOf, textOf } from "./geminiContent";

/** A saved chat: the contents sent to the model, as a list or the `history` of a document. */
export function readGeminiHistory({ value, origin }: SourceRecord, file: FormatFile, out: ImportBuilder): void {
  const modelId = filledText(fieldAt(value, "meta", "model"));
  const title = filledText(field(value, "summary"));
  const draft = out.session(file.path, {
    ...(modelId === undefined ? {} : { modelId }),
    ...(title === undefined ? {} : { title }),
  });
  const pointer = Array.isArray(value) ? "" : "/history";
  for (const [index, content] of list(Array.isArray(value) ? value : field(value, "history")).entries()) {
    writeContent({ value: content, origin: { ...origin, pointer: `${pointer}/${index}` } }, draft);
  }
}

function writeContent({ value, origin }: SourceRecord, draft: SessionDraft): void {
  const where = { origin, at: atOf(field(value, "ts") ?? field(value, "timestamp")) };
  const parts = partsOf(field(value, "parts"));
  const role = text(field(value, "role"));
  if (role === "model" || role === "gemini") {
    draft.step(where);
    const thoughts = parts.filter((part) => field(part, "thought") === true);
    draft.reasoning(thoughts.map((part) => text(field(part, "text")) ?? "").join(""), where);
    draft.message(textOf(parts), where);
    for (const part of parts) {
      const toolName = text(fieldAt(part, "functionCall", "name"));
      if (toolName === undefined) continue;
      const input = fieldAt(part, "functionCall", "args") ?? {};
      draft.call({ callId: filledText(fieldAt(part, "functionCall", "id")), toolName, input }, where);
    }
    return;
  }
  const answers = parts.filter((part) => isRecord(field(part, "functionResponse")));
  for (const answer of answers) {
    const response = responseOf(answer);
    draft.result(
      {
        callId: filledText(fieldAt(answer, "functionResponse", "id")),
        toolName: filledText(fieldAt(answer, "functionResponse", "name")),
        output: response?.output ?? null,
        ...(response?.error === undefined
          ? {}
          : { status: "failed", error: { code: "tool-error", message: response.error } }),
      },
      where,
    );
  }
  if (answers.length > 0 && answers.length === parts.length) return;
  if (role !== "user") return draft.note(role ?? "content", value, where);
  const media = mediaOf(parts, draft);
  draft.user(textOf(parts), media.length === 0 ? where : { ...where, parts: media });
}

function atOf(value: unknown): string | number | undefined {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}
