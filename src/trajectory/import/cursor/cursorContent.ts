import { field, filledText, isRecord, list, text } from "../jsonAccess";

/** What a person typed, without the frame the editor puts around it. */
export function questionOf(words: string): string {
  const [, inner] = /^\s*<user_query>\s*([\s\S]*?)\s*<\/user_query>\s*$/.exec(words) ?? [];
  return inner ?? words;
}

export interface CursorOutcome {
  readonly output: unknown;
  readonly failure: { readonly code: string; readonly message: string } | undefined;
  readonly rejected: boolean;
}

/**
 * How a tool ended. Results are `{ status: "success", value }`, `{ status: "error", error }`, or have one field that is
 * named by what happened.
 */
export function outcomeOf(result: unknown, status: string | undefined): CursorOutcome {
  const said = text(field(result, "status"));
  if (said === "success") return { output: field(result, "value") ?? null, failure: undefined, rejected: false };
  if (said === "error") return failed(field(result, "error"), "tool-error");
  if (isRecord(result)) {
    for (const name of ["error", "failure", "rejected", "timeout", "cancelled", "permissionDenied"]) {
      const found = field(result, name);
      if (found !== undefined && found !== null) return failed(found, name);
    }
    const success = field(result, "success");
    if (isRecord(success)) return { output: success, failure: undefined, rejected: false };
  }
  if (status === "error") return failed(result, "tool-error");
  return { output: result ?? null, failure: undefined, rejected: false };
}

function failed(error: unknown, name: string): CursorOutcome {
  const message =
    filledText(error) ??
    ["message", "errorMessage", "reason", "stderr", "error"]
      .map((key) => filledText(field(error, key)))
      .find((found) => found !== undefined) ??
    "The tool failed";
  const rejected = name === "rejected" || name === "permissionDenied";
  const code = filledText(field(error, "code")) ?? (name === "error" || name === "failure" ? "tool-error" : name);
  return { output: isRecord(error) ? error : message, failure: { code, message }, rejected };
}

/** The text of a content, a string or blocks. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((block) => (field(block, "type") === "text" ? (text(field(block, "text")) ?? "") : ""))
    .filter((block) => block !== "")
    .join("\n");
}
