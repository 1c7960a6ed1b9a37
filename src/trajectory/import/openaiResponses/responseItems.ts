import type { SourceRecord } from "../format";
import type { ImportBuilder, SessionDraft, Where } from "../importBuilder";
import { field, filledText, isRecord, list, record, text, type UnknownRecord } from "../jsonAccess";
import { messageContent, whereOf } from "../openaiChat/messageContent";
import { present } from "../present";
import { isCallItem, itemCall, outputResult } from "./responseCalls";

const ITEM_TYPES =
  /^(?:message|reasoning|compaction|item_reference|mcp_list_tools|mcp_approval_re(?:quest|sponse)|\w+_call|\w+_call_output)$/;

/** Whether a value is an item of a response or of its input; a message without a type is one too. */
export function isResponseItem(value: unknown): boolean {
  const { type, role, content } = record(value);
  if (typeof type === "string") return ITEM_TYPES.test(type);
  return typeof role === "string" && content !== undefined;
}

/** Whether an item is of the model, so that a request has it from the response before. */
export function isModelItem(item: unknown): boolean {
  const { type, role } = record(item);
  if (role === "assistant" || type === "reasoning" || type === "compaction") return true;
  return isCallItem(record(item));
}

/**
 * Reads the items of a conversation into a session. Inside one response all of the model's items are one step; in a bare
 * list, a step ends where something was answered to it.
 */
export class ItemReader {
  readonly #draft: SessionDraft;
  readonly #out: ImportBuilder;
  /** Calls by the ids of the file: ids of items (`mcp_…`) and of calls (`call_…`). */
  readonly #calls = new Map<string, string>();
  readonly #seen = new Set<string>();
  /** The last call of a tool, for results that name none. */
  readonly #lastCalls = new Map<string, string>();
  /** Requests for approval nobody has answered yet. */
  readonly #asked = new Set<string>();
  #isStepOpen = false;
  #isInResponse = false;

  constructor(draft: SessionDraft, out: ImportBuilder) {
    this.#draft = draft;
    this.#out = out;
  }

  /** All items until `endResponse` are one step. */
  beginResponse(where: Where, id?: string, modelId?: string): void {
    this.#draft.step(present({ ...where, id, modelId }));
    this.#isStepOpen = true;
    this.#isInResponse = true;
  }

  endResponse(): void {
    this.#isInResponse = false;
    this.#isStepOpen = false;
  }

  readAll(items: readonly unknown[], source: SourceRecord, pointer: string, from = 0): void {
    for (const [index, item] of items.entries())
      if (index >= from) this.read(item, whereOf(source, `${pointer}/${index}`));
  }

  read(value: unknown, where: Where): void {
    if (!isRecord(value) || (typeof value.type !== "string" && !isResponseItem(value))) {
      this.#out.warn(present({ code: "unknown-item", origin: where.origin, kept: true }));
      this.#draft.note("item", value, where);
      return;
    }
    const id = filledText(value.id);
    // Requests repeat the items of the responses before.
    if (id !== undefined && !(text(value.type) ?? "").endsWith("_call_output")) {
      if (this.#seen.has(`${text(value.type)} ${id}`)) return;
      this.#seen.add(`${text(value.type)} ${id}`);
    }
    if (isCallItem(value) && typeof value.call_id === "string" && this.#calls.has(value.call_id)) return;
    this.#item(value, text(value.type) ?? "message", where);
  }

  #item(item: UnknownRecord, type: string, where: Where): void {
    if (type === "message") this.#message(item, where);
    else if (type === "reasoning") this.#reasoning(item, where);
    else if (type === "compaction") this.#draft.compaction({}, where);
    else if (type === "mcp_approval_response") this.#approval(item, where);
    else if (isCallItem(item)) this.#call(item, where);
    else if (type.endsWith("_output")) this.#output(item, where);
    else this.#draft.note(type, item, where);
  }

  #message(item: UnknownRecord, where: Where): void {
    const { text: written, parts } = messageContent(item.content, this.#draft);
    if (item.role === "assistant") {
      this.#step(where);
      this.#draft.message(written, where);
    } else if (item.role === "user") {
      this.#isStepOpen = false;
      this.#draft.user(written, present({ ...where, parts }));
    } else if (item.role === "system" || item.role === "developer") this.#draft.system(written, where);
    else this.#draft.note("message", item, where);
  }

  #reasoning(item: UnknownRecord, where: Where): void {
    this.#step(where);
    const texts = [...list(item.summary), ...list(item.content)].map((part) => text(field(part, "text")) ?? "");
    const encrypted = filledText(item.encrypted_content);
    const providerMetadata =
      encrypted === undefined
        ? undefined
        : { openai: present({ itemId: filledText(item.id), reasoningEncryptedContent: encrypted }) };
    this.#draft.reasoning(texts.filter((part) => part !== "").join("\n\n"), { ...where, providerMetadata });
  }

  #call(item: UnknownRecord, where: Where): void {
    this.#step(where);
    const { call, result } = itemCall(item, this.#draft);
    const asked = this.#calls.get(filledText(item.approval_request_id) ?? "");
    const callId = asked ?? this.#draft.call(call, where);
    this.#lastCalls.set(call.toolName, callId);
    if (item.type === "mcp_approval_request") this.#asked.add(callId);
    // What was asked for and then ran was approved of.
    else if (this.#asked.delete(callId)) this.#draft.approval({ callId, outcome: "approved" }, where);
    for (const name of [item.call_id, item.id]) if (typeof name === "string") this.#calls.set(name, callId);
    if (result !== undefined) this.#draft.result({ ...result, callId }, where);
  }

  #output(item: UnknownRecord, where: Where): void {
    const result = outputResult(item, this.#draft);
    const toolName = (text(item.type) ?? "").replace(/(?:_call)?_output$/, "");
    const callId = result.callId === undefined ? this.#lastCalls.get(toolName) : this.#calls.get(result.callId);
    this.#draft.result(callId === undefined ? result : { ...result, callId }, where);
    if (!this.#isInResponse) this.#isStepOpen = false;
  }

  #approval(item: UnknownRecord, where: Where): void {
    const callId = this.#calls.get(text(item.approval_request_id) ?? "");
    this.#isStepOpen = this.#isInResponse;
    if (callId === undefined) {
      this.#draft.note("mcp_approval_response", item, where);
      return;
    }
    this.#asked.delete(callId);
    const outcome = item.approve === true ? "approved" : "denied";
    this.#draft.approval(present({ callId, outcome, text: filledText(item.reason) } as const), where);
  }

  #step(where: Where): void {
    if (this.#isStepOpen) return;
    this.#draft.step(where);
    this.#isStepOpen = true;
  }
}
