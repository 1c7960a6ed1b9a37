import type { JsonObject } from "../../../base";
import type { SessionDraft } from "../importBuilder";
import { field, fieldAt, filledText, isRecord, jsonObject, list, text } from "../jsonAccess";

/** A list of parts as Gemini writes it: one text, one part, or a list of either. */
export function partsOf(content: unknown): readonly unknown[] {
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content : [content];
}

/** The text of parts; what is thought, called or answered is not in it. */
export function textOf(content: unknown): string {
  return partsOf(content)
    .map((part) => (typeof part === "string" ? part : field(part, "thought") === true ? "" : (textOfPart(part) ?? "")))
    .join("");
}

function textOfPart(part: unknown): string | undefined {
  return text(field(part, "text"));
}

/** Images and files of a content, as parts of a message. */
export function mediaOf(content: unknown, draft: SessionDraft): JsonObject[] {
  return partsOf(content).flatMap((part) => {
    const inline = field(part, "inlineData");
    const mediaType = filledText(field(inline, "mimeType"));
    const data = filledText(field(inline, "data"));
    if (mediaType !== undefined && data !== undefined) {
      return mediaType.startsWith("image/")
        ? [draft.image(data, mediaType)]
        : [{ type: "file", mediaType, data } satisfies JsonObject];
    }
    const file = jsonObject(field(part, "fileData"));
    return file === undefined ? [] : [{ type: "file", ...file }];
  });
}

export interface GeminiResponse {
  readonly output: unknown;
  readonly error: string | undefined;
}

/**
 * What a tool answered, as it was sent to the model: the `output` or `error` of the one response there mostly is, the
 * response as it is where it has other fields, and all parts where there are several.
 */
export function responseOf(result: unknown): GeminiResponse | undefined {
  const parts = partsOf(result);
  if (parts.length === 0) return undefined;
  const response = parts.map((part) => fieldAt(part, "functionResponse", "response")).find(isRecord);
  const error = errorText(field(response, "error"));
  if (parts.length > 1) return { output: parts, error };
  if (response === undefined) return { output: textOfPart(parts[0]) ?? parts[0], error };
  const names = Object.keys(response);
  const single = names.length === 1 && (names[0] === "output" || names[0] === "error") ? names[0] : undefined;
  return { output: single === undefined ? response : field(response, single), error };
}

function errorText(error: unknown): string | undefined {
  return filledText(error) ?? filledText(field(error, "message"));
}

/** Texts of thoughts, `subject` over `description`. */
export function thoughtsOf(thoughts: unknown): string {
  return list(thoughts)
    .map((thought) =>
      [filledText(field(thought, "subject")), filledText(field(thought, "description"))]
        .filter((line) => line !== undefined)
        .join("\n"),
    )
    .filter((thought) => thought !== "")
    .join("\n\n");
}
