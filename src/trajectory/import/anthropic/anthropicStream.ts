import { field, fieldAt, filledText, list, number, parsedJson, record, text, type UnknownRecord } from "../jsonAccess";

const EVENT_TYPES: ReadonlySet<string> = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "ping",
]);

/** Whether a value is an event of a streamed message. */
export function isMessageEvent(value: unknown): boolean {
  const type = text(field(value, "type")) ?? "";
  if (!EVENT_TYPES.has(type)) return false;
  return type !== "message_start" || field(value, "message") !== undefined;
}

/** Puts messages together from the events they were streamed in. */
export class MessageEvents {
  #message: Record<string, unknown> | undefined;
  #blocks = new Map<number, Record<string, unknown>>();
  #inputs = new Map<number, string>();

  /** @returns the message that is complete with this event */
  add(event: unknown): UnknownRecord | undefined {
    const index = number(field(event, "index")) ?? 0;
    switch (field(event, "type")) {
      case "message_start": {
        const before = this.take();
        this.#message = { ...record(field(event, "message")) };
        return before;
      }
      case "content_block_start":
        this.#blocks.set(index, { ...record(field(event, "content_block")) });
        return undefined;
      case "content_block_delta":
        this.#delta(index, record(field(event, "delta")));
        return undefined;
      case "message_delta":
        this.#message = {
          ...this.#message,
          ...record(field(event, "delta")),
          // Figures are totals: the later ones win, and those left out stay.
          usage: { ...record(this.#message?.usage), ...withoutNulls(record(field(event, "usage"))) },
        };
        return undefined;
      case "message_stop":
        return this.take();
      default:
        return undefined;
    }
  }

  #delta(index: number, delta: UnknownRecord): void {
    const block = this.#blocks.get(index) ?? {};
    this.#blocks.set(index, block);
    const grown = (name: string, more: unknown) => ({ [name]: (text(block[name]) ?? "") + (text(more) ?? "") });
    if (delta.type === "text_delta") Object.assign(block, { type: "text", ...grown("text", delta.text) });
    else if (delta.type === "thinking_delta")
      Object.assign(block, { type: "thinking", ...grown("thinking", delta.thinking) });
    else if (delta.type === "signature_delta") Object.assign(block, grown("signature", delta.signature));
    else if (delta.type === "input_json_delta")
      this.#inputs.set(index, (this.#inputs.get(index) ?? "") + (text(delta.partial_json) ?? ""));
  }

  /** What there is of a message; undefined when none has begun. */
  take(): UnknownRecord | undefined {
    if (this.#message === undefined && this.#blocks.size === 0) return undefined;
    const blocks = [...this.#blocks.entries()].toSorted(([a], [b]) => a - b);
    const content = blocks.map(([index, block]) => {
      const streamed = filledText(this.#inputs.get(index));
      return streamed === undefined ? block : { ...block, input: parsedJson(streamed) ?? streamed };
    });
    const begun = list(fieldAt(this.#message, "content"));
    const message = { role: "assistant", ...this.#message, content: [...begun, ...content] };
    this.#message = undefined;
    this.#blocks = new Map();
    this.#inputs = new Map();
    return message;
  }
}

function withoutNulls(fields: UnknownRecord): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
