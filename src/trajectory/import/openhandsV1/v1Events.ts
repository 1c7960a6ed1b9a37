import type { OfferedTool, Usage } from "../../../session";
import type { ImportBuilder, SessionDraft, Where } from "../importBuilder";
import {
  field,
  fieldAt,
  filledText,
  isRecord,
  jsonObject,
  list,
  record,
  text,
  type UnknownRecord,
} from "../jsonAccess";
import { messageContent, outputOf } from "../openaiChat/messageContent";
import { isMasked, isTruncated } from "../openhandsV0/v0Event";
import { present } from "../present";
import { statsModel, statsUsage } from "./v1Usage";

/** Whether a value is an event: its kind is known by its name, and it has an id and a source. */
export function isV1Event(value: unknown): boolean {
  const { kind, id, source } = record(value);
  if (typeof kind !== "string" || (typeof id !== "string" && typeof source !== "string")) return false;
  return /(?:Event|Observation|Condensation|CondensationRequest)$/.test(kind);
}

/** Reads the events of one line of a conversation. */
export class V1Events {
  readonly #draft: SessionDraft;
  readonly #out: ImportBuilder;
  readonly #calls = new Map<string, string>();
  readonly #pending = new Set<string>();
  readonly #questions = new Map<string, { readonly prompt: string; readonly callId: string | undefined }>();
  readonly #external = new Set<string>();
  #step: string | undefined;
  /** Figures are told before the events of the response they are of. */
  #stats: Usage | undefined;
  #isAwaiting = false;
  /** A pause takes hold once what runs is done. */
  #paused: Where | undefined;

  constructor(draft: SessionDraft, out: ImportBuilder) {
    this.#draft = draft;
    this.#out = out;
  }

  read(value: unknown, where: Where): void {
    const event = record(value);
    switch (event.kind) {
      case "SystemPromptEvent":
        this.#systemPrompt(event, where);
        break;
      case "MessageEvent":
        this.#message(event, where);
        break;
      case "ActionEvent":
        this.#action(event, where);
        break;
      case "ObservationEvent":
        this.#observation(event, where);
        break;
      case "UserRejectObservation":
        this.#rejected(event, where);
        break;
      case "AgentErrorEvent":
        this.#agentError(event, where);
        break;
      default:
        this.#other(event, value, where);
    }
  }

  /** What is still waiting: figures nothing followed, and a pause. */
  end(stats?: Usage): void {
    const usage = stats ?? this.#stats;
    if (usage !== undefined) this.#draft.usage(usage, "cumulative");
    this.#stats = undefined;
    this.#settlePause();
  }

  #other(event: UnknownRecord, value: unknown, where: Where): void {
    const draft = this.#draft;
    switch (event.kind) {
      case "PauseEvent":
        this.#paused = where;
        if (this.#pending.size === 0) this.#settlePause();
        break;
      case "InterruptEvent":
        this.#endTurn({ kind: "cancelled" }, where);
        break;
      case "Condensation":
        draft.compaction(present({ summary: filledText(event.summary) }), where);
        break;
      case "ConversationErrorEvent":
        this.#endTurn({ kind: "failed", ...errorOf(event) }, where);
        break;
      case "ConversationStateUpdateEvent":
        this.#state(event, where);
        break;
      case "AskUserRequestEvent":
      case "AskUserResponseEvent":
        this.#question(event, where);
        break;
      case "ACPToolCallEvent":
        this.#externalCall(event, where);
        break;
      default:
        if (!isRecord(value)) this.#out.warn(present({ code: "unknown-event", origin: where.origin, kept: true }));
        draft.note(text(event.kind) ?? "event", value, where);
    }
  }

  #systemPrompt(event: UnknownRecord, where: Where): void {
    const texts = [event.system_prompt, event.dynamic_context].map((part) => messageContent(part, this.#draft).text);
    this.#draft.system(texts.filter((part) => part !== "").join("\n\n"), where);
    const tools = list(event.tools).flatMap((tool) => offered(tool));
    if (tools.length > 0) this.#draft.about({ tools });
  }

  #message(event: UnknownRecord, where: Where): void {
    const message = record(event.llm_message);
    const { text: written, parts } = messageContent(message.content, this.#draft);
    if (event.source === "agent" || message.role === "assistant") {
      this.#begin(event, message, where);
      this.#draft.message(written, where);
      return;
    }
    this.#settlePause();
    this.#step = undefined;
    if (message.role === "system") this.#draft.system(written, where);
    else this.#draft.user(written, present({ ...where, parts }));
  }

  #action(event: UnknownRecord, where: Where): void {
    this.#begin(event, event, where);
    this.#draft.message(messageContent(event.thought, this.#draft).text, where);
    const { kind: _kind, ...action } = record(event.action);
    const written = fieldAt(event, "tool_call", "arguments") ?? fieldAt(event, "tool_call", "function", "arguments");
    const toolName = text(event.tool_name) ?? "";
    const callId = this.#draft.call(
      { callId: filledText(event.tool_call_id), toolName, input: written ?? action },
      where,
    );
    for (const id of [event.id, event.tool_call_id]) if (typeof id === "string") this.#calls.set(id, callId);
    this.#pending.add(callId);
  }

  /** Events of one response are one step; its reasoning stands in the first. */
  #begin(event: UnknownRecord, said: UnknownRecord, where: Where): void {
    this.#settlePause();
    const id = filledText(event.llm_response_id) ?? `#${text(event.id) ?? ""}`;
    if (id === this.#step) return;
    this.#step = id;
    this.#draft.step({ ...where, id });
    if (this.#stats !== undefined) this.#draft.usage(this.#stats, "cumulative");
    this.#stats = undefined;
    const blocks = list(said.thinking_blocks).map((block) => text(field(block, "thinking")) ?? "");
    const summary = list(fieldAt(said, "responses_reasoning_item", "summary")).map(
      (part) => text(part) ?? text(field(part, "text")) ?? "",
    );
    const reasoning =
      filledText(said.reasoning_content) ?? [...blocks, ...summary].filter((part) => part !== "").join("\n\n");
    this.#draft.reasoning(reasoning, where);
  }

  #callOf(event: UnknownRecord): string | undefined {
    const byAction = this.#calls.get(text(event.action_id) ?? "") ?? this.#calls.get(text(event.tool_call_id) ?? "");
    return byAction ?? filledText(event.tool_call_id) ?? filledText(event.action_id);
  }

  #observation(event: UnknownRecord, where: Where): void {
    const observation = record(event.observation);
    const { kind: _kind, ...rest } = observation;
    const content = observation.content ?? observation.output;
    const output = content === undefined ? outputOf(rest, this.#draft) : outputOf(content, this.#draft);
    const isFailed = observation.is_error === true || filledText(observation.error) !== undefined;
    const message = filledText(observation.error) ?? (typeof output === "string" ? output : "");
    const code = observation.timeout === true ? "timeout" : "tool-error";
    if (isMasked(output)) this.#out.fidelity({ results: "masked" });
    this.#answer(
      event,
      { output, truncated: isTruncated(output), ...(isFailed && { status: "failed", error: { code, message } }) },
      where,
    );
    const path = filledText(observation.path);
    if (path === undefined) return;
    if (typeof observation.old_content === "string") this.#draft.file(path, observation.old_content, "before");
    if (typeof observation.new_content === "string") this.#draft.file(path, observation.new_content, "after");
  }

  #answer(event: UnknownRecord, result: Omit<Parameters<SessionDraft["result"]>[0], "callId">, where: Where): void {
    const callId = this.#callOf(event);
    this.#draft.result({ ...result, callId: callId ?? "unknown", toolName: filledText(event.tool_name) }, where);
    if (callId !== undefined) this.#pending.delete(callId);
    if (this.#pending.size === 0) this.#settlePause();
  }

  #rejected(event: UnknownRecord, where: Where): void {
    const callId = this.#callOf(event);
    const said = filledText(event.rejection_reason) ?? "A person refused this action.";
    const isHook = event.rejection_source === "hook";
    if (callId !== undefined && this.#pending.has(callId) && !isHook)
      this.#draft.approval({ callId, outcome: "denied", text: said }, where);
    this.#isAwaiting = false;
    const error = { code: isHook ? "blocked" : "denied", message: said };
    this.#answer(event, { output: said, status: "rejected", error }, where);
  }

  #agentError(event: UnknownRecord, where: Where): void {
    const message = text(event.error) ?? "";
    this.#answer(event, { output: message, status: "failed", error: { code: "agent-error", message } }, where);
  }

  #state(event: UnknownRecord, where: Where): void {
    const draft = this.#draft;
    const { key, value } = event;
    if (key === "stats" || key === "full_state") {
      const stats = key === "stats" ? value : field(value, "stats");
      this.#stats = statsUsage(stats) ?? this.#stats;
      draft.about(
        present({ modelId: filledText(fieldAt(value, "agent", "llm", "model")) ?? filledText(statsModel(stats)) }),
      );
      draft.about(present({ cwd: filledText(fieldAt(value, "workspace", "working_dir")) }));
    }
    draft.note(`state:${text(key) ?? "?"}`, value, where);
    if (key === "execution_status" || key === "agent_status") this.#status(text(value) ?? "", where);
  }

  #status(status: string, where: Where): void {
    if (status === "waiting_for_confirmation") this.#isAwaiting = true;
    else if (status === "running") this.#approved(where);
    else if (status === "finished") this.#endTurn({ kind: "completed" }, where);
    else if (status === "error" || status === "stuck")
      this.#endTurn({ kind: "failed", code: status, message: `The conversation ended with ${status}.` }, where);
  }

  /** What waited for a person runs on: they approved of it. */
  #approved(where: Where): void {
    if (!this.#isAwaiting) return;
    this.#isAwaiting = false;
    for (const callId of this.#pending) this.#draft.approval({ callId, outcome: "approved" }, where);
  }

  #question(event: UnknownRecord, where: Where): void {
    const id = text(event.request_id) ?? "";
    if (event.kind === "AskUserRequestEvent") {
      const prompts = list(event.questions).map(
        (question) => text(field(question, "question")) ?? text(field(question, "prompt")) ?? "",
      );
      const callId = this.#calls.get(text(event.action_id) ?? "") ?? this.#calls.get(text(event.tool_call_id) ?? "");
      this.#questions.set(id, { prompt: prompts.filter((prompt) => prompt !== "").join("\n"), callId });
      this.#draft.note("AskUserRequestEvent", event, where);
      return;
    }
    const asked = this.#questions.get(id);
    const answer = event.action === "accept" ? JSON.stringify(event.answers ?? {}) : undefined;
    this.#draft.question(present({ prompt: asked?.prompt ?? "", callId: asked?.callId, answer }), where);
  }

  /** A call of an agent that OpenHands drives: one event for each change of it. */
  #externalCall(event: UnknownRecord, where: Where): void {
    const recordedId = filledText(event.tool_call_id) ?? "";
    if (!this.#external.has(recordedId)) {
      this.#external.add(recordedId);
      this.#settlePause();
      const toolName = filledText(event.tool_kind) ?? filledText(event.title) ?? "tool";
      const input = isRecord(event.raw_input) ? event.raw_input : present({ title: filledText(event.title) });
      this.#calls.set(recordedId, this.#draft.call({ callId: filledText(recordedId), toolName, input }, where));
    }
    if (event.status !== "completed" && event.status !== "failed") return;
    const isFailed = event.status === "failed" || event.is_error === true;
    const output = outputOf(event.raw_output ?? event.content, this.#draft);
    this.#answer(event, { output, status: isFailed ? "failed" : "completed" }, where);
  }

  #settlePause(): void {
    const paused = this.#paused;
    if (paused === undefined) return;
    this.#endTurn({ kind: "cancelled" }, paused);
  }

  #endTurn(how: Parameters<SessionDraft["endTurn"]>[0], where: Where): void {
    this.#paused = undefined;
    this.#isAwaiting = false;
    this.#pending.clear();
    this.#step = undefined;
    this.#draft.endTurn(how, where);
  }
}

function errorOf(event: UnknownRecord): { readonly code: string; readonly message: string } {
  return {
    code: filledText(event.code) ?? "error",
    message: filledText(event.detail) ?? filledText(event.error) ?? "The conversation failed.",
  };
}

/** Tools as they are stored: with a title and annotations, or as the model is told of them. */
function offered(value: unknown): OfferedTool[] {
  const tool = isRecord(field(value, "function")) ? record(field(value, "function")) : record(value);
  const name = filledText(tool.name) ?? filledText(tool.title);
  if (name === undefined) return [];
  const inputSchema =
    jsonObject(tool.parameters) ?? jsonObject(tool.inputSchema) ?? jsonObject(tool.input_schema) ?? {};
  return [{ name, description: text(tool.description) ?? "", inputSchema }];
}
