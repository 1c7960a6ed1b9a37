import type { FormatFile } from "../importSource";
import type { FormatInput, SourceRecord } from "../format";
import type { ImportBuilder } from "../importBuilder";
import { field, filledText, isRecord, list, record, text, type UnknownRecord } from "../jsonAccess";

/** The path to the end of a conversation that was given up: all its messages, of which the first `shared` are the newer one's too. */
export interface GeminiBranch {
  readonly messages: readonly SourceRecord[];
  readonly shared: number;
}

export interface GeminiConversation {
  readonly metadata: UnknownRecord;
  readonly messages: readonly SourceRecord[];
  /** What was rewound, oldest first. */
  readonly branches: readonly GeminiBranch[];
}

/** A conversation recorded as one document. */
export function conversationFromDocument(document: SourceRecord): GeminiConversation {
  const messages = list(field(document.value, "messages")).map((value, index) => elementOf(document, value, index));
  return { metadata: record(document.value), messages, branches: [] };
}

function elementOf(document: SourceRecord, value: unknown, index: number): SourceRecord {
  return { value, origin: { ...document.origin, pointer: `${document.origin.pointer ?? ""}/messages/${index}` } };
}

/**
 * The log holds whole messages: one written again takes the place of the first, `$rewindTo` takes a message away and all
 * that follow, `$set` changes fields, the list of messages among them.
 */
export async function conversationFromLog(
  input: FormatInput,
  file: FormatFile,
  out: ImportBuilder,
): Promise<GeminiConversation> {
  const metadata = new Map<string, unknown>();
  let messages = new Map<string, SourceRecord>();
  const branches: GeminiBranch[] = [];
  for await (const entry of input.records(file)) {
    const rewindTo = text(field(entry.value, "$rewindTo"));
    const changes = field(entry.value, "$set");
    const id = text(field(entry.value, "id"));
    if (rewindTo !== undefined) {
      const kept = messagesBefore(messages, rewindTo, entry, out);
      if (messages.size > kept.size) branches.push({ messages: [...messages.values()], shared: kept.size });
      messages = kept;
    } else if (isRecord(changes)) {
      for (const [name, value] of Object.entries(changes)) if (name !== "messages") metadata.set(name, value);
      const replaced = field(changes, "messages");
      if (Array.isArray(replaced)) messages = messagesOf(replaced, entry);
    } else if (id !== undefined && field(entry.value, "type") !== undefined) messages.set(id, entry);
    else if (isRecord(entry.value) && filledText(field(entry.value, "sessionId")) !== undefined) {
      for (const [name, value] of Object.entries(entry.value)) metadata.set(name, value);
    } else out.warn({ code: "unknown-entry", origin: entry.origin, kept: false });
  }
  return { metadata: Object.fromEntries(metadata), messages: [...messages.values()], branches };
}

function messagesOf(values: readonly unknown[], entry: SourceRecord): Map<string, SourceRecord> {
  return new Map(
    values.map((value, index): [string, SourceRecord] => [
      text(field(value, "id")) ?? `#${index}`,
      { value, origin: { ...entry.origin, pointer: `/$set/messages/${index}` } },
    ]),
  );
}

/** A target that is not there takes everything away, as the program itself reads it. */
function messagesBefore(
  messages: ReadonlyMap<string, SourceRecord>,
  id: string,
  entry: SourceRecord,
  out: ImportBuilder,
): Map<string, SourceRecord> {
  if (!messages.has(id)) {
    out.warn({
      code: "rewind-target-missing",
      message: "The message to go back to is not in the file: all messages before are a branch of their own",
      origin: entry.origin,
    });
    return new Map();
  }
  const kept = new Map<string, SourceRecord>();
  for (const [key, message] of messages) {
    if (key === id) break;
    kept.set(key, message);
  }
  return kept;
}
