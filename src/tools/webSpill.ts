import { limits, type JsonObject } from "../base";
import { counted } from "./counted";
import { byteCount, firstBytes } from "./cutText";
import type { ToolCall } from "./tool";

/** The part of a web tool's value that holds its text, or says where it is. */
export interface ShownText extends JsonObject {
  readonly text?: string;
  /** Bytes that are not in `text`, where there was no place to put them. */
  readonly missingBytes?: number;
  /** The file that holds the whole text instead. */
  readonly output_location?: string;
  readonly textSize?: number;
  readonly totalLines?: number;
}

/**
 * A text as a web tool answers it: in line while it is small, else in a file of the turn's own, by its path. Where a call
 * has no such place it is cut.
 * @throws PathError
 */
export async function shownText(text: string, call: ToolCall): Promise<ShownText> {
  const textSize = byteCount(text);
  if (textSize <= limits.webInlineBytes) return { text };
  if (call.spill === undefined) {
    const start = firstBytes(text, limits.webInlineBytes);
    return { text: start, missingBytes: textSize - byteCount(start) };
  }
  return { output_location: await call.spill(text), textSize, totalLines: text.split("\n").length };
}

/** What the model reads of it; `undefined` for a value of another shape. */
export function textFromShown(value: JsonObject): string | undefined {
  const { text, missingBytes, output_location: path, textSize, totalLines } = value as ShownText;
  if (typeof path === "string") {
    const size = typeof textSize === "number" ? `${Math.ceil(textSize / 1024)} KB` : "too large";
    const lines = typeof totalLines === "number" ? `, ${counted(totalLines, "line")}` : "";
    return `The text is too large to show (${size}${lines}). It is in ${path}: use Read or Grep on that path.`;
  }
  if (typeof text !== "string") return undefined;
  return typeof missingBytes === "number" ? `${text}\n[${counted(missingBytes, "more byte")} not shown]` : text;
}
