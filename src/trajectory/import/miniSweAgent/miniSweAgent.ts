import type { SourceRecord, TrajectoryFormat } from "../format";
import { probedRecords } from "../format";
import type { ImportBuilder, SessionDraft, Where } from "../importBuilder";
import { field, fieldAt, filledText, list, number, record, text, type UnknownRecord } from "../jsonAccess";
import { messageTime } from "../openaiChat/chatMessages";
import { openaiUsage } from "../openaiChat/chatUsage";
import { streamedRecords } from "../openaiChat/eventStream";
import { messageContent, whereOf } from "../openaiChat/messageContent";
import { present } from "../present";

const FENCE = /```mswea_bash_command[ \t]*\r?\n([\s\S]*?)\r?\n?```/g;
/** Of the first version. */
const OLD_FENCE = /```bash[ \t]*\r?\n([\s\S]*?)\r?\n?```/g;
const OBSERVATION = /^\s*<(?:returncode|exception|warning)>/;
const REJECTION = /^Command not executed\. The user (?:rejected|interrupted)/;

/** mini-SWE-agent's `.traj.json` and its bare messages: each response holds commands for one shell. */
export const miniSweAgent: TrajectoryFormat = {
  name: "mini-swe-agent",
  detect(probe) {
    if (probe.kind !== "json" && probe.kind !== "lines") return 0;
    const records = probedRecords(probe);
    const [first] = records;
    if ((text(field(first, "trajectory_format")) ?? "").startsWith("mini-swe-agent")) return 95;
    if (field(first, "info") !== undefined && filledText(fieldAt(first, "info", "mini_version")) !== undefined)
      return 90;
    const messages = Array.isArray(field(first, "messages")) ? list(field(first, "messages")) : records;
    return messages.some(isAction) || messages.some((message, index) => isObservation(message, messages[index - 1]))
      ? 85
      : 0;
  },
  async read(input, out) {
    for (const file of input.files) {
      const run = new Run(out, file.path);
      for await (const source of streamedRecords(input, file)) {
        run.add(source);
        input.progress();
      }
    }
  },
};

function isAction(message: unknown): boolean {
  if (field(message, "role") !== "assistant") return false;
  if (list(fieldAt(message, "extra", "actions")).some((action) => typeof field(action, "command") === "string"))
    return true;
  return (text(field(message, "content")) ?? "").includes("```mswea_bash_command");
}

/** What a command of the first version led to, right after it. */
function isObservation(message: unknown, before: unknown): boolean {
  if (field(message, "role") !== "user" || field(before, "role") !== "assistant") return false;
  const { content } = record(message);
  return (
    typeof content === "string" &&
    OBSERVATION.test(content) &&
    (text(field(before, "content")) ?? "").includes("```bash")
  );
}

class Run {
  readonly #out: ImportBuilder;
  readonly #path: string;
  #count = 0;
  #single: Messages | undefined;

  constructor(out: ImportBuilder, path: string) {
    this.#out = out;
    this.#path = path;
  }

  add(source: SourceRecord): void {
    const { value } = source;
    const isList = Array.isArray(value);
    if (!isList && !Array.isArray(field(value, "messages"))) {
      this.#single ??= new Messages(this.#out.session(this.#path, { agentName: "mini-swe-agent" }));
      this.#single.read(value, whereOf(source, undefined, messageTime(value)));
      return;
    }
    const info = record(field(value, "info"));
    const draft = this.#out.session(`${this.#path}#${this.#count++}`, aboutOf(info, value));
    this.#out.version(text(field(value, "trajectory_format")) ?? "");
    const messages = new Messages(draft);
    const pointer = isList ? "" : "/messages";
    for (const [index, message] of list(isList ? value : field(value, "messages")).entries())
      messages.read(message, whereOf(source, `${pointer}/${index}`, messageTime(message)));
    messages.close(info, whereOf(source, "/info"));
  }
}

function aboutOf(info: UnknownRecord, value: unknown): Parameters<SessionDraft["about"]>[0] {
  return present({
    id: filledText(field(value, "instance_id")),
    agentName: "mini-swe-agent",
    agentVersion: filledText(info.mini_version),
    modelId: filledText(fieldAt(info, "config", "model", "model_name")),
    cwd: filledText(fieldAt(info, "config", "environment", "cwd")),
  });
}

/** Reads the messages of a run. What the user's side says after a command is what the shell answered. */
class Messages {
  readonly #draft: SessionDraft;
  /** Calls that wait for their observation. */
  #pending: string[] = [];
  #hasUsage = false;
  /** Whether commands are fenced by the name of their own, so that other fences are examples. */
  #isFenced = false;

  constructor(draft: SessionDraft) {
    this.#draft = draft;
  }

  read(value: unknown, where: Where): void {
    const message = record(value);
    const draft = this.#draft;
    this.#isFenced ||= typeof message.content === "string" && message.content.includes("mswea_bash_command");
    if (message.role === "system") draft.system(messageContent(message.content, draft).text, where);
    else if (message.role === "assistant" || message.object === "response") this.#response(message, where);
    else if (message.role === "user" && this.#pending.length === 0) this.#user(message, where);
    else if (message.role === "user") this.#observation(message, this.#pending.shift(), where);
    else if (message.role === "tool" || message.type === "function_call_output") {
      const callId = filledText(message.tool_call_id) ?? filledText(message.call_id);
      this.#pending = this.#pending.filter((pending) => pending !== callId);
      this.#observation(message, callId, where);
    } else if (message.role === "exit") this.#exit(message, value, where);
    else draft.note(text(message.role) ?? "message", value, where);
  }

  /** What a run was ended with is the output of the command that submitted it. */
  #exit(message: UnknownRecord, value: unknown, where: Where): void {
    const [callId, ...others] = this.#pending;
    const status = text(fieldAt(message, "extra", "exit_status")) ?? "";
    if (callId !== undefined && others.length === 0 && /^submitted$/i.test(status)) {
      this.#pending = [];
      this.#draft.result({ callId, output: messageContent(message.content, this.#draft).text }, where);
    }
    this.#draft.note("exit", value, where);
  }

  #user(message: UnknownRecord, where: Where): void {
    const { text: written, parts } = messageContent(message.content, this.#draft);
    // Without a command before it, what looks like an observation has lost its call.
    if (OBSERVATION.test(written))
      this.#draft.result({ callId: filledText(message.id) ?? "none", output: written }, where);
    else this.#draft.user(written, present({ ...where, parts }));
  }

  #response(message: UnknownRecord, where: Where): void {
    const draft = this.#draft;
    const raw = record(fieldAt(message, "extra", "response"));
    draft.step({ ...where, modelId: filledText(raw.model) ?? filledText(message.model) });
    draft.reasoning(filledText(message.reasoning_content) ?? "", where);
    const written = messageContent(
      message.content ?? list(message.output).flatMap((item) => list(field(item, "content"))),
      draft,
    ).text;
    draft.message(written, where);
    this.#pending = this.#calls(message, written).map((call) => draft.call(call, where));
    const usage = openaiUsage(raw.usage ?? message.usage, fieldAt(message, "extra", "cost"));
    if (usage === undefined) return;
    this.#hasUsage = true;
    draft.usage(usage, "per-call");
  }

  #calls(message: UnknownRecord, written: string): { callId?: string | undefined; toolName: string; input: unknown }[] {
    const called = list(message.tool_calls);
    if (called.length > 0)
      return called.map((call) => ({
        callId: filledText(field(call, "id")),
        toolName: text(fieldAt(call, "function", "name")) ?? "bash",
        input: fieldAt(call, "function", "arguments"),
      }));
    const actions = list(fieldAt(message, "extra", "actions"));
    if (actions.length > 0)
      return actions.map((action) => ({
        callId: filledText(field(action, "tool_call_id")),
        toolName: "bash",
        input: { command: text(field(action, "command")) ?? "" },
      }));
    const commands = [...written.matchAll(this.#isFenced ? FENCE : OLD_FENCE)];
    // One command is asked for; of several none was run.
    return commands.length === 1 ? [{ toolName: "bash", input: { command: commands[0]?.[1] ?? "" } }] : [];
  }

  #observation(message: UnknownRecord, callId: string | undefined, where: Where): void {
    const draft = this.#draft;
    const written = messageContent(message.content ?? message.output, draft).text;
    const extra = record(message.extra);
    const interrupt = text(extra.interrupt_type) ?? "";
    if (callId !== undefined && (REJECTION.test(written) || interrupt === "UserRejection")) {
      draft.approval({ callId, outcome: "denied", text: written }, where);
      draft.result({ callId, output: written, status: "rejected", error: { code: "denied", message: written } }, where);
      return;
    }
    const exception = filledText(extra.exception_info) ?? (interrupt === "" ? undefined : interrupt);
    const returnCode =
      number(extra.returncode) ?? number(/^\s*<returncode>(-?\d+)<\/returncode>/.exec(written)?.[1]) ?? 0;
    const code = interrupt !== "" ? "interrupted" : exception === undefined ? "exit-code" : "exception";
    const isFailed = exception !== undefined || returnCode !== 0;
    draft.result(
      {
        callId,
        output: written,
        status: isFailed ? "failed" : "completed",
        ...(isFailed && { error: { code, message: exception ?? `Exit code ${returnCode}` } }),
        truncated: written.includes("<elided_chars>"),
      },
      where,
    );
  }

  close(info: UnknownRecord, where: Where): void {
    const costUsd = number(fieldAt(info, "model_stats", "instance_cost"));
    if (!this.#hasUsage && costUsd !== undefined && costUsd > 0) this.#draft.usage({ costUsd }, "cumulative");
    if (Object.keys(info).length > 0) this.#draft.note("info", info, where);
    const status = filledText(info.exit_status);
    if (status !== undefined && status !== "Submitted" && status !== "submitted")
      this.#draft.endTurn({ kind: "failed", code: status, message: `The run ended with ${status}.` }, where);
  }
}
