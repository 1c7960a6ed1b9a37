import { probedRecords, type SourceRecord, type TrajectoryFormat } from "../format";
import type { ImportBuilder, SessionDraft } from "../importBuilder";
import { field, fieldAt, filledText, isRecord, jsonText, list, record, text, type UnknownRecord } from "../jsonAccess";
import { offeredTools } from "../openaiChat/chatTools";
import { openaiUsage } from "../openaiChat/chatUsage";
import { isEventStream, readRows } from "../openaiChat/eventStream";
import { messageContent, whereOf } from "../openaiChat/messageContent";
import { present } from "../present";
import { isModelItem, isResponseItem, ItemReader } from "./responseItems";
import { isResponseEvent, ResponseEvents } from "./responseEvents";

/**
 * OpenAI's Responses: a response, a request and its response, lists and lines of items, batches, and streamed events.
 * Items are linked by `call_id`; what the provider ran itself is call and result in one response.
 */
export const openaiResponses: TrajectoryFormat = {
  name: "openai-responses",
  detect(probe) {
    if (probe.kind === "entries") return 0;
    if (probe.kind === "text") return isEventStream(probe.head) && /"type":\s*"response\./.test(probe.head) ? 70 : 0;
    const records = probedRecords(probe);
    const [first] = records;
    if (isResponse(first) || isResponseEvent(first)) return 75;
    if (responseOf(first) !== undefined) return 72;
    if (isRequest(first)) return 60;
    return itemScore(records);
  },
  async read(input, out) {
    await readRows(input, (prefix) => new ResponseRows(out, prefix));
  },
};

function isResponse(value: unknown): value is UnknownRecord {
  return (
    isRecord(value) &&
    Array.isArray(value.output) &&
    (value.object === "response" || value.output.every(isResponseItem))
  );
}

function responseOf(row: unknown): UnknownRecord | undefined {
  const candidates = [row, field(row, "response"), fieldAt(row, "response", "body")];
  return candidates.find(isResponse);
}

/** The place of the first item from there on that is not of the model. */
function firstAnswer(items: readonly unknown[], from: number): number {
  const at = items.findIndex((item, index) => index >= from && !isModelItem(item));
  return at === -1 ? items.length : at;
}

/** A request: its input is a text or a list of items, and it names a model or what surrounds a request. */
function isRequest(row: unknown): boolean {
  return requestInput(row) !== undefined;
}

function requestInput(row: unknown): { readonly input: unknown; readonly pointer: string } | undefined {
  for (const names of [["input"], ["request", "input"], ["body", "input"], ["request", "body", "input"]]) {
    const input = fieldAt(row, ...names);
    const holder = fieldAt(row, ...names.slice(0, -1));
    const isItems = Array.isArray(input) && input.length > 0 && input.every(isResponseItem);
    const isText = typeof input === "string" && filledText(field(holder, "model")) !== undefined;
    if (isItems || isText) return { input, pointer: `/${names.join("/")}` };
  }
  return undefined;
}

/** Items by themselves: a message with a role is any chat's, so one must be an item for certain. */
function itemScore(records: readonly unknown[]): number {
  return records.length > 0 && records.every(isResponseItem) && records.some(isSureItem) ? 55 : 0;
}

/** What only an item has: the id of a call beside its type, a reasoning's summary, or parts with a direction. */
function isSureItem(item: unknown): boolean {
  const { type, content, call_id: callId, summary, id } = record(item);
  if (type === "reasoning") return Array.isArray(summary);
  if (typeof type === "string" && /_call(?:_output)?$/.test(type))
    return typeof callId === "string" || (typeof id === "string" && /^(?:mcp|ws|fs|ci|ig)_/.test(id));
  return list(content).some((part) => /^(?:input|output)_text$/.test(text(field(part, "type")) ?? ""));
}

/** Reads what a file holds: responses chained by their ids are one session, as are items and events. */
class ResponseRows {
  readonly #out: ImportBuilder;
  readonly #prefix: string;
  readonly #events = new ResponseEvents();
  readonly #readers = new Map<string, { readonly draft: SessionDraft; readonly reader: ItemReader }>();
  /** The session a response belongs to, for the next one that names it. */
  readonly #sessionOf = new Map<string, string>();
  #count = 0;
  #last: SourceRecord | undefined;
  /** Requests of one conversation repeat what came before, where the server keeps nothing. */
  #before: { readonly key: string; readonly texts: readonly string[] } | undefined;

  constructor(out: ImportBuilder, prefix: string) {
    this.#out = out;
    this.#prefix = prefix;
  }

  add(row: SourceRecord): void {
    const { value } = row;
    if (isResponseEvent(value)) {
      this.#last = row;
      const response = this.#events.add(value);
      if (response !== undefined) this.#response(response, row, "/response/output");
      return;
    }
    const response = responseOf(value);
    const request = requestInput(value);
    if (response !== undefined || request !== undefined) this.#exchange(row, request, response);
    else if (Array.isArray(value)) this.#open("items").reader.readAll(value, row, "");
    else this.#open("items").reader.read(value, whereOf(row));
  }

  end(): void {
    const response = this.#events.take();
    if (response === undefined || this.#last === undefined) return;
    this.#out.warn({
      code: "stream-cut",
      message: "The stream ends before its response does.",
      origin: this.#last.origin,
      kept: true,
    });
    this.#response(response, this.#last, "/response/output");
  }

  #open(key: string): { readonly draft: SessionDraft; readonly reader: ItemReader } {
    const found = this.#readers.get(key);
    if (found !== undefined) return found;
    const draft = this.#out.session(`${this.#prefix}${key}`);
    const opened = { draft, reader: new ItemReader(draft, this.#out) };
    this.#readers.set(key, opened);
    return opened;
  }

  #keyOf(previous: unknown): string {
    const known = typeof previous === "string" ? this.#sessionOf.get(previous) : undefined;
    return known ?? String(this.#count++);
  }

  #exchange(
    row: SourceRecord,
    request: { readonly input: unknown; readonly pointer: string } | undefined,
    response: UnknownRecord | undefined,
  ): void {
    const { value } = row;
    const holder = [value, field(value, "request"), field(value, "body"), fieldAt(value, "request", "body")];
    const named = [response, ...holder].map((part) => field(part, "previous_response_id"));
    const previous = named.find((id) => typeof id === "string");
    const items = list(request?.input);
    const texts = items.map((item) => jsonText(item));
    const before = previous === undefined ? this.#before : undefined;
    const goesOn =
      before !== undefined && texts.length > before.texts.length && before.texts.every((item, i) => item === texts[i]);
    const key = goesOn ? before.key : this.#keyOf(previous);
    // What was asked before stands first, and then the response to it.
    const read = goesOn ? firstAnswer(items, before.texts.length) : 0;
    this.#before = response === undefined || texts.length === 0 ? undefined : { key, texts };
    const { draft, reader } = this.#open(key);
    for (const part of holder) about(part, draft, row.origin);
    if (request !== undefined) {
      if (Array.isArray(request.input)) reader.readAll(items, row, request.pointer, read);
      else draft.user(messageContent(request.input, draft).text, whereOf(row, request.pointer));
    }
    if (response !== undefined) this.#response(response, row, response === value ? "/output" : "/response/output", key);
  }

  #response(response: UnknownRecord, row: SourceRecord, pointer: string, known?: string): void {
    const key = known ?? this.#keyOf(response.previous_response_id);
    const { draft, reader } = this.#open(key);
    const id = filledText(response.id);
    if (id !== undefined) this.#sessionOf.set(id, key);
    about(response, draft, row.origin);
    const where = whereOf(row, undefined, response.created_at);
    reader.beginResponse(where, id, filledText(response.model));
    reader.readAll(list(response.output), row, pointer);
    const usage = openaiUsage(response.usage, field(row.value, "cost"));
    if (usage !== undefined) draft.usage(usage, "per-call");
    closeResponse(response, draft, where);
    reader.endResponse();
  }
}

function about(holder: unknown, draft: SessionDraft, origin: SourceRecord["origin"]): void {
  const { model, tools, instructions } = record(holder);
  const offered = offeredTools(tools);
  draft.about(present({ modelId: filledText(model), tools: offered.length > 0 ? offered : undefined }));
  const system = messageContent(instructions, draft).text;
  if (system !== "") draft.system(system, { origin });
}

function closeResponse(response: UnknownRecord, draft: SessionDraft, where: Parameters<SessionDraft["note"]>[2]): void {
  const status = text(response.status);
  const reason = text(field(response.incomplete_details, "reason"));
  if (status === "incomplete")
    draft.finish(reason === "content_filter" ? "content-filter" : reason === "max_output_tokens" ? "length" : "other");
  else if (status === "failed") {
    const message = text(field(response.error, "message")) ?? "The response failed.";
    draft.stepFailed(filledText(field(response.error, "code")) ?? "failed", message, where);
    draft.endTurn({ kind: "failed", code: "failed", message }, where);
  } else if (status === "cancelled") draft.endTurn({ kind: "cancelled" }, where);
  else if (status === "completed") {
    const isCalling = list(response.output).some((item) =>
      /^(?:function|custom_tool|local_shell|computer)_call$/.test(text(field(item, "type")) ?? ""),
    );
    draft.finish(isCalling ? "tool-calls" : "stop");
  }
}
