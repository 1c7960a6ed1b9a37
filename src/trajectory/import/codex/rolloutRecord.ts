import type { SourceRecord } from "../format";
import type { Where } from "../importBuilder";
import { field, filledText, isRecord, list, text, type UnknownRecord } from "../jsonAccess";

/** One line of a rollout, old ones too: there the item stands without an envelope. */
export interface RolloutRecord {
  /** `session_meta`, `response_item`, `event_msg`, `turn_context`, `compacted`, …; `exec` for `codex exec --json`. */
  readonly kind: string;
  /** Of an item or an event. */
  readonly type: string;
  readonly payload: UnknownRecord;
  readonly where: Where;
  readonly value: unknown;
}

const ENVELOPES: ReadonlySet<string> = new Set([
  "session_meta",
  "response_item",
  "event_msg",
  "turn_context",
  "compacted",
  "world_state",
]);

const ITEMS: ReadonlySet<string> = new Set([
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "function_result",
  "tool_call",
  "tool_result",
  "custom_tool_call",
  "custom_tool_call_output",
  "local_shell_call",
  "local_shell_call_output",
  "web_search_call",
]);

const EXEC = /^(thread\.started|turn\.(started|completed|failed)|item\.(started|updated|completed))$/;

export function rolloutRecord({ value, origin }: SourceRecord): RolloutRecord {
  const timestamp = field(value, "timestamp") ?? field(value, "created_at");
  const at = typeof timestamp === "string" || typeof timestamp === "number" ? timestamp : undefined;
  const base = { where: { origin, at }, value };
  if (!isRecord(value)) return { ...base, kind: "value", type: "value", payload: {} };
  const said = text(field(value, "type"));
  const inner = field(value, "payload");
  if (isRecord(inner) && said !== undefined) {
    return { ...base, kind: said, type: text(field(inner, "type")) ?? said, payload: inner };
  }
  if (said !== undefined && EXEC.test(said)) return { ...base, kind: "exec", type: said, payload: value };
  if (said !== undefined && ITEMS.has(said)) return { ...base, kind: "response_item", type: said, payload: value };
  if (said === undefined && text(field(value, "role")) !== undefined) {
    return { ...base, kind: "response_item", type: "message", payload: value };
  }
  // The first line of old rollouts has no type: only who it is and when it began.
  if (said === undefined && isOldMeta(value))
    return { ...base, kind: "session_meta", type: "session_meta", payload: value };
  return { ...base, kind: said ?? text(field(value, "record_type")) ?? "value", type: said ?? "value", payload: value };
}

function isOldMeta(value: unknown): boolean {
  return (
    filledText(field(value, "id")) !== undefined &&
    filledText(field(value, "timestamp")) !== undefined &&
    (Object.hasOwn(value as object, "instructions") || isRecord(field(value, "git")))
  );
}

/** How sure it is that a value is a line of a rollout or of `codex exec --json`. */
export function codexScore(value: unknown): number {
  const type = text(field(value, "type"));
  const payload = field(value, "payload");
  if (type === "session_meta" && isRecord(payload)) return 95;
  if (type !== undefined && ENVELOPES.has(type) && isRecord(payload)) return 85;
  if (type === "thread.started" && filledText(field(value, "thread_id")) !== undefined) return 90;
  if (type !== undefined && EXEC.test(type) && (isRecord(field(value, "item")) || type.startsWith("turn."))) return 60;
  if (field(value, "record_type") === "state") return 80;
  return type === undefined && isOldMeta(value) && Object.hasOwn(value as object, "instructions") ? 70 : 0;
}

/** The texts of an item's content; a text alone is one. */
export function textsOf(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  return list(content).flatMap((part) => filledText(field(part, "text")) ?? []);
}

/** The id a session goes by. */
export function threadIdOf(payload: unknown): string | undefined {
  return filledText(field(payload, "id")) ?? filledText(field(payload, "session_id"));
}
