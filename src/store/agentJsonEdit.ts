import { applyEdits, modify } from "jsonc-parser";
import type { JsonValue } from "../base";

const FORMATTING = { insertSpaces: true, tabSize: 2, eol: "\n" };

/** The text with one field changed, put in or (`undefined`) taken out; what else a person wrote stays as they wrote it. */
export function agentJsonWithField(text: string, field: string, value: JsonValue | undefined): string {
  return applyEdits(text, modify(text, [field], value, { formattingOptions: FORMATTING }));
}
