import type { Usage } from "../../../session";
import type { ImportBuilder, SessionDraft, Where } from "../importBuilder";
import { field, fieldAt, filledText, isRecord, list, number, record, text, type UnknownRecord } from "../jsonAccess";
import { openaiUsage } from "../openaiChat/chatUsage";
import { messageContent, outputOf } from "../openaiChat/messageContent";
import { present } from "../present";
import {
  argumentsOf,
  callInput,
  isMasked,
  isTruncated,
  responseMessage,
  responseOf,
  stepKey,
  totalsOf,
} from "./v0Event";

/** A session under way: the run itself, or what it has delegated to another agent. */
interface Scene {
  readonly key: string;
  readonly draft: SessionDraft;
  /** The id of the action that delegated. */
  readonly delegatedBy?: unknown;
  hasBegun: boolean;
}

/** Actions that are nothing of the model's, but of the machinery around it. */
const INERT_ACTIONS: ReadonlySet<string> = new Set([
  "change_agent_state",
  "null",
  "recall",
  "condensation_request",
  "loop_recovery",
  "send_pr",
  "push",
]);
const INERT_OBSERVATIONS: ReadonlySet<string> = new Set([
  "null",
  "recall",
  "agent_state_changed",
  "loop_detection",
  "server_ready",
]);

/** Reads the events of one run. */
export class V0Events {
  readonly #out: ImportBuilder;
  readonly #scenes: Scene[];
  readonly #hasTotals: boolean;
  /** Figures by step, where the run has them apart from its events. */
  readonly #stepUsage: readonly Usage[];
  readonly #calls = new Map<unknown, string>();
  /** Actions that were no calls: what is observed of them is no result. */
  readonly #inert = new Set<unknown>();
  #step: string | undefined;
  #stepCount = 0;
  #index = 0;
  #lastCall: string | undefined;
  #isAwaiting = false;
  #hasPendingCall = false;

  constructor(
    draft: SessionDraft,
    out: ImportBuilder,
    key: string,
    options: { readonly hasTotals: boolean; readonly stepUsage?: readonly Usage[] },
  ) {
    this.#out = out;
    this.#scenes = [{ key, draft, hasBegun: false }];
    this.#hasTotals = options.hasTotals;
    this.#stepUsage = options.stepUsage ?? [];
  }

  get #scene(): Scene {
    const scene = this.#scenes.at(-1);
    if (scene === undefined) throw new Error("a run is open");
    return scene;
  }

  read(value: unknown, where: Where): void {
    const event = record(value);
    this.#index++;
    if (typeof event.action === "string") this.#action(event, event.action, where);
    else if (typeof event.observation === "string") this.#observation(event, event.observation, where);
    else {
      this.#out.warn(present({ code: "unknown-event", origin: where.origin, kept: true }));
      this.#scene.draft.note("event", value, where);
    }
  }

  #action(event: UnknownRecord, action: string, where: Where): void {
    const scene = this.#scene;
    const { draft } = scene;
    const given = argumentsOf(event);
    const isModels = event.source === undefined || event.source === "agent";
    if (action === "system") this.#system(given, where);
    else if (action === "message") this.#message(event, given, where);
    else if (action === "condensation") draft.compaction(present({ summary: filledText(given.summary) }), where);
    else if (INERT_ACTIONS.has(action) || !isModels) {
      this.#inert.add(event.id);
      draft.note(action, event, where);
    } else if ((action === "finish" || action === "reject") && !isRecord(event.tool_call_metadata))
      this.#finish(event, given, where);
    else this.#call(event, action, where);
    scene.hasBegun = true;
  }

  #system(given: UnknownRecord, where: Where): void {
    const { draft } = this.#scene;
    draft.system(text(given.content) ?? "", where);
    this.#out.version(filledText(given.openhands_version) ?? "");
    draft.about(
      present({ agentName: filledText(given.agent_class), agentVersion: filledText(given.openhands_version) }),
    );
    const tools = list(given.tools).map((tool) => record(field(tool, "function")));
    const offered = tools.flatMap(({ name, description, parameters }) =>
      typeof name === "string"
        ? [
            {
              name,
              description: text(description) ?? "",
              inputSchema: (isRecord(parameters) ? parameters : {}) as Record<string, never>,
            },
          ]
        : [],
    );
    if (offered.length > 0) draft.about({ tools: offered });
  }

  #message(event: UnknownRecord, given: UnknownRecord, where: Where): void {
    const scene = this.#scene;
    const images = list(given.image_urls ?? given.images_urls).map((url) => ({ type: "image_url", image_url: url }));
    const { text: written, parts } = messageContent(
      [text(given.content) ?? text(event.message) ?? "", ...images],
      scene.draft,
    );
    // Rows name no source: a person's message is the first. So is the task a delegate is given.
    const isPersons =
      event.source === "user" || (!scene.hasBegun && (event.source === undefined || scene.delegatedBy !== undefined));
    this.#inert.add(event.id);
    if (isPersons) {
      this.#step = undefined;
      scene.draft.user(written, present({ ...where, parts }));
      return;
    }
    this.#begin(event, where);
    scene.draft.message(written, where);
  }

  #finish(event: UnknownRecord, given: UnknownRecord, where: Where): void {
    this.#inert.add(event.id);
    this.#begin(event, where);
    const said = filledText(given.final_thought) ?? filledText(given.thought) ?? filledText(event.message);
    this.#scene.draft.message(said ?? "", where);
    this.#scene.draft.endTurn({ kind: "completed" }, where);
  }

  #call(event: UnknownRecord, action: string, where: Where): void {
    const { draft, key } = this.#scene;
    const given = argumentsOf(event);
    const isNew = this.#begin(event, where);
    const response = responseMessage(event);
    if (isNew) draft.reasoning(text(response.reasoning_content) ?? "", where);
    const thought = filledText(given.thought) ?? (isNew ? messageContent(response.content, draft).text : "");
    draft.message(thought, where);
    const recordedId = filledText(fieldAt(event, "tool_call_metadata", "tool_call_id"));
    const toolName = filledText(fieldAt(event, "tool_call_metadata", "function_name")) ?? action;
    const callId = draft.call({ callId: recordedId, toolName, input: callInput(event) }, where);
    if (event.id !== undefined) this.#calls.set(event.id, callId);
    this.#lastCall = callId;
    this.#hasPendingCall = true;
    this.#isAwaiting = /awaiting/.test(text(given.confirmation_state) ?? text(given.is_confirmed) ?? "");
    if (action === "finish") draft.endTurn({ kind: "completed" }, where);
    if (action !== "delegate") return;
    const childKey = `${key}/${number(event.id) ?? text(event.id) ?? this.#index}`;
    const child = this.#out.session(childKey, present({ agentName: filledText(given.agent), parent: { key, callId } }));
    this.#scenes.push({ key: childKey, draft: child, delegatedBy: event.id, hasBegun: false });
    this.#step = undefined;
  }

  /** Begins the step of a response, or goes on with it. @returns whether it is a new one */
  #begin(event: UnknownRecord, where: Where): boolean {
    const { draft } = this.#scene;
    const response = responseOf(event);
    const key = stepKey(event, this.#index);
    const isNew = key !== this.#step;
    if (isNew) {
      draft.step({ ...where, id: key, modelId: filledText(response.model) });
      this.#step = key;
      const apart = this.#stepUsage[this.#stepCount++];
      const usage = this.#hasTotals ? undefined : (openaiUsage(response.usage) ?? apart);
      if (usage !== undefined) draft.usage(usage, "per-call");
    }
    const totals = this.#hasTotals ? totalsOf(event.llm_metrics) : undefined;
    if (totals !== undefined) draft.usage(totals, "cumulative");
    return isNew;
  }

  #observation(event: UnknownRecord, observation: string, where: Where): void {
    if (observation === "agent_state_changed") this.#state(event, where);
    else if (observation === "delegate") this.#delegated(event, where);
    else if (INERT_OBSERVATIONS.has(observation) || (event.cause !== undefined && this.#inert.has(event.cause)))
      this.#scene.draft.note(observation, event, where);
    else if (observation === "user_rejected") this.#rejected(event, where);
    else if (observation === "error" && this.#callOf(event) === undefined) this.#failed(event, where);
    else this.#result(event, observation, where);
  }

  #callOf(event: UnknownRecord): string | undefined {
    const byCause = event.cause === undefined ? undefined : this.#calls.get(event.cause);
    if (byCause !== undefined) return byCause;
    const recordedId = filledText(fieldAt(event, "tool_call_metadata", "tool_call_id"));
    if (recordedId !== undefined) return recordedId;
    // Rows have no ids: what is observed is of the action before.
    if (event.cause === undefined || event.cause === null) return this.#hasPendingCall ? this.#lastCall : undefined;
    return undefined;
  }

  #result(event: UnknownRecord, observation: string, where: Where): void {
    const { draft } = this.#scene;
    const extras = record(event.extras);
    const output = outputOf(event.content ?? "", draft);
    const exitCode =
      number(fieldAt(extras, "metadata", "exit_code")) ?? number(extras.exit_code) ?? number(event.exit_code) ?? 0;
    const hasFailed = typeof event.success === "boolean" ? !event.success : exitCode !== 0;
    const isFailed = observation === "error" || hasFailed || extras.error === true;
    const code = filledText(extras.error_id) ?? (exitCode === 0 ? "tool-error" : "exit-code");
    const callId = this.#callOf(event) ?? `action ${text(event.cause) ?? number(event.cause) ?? "unknown"}`;
    if (callId === this.#lastCall) this.#hasPendingCall = false;
    draft.result(
      {
        callId,
        output,
        status: isFailed ? "failed" : "completed",
        truncated: isTruncated(output),
        ...(isFailed && { error: { code, message: typeof output === "string" ? output : "" } }),
      },
      where,
    );
    if (isMasked(output)) this.#out.fidelity({ results: "masked" });
    const path = filledText(extras.path);
    if (observation !== "edit" || path === undefined) return;
    if (typeof extras.old_content === "string") draft.file(path, extras.old_content, "before");
    if (typeof extras.new_content === "string") draft.file(path, extras.new_content, "after");
  }

  #rejected(event: UnknownRecord, where: Where): void {
    const { draft } = this.#scene;
    const callId = this.#callOf(event);
    const said = filledText(event.content) ?? "A person refused this action.";
    if (callId === undefined) {
      draft.note("user_rejected", event, where);
      return;
    }
    this.#hasPendingCall = false;
    this.#isAwaiting = false;
    draft.approval({ callId, outcome: "denied", text: said }, where);
    draft.result({ callId, output: said, status: "rejected", error: { code: "denied", message: said } }, where);
  }

  #failed(event: UnknownRecord, where: Where): void {
    this.#scene.draft.note("error", event, where);
  }

  #state(event: UnknownRecord, where: Where): void {
    const { draft } = this.#scene;
    const state = text(fieldAt(event, "extras", "agent_state")) ?? text(event.agent_state) ?? "";
    const message = filledText(fieldAt(event, "extras", "reason"));
    draft.note("agent_state_changed", event, where);
    if (state === "awaiting_user_confirmation") this.#isAwaiting = true;
    else if (state === "user_confirmed" && this.#isAwaiting && this.#lastCall !== undefined) {
      this.#isAwaiting = false;
      draft.approval({ callId: this.#lastCall, outcome: "approved" }, where);
    } else if (state === "stopped" || state === "paused") draft.endTurn({ kind: "cancelled" }, where);
    else if (state === "error" || state === "rate_limited")
      draft.endTurn(present({ kind: "failed", code: state, message } as const), where);
    else if (state === "finished" || state === "awaiting_user_input") draft.endTurn({ kind: "completed" }, where);
    if (/stopped|paused|error|finished|awaiting_user_input/.test(state)) this.#step = undefined;
  }

  #delegated(event: UnknownRecord, where: Where): void {
    const at = this.#scenes.findLastIndex(
      ({ delegatedBy }) => delegatedBy !== undefined && (event.cause === undefined || delegatedBy === event.cause),
    );
    if (at > 0) this.#scenes.length = at;
    this.#step = undefined;
    const outputs = field(event.extras, "outputs");
    const callId = this.#callOf(event);
    this.#scene.draft.result({ callId: callId ?? "delegate", output: event.content || outputs }, where);
  }
}
