import { field, fieldAt, isRecord, list, number, record, text, type UnknownRecord } from "../jsonAccess";

/** Whether a value is an event of a streamed response. */
export function isResponseEvent(value: unknown): boolean {
  const type = text(field(value, "type"));
  return (
    type !== undefined &&
    /^(?:response\.|error$)/.test(type) &&
    (type !== "error" || "sequence_number" in record(value))
  );
}

/**
 * Puts a response together from its events: the last one holds it whole; of a stream that was cut, what was done of its
 * items and the text so far is left.
 */
export class ResponseEvents {
  #begun: UnknownRecord | undefined;
  #items = new Map<number, UnknownRecord>();
  #texts = new Map<number, string>();

  /** @returns the response, with its last event */
  add(event: unknown): UnknownRecord | undefined {
    const type = text(field(event, "type")) ?? "";
    const response = field(event, "response");
    if (/^response\.(?:completed|incomplete|failed|cancelled)$/.test(type) && isRecord(response)) {
      const items = this.#outputOf();
      this.#clear();
      // Some servers leave the items out of the last event.
      return list(response.output).length === 0 && items.length > 0 ? { ...response, output: items } : response;
    }
    if (isRecord(response)) {
      const before = this.#begun !== undefined && field(this.#begun, "id") !== response.id ? this.take() : undefined;
      this.#begun = response;
      return before;
    }
    this.#gather(type, event);
    return undefined;
  }

  /** What is left of a response without its last event. */
  take(): UnknownRecord | undefined {
    if (this.#begun === undefined && this.#items.size === 0 && this.#texts.size === 0) return undefined;
    const left = { ...this.#begun, output: this.#outputOf() };
    this.#clear();
    return left;
  }

  #gather(type: string, event: unknown): void {
    const index = number(field(event, "output_index"));
    if (index === undefined) return;
    const item = field(event, "item");
    if ((type === "response.output_item.added" || type === "response.output_item.done") && isRecord(item))
      this.#items.set(index, item);
    const delta = field(event, "delta");
    const isText = /(?:output_text|arguments|input|summary_text|reasoning_text)\.delta$/.test(type);
    if (isText && typeof delta === "string") this.#texts.set(index, (this.#texts.get(index) ?? "") + delta);
  }

  #outputOf(): UnknownRecord[] {
    const indices = [...new Set([...this.#items.keys(), ...this.#texts.keys()])].toSorted((a, b) => a - b);
    return indices.map((index) => withText(this.#items.get(index), this.#texts.get(index)));
  }

  #clear(): void {
    this.#begun = undefined;
    this.#items = new Map();
    this.#texts = new Map();
  }
}

/** An item that was not done, with the text that came for it. */
function withText(item: UnknownRecord | undefined, streamed: string | undefined): UnknownRecord {
  if (item === undefined) return { type: "message", role: "assistant", content: streamed ?? "" };
  if (streamed === undefined || fieldAt(item, "status") === "completed") return item;
  if (item.type === "message" && list(item.content).length === 0) return { ...item, content: streamed };
  if (item.type === "custom_tool_call" && !item.input) return { ...item, input: streamed };
  if ((text(item.type) ?? "").endsWith("_call") && !item.arguments) return { ...item, arguments: streamed };
  return item;
}
