import { probedRecords, type SourceRecord, type TrajectoryFormat } from "../format";
import type { ImportBuilder, SessionDraft } from "../importBuilder";
import { field, filledText, isRecord } from "../jsonAccess";
import { messageTime } from "../openaiChat/chatMessages";
import { eventValues, isEventStream, readRows } from "../openaiChat/eventStream";
import { whereOf } from "../openaiChat/messageContent";
import { present } from "../present";
import { isModelMessage, ModelMessages } from "./modelMessages";
import { isUIChunk, isUIStream, UIChunks } from "./uiChunks";
import { isUIMessage, legacyParts, readUIMessage } from "./uiMessages";

/** The AI SDK's UIMessages, streamed ones too, and the messages it sends to models: lists, lines, chats and requests. */
export const aiSdk: TrajectoryFormat = {
  name: "ai-sdk",
  detect(probe) {
    if (probe.kind === "text") return isEventStream(probe.head) && isUIStream(eventValues(probe.head)) ? 78 : 0;
    if (probe.kind !== "json" && probe.kind !== "lines") return 0;
    const records = probedRecords(probe);
    if (isUIStream(records)) return 78;
    const messages = rowMessages(records[0]) ?? records;
    if (messages.length === 0) return 0;
    if (messages.every((message) => isUIMessage(message) || isLegacy(message))) return 78;
    return messages.some(isModelMessage) ? 68 : messages.some(isUIMessage) ? 45 : 0;
  },
  async read(input, out) {
    await readRows(input, (prefix) => new Rows(out, prefix));
  },
};

/** A message of the fourth version: what tools did stands beside its content. */
function isLegacy(message: unknown): boolean {
  return Array.isArray(field(message, "toolInvocations"));
}

function rowMessages(row: unknown): readonly unknown[] | undefined {
  const found = Array.isArray(row) ? row : field(row, "messages");
  return Array.isArray(found) ? (found as readonly unknown[]) : undefined;
}

class Rows {
  readonly #out: ImportBuilder;
  readonly #prefix: string;
  #count = 0;
  #single: ModelMessages | undefined;
  #stream: UIChunks | undefined;

  constructor(out: ImportBuilder, prefix: string) {
    this.#out = out;
    this.#prefix = prefix;
  }

  add(row: SourceRecord): void {
    const { value } = row;
    const messages = rowMessages(value);
    if (messages === undefined && isUIChunk(value)) {
      this.#stream ??= new UIChunks(this.#out.session(`${this.#prefix}messages`));
      this.#stream.add(row);
      return;
    }
    // A message of a person may stand between the streams of the answers.
    this.#stream?.end();
    if (messages === undefined) {
      const draft = this.#out.session(`${this.#prefix}messages`);
      this.#single ??= new ModelMessages(draft);
      this.#message(value, row, undefined, draft, this.#single);
      return;
    }
    const draft = this.#out.session(`${this.#prefix}${this.#count++}`);
    draft.about(
      present({
        id: filledText(field(value, "id")) ?? filledText(field(value, "chatId")),
        title: filledText(field(value, "title")),
      }),
    );
    const system = filledText(field(value, "system"));
    if (system !== undefined) draft.system(system, whereOf(row));
    const reader = new ModelMessages(draft);
    const pointer = Array.isArray(value) ? "" : "/messages";
    for (const [index, message] of messages.entries())
      this.#message(message, row, `${pointer}/${index}`, draft, reader);
  }

  end(): void {
    this.#stream?.end();
  }

  #message(
    value: unknown,
    row: SourceRecord,
    pointer: string | undefined,
    draft: SessionDraft,
    reader: ModelMessages,
  ): void {
    const at = messageTime(value) ?? field(field(value, "metadata"), "createdAt");
    const where = whereOf(row, pointer, at);
    if (!isRecord(value)) draft.note("message", value, where);
    else if (Array.isArray(value.parts)) readUIMessage(value, draft, where);
    else if (isLegacy(value)) readUIMessage({ ...value, parts: legacyParts(value) }, draft, where);
    else reader.read(value, where);
  }
}
