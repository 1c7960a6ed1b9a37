import type { SourceRecord } from "../format";
import type { SessionDraft, Where } from "../importBuilder";
import { field, filledText, isRecord, record, text, type UnknownRecord } from "../jsonAccess";
import { whereOf } from "../openaiChat/messageContent";
import { readUIMessage } from "./uiMessages";

const CHUNK =
  /^(?:start|finish|abort|error|message-metadata|start-step|finish-step|file|source-url|source-document|(?:text|reasoning)-(?:start|delta|end)|tool-input-(?:start|delta|available|error)|tool-output-(?:available|error|denied)|tool-approval-(?:request|response)|data-.+)$/;
/** Chunks that no other stream has. */
const SURE = /^(?:start-step|(?:text|reasoning)-(?:start|delta)|tool-input-(?:start|available)|tool-output-available)$/;

/** Whether a value is a piece of a UIMessage as it is streamed. */
export function isUIChunk(value: unknown): boolean {
  const type = text(field(value, "type")) ?? "";
  return CHUNK.test(type) && field(value, "role") === undefined;
}

/** Whether values are such a stream: only pieces of it, and one that tells it from others. */
export function isUIStream(values: readonly unknown[]): boolean {
  return (
    values.length > 0 &&
    values.every(isUIChunk) &&
    values.some((value) => SURE.test(text(field(value, "type")) ?? "")) &&
    values.every((value) => text(field(value, "type"))?.endsWith("-delta") !== true || isDelta(value))
  );
}

function isDelta(value: unknown): boolean {
  return typeof (field(value, "delta") ?? field(value, "inputTextDelta")) === "string";
}

/** Puts the messages of a stream together again, each written down once it is whole. */
export class UIChunks {
  readonly #draft: SessionDraft;
  #parts: Record<string, unknown>[] = [];
  readonly #open = new Map<string, Record<string, unknown>>();
  #metadata: UnknownRecord = {};
  #where: Where | undefined;

  constructor(draft: SessionDraft) {
    this.#draft = draft;
  }

  add(source: SourceRecord): void {
    const chunk = record(source.value);
    const type = text(chunk.type) ?? "";
    const where = whereOf(source);
    if (type === "start") this.end();
    this.#where ??= where;
    if (isRecord(chunk.messageMetadata)) this.#metadata = { ...this.#metadata, ...chunk.messageMetadata };
    if (type === "start-step") this.#parts.push({ type: "step-start" });
    else if (/^(?:text|reasoning)-/.test(type)) this.#text(chunk, type);
    else if (type.startsWith("tool-")) this.#tool(chunk, type);
    else if (/^(?:file|source-|data-)/.test(type)) this.#parts.push({ ...chunk });
    else if (type === "error") {
      this.end();
      const message = text(chunk.errorText) ?? "The stream failed.";
      this.#draft.endTurn({ kind: "failed", code: "error", message }, where);
    } else if (type === "abort") {
      this.end();
      this.#draft.endTurn({ kind: "cancelled", code: "abort" }, where);
    }
  }

  /** Writes what has come of the message so far. */
  end(): void {
    const where = this.#where;
    const parts = this.#parts;
    if (where !== undefined && parts.length > 0)
      readUIMessage({ role: "assistant", parts, metadata: this.#metadata }, this.#draft, where);
    this.#parts = [];
    this.#metadata = {};
    this.#where = undefined;
    this.#open.clear();
  }

  #part(key: string, made: () => Record<string, unknown>): Record<string, unknown> {
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const part = made();
    this.#open.set(key, part);
    this.#parts.push(part);
    return part;
  }

  #text(chunk: UnknownRecord, type: string): void {
    const [kind = "text"] = type.split("-", 1);
    const key = `${kind} ${text(chunk.id) ?? ""}`;
    // An id may be used again once its part has ended.
    if (type.endsWith("-start")) this.#open.delete(key);
    const part = this.#part(key, () => ({ type: kind, text: "" }));
    part.text = `${text(part.text) ?? ""}${text(chunk.delta) ?? ""}`;
  }

  #tool(chunk: UnknownRecord, type: string): void {
    const id = filledText(chunk.toolCallId) ?? "";
    const toolName = text(chunk.toolName) ?? "";
    const part = this.#part(`tool ${id}`, () => ({ type: "dynamic-tool", toolName, toolCallId: id }));
    if (toolName !== "") part.toolName = toolName;
    const state = type.slice("tool-".length);
    if (state === "input-delta") part.rawInput = `${text(part.rawInput) ?? ""}${text(chunk.inputTextDelta) ?? ""}`;
    else if (state === "input-start") part.state = "input-streaming";
    else if (state === "input-available") Object.assign(part, { state, input: chunk.input });
    else if (state === "input-error")
      Object.assign(part, { state: "output-error", input: chunk.input, errorText: chunk.errorText });
    else if (state === "approval-request")
      Object.assign(part, { state: "approval-requested", approval: { id: chunk.approvalId } });
    else if (state === "output-available") Object.assign(part, { state, output: chunk.output });
    else if (state === "output-error") Object.assign(part, { state, errorText: chunk.errorText });
    else if (state === "output-denied") {
      const approval = isRecord(part.approval) ? part.approval : {};
      Object.assign(part, { state, approval: { ...approval, approved: false } });
    }
  }
}
