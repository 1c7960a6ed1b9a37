import { probedRecords, type SourceRecord, type TrajectoryFormat } from "../format";
import type { ImportBuilder, SessionDraft, Where } from "../importBuilder";
import { field, fieldAt, filledText, isRecord, jsonText, list, record, text, type UnknownRecord } from "../jsonAccess";
import { messageTime } from "../openaiChat/chatMessages";
import { offeredTools } from "../openaiChat/chatTools";
import { isEventStream, readRows } from "../openaiChat/eventStream";
import { messageContent, whereOf } from "../openaiChat/messageContent";
import { present } from "../present";
import { readAssistantMessage, readUserMessage } from "./anthropicBlocks";
import { isMessageEvent, MessageEvents } from "./anthropicStream";

const BLOCK_TYPES = /^(?:thinking|redacted_thinking|(?:\w+_)?tool_use|(?:\w+_)?tool_result)$/;

/**
 * Anthropic's messages: requests, responses, both, lists and lines of messages, batches, and streamed events. The system
 * prompt stands apart, results are the user's, and what the server's tools did is inside one message of the assistant.
 */
export const anthropic: TrajectoryFormat = {
  name: "anthropic",
  detect(probe) {
    if (probe.kind === "entries") return 0;
    if (probe.kind === "text") return isEventStream(probe.head) && probe.head.includes('"message_start"') ? 70 : 0;
    const records = probedRecords(probe);
    const [first] = records;
    if (isResponse(first) || (isMessageEvent(first) && !("sessionId" in record(first)))) return 75;
    const messages = rowMessages(first);
    if (messages !== undefined) {
      if (responseOf(first) !== undefined) return 72;
      const isApart = holdersOf(first).some((holder) => field(holder, "system") !== undefined);
      return messages.every(isMessage) && (messages.some(hasBlocks) || isApart) ? 60 : 0;
    }
    if (responseOf(first) !== undefined || stepResponses(first).length > 0) return 72;
    return records.length > 0 && records.every(isMessage) && records.some(hasBlocks) ? 58 : 0;
  },
  async read(input, out) {
    await readRows(input, (prefix) => new MessageRows(out, prefix));
  },
};

function isResponse(value: unknown): value is UnknownRecord {
  return (
    isRecord(value) &&
    value.type === "message" &&
    value.role === "assistant" &&
    Array.isArray(value.content) &&
    !value.content.some(isOutputText)
  );
}

/** Such a part makes it an item of OpenAI's Responses. */
function isOutputText(part: unknown): boolean {
  return field(part, "type") === "output_text";
}

function isMessage(value: unknown): boolean {
  const { role, content, tool_calls: calls } = record(value);
  if (role === "assistant" && calls !== undefined) return false;
  return (role === "user" || role === "assistant") && (typeof content === "string" || Array.isArray(content));
}

function hasBlocks(message: unknown): boolean {
  return list(field(message, "content")).some((block) => BLOCK_TYPES.test(text(field(block, "type")) ?? ""));
}

function holdersOf(row: unknown): unknown[] {
  const request = field(row, "request");
  return [row, request, field(request, "body"), field(row, "params"), field(row, "body")];
}

function rowMessages(row: unknown): readonly unknown[] | undefined {
  const found = holdersOf(row)
    .map((holder) => field(holder, "messages"))
    .find((value) => Array.isArray(value));
  if (Array.isArray(found)) return found as readonly unknown[];
  return Array.isArray(row) && row.length > 0 && isMessage(row[0]) ? (row as readonly unknown[]) : undefined;
}

/** The responses of a loop, each in the `body` of its step. */
function stepResponses(row: unknown): readonly UnknownRecord[] {
  const bodies = list(field(row, "steps")).map((step) => field(step, "body"));
  return bodies.length > 0 && bodies.every(isResponse) ? bodies.filter(isResponse) : [];
}

function responseOf(row: unknown): UnknownRecord | undefined {
  const candidates = [row, field(row, "response"), fieldAt(row, "response", "body"), fieldAt(row, "result", "message")];
  return candidates.find(isResponse);
}

/** Reads what a file holds: rows are sessions, messages and events by themselves are one. */
class MessageRows {
  readonly #out: ImportBuilder;
  readonly #prefix: string;
  readonly #events = new MessageEvents();
  #count = 0;
  #last: SourceRecord | undefined;
  #before: { readonly texts: readonly string[]; readonly draft: SessionDraft } | undefined;

  constructor(out: ImportBuilder, prefix: string) {
    this.#out = out;
    this.#prefix = prefix;
  }

  add(row: SourceRecord): void {
    const { value } = row;
    if (isMessageEvent(value)) {
      this.#last = row;
      this.#streamed(this.#events.add(value), row);
      return;
    }
    const steps = stepResponses(value);
    for (const [index, body] of steps.entries())
      readAssistantMessage(body, this.#messages(), whereOf(row, `/steps/${index}/body`));
    if (steps.length > 0) return;
    const messages = rowMessages(value);
    const response = responseOf(value);
    if (messages !== undefined || (response !== undefined && response !== value))
      this.#row(row, messages ?? [], response);
    else readMessage(value, this.#messages(), whereOf(row, undefined, messageTime(value)));
  }

  end(): void {
    const left = this.#events.take();
    if (left === undefined || this.#last === undefined) return;
    this.#out.warn({
      code: "stream-cut",
      message: "The stream ends before its message does.",
      origin: this.#last.origin,
      kept: true,
    });
    this.#streamed(left, this.#last);
  }

  #messages(): SessionDraft {
    return this.#out.session(`${this.#prefix}messages`);
  }

  #streamed(message: UnknownRecord | undefined, row: SourceRecord): void {
    if (message !== undefined) readAssistantMessage(message, this.#messages(), whereOf(row));
  }

  #row(row: SourceRecord, messages: readonly unknown[], response: UnknownRecord | undefined): void {
    const texts = messages.map((message) => jsonText(message));
    const before = this.#before;
    // Requests of one conversation repeat what came before, and then the response to it.
    const goesOn =
      before !== undefined && texts.length > before.texts.length && before.texts.every((item, i) => item === texts[i]);
    const known = goesOn ? before.texts.length : 0;
    const read = goesOn && field(messages[known], "role") === "assistant" ? known + 1 : known;
    const draft = goesOn ? before.draft : this.#out.session(`${this.#prefix}${this.#count}`);
    this.#count++;
    this.#about(row, draft, goesOn);
    const pointer = Array.isArray(row.value) ? "" : "/messages";
    for (const [index, message] of messages.entries())
      if (index >= read) readMessage(message, draft, whereOf(row, `${pointer}/${index}`, messageTime(message)));
    if (response !== undefined)
      readAssistantMessage(response, draft, whereOf(row, "/response", field(row.value, "timestamp")));
    this.#before = response !== undefined && messages.length > 0 ? { texts, draft } : undefined;
  }

  #about(row: SourceRecord, draft: SessionDraft, isKnown: boolean): void {
    for (const holder of holdersOf(row.value)) {
      const tools = offeredTools(field(holder, "tools"));
      draft.about(
        present({ modelId: filledText(field(holder, "model")), tools: tools.length > 0 ? tools : undefined }),
      );
      const system = messageContent(field(holder, "system"), draft).text;
      if (system !== "" && !isKnown) draft.system(system, { origin: row.origin });
    }
    draft.about(present({ title: filledText(field(row.value, "custom_id")) }));
  }
}

function readMessage(value: unknown, draft: SessionDraft, where: Where): void {
  const message = record(value);
  if (message.role === "assistant") readAssistantMessage(message, draft, where);
  else if (message.role === "user") readUserMessage(message, draft, where);
  else if (message.role === "system") draft.system(messageContent(message.content, draft).text, where);
  else draft.note("message", value, where);
}
