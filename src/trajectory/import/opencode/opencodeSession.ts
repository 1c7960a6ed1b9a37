import type { ImportBuilder, SessionAbout, SessionDraft, Where } from "../importBuilder";
import { field, fieldAt, filledText, list, text } from "../jsonAccess";
import { filePart, finishReasonOf, usageOf, whereOf, writeTool } from "./opencodeParts";
import type { OpencodeMessage, OpencodeSession } from "./opencodeStorage";

/** Writes sessions down; those a call of another began stand for its subagents. */
export function writeOpencodeSessions(sessions: readonly OpencodeSession[], out: ImportBuilder): void {
  const callers = callersOf(sessions);
  const known = new Set(sessions.map(({ key }) => key));
  const versions = sessions.map(({ info }) => filledText(field(info.value, "version")));
  const version = versions.find((found) => found !== undefined);
  if (version !== undefined) out.version(version);
  for (const session of sessions) {
    const parentId = filledText(field(session.info.value, "parentID"));
    const callId = callers.get(session.key);
    const parent =
      parentId === undefined || !known.has(parentId)
        ? undefined
        : { key: parentId, ...(callId === undefined ? {} : { callId }) };
    const draft = out.session(session.key, { ...aboutOf(session), ...(parent === undefined ? {} : { parent }) });
    const undone = undoneFrom(session);
    new OpencodeWriter(draft).messages(session.messages.slice(0, undone));
    if (undone === session.messages.length) continue;
    const branch = out.session(`${session.key}#undone`, {
      ...aboutOf(session),
      id: `${session.key}#undone`,
      predecessor: session.key,
      branch: "undone",
    });
    new OpencodeWriter(branch).messages(session.messages.slice(undone));
  }
}

/** Where a person went back to: messages from there on are kept until the next one is sent. */
function undoneFrom({ info, messages }: OpencodeSession): number {
  const id = filledText(fieldAt(info.value, "revert", "messageID"));
  const index = id === undefined ? -1 : messages.findIndex((message) => field(message.info.value, "id") === id);
  return index === -1 ? messages.length : index;
}

/** The call each subagent's session answers, by the session's id. */
function callersOf(sessions: readonly OpencodeSession[]): ReadonlyMap<string, string> {
  const callers = new Map<string, string>();
  for (const { value } of sessions.flatMap(({ messages }) => messages).flatMap(({ parts }) => parts)) {
    const child =
      filledText(fieldAt(value, "state", "metadata", "sessionId")) ??
      filledText(fieldAt(value, "state", "metadata", "sessionID"));
    const callId = filledText(field(value, "callID"));
    if (child !== undefined && callId !== undefined) callers.set(child, callId);
  }
  return callers;
}

function aboutOf({ info, messages, key }: OpencodeSession): SessionAbout {
  const title = filledText(field(info.value, "title"));
  const cwd = filledText(field(info.value, "directory"));
  const version = filledText(field(info.value, "version"));
  const agents = messages.map(
    ({ info: { value } }) => filledText(field(value, "agent")) ?? filledText(field(value, "mode")),
  );
  const agent = agents.find((found) => found !== undefined);
  return {
    id: filledText(field(info.value, "id")) ?? key,
    ...(title === undefined ? {} : { title }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(version === undefined ? {} : { agentVersion: version }),
    ...(agent === undefined ? {} : { agentName: agent }),
  };
}

class OpencodeWriter {
  readonly #draft: SessionDraft;
  /** A compaction that was asked for: the next answer is its summary. */
  #compaction: Where | undefined;

  constructor(draft: SessionDraft) {
    this.#draft = draft;
  }

  messages(messages: readonly OpencodeMessage[]): void {
    for (const message of messages) {
      const role = text(field(message.info.value, "role"));
      if (role === "user") this.#user(message);
      else if (role === "assistant") this.#assistant(message);
      else this.#draft.note(role ?? "message", message.info.value, { origin: message.info.origin });
    }
    this.#compacted(undefined);
  }

  #user({ info, parts }: OpencodeMessage): void {
    const where = whereOf(info.origin, fieldAt(info.value, "time", "created"));
    const kinds = parts.map(({ value }) => text(field(value, "type")));
    if (kinds.length > 0 && kinds.every((kind) => kind === "compaction")) {
      this.#compacted(undefined);
      this.#compaction = where;
      return;
    }
    const system = filledText(field(info.value, "system"));
    if (system !== undefined) this.#draft.system(system, where);
    const words = parts.filter(({ value }) => field(value, "type") === "text" && field(value, "ignored") !== true);
    const files = parts.filter(({ value }) => field(value, "type") === "file");
    const summary = field(info.value, "summary");
    // Where its parts are gone, a message's summary says what it was about.
    const message =
      parts.length === 0
        ? (filledText(field(summary, "body")) ?? text(field(summary, "title")) ?? "")
        : words.map(({ value }) => text(field(value, "text")) ?? "").join("\n");
    const media = files.map(({ value }) => filePart(value, this.#draft));
    this.#draft.user(message, media.length === 0 ? where : { ...where, parts: media });
    for (const { value, origin } of parts) {
      const kind = text(field(value, "type")) ?? "part";
      if (kind === "compaction") this.#draft.compaction({}, { origin });
      else if (kind !== "text" && kind !== "file") this.#draft.note(kind, value, { origin });
    }
    const diffs = list(fieldAt(info.value, "summary", "diffs"));
    if (diffs.length > 0) this.#draft.note("diffs", diffs, where);
  }

  /** Where parts say when a step begins, a message may hold several; else it is one. */
  #assistant({ info, parts }: OpencodeMessage): void {
    const draft = this.#draft;
    const created = whereOf(info.origin, fieldAt(info.value, "time", "created"));
    const modelId = filledText(field(info.value, "modelID")) ?? filledText(fieldAt(info.value, "model", "modelID"));
    const begin = (where: Where) => draft.step({ ...where, modelId });
    begin(created);
    let isTold = false;
    let startCount = 0;
    const summary: string[] = [];
    for (const { value, origin } of parts) {
      const where = whereOf(origin, fieldAt(value, "time", "start") ?? created.at);
      switch (field(value, "type")) {
        case "text":
          if (field(value, "ignored") === true) draft.note("text", value, where);
          else draft.message(text(field(value, "text")) ?? "", where);
          summary.push(text(field(value, "text")) ?? "");
          break;
        case "reasoning":
          draft.reasoning(text(field(value, "text")) ?? "", where);
          break;
        case "tool":
          writeTool({ value, origin }, draft);
          break;
        case "step-start":
          if (startCount++ > 0) begin(where);
          break;
        case "step-finish":
          isTold = true;
          this.#finishStep(value);
          break;
        case "compaction":
          draft.compaction({}, where);
          break;
        default:
          draft.note(text(field(value, "type")) ?? "part", value, where);
      }
    }
    // A message's own figures are those of its steps, or the only ones.
    if (!isTold) draft.usage(usageOf(info.value), "per-call");
    const finish = isTold ? undefined : finishReasonOf(field(info.value, "finish"));
    if (finish !== undefined) draft.finish(finish);
    if (field(info.value, "summary") === true) this.#compacted(summary.join("\n"));
    this.#ended(info.value, whereOf(info.origin, fieldAt(info.value, "time", "completed") ?? created.at));
  }

  #finishStep(part: unknown): void {
    this.#draft.usage(usageOf(part), "per-call");
    const reason = finishReasonOf(field(part, "reason"));
    if (reason !== undefined) this.#draft.finish(reason);
  }

  #compacted(summary: string | undefined): void {
    if (this.#compaction === undefined) return;
    this.#draft.compaction(summary === undefined ? {} : { summary }, this.#compaction);
    this.#compaction = undefined;
  }

  #ended(info: unknown, where: Where): void {
    const error = field(info, "error");
    const code = filledText(field(error, "name"));
    if (code === undefined) return;
    const message = text(fieldAt(error, "data", "message")) ?? text(field(error, "message")) ?? code;
    if (/Abort/.test(code)) return this.#draft.endTurn({ kind: "cancelled", code, message }, where);
    this.#draft.finish("error");
    this.#draft.endTurn({ kind: "failed", code, message }, where);
  }
}
