import { probedRecords, type Probe, type SourceRecord, type TrajectoryFormat } from "../format";
import type { FormatFile } from "../importSource";
import type { ImportBuilder, SessionAbout, SessionDraft } from "../importBuilder";
import { field, filledText, isRecord, list, text, type UnknownRecord } from "../jsonAccess";
import { probedFile } from "../probe";
import { conversationFromDocument, conversationFromLog, type GeminiConversation } from "./geminiConversation";
import { readGeminiHistory } from "./geminiHistory";
import { isCancelled, writeGeminiMessage } from "./geminiMessages";
import { readGeminiReplay } from "./geminiReplay";
import { isStreamEvent, readGeminiStream } from "./geminiStream";

type Shape = "document" | "log" | "replay" | "history" | "stream";

/** Sessions of the Gemini CLI: recorded chats in both forms, saved chats, what a run prints, and kept answers of the model. */
export const geminiCli: TrajectoryFormat = {
  name: "gemini-cli",
  acrossFiles: true,
  detect: (probe) => {
    const shape = shapeOf(probe);
    return shape === undefined ? 0 : shape === "history" ? 60 : 90;
  },
  async read(input, out) {
    const recorded: RecordedFile[] = [];
    for (const file of input.files) {
      input.progress();
      const shape = shapeOf((await probedFile(file, [])).probe);
      if (shape === "replay") await readGeminiReplay(input, file, out);
      else if (shape === "stream") await readGeminiStream(input, file, out);
      else if (shape === "log") recorded.push({ file, conversation: await conversationFromLog(input, file, out) });
      else {
        const document = await input.document(file);
        if (document === undefined) continue;
        const documents = isListed(document.value)
          ? list(document.value).map((value, index) => ({
              value,
              origin: { ...document.origin, pointer: `/${index}` },
            }))
          : [document];
        for (const each of documents) {
          if (Array.isArray(field(each.value, "messages"))) {
            recorded.push({ file, conversation: conversationFromDocument(each) });
          } else readGeminiHistory(each, file, out);
        }
      }
    }
    writeConversations(recorded, out);
  },
};

interface RecordedFile {
  readonly file: FormatFile;
  readonly conversation: GeminiConversation;
}

function shapeOf(probe: Probe): Shape | undefined {
  if (probe.kind !== "json" && probe.kind !== "lines") return undefined;
  const [first] = probe.records;
  const records = probedRecords(probe);
  if (records.some((entry) => isReplay(entry))) return "replay";
  if (records.some((entry) => isStreamEvent(entry))) return "stream";
  if (probe.kind === "json") {
    if ((isConversation(first) && Array.isArray(field(first, "messages"))) || isListed(first)) return "document";
    if (isHistory(field(first, "history")) || isHistory(first)) return "history";
  }
  if (records.some((entry) => isLogEntry(entry))) return "log";
  // A document that was cut off is known by how it begins.
  const isCut = probe.records.length === 0 && /^\s*\{\s*"sessionId"\s*:/.test(probe.head);
  return isCut && /"(projectHash|messages)"\s*:/.test(probe.head) ? "document" : undefined;
}

/** Whether a value is a list of conversations, each whole. */
function isListed(value: unknown): boolean {
  const entries = list(value);
  return (
    entries.length > 0 && entries.every((entry) => isConversation(entry) && Array.isArray(field(entry, "messages")))
  );
}

function isReplay(entry: unknown): boolean {
  const method = text(field(entry, "method"));
  return method !== undefined && /^(generateContent|countTokens|embedContent)/.test(method) && isAnswer(entry);
}

function isAnswer(entry: unknown): boolean {
  return isRecord(entry) && Object.hasOwn(entry, "response");
}

function isConversation(entry: unknown): boolean {
  if (filledText(field(entry, "sessionId")) === undefined) return false;
  return (
    Object.hasOwn(entry as UnknownRecord, "projectHash") ||
    list(field(entry, "messages")).some((message) => text(field(message, "type")) === "gemini")
  );
}

function isLogEntry(entry: unknown): boolean {
  if (text(field(entry, "$rewindTo")) !== undefined || isRecord(field(entry, "$set"))) return true;
  return isConversation(entry) || (text(field(entry, "type")) === "gemini" && field(entry, "id") !== undefined);
}

function isHistory(contents: unknown): boolean {
  const entries = list(contents);
  const roles = entries.map((entry) => text(field(entry, "role")));
  return (
    entries.every((entry) => Array.isArray(field(entry, "parts"))) &&
    entries.some((entry) => list(field(entry, "parts")).length > 0) &&
    roles.every((role) => role === "user" || role === "model" || role === "gemini" || role === "function") &&
    // `parts` alone is also how a span writes messages: those say what kind each part is.
    !entries.some((entry) => list(field(entry, "parts")).some((part) => field(part, "type") !== undefined))
  );
}

/** Subagents are recorded in files of their own, named by the id that the call of their parent has. */
function writeConversations(recorded: readonly RecordedFile[], out: ImportBuilder): void {
  const callers = new Map<string, { key: string; callId: string }>();
  for (const { file, conversation } of recorded) {
    for (const { value } of conversation.messages) {
      for (const call of list(field(value, "toolCalls"))) {
        const agentId = filledText(field(call, "agentId"));
        const callId = filledText(field(call, "id"));
        if (agentId !== undefined && callId !== undefined)
          callers.set(agentId, { key: keyOf(file, conversation), callId });
      }
    }
  }
  for (const { file, conversation } of recorded) {
    const key = keyOf(file, conversation);
    const id = filledText(field(conversation.metadata, "sessionId"));
    const parent = id === undefined ? undefined : callers.get(id);
    const draft = out.session(key, { ...aboutOf(conversation.metadata), ...(parent === undefined ? {} : { parent }) });
    writeMessages(conversation.messages, draft);
    for (const [index, branch] of conversation.branches.entries()) {
      const other = out.session(`${key}#${index}`, {
        ...aboutOf(conversation.metadata),
        ...(id === undefined ? {} : { id: `${id}#${index + 1}` }),
        predecessor: key,
        branch: `rewound ${index + 1}`,
      });
      for (const [at, message] of branch.messages.entries()) {
        writeGeminiMessage(message, other, at < branch.shared ? false : undefined);
      }
    }
  }
}

/** A request that was stopped ends its turn, unless an answer to it came after all. */
function writeMessages(messages: readonly SourceRecord[], draft: SessionDraft): void {
  for (const [index, message] of messages.entries()) {
    writeGeminiMessage(message, draft);
    if (!isCancelled(message)) continue;
    const next = messages
      .slice(index + 1)
      .find(({ value }) => /^(user|gemini|model)$/.test(text(field(value, "type")) ?? ""));
    if (next !== undefined && field(next.value, "type") !== "user") continue;
    const at = text(field(message.value, "timestamp"));
    draft.endTurn({ kind: "cancelled", code: "cancelled" }, { origin: message.origin, at });
  }
}

function keyOf(file: FormatFile, conversation: GeminiConversation): string {
  return `${file.path}:${filledText(field(conversation.metadata, "sessionId")) ?? ""}`;
}

function aboutOf(metadata: UnknownRecord): SessionAbout {
  const id = filledText(field(metadata, "sessionId"));
  const title = filledText(field(metadata, "summary"));
  const cwd = filledText(list(field(metadata, "directories"))[0]);
  const kind = filledText(field(metadata, "kind"));
  return {
    ...(id === undefined ? {} : { id }),
    ...(title === undefined ? {} : { title }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(kind === "subagent" ? { agentName: "subagent" } : {}),
  };
}
