import type { JsonValue } from "../../../base";
import type { ResultDraft, SessionDraft } from "../importBuilder";
import { field, fieldAt, isRecord, list, number, parsedJson, text } from "../jsonAccess";

/** Commands end their output with what they ended with, in one of the ways Codex has had. */
const EXIT = /^(?:Exit code: |Process exited with code |[\s\S]{0,200}exit code: )(-?\d+)/;
const WALL_TIME = /^Wall time: ([\d.]+) seconds/m;
const REFUSED = /^(exec command |patch )?rejected by user|^(exec_command|shell|apply_patch)[^\n]{0,80}rejected/i;
const ABORTED = /^aborted( by user)?\b/i;
const CUT = /\[\.\.\. omitted \d+ of \d+ lines \.\.\.\]|…\d+ (tokens|chars) truncated…|^Total output lines: \d+/m;
const FAILED_TEXT =
  /^(failed in sandbox|execution error|failed to |apply_patch verification failed|unsupported call|err: )/i;

export type CallOutput = Pick<ResultDraft, "output" | "status" | "error" | "durationMs" | "truncated"> & {
  /** What a person said who refused the call. */
  readonly refused?: string;
};

/** The output of a call: a text, JSON in a text with the exit code beside it, a part or a list of parts with images. */
export function callOutput(draft: SessionDraft, recorded: unknown): CallOutput {
  const { output, exitCode, success, durationMs } = unwrapped(draft, recorded);
  const said =
    typeof output === "string"
      ? output
      : list(output)
          .map((part) => text(field(part, "text")) ?? "")
          .join("\n");
  const common = { output, durationMs, truncated: CUT.test(said) };
  if (REFUSED.test(said))
    return { ...common, status: "rejected", error: { code: "denied", message: said }, refused: said };
  if (ABORTED.test(said)) return { ...common, status: "failed", error: { code: "interrupted", message: said } };
  const isFailed = success === false || (exitCode ?? 0) !== 0 || (exitCode === undefined && FAILED_TEXT.test(said));
  if (!isFailed) return { ...common, status: "completed" };
  const message = exitCode === undefined ? said : `Exit code ${exitCode}${said === "" ? "" : `: ${said}`}`;
  return {
    ...common,
    status: "failed",
    error: { code: exitCode === undefined ? "tool-failed" : "exit-code", message },
  };
}

interface Unwrapped {
  readonly output: JsonValue;
  readonly exitCode?: number | undefined;
  readonly success?: boolean | undefined;
  readonly durationMs?: number | undefined;
}

function unwrapped(draft: SessionDraft, recorded: unknown): Unwrapped {
  if (typeof recorded === "string") return fromText(recorded);
  if (Array.isArray(recorded)) return fromParts(draft, list(recorded));
  if (!isRecord(recorded)) return { output: recorded === undefined ? "" : (recorded as JsonValue) };
  const success = field(recorded, "success");
  const content = field(recorded, "content") ?? field(recorded, "content_items");
  if (content !== undefined) {
    return { ...unwrapped(draft, content), ...(typeof success === "boolean" ? { success } : {}) };
  }
  if (text(field(recorded, "type")) !== undefined) return fromParts(draft, [recorded]);
  const exitCode = number(field(recorded, "exit_code")) ?? number(field(recorded, "exitCode"));
  return { output: recorded as JsonValue, ...(exitCode === undefined ? {} : { exitCode }) };
}

function fromText(recorded: string): Unwrapped {
  const json = recorded.startsWith("{") ? parsedJson(recorded) : undefined;
  const inner = text(field(json, "output"));
  const exitCode = number(fieldAt(json, "metadata", "exit_code"));
  if (inner !== undefined && isRecord(field(json, "metadata"))) {
    const seconds = number(fieldAt(json, "metadata", "duration_seconds"));
    return { output: inner, exitCode, durationMs: seconds === undefined ? undefined : seconds * 1_000 };
  }
  const head = recorded.slice(0, 400);
  const code = EXIT.exec(head)?.[1];
  const seconds = number(WALL_TIME.exec(head)?.[1]);
  return {
    output: recorded,
    exitCode: code === undefined ? undefined : Number(code),
    durationMs: seconds === undefined ? undefined : Math.round(seconds * 1_000),
  };
}

function fromParts(draft: SessionDraft, parts: readonly unknown[]): Unwrapped {
  const kept = parts.map((part) => imagePart(draft, part) ?? (part as JsonValue));
  const [only] = kept;
  const said = kept.length === 1 && isRecord(only) ? text(only["text"]) : undefined;
  return said === undefined ? { output: kept } : fromText(said);
}

/** An image in line, as a part with its bytes in the blobs. */
export function imagePart(draft: SessionDraft, part: unknown): JsonValue | undefined {
  const url =
    text(field(part, "image_url")) ?? text(field(part, "imageUrl")) ?? text(fieldAt(part, "image_url", "url"));
  if (url === undefined) return undefined;
  const comma = url.startsWith("data:") ? url.indexOf(";base64,") : -1;
  if (comma === -1 || comma > 200) return undefined;
  return draft.image(url.slice(comma + ";base64,".length), url.slice("data:".length, comma));
}
