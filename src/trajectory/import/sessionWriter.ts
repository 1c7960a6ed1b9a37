import { sha256HexSync, type JsonObject } from "../../base";
import {
  EVENT_STREAM_VERSION,
  type FileEvidence,
  type FinishReason,
  type ImportFidelity,
  type Usage,
} from "../../session";
import type { EventData, EventMeta, SessionEventType } from "../../session";
import { draftAction } from "./draftAction";
import { DraftCalls, type DraftCall } from "./draftCalls";
import { DraftClock } from "./draftClock";
import type { DraftEvent } from "./draftEvent";
import { DraftFidelity } from "./draftFidelity";
import { approvalInput, questionInput } from "./draftInputs";
import { lackingResult, resultData } from "./draftResult";
import { addedUsage, usageOf, usageSince } from "./draftUsage";
import type {
  ApprovalDraft,
  CallDraft,
  CompactionDraft,
  ImportBuilder,
  QuestionDraft,
  ResultDraft,
  SessionAbout,
  SessionDraft,
  TurnEnd,
  Where,
} from "./importBuilder";
import type { KeptValues } from "./keptValues";

interface OpenTurn {
  readonly turnId: string;
  readonly sequence: number;
  stepCount: number;
}

interface OpenStep {
  readonly place: StepPlace;
  readonly id: string | undefined;
  readonly started: DraftEvent<"step.started">;
  /** Ends of text blocks: they name the finish reason, which comes last. */
  readonly messages: DraftEvent<"message.completed">[];
  callCount: number;
  finish?: FinishReason;
}

interface StepPlace {
  readonly turnId: string;
  readonly sequence: number;
  readonly stepIndex: number;
}

/** Writes one session down as events; see `SessionDraft` for what it promises. */
export class SessionWriter implements SessionDraft {
  readonly key: string;
  /** What stands before the keys of all sessions of the same files. */
  readonly prefix: string;
  /** `session.started` and `import.source` come first; they are filled in at the end, when all is known. */
  readonly events: DraftEvent[] = [];
  readonly clock: DraftClock;
  readonly #values: KeptValues;
  readonly #out: Pick<ImportBuilder, "warn">;
  readonly #seed: string;
  readonly #calls = new DraftCalls();
  #about: SessionAbout = {};
  #turn: OpenTurn | undefined;
  #turnCount = 0;
  #step: OpenStep | undefined;
  #lastPlace: StepPlace = { turnId: "turn_0", sequence: 0, stepIndex: 0 };
  #lastEnd: DraftEvent<"step.completed"> | undefined;
  /** Why the last step failed. */
  #failure: { readonly code: string; readonly message: string } | undefined;
  #usage: Usage | undefined;
  #totals: Usage | undefined;
  #lastResult: DraftEvent<"action.result"> | undefined;
  #questionCount = 0;
  readonly #told = new DraftFidelity();

  constructor(
    names: { readonly key: string; readonly prefix: string },
    seed: string,
    values: KeptValues,
    out: Pick<ImportBuilder, "warn">,
  ) {
    this.key = names.key;
    this.prefix = names.prefix;
    this.#seed = seed;
    this.#values = values;
    this.#out = out;
    this.clock = new DraftClock(seed);
    // Ids of the two that come first are drawn first, so that they do not hang on what follows.
    this.#put("session.started", { runtime: { agentId: "", eveVersion: EVENT_STREAM_VERSION } }, this.clock.derived());
    this.#put("import.source", {} as EventData["import.source"], this.clock.derived());
  }

  about(patch: SessionAbout): void {
    const given = Object.entries(patch).filter(([, value]) => value !== undefined);
    const kept = given.map(([name, value]) => [
      name,
      typeof value === "string" ? this.#values.text(value) : this.#values.value(value),
    ]);
    this.#about = { ...this.#about, ...(Object.fromEntries(kept) as SessionAbout) };
  }

  get known(): SessionAbout {
    return this.#about;
  }

  user(message: string, where: Where & { readonly parts?: readonly JsonObject[] | undefined }): void {
    const text = this.#values.text(message);
    const parts = where.parts?.map((part) => this.#values.object(part));
    if (where.replay === false) return this.note("user", { message: text, ...(parts && { parts }) }, where);
    this.#closeTurn(this.#unsaidEnd());
    const meta = this.clock.entry(where);
    const { turnId, sequence } = this.#openTurn(meta);
    const filled = parts === undefined || parts.length === 0 ? {} : { parts };
    this.#put("message.received", { turnId, sequence, message: text, ...filled }, this.#again(meta));
  }

  step(where: Where & { readonly id?: string | undefined; readonly modelId?: string | undefined }): void {
    if (where.replay === false) return;
    const open = this.#step;
    if (open !== undefined && where.id !== undefined && where.id === open.id) {
      if (open.started.data.modelId === "" && where.modelId !== undefined) open.started.data.modelId = where.modelId;
      return;
    }
    this.#closeStep();
    this.#failure = undefined;
    const meta = this.clock.entry(where);
    const turn = this.#turn ?? this.#openTurn(meta);
    const place = { turnId: turn.turnId, sequence: turn.sequence, stepIndex: turn.stepCount++ };
    const modelId = this.#values.text(where.modelId ?? this.#about.modelId ?? "");
    const started = this.#put("step.started", { ...place, modelId }, this.#again(meta));
    this.#step = { place, id: where.id, started, messages: [], callCount: 0 };
    this.#lastPlace = place;
    this.#lastEnd = undefined;
    this.#usage = undefined;
  }

  reasoning(text: string, where: Where & { readonly providerMetadata?: JsonObject | undefined }): void {
    const { providerMetadata } = where;
    if (text === "" && providerMetadata === undefined) return;
    const reasoning = this.#values.text(text);
    if (where.replay === false) return this.note("reasoning", { reasoning }, where);
    const { place } = this.#openStep(where);
    const more = providerMetadata === undefined ? {} : { providerMetadata: this.#values.object(providerMetadata) };
    this.#put("reasoning.completed", { ...place, reasoning, ...more }, this.clock.entry(where));
  }

  message(text: string, where: Where): void {
    if (text === "") return;
    const message = this.#values.text(text);
    if (where.replay === false) return this.note("assistant", { message }, where);
    const step = this.#openStep(where);
    step.messages.push(
      this.#put("message.completed", { ...step.place, message, finishReason: "stop" }, this.clock.entry(where)),
    );
  }

  call(call: CallDraft, where: Where): string {
    const made = call.callId === undefined || call.callId === "";
    const recordedId = made ? this.#calls.madeId() : this.#values.text(call.callId ?? "");
    const action = draftAction(this.#calls.freeId(recordedId), call, this.#values);
    if (where.replay === false) {
      this.note("tool-call", { ...action }, where);
      return action.callId;
    }
    if (made) this.#told.hasMadeIds = true;
    const step = this.#openStep(where);
    step.callCount++;
    const meta = this.clock.entry(where);
    const last = this.events.at(-1);
    if (last?.type === "actions.requested" && isSameRecord(last.meta, meta) && isSamePlace(last.data, step.place)) {
      const { data } = last as DraftEvent<"actions.requested">;
      data.actions = [...data.actions, action];
    } else this.#put("actions.requested", { ...step.place, actions: [action] }, meta);
    this.#calls.add({ action, recordedId, place: step.place });
    return action.callId;
  }

  result(result: ResultDraft, where: Where): void {
    const output = this.#values.value(result.output ?? null);
    if (where.replay === false) return this.note("tool-result", { ...this.#named(result), output }, where);
    const call = this.#calls.find(result.callId, result.toolName);
    const isRepeated = call?.result !== undefined && !call.isClosedForLack;
    if (call === undefined || isRepeated) {
      this.note("tool-result", { ...this.#named(result), output }, where);
      const code = isRepeated ? "repeated-result" : "result-without-call";
      const id = result.callId === undefined ? "" : ` (${result.callId})`;
      const message = isRepeated
        ? `A second result of one call${id} was kept as it is.`
        : `A result whose call is not in the file${id} was kept as it is.`;
      this.#out.warn({ code, message, kept: true, ...(where.origin && { origin: where.origin }) });
      return;
    }
    this.#told.result(result);
    this.#answer(call, resultData(call, result, output), this.clock.entry(where));
  }

  approval(approval: ApprovalDraft, where: Where): void {
    const call = this.#calls.find(approval.callId, undefined);
    if (call === undefined || where.replay === false) return this.note("approval", approval, where);
    const prompt = this.#values.text(approval.prompt ?? `Run ${call.action.toolName}?`);
    const text = approval.text === undefined ? undefined : this.#values.text(approval.text);
    this.#ask(call.place, approvalInput(call.action, prompt, approval.outcome, text), where);
    if (approval.outcome === "denied") call.denied = text ?? "A person refused this call.";
  }

  question(question: QuestionDraft, where: Where): void {
    if (where.replay === false) return this.note("question", question, where);
    const call = question.callId === undefined ? undefined : this.#calls.find(question.callId, undefined);
    const place = call?.place ?? this.#openStep(where).place;
    const prompt = this.#values.text(question.prompt);
    const answer = question.answer === undefined ? undefined : this.#values.text(question.answer);
    this.#ask(place, questionInput(`question_${this.#questionCount++}`, call?.action, prompt, answer), where);
  }

  usage(usage: Usage, how: "per-call" | "cumulative"): void {
    const told = usageOf(usage);
    if (Object.keys(told).length === 0) return;
    this.#told.usage(how);
    if (how === "per-call") this.#usage = { ...this.#usage, ...told };
    else {
      this.#usage = addedUsage(this.#usage, usageSince(this.#totals, told));
      this.#totals = { ...this.#totals, ...told };
    }
    if (this.#lastEnd !== undefined) this.#lastEnd.data.usage = this.#usage;
  }

  finish(reason: FinishReason): void {
    if (this.#step !== undefined) this.#step.finish = reason;
  }

  stepFailed(code: string, message: string, where: Where): void {
    if (where.replay === false) return this.note("step-failed", { code, message }, where);
    const step = this.#openStep(where);
    this.#step = undefined;
    for (const said of step.messages) said.data.finishReason = "error";
    const failure = { code, message: this.#values.text(message) };
    this.#put("step.failed", { ...step.place, ...failure }, this.clock.entry(where));
    this.#failure = failure;
  }

  endTurn(how: TurnEnd, where: Where): void {
    if (this.#turn === undefined || where.replay === false) return;
    this.#closeTurn(how, this.clock.entry(where));
  }

  compaction(compaction: CompactionDraft, where: Where): void {
    if (where.replay === false) return this.note("compaction", compaction, where);
    const modelId = this.#step?.started.data.modelId ?? this.#about.modelId ?? "";
    const base = { ...this.#lastPlace, sessionId: this.#about.id ?? this.key, modelId };
    const meta = this.clock.entry(where);
    this.#put("compaction.requested", { ...base, usageInputTokens: compaction.tokensBefore ?? null }, meta);
    const summary = compaction.summary === undefined ? {} : { summary: this.#values.text(compaction.summary) };
    const after = compaction.tokensAfter === undefined ? {} : { tokensAfter: compaction.tokensAfter };
    this.#put("compaction.completed", { ...base, ...summary, ...after }, this.#again(meta));
  }

  note(kind: string, raw: unknown, where: Where): void {
    const turn = this.#turn === undefined ? {} : { turnId: this.#turn.turnId, sequence: this.#turn.sequence };
    const data = { ...turn, kind: this.#values.text(kind), raw: this.#values.value(raw ?? null) };
    // What is shown only says nothing of whether the recording has times.
    const before = { ...this.clock.told };
    this.#put("import.entry", data, this.clock.entry(where));
    Object.assign(this.clock.told, before);
  }

  system(text: string, where: Where): void {
    if (where.replay === false || this.#turnCount > 0) return this.note("system", text, where);
    const before = this.#about.instructions;
    this.about({ instructions: before === undefined ? text : `${before}\n\n${text}` });
  }

  image(content: string | Uint8Array, mediaType: string): JsonObject {
    return this.#values.image(content, mediaType);
  }

  file(path: string, text: string, known: FileEvidence["known"]): void {
    const { hash, sizeBytes } = this.#values.textBlob(this.#values.text(text));
    const evidence: FileEvidence = { path: this.#values.text(path), blob: hash, sizeBytes, known };
    this.#told.hasEvidence = true;
    if (this.#lastResult === undefined) return this.note("file", evidence, {});
    const { data } = this.#lastResult;
    data.evidence = [...(data.evidence ?? []), evidence];
  }

  /** Closes what is open. What the file breaks off in the middle of did not end well. */
  close(): void {
    this.#closeTurn(this.#unsaidEnd());
  }

  /** What the entries say of how much the recording tells. */
  fidelity(): ImportFidelity {
    return this.#told.fidelity(this.clock.told, this.#calls.count);
  }

  get callCount(): number {
    return this.#calls.count;
  }

  #ask(place: StepPlace, { request, resolution }: ReturnType<typeof approvalInput>, where: Where): void {
    const meta = this.clock.entry(where);
    this.#put("input.requested", { ...place, requests: [request] }, meta);
    this.#put("input.resolved", { ...place, resolutions: [resolution] }, this.#again(meta));
  }

  #named({ callId, toolName }: ResultDraft): JsonObject {
    return { ...(callId === undefined ? {} : { callId }), ...(toolName === undefined ? {} : { toolName }) };
  }

  #answer(call: DraftCall, data: EventData["action.result"], meta: EventMeta): void {
    if (call.result === undefined) call.result = this.#put("action.result", data, meta);
    else {
      // It came after its turn was over: in the place of the one that said there is none.
      call.result.data = { ...data };
      call.result.meta = { ...meta, id: call.result.meta.id };
      call.isClosedForLack = false;
      this.#calls.mendTurn(call);
    }
    this.#lastResult = call.result;
  }

  #openStep(where: Where): OpenStep {
    if (this.#step === undefined) this.step({ ...where });
    if (this.#step === undefined) throw new Error("a step was begun");
    return this.#step;
  }

  /** How a turn ended of which nobody says it: as its last step did. */
  #unsaidEnd(): TurnEnd {
    return this.#failure === undefined ? { kind: "completed" } : { kind: "failed", ...this.#failure };
  }

  #openTurn(meta: EventMeta): OpenTurn {
    const sequence = this.#turnCount++;
    const turn: OpenTurn = { turnId: `turn_${sequence}`, sequence, stepCount: 0 };
    this.#turn = turn;
    this.#lastPlace = { turnId: turn.turnId, sequence, stepIndex: 0 };
    this.#put("turn.started", { turnId: turn.turnId, sequence }, meta);
    return turn;
  }

  #closeStep(): void {
    const step = this.#step;
    if (step === undefined) return;
    this.#step = undefined;
    const told = step.finish === "tool-calls" || step.finish === undefined ? "stop" : step.finish;
    const finishReason = step.callCount > 0 ? "tool-calls" : told;
    for (const message of step.messages) message.data.finishReason = finishReason;
    const usage = this.#usage === undefined ? {} : { usage: this.#usage };
    this.#lastEnd = this.#put("step.completed", { ...step.place, finishReason, ...usage }, this.clock.derived());
  }

  #closeTurn(how: TurnEnd, ended?: EventMeta): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    const lacking = this.#calls.open();
    for (const call of lacking) {
      call.result = this.#put("action.result", lackingResult(call), this.clock.derived());
      call.isClosedForLack = true;
    }
    this.#closeStep();
    this.#turn = undefined;
    this.#failure = undefined;
    const place = { turnId: turn.turnId, sequence: turn.sequence };
    const meta = ended ?? this.clock.derived();
    if (how.kind === "cancelled") this.#put("turn.cancelled", place, meta);
    else if (how.kind === "failed") {
      const message = this.#values.text(how.message ?? "The turn failed.");
      this.#put("turn.failed", { ...place, code: how.code ?? "failed", message }, meta);
    } else {
      // Where the recording says that the turn ended, calls it has no results of do not tell otherwise.
      const cut = ended === undefined ? lacking.filter(({ denied }) => denied === undefined) : [];
      if (cut.length === 0) this.#put("turn.completed", place, meta);
      else {
        const message = "The recording does not say how this turn ended.";
        const end = this.#put("turn.failed", { ...place, code: "interrupted", message }, meta);
        this.#calls.cutTurn(cut, end);
      }
    }
  }

  /** The envelope of a second event of the same entry. */
  #again(meta: EventMeta): EventMeta {
    const { id } = this.clock.derived();
    return { ...meta, id };
  }

  #put<Type extends SessionEventType>(type: Type, data: EventData[Type], meta: EventMeta): DraftEvent<Type> {
    const event: DraftEvent<Type> = { type, data, meta };
    this.events.push(event);
    return event;
  }

  /** A session's id where the recording has none. */
  get madeId(): string {
    return `session_${sha256HexSync(`${this.#seed}/session`).slice(0, 24)}`;
  }
}

function isSameRecord(a: EventMeta, b: EventMeta): boolean {
  return a.origin?.byte === b.origin?.byte && a.origin?.file === b.origin?.file;
}

function isSamePlace(data: unknown, place: StepPlace): boolean {
  const { turnId, stepIndex } = data as StepPlace;
  return turnId === place.turnId && stepIndex === place.stepIndex;
}
