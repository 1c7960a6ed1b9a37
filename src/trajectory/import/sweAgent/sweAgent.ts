import { probedRecords, type SourceRecord, type TrajectoryFormat } from "../format";
import type { ImportBuilder, SessionDraft, Where } from "../importBuilder";
import {
  field,
  fieldAt,
  filledText,
  isRecord,
  list,
  number,
  parsedJson,
  record,
  text,
  type UnknownRecord,
} from "../jsonAccess";
import { streamedRecords } from "../openaiChat/eventStream";
import { messageContent, outputOf, whereOf } from "../openaiChat/messageContent";
import { present } from "../present";

/** SWE-agent's `.traj`: steps, the history they are in, or the history alone. It has no times, and totals only. */
export const sweAgent: TrajectoryFormat = {
  name: "swe-agent",
  detect(probe) {
    if (probe.kind !== "json" && probe.kind !== "lines") return 0;
    const [value] = probedRecords(probe);
    if (list(field(value, "trajectory")).some(isStep)) return 85;
    return list(field(value, "history")).some(isHistoryEntry) ? 75 : 0;
  },
  async read(input, out) {
    for (const file of input.files) {
      let count = 0;
      for await (const source of streamedRecords(input, file)) {
        if (isRecord(source.value)) readTrajectory(source, out, `${file.path}#${count++}`);
        else out.warn({ code: "unknown-record", message: "No trajectory.", origin: source.origin, kept: false });
        input.progress();
      }
    }
  },
};

function isStep(value: unknown): boolean {
  return (
    isRecord(value) &&
    "observation" in value &&
    ("action" in value || "thought" in value) &&
    ("response" in value || "thought" in value)
  );
}

/** An entry of the history names its agent or what kind of message it is. */
function isHistoryEntry(value: unknown): boolean {
  const { role, agent, message_type: type, is_demo: isDemo } = record(value);
  return typeof role === "string" && (typeof agent === "string" || typeof type === "string" || isDemo !== undefined);
}

function readTrajectory(source: SourceRecord, out: ImportBuilder, key: string): void {
  const root = record(source.value);
  const steps = list(root.trajectory);
  const history = list(root.history);
  const responses = history.filter((entry) => field(entry, "role") === "assistant" && field(entry, "is_demo") !== true);
  const draft = out.session(key, present({ agentName: "SWE-agent", cwd: directoryOf(steps), modelId: modelOf(root) }));
  out.version(filledText(fieldAt(root.info, "swe_agent_version")) ?? (isRecord(field(steps[0], "state")) ? "1" : "0"));
  // A history that was cut short is less than the steps; it still holds what came before the first.
  if (responses.length > 0 && responses.length >= steps.length)
    new History(draft, steps).read(history, source, "/history");
  else readSteps(steps, history, source, draft);
  closeRun(record(root.info), source, draft);
}

function directoryOf(steps: readonly unknown[]): string | undefined {
  const state = field(steps[0], "state");
  return filledText(field(isRecord(state) ? state : parsedJson(state), "working_dir"));
}

function modelOf(root: UnknownRecord): string | undefined {
  const config = isRecord(root.replay_config) ? root.replay_config : parsedJson(root.replay_config);
  const name = filledText(fieldAt(config, "agent", "model", "name"));
  return name === "replay" ? undefined : name;
}

/** Reads the messages of a run: calls and their ids stand there, or else the action of a text. */
class History {
  readonly #draft: SessionDraft;
  readonly #steps: readonly unknown[];
  #responseCount = 0;
  /** The action of a text that waits for what was observed. */
  #pending: string | undefined;
  #isCalling = false;

  constructor(draft: SessionDraft, steps: readonly unknown[]) {
    this.#draft = draft;
    this.#steps = steps;
  }

  read(history: readonly unknown[], source: SourceRecord, pointer: string): void {
    for (const [index, entry] of history.entries()) {
      const isDemo = field(entry, "is_demo") === true || field(entry, "message_type") === "demonstration";
      this.#entry(entry, { ...whereOf(source, `${pointer}/${index}`), ...(isDemo && { replay: false as const }) });
    }
    // What the last action led to stands in its step only.
    const last = this.#steps[this.#responseCount - 1];
    const pending = this.#pending;
    if (last !== undefined && pending !== undefined)
      this.#answer(
        pending,
        field(last, "observation"),
        whereOf(source, `/trajectory/${this.#responseCount - 1}/observation`),
      );
  }

  #entry(value: unknown, where: Where): void {
    const entry = record(value);
    const draft = this.#draft;
    if (entry.role === "system") draft.system(messageContent(entry.content, draft).text, where);
    else if (entry.role === "assistant") this.#response(entry, where);
    else if (entry.role === "tool") this.#toolEntry(entry, where);
    else if (entry.role === "user") {
      if (this.#pending !== undefined && where.replay !== false) this.#answer(this.#pending, entry.content, where);
      else {
        const { text: written, parts } = messageContent(entry.content, draft);
        draft.user(written, present({ ...where, parts }));
      }
    } else draft.note("history", value, where);
  }

  #response(entry: UnknownRecord, where: Where): void {
    const draft = this.#draft;
    const isDemo = where.replay === false;
    const step = isDemo ? undefined : this.#steps[this.#responseCount++];
    if (!isDemo) this.#pending = undefined;
    draft.step(where);
    for (const block of list(entry.thinking_blocks)) draft.reasoning(text(field(block, "thinking")) ?? "", where);
    const written = messageContent(entry.content, draft).text;
    draft.message(written === "" ? (text(entry.thought) ?? "") : written, where);
    const calls = list(entry.tool_calls);
    for (const call of calls) {
      const input = fieldAt(call, "function", "arguments");
      const callId = draft.call(
        { callId: filledText(field(call, "id")), toolName: text(fieldAt(call, "function", "name")) ?? "", input },
        where,
      );
      // An observation without the id of its call is of the last one.
      if (!isDemo) this.#pending = callId;
    }
    const action = text(entry.action) ?? text(field(step, "action"));
    this.#isCalling = calls.length > 0;
    if (calls.length === 0 && action !== undefined && action.trim() !== "" && !isDemo)
      this.#pending = actionCall(action, draft, where);
  }

  #toolEntry(entry: UnknownRecord, where: Where): void {
    const ids = list(entry.tool_call_ids).flatMap((id) => filledText(id) ?? []);
    const single = filledText(entry.tool_call_id);
    const named = ids.length > 0 ? ids : single === undefined ? [] : [single];
    const output = outputOf(entry.content, this.#draft);
    if (named.length === 0) this.#draft.result({ output }, where);
    for (const callId of named) this.#draft.result({ callId, output }, where);
    if (where.replay !== false) this.#pending = undefined;
  }

  #answer(callId: string, content: unknown, where: Where): void {
    this.#pending = undefined;
    const step = this.#isCalling ? undefined : this.#steps[this.#responseCount - 1];
    this.#draft.result({ callId, output: outputOf(content, this.#draft), durationMs: durationOf(step) }, where);
  }
}

/** Actions are lines for the shell that SWE-agent's own commands are part of. */
function actionCall(action: string, draft: SessionDraft, where: Where): string {
  return draft.call({ toolName: "bash", input: { command: action } }, where);
}

function durationOf(step: unknown): number | undefined {
  const seconds = number(field(step, "execution_time"));
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
}

/** Without a history of them: each step is a response, its action and what was observed. */
function readSteps(
  steps: readonly unknown[],
  history: readonly unknown[],
  source: SourceRecord,
  draft: SessionDraft,
): void {
  const first = steps[0];
  const query = list(field(first, "query") ?? field(first, "messages"));
  const before = history.length > 0 ? history : query;
  const pointer = history.length > 0 ? "/history" : "/trajectory/0/query";
  const start = before.findIndex((entry) => field(entry, "role") === "assistant" && field(entry, "is_demo") !== true);
  new History(draft, []).read(start === -1 ? before : before.slice(0, start), source, pointer);
  for (const [index, value] of steps.entries()) {
    const step = record(value);
    const where = whereOf(source, `/trajectory/${index}`);
    if (!isRecord(value)) {
      draft.note("step", value, where);
      continue;
    }
    draft.step(where);
    draft.message(text(step.response) ?? text(step.thought) ?? "", where);
    const calls = list(step.tool_calls);
    const action = text(step.action) ?? "";
    for (const call of calls)
      draft.call(
        {
          callId: filledText(field(call, "id")),
          toolName: text(fieldAt(call, "function", "name")) ?? "",
          input: fieldAt(call, "function", "arguments"),
        },
        where,
      );
    if (calls.length === 0 && action.trim() === "") continue;
    const callId = calls.length === 0 ? actionCall(action, draft, where) : filledText(field(calls[0], "id"));
    draft.result({ callId, output: outputOf(step.observation, draft), durationMs: durationOf(step) }, where);
  }
}

/** Totals are those of the run; a run that was not submitted did not end well. */
function closeRun(info: UnknownRecord, source: SourceRecord, draft: SessionDraft): void {
  const stats = record(info.model_stats);
  const usage = present({
    inputTokens: number(stats.tokens_sent),
    outputTokens: number(stats.tokens_received),
    costUsd: number(stats.instance_cost) ?? number(stats.total_cost),
  });
  // A run that was replayed has called no model.
  if (Object.values(usage).some((figure) => figure !== undefined && figure > 0)) draft.usage(usage, "cumulative");
  const where = whereOf(source, "/info");
  const status = filledText(info.exit_status);
  if (Object.keys(info).length > 0) draft.note("info", info, where);
  if (status !== undefined && !status.startsWith("submitted"))
    draft.endTurn({ kind: "failed", code: status, message: `The run ended with ${status}.` }, where);
}
