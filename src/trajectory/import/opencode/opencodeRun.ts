import type { SourceRecord } from "../format";
import { field, filledText, isRecord, text } from "../jsonAccess";
import type { OpencodeMessage, OpencodeSession } from "./opencodeStorage";

const TYPES: ReadonlySet<string> = new Set(["step_start", "step_finish", "text", "reasoning", "tool_use"]);

/** Whether a value is of what `opencode run --format json` prints: a part as it is done, and whose it is. */
export function isRunEvent(value: unknown): boolean {
  return (
    TYPES.has(text(field(value, "type")) ?? "") &&
    filledText(field(value, "sessionID")) !== undefined &&
    text(field(field(value, "part"), "type")) !== undefined
  );
}

/** The sessions of a run's output: its parts by the messages they are of. What the person asked is not in it. */
export class OpencodeRun {
  readonly #sessions = new Map<string, { readonly info: SourceRecord; readonly messages: Map<string, RunMessage> }>();

  add({ value, origin }: SourceRecord): void {
    const id = filledText(field(value, "sessionID"));
    if (id === undefined) return;
    const session = this.#sessions.get(id) ?? { info: { value: { id }, origin }, messages: new Map() };
    this.#sessions.set(id, session);
    const part = field(value, "part");
    const created = field(value, "timestamp");
    const error = field(value, "error");
    // An error is of the message before it; one that comes first has a message of its own.
    const last = [...session.messages.keys()].at(-1);
    const messageId = filledText(field(part, "messageID")) ?? (isRecord(part) ? id : (last ?? id));
    const message = session.messages.get(messageId) ?? { created, origin, parts: [] };
    session.messages.set(messageId, message);
    if (isRecord(part)) message.parts.push({ value: part, origin: { ...origin, pointer: "/part" } });
    else if (isRecord(error)) message.error = error;
    else message.parts.push({ value, origin });
  }

  sessions(): readonly OpencodeSession[] {
    return [...this.#sessions].map(([key, { info, messages }]) => ({
      key,
      info,
      messages: [...messages].map(([id, { created, origin, parts, error }]): OpencodeMessage => {
        const value = { id, role: "assistant", time: { created }, ...(error !== undefined && { error }) };
        return { info: { value, origin }, parts };
      }),
    }));
  }
}

interface RunMessage {
  readonly created: unknown;
  readonly origin: SourceRecord["origin"];
  readonly parts: SourceRecord[];
  error?: unknown;
}
