import { present } from "../present";
import { probedRecords, type Probe, type SourceRecord, type TrajectoryFormat } from "../format";
import type { ImportBuilder, SessionDraft, Where } from "../importBuilder";
import { field, fieldAt, filledText, isRecord, jsonText, list, number, record, text } from "../jsonAccess";
import { ChatChunks, isChatChunk, type StreamedResponse } from "./chatChunks";
import { isChatMessage, messageTime, readAssistant, readChatMessage } from "./chatMessages";
import { offeredTools } from "./chatTools";
import { finishReason, openaiUsage } from "./chatUsage";
import { isEventStream, readRows } from "./eventStream";
import { whereOf } from "./messageContent";
import { conversationsOf, shareGptMessages } from "./shareGpt";

/** Parts that other message formats have, and chats do not. */
const FOREIGN_PARTS =
  /^(?:tool_use|tool_result|server_tool_use|thinking|tool-call|tool-result|input_text|output_text)$/;

/**
 * Chats as OpenAI writes them and most others do: a list of messages, a request or a response holding them, a proxy's log
 * of both, batches, rows to train on, one message a line, and streamed chunks.
 */
export const openaiChat: TrajectoryFormat = {
  name: "openai-chat",
  detect(probe) {
    if (probe.kind === "entries") return 0;
    if (probe.kind === "text")
      return isEventStream(probe.head) && probe.head.includes('"chat.completion.chunk"') ? 70 : 0;
    return detectRecords(probe);
  },
  async read(input, out) {
    await readRows(input, (prefix) => new ChatRows(out, prefix));
  },
};

function detectRecords(probe: Probe): number {
  const records = probedRecords(probe);
  const [first] = records;
  if (isRecord(first) && (text(first.object) ?? "").startsWith("chat.completion")) return 70;
  const messages = rowMessages(first);
  if (messages !== undefined) {
    if (fieldAt(first, "response", "choices") !== undefined || isRecord(responseOf(first))) return 65;
    return Math.max(chatScore(messages), shareGptMessages(first) === undefined ? 0 : 40);
  }
  if (isRecord(responseOf(first))) return 60;
  if (!isChatMessage(first)) return 0;
  const score = chatScore(records.filter(isChatMessage));
  return records.every(isChatMessage) ? score : Math.min(score, 15);
}

/** How surely messages are a chat's: what only chats have counts for more than roles alone. */
function chatScore(messages: readonly unknown[]): number {
  if (messages.length === 0 || !isChatMessage(messages[0])) return 0;
  let score = 20;
  for (const message of messages) {
    const { role, content, tool_calls: calls, parts } = record(message);
    if (Array.isArray(parts)) return 0;
    if (list(content).some((part) => FOREIGN_PARTS.test(text(field(part, "type")) ?? ""))) return 0;
    if (list(calls).some((call) => isRecord(field(call, "function")))) score = 50;
    else if (role === "tool" || role === "system" || role === "developer") score = Math.max(score, 40);
  }
  return score;
}

/** The messages of a row: of a request, of what holds one, of a batch, or to train on. */
function rowMessages(row: unknown): readonly unknown[] | undefined {
  return chatRowMessages(row) ?? shareGptMessages(row);
}

function chatRowMessages(row: unknown): readonly unknown[] | undefined {
  const found =
    field(row, "messages") ??
    fieldAt(row, "request", "messages") ??
    fieldAt(row, "request", "body", "messages") ??
    fieldAt(row, "body", "messages") ??
    fieldAt(row, "kwargs", "messages") ??
    conversationsOf(row);
  if (Array.isArray(found)) return found as readonly unknown[];
  return Array.isArray(row) && isChatMessage(row[0]) ? (row as readonly unknown[]) : undefined;
}

/** The completion of a row: itself, or what holds it. */
function responseOf(row: unknown): unknown {
  const candidates = [row, field(row, "response"), fieldAt(row, "response", "body"), field(row, "completion")];
  return candidates.find((candidate) => Array.isArray(field(candidate, "choices")));
}

/** Reads the rows of a file, each a session of its own but for messages that are rows themselves. */
class ChatRows {
  readonly #out: ImportBuilder;
  readonly #prefix: string;
  readonly #chunks = new ChatChunks();
  #count = 0;
  #last: SourceRecord | undefined;
  /** The requests of one conversation repeat what came before: what was read of the last one, and its draft. */
  #before:
    | { readonly texts: readonly string[]; readonly draft: SessionDraft; readonly hasResponse: boolean }
    | undefined;

  constructor(out: ImportBuilder, prefix: string) {
    this.#out = out;
    this.#prefix = prefix;
  }

  add(row: SourceRecord): void {
    const { value, origin } = row;
    if (isChatChunk(value)) {
      this.#streamed(this.#chunks.add(value));
      this.#last = row;
      return;
    }
    const messages = rowMessages(value);
    if (messages !== undefined || responseOf(value) !== undefined) this.#row(row, messages ?? []);
    else if (isChatMessage(value))
      readChatMessage(value, this.#messages(), whereOf(row, undefined, messageTime(value)));
    else {
      this.#out.warn({ code: "unknown-record", message: "No message and no row of messages.", origin, kept: true });
      this.#messages().note(`message:${text(field(value, "role")) ?? "?"}`, value, { origin });
    }
  }

  end(): void {
    this.#streamed(this.#chunks.take());
  }

  #messages(): SessionDraft {
    return this.#out.session(`${this.#prefix}messages`);
  }

  #streamed(response: StreamedResponse | undefined): void {
    if (response === undefined) return;
    const draft = this.#out.session(`${this.#prefix}stream`);
    const where: Where = this.#last === undefined ? {} : whereOf(this.#last, undefined, response.created);
    readAssistant(present({ ...response.message, id: response.id, model: response.model }), draft, where);
    closeStep(draft, response.finishReason, openaiUsage(response.usage));
  }

  #row(row: SourceRecord, messages: readonly unknown[]): void {
    const { value } = row;
    const response = responseOf(value);
    const isLog = response !== undefined && messages.length > 0;
    const texts = isLog ? messages.map((message) => jsonText(message)) : [];
    const before = this.#before;
    const goesOn =
      before !== undefined && texts.length > before.texts.length && before.texts.every((item, i) => item === texts[i]);
    let read = 0;
    if (goesOn) {
      // The response recorded with the last request is the first message after it.
      const isKnown = before.hasResponse && field(messages[before.texts.length], "role") === "assistant";
      read = before.texts.length + (isKnown ? 1 : 0);
    }
    const draft = goesOn ? before.draft : this.#out.session(`${this.#prefix}${this.#count}`);
    this.#count++;
    aboutRow(value, response, draft);
    const pointer = pointerOf(value);
    // A line of ShareGPT may be several messages: only where all of them stand is known.
    const isOneEach = messages === chatRowMessages(value);
    for (const [index, message] of messages.entries()) {
      const at = isOneEach ? `${pointer}/${index}` : pointer;
      if (index >= read) readChatMessage(message, draft, whereOf(row, at, messageTime(message)));
    }
    if (response !== undefined) readResponse(response, row, draft);
    this.#before = isLog ? { texts, draft, hasResponse: true } : undefined;
  }
}

function pointerOf(row: unknown): string {
  if (Array.isArray(row)) return "";
  if (field(row, "messages") !== undefined) return "/messages";
  const name = ["conversations", "conversation"].find((each) => field(row, each) !== undefined);
  if (name !== undefined) return `/${name}`;
  if (fieldAt(row, "request", "messages") !== undefined) return "/request/messages";
  if (fieldAt(row, "body", "messages") !== undefined) return "/body/messages";
  return fieldAt(row, "kwargs", "messages") === undefined ? "/request/body/messages" : "/kwargs/messages";
}

function aboutRow(row: unknown, response: unknown, draft: SessionDraft): void {
  const holders = [
    row,
    field(row, "request"),
    field(row, "body"),
    fieldAt(row, "request", "body"),
    field(row, "kwargs"),
  ];
  const tools = holders.map((holder) => offeredTools(field(holder, "tools"))).find((found) => found.length > 0);
  const models = [field(response, "model"), ...holders.map((holder) => field(holder, "model"))];
  draft.about(
    present({
      title: filledText(field(row, "custom_id")) ?? filledText(field(row, "title")),
      modelId: models.map((model) => filledText(model)).find((model) => model !== undefined),
      tools,
    }),
  );
}

/** The completion of a request: its first choice is the step, others are kept raw. */
function readResponse(response: unknown, row: SourceRecord, draft: SessionDraft): void {
  const { value } = row;
  const [choice, ...others] = list(field(response, "choices"));
  const pointer = response === value ? "/choices/0" : "/response/choices/0";
  const where = whereOf(row, pointer, field(value, "timestamp") ?? field(response, "created"));
  const message = record(field(choice, "message"));
  readAssistant(
    present({ ...message, id: filledText(field(response, "id")), model: field(response, "model") }),
    draft,
    where,
  );
  closeStep(
    draft,
    field(choice, "finish_reason"),
    openaiUsage(field(response, "usage"), number(field(value, "cost")) ?? field(value, "response_cost")),
  );
  for (const other of others) draft.note("choice", other, where);
}

function closeStep(draft: SessionDraft, reason: unknown, usage: ReturnType<typeof openaiUsage>): void {
  if (usage !== undefined) draft.usage(usage, "per-call");
  const finish = finishReason(reason);
  if (finish !== undefined) draft.finish(finish);
}
