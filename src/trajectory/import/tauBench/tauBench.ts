import { probedRecords, type SourceRecord, type TrajectoryFormat } from "../format";
import type { ImportBuilder, SessionDraft } from "../importBuilder";
import { field, fieldAt, filledText, isRecord, list, number, record, text, type UnknownRecord } from "../jsonAccess";
import { messageTime, readChatMessage } from "../openaiChat/chatMessages";
import { streamedRecords } from "../openaiChat/eventStream";
import { messageContent, whereOf } from "../openaiChat/messageContent";
import { present } from "../present";

/** Results of τ-bench (a list of runs) and τ²-bench (`simulations`): chats of an agent with a simulated person. */
export const tauBench: TrajectoryFormat = {
  name: "tau-bench",
  detect(probe) {
    if (probe.kind !== "json" && probe.kind !== "lines") return 0;
    const [first] = probedRecords(probe);
    if (isRun(first)) return 90;
    return list(field(first, "simulations")).some(isSimulation) || isSimulation(first) ? 90 : 0;
  },
  async read(input, out) {
    for (const file of input.files) {
      let count = 0;
      for await (const source of streamedRecords(input, file)) {
        const { value } = source;
        const key = (): string => `${file.path}#${count++}`;
        if (isRun(value)) readRun(record(value), list(field(value, "traj")), source, "/traj", key(), out);
        else if (isSimulation(value))
          readRun(record(value), list(field(value, "messages")), source, "/messages", key(), out);
        else if (Array.isArray(field(value, "simulations"))) {
          for (const [index, run] of list(field(value, "simulations")).entries())
            readRun(
              record(run),
              list(field(run, "messages")),
              source,
              `/simulations/${index}/messages`,
              key(),
              out,
              record(field(value, "info")),
            );
        } else out.warn({ code: "unknown-record", message: "No run.", origin: source.origin, kept: false });
        input.progress();
      }
    }
  },
};

function isRun(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value.traj) && ("task_id" in value || "reward" in value);
}

function isSimulation(value: unknown): boolean {
  return (
    isRecord(value) &&
    Array.isArray(value.messages) &&
    "task_id" in value &&
    ("reward_info" in value || "termination_reason" in value)
  );
}

function readRun(
  run: UnknownRecord,
  messages: readonly unknown[],
  source: SourceRecord,
  pointer: string,
  key: string,
  out: ImportBuilder,
  info: UnknownRecord = {},
): void {
  const trial = number(run.trial);
  const task = filledText(run.task_id) ?? number(run.task_id);
  const draft = out.session(
    key,
    present({
      id: filledText(run.id),
      title: task === undefined ? undefined : `Task ${task}${trial === undefined ? "" : `, trial ${trial}`}`,
      modelId: filledText(fieldAt(info, "agent_info", "llm")),
    }),
  );
  const policy = filledText(fieldAt(info, "environment_info", "policy"));
  if (policy !== undefined) draft.system(policy, { origin: source.origin });
  for (const [index, message] of messages.entries()) readMessage(message, source, `${pointer}/${index}`, draft);
  const { traj: _traj, messages: _messages, ...outcome } = run;
  draft.note("outcome", outcome, { origin: source.origin });
  const reason = text(run.termination_reason);
  if (reason !== undefined && /error|max_steps|too_many/.test(reason))
    draft.endTurn(
      { kind: "failed", code: reason, message: `The run ended with ${reason}.` },
      { origin: source.origin },
    );
}

/** A chat's message; what the person calls on a device of their own is none of the agent's, and kept raw. */
function readMessage(message: unknown, source: SourceRecord, pointer: string, draft: SessionDraft): void {
  const where = whereOf(source, pointer, messageTime(message));
  const isPersons = field(message, "requestor") === "user";
  if (field(message, "role") === "tool" && isPersons) draft.note("user-tool", message, where);
  else if (field(message, "role") === "user" && list(field(message, "tool_calls")).length > 0) {
    const { text: written } = messageContent(field(message, "content"), draft);
    if (written !== "") draft.user(written, where);
    draft.note("user-tool", message, where);
  } else if (
    field(message, "role") === "tool" &&
    filledText(field(message, "tool_call_id")) === undefined &&
    Array.isArray(field(message, "tool_messages"))
  )
    for (const [index, each] of list(field(message, "tool_messages")).entries())
      readMessage(each, source, `${pointer}/tool_messages/${index}`, draft);
  else if (
    field(message, "role") === "tool" &&
    filledText(field(message, "tool_call_id")) === undefined &&
    isRecord(message)
  )
    readChatMessage({ ...message, tool_call_id: message.id }, draft, where);
  else readChatMessage(message, draft, where);
}
