import type { FinishReason, Usage } from "../../../session";
import type { FormatInput, SourceRecord } from "../format";
import type { FormatFile } from "../importSource";
import type { ImportBuilder, SessionDraft } from "../importBuilder";
import { field, fieldAt, filledText, list, number, text } from "../jsonAccess";
import { present } from "../present";
import { partsOf } from "./geminiContent";

/** Answers of a model kept to be played back: what was asked, and what tools answered, is in no line. */
export async function readGeminiReplay(input: FormatInput, file: FormatFile, out: ImportBuilder): Promise<void> {
  const draft = out.session(file.path);
  out.fidelity({ results: "absent" });
  for await (const entry of input.records(file)) {
    input.progress();
    const method = text(field(entry.value, "method"));
    if (method?.startsWith("generateContent") === true) writeAnswer(entry, draft);
    else draft.note(method ?? "record", entry.value, { origin: entry.origin });
  }
}

function writeAnswer({ value, origin }: SourceRecord, draft: SessionDraft): void {
  const response = field(value, "response");
  // Of a stream all pieces, of a plain call the one answer.
  const pieces = Array.isArray(response) ? list(response) : [response];
  const where = { origin };
  const parts = pieces.flatMap((piece) => partsOf(fieldAt(list(field(piece, "candidates"))[0], "content", "parts")));
  draft.step({ ...where, modelId: pieces.map((piece) => filledText(field(piece, "modelVersion"))).find(Boolean) });
  const texts = (thought: boolean) =>
    parts
      .filter((part) => (field(part, "thought") === true) === thought)
      .map((part) => text(field(part, "text")) ?? "")
      .join("");
  draft.reasoning(texts(true), where);
  draft.message(texts(false), where);
  for (const part of parts) {
    const call = field(part, "functionCall");
    const toolName = text(field(call, "name"));
    if (toolName === undefined) continue;
    draft.call({ callId: filledText(field(call, "id")), toolName, input: field(call, "args") ?? {} }, where);
  }
  const usage = pieces.map((piece) => field(piece, "usageMetadata")).findLast((found) => found !== undefined);
  draft.usage(usageOf(usage), "per-call");
  const reason = pieces
    .map((piece) => text(field(list(field(piece, "candidates"))[0], "finishReason")))
    .findLast((found) => found !== undefined);
  const finish = finishOf(reason);
  if (finish !== undefined) draft.finish(finish);
}

/** Figures of a stream's pieces are totals so far: the last ones are the call's. */
function usageOf(usage: unknown): Usage {
  return present({
    inputTokens: number(field(usage, "promptTokenCount")),
    outputTokens: number(field(usage, "candidatesTokenCount")),
    cacheReadTokens: number(field(usage, "cachedContentTokenCount")),
  });
}

function finishOf(reason: string | undefined): FinishReason | undefined {
  // `STOP` ends an answer with calls as well: the log tells those by the calls.
  if (reason === undefined || reason === "STOP") return undefined;
  if (reason === "MAX_TOKENS") return "length";
  if (/SAFETY|BLOCK|RECITATION|PROHIBITED|SPII/.test(reason)) return "content-filter";
  return "other";
}
