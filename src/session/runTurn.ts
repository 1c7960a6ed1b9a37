import { canonicalJson, limits, sha256Hex } from "../base";
import type { LanguageModelV4CallOptions } from "../model";
import { callModel, type ModelOutcome } from "./callModel";
import { actionFrom, planCall, type PlannedCall } from "./checkCalls";
import { answersToAll, closedTurnDrafts } from "./closedTurn";
import { executeToolCalls } from "./executeToolCalls";
import { inputHash, openTurn, type OpenTurn } from "./openTurn";
import { promptFromEvents } from "./promptFromEvents";
import type { InputRequest, InputResolution, SessionEvent, ToolCallAction } from "./sessionEvent";
import { SessionError } from "./sessionError";
import {
  failedTurnDrafts,
  failureFromError,
  INTERRUPTED,
  turnRun,
  waitingDraft,
  type StepPlace,
  type TurnFailure,
  type TurnRun,
} from "./turnRun";
import type { ResumeTurnOptions, RunTurnOptions } from "./turnServices";

/** How a step left its turn. */
type StepEnd =
  | { readonly kind: "more" | "done" | "parked" }
  | { readonly kind: "failed"; readonly failure: TurnFailure };

/**
 * One turn: from a person's message until the agent is done, waits for a person, fails or is stopped. Yields every event
 * in order; the driver appends it to the log before it asks for the next one. A turn that the log ends in the middle of
 * is ended first, its parked calls rejected. Whatever goes wrong is an event: the last one is always `session.waiting`,
 * or `turn.waiting` when a person must answer. A driver that leaves the iteration ends everything that runs.
 *
 * @throws SessionError before the first event: `ended`, `stale-token`
 */
export async function* runTurn(options: RunTurnOptions): AsyncGenerator<SessionEvent, void, undefined> {
  const { events, message } = options;
  if (events.some((event) => event.type === "session.completed" || event.type === "session.failed")) {
    throw new SessionError("ended", "The session is over and takes no more messages.");
  }
  if (options.continuationToken !== undefined && options.continuationToken !== lastToken(events)) {
    throw new SessionError("stale-token", "The session has gone on since this token was given out.");
  }
  const sequence = events.reduce((count, event) => count + (event.type === "turn.started" ? 1 : 0), 0);
  const run = turnRun(options, { turnId: `turn_${sequence}`, sequence });
  const turn = { turnId: run.turnId, sequence };
  try {
    const open = openTurn(events);
    if (open !== undefined) for (const draft of closedTurnDrafts(run.log, open, INTERRUPTED)) yield run.emit(draft);
    yield run.emit({ type: "turn.started", data: turn });
    yield run.emit({ type: "message.received", data: { ...turn, message } });
    yield* runSteps(run, 0);
  } finally {
    run.leave();
  }
}

/**
 * Goes on with a turn that waits for a person. Calls that were approved run, those refused are answered with the refusal;
 * requests without an answer leave the turn waiting.
 *
 * @throws SessionError before the first event: `not-waiting`
 */
export async function* resumeTurn(options: ResumeTurnOptions): AsyncGenerator<SessionEvent, void, undefined> {
  const open = openTurn(options.events);
  const accepted = options.resolutions.filter((resolution) =>
    open?.pending.some((request) => request.requestId === resolution.requestId),
  );
  if (open?.step === undefined || accepted.length === 0) {
    throw new SessionError("not-waiting", "No call of this session waits for these answers.");
  }
  const run = turnRun(options, { turnId: open.turnId, sequence: open.sequence });
  const place: StepPlace = { turnId: open.turnId, sequence: open.sequence, stepIndex: open.step.stepIndex };
  try {
    yield run.emit({ type: "input.resolved", data: { ...place, resolutions: accepted } });
    const left = open.pending.length - accepted.length;
    let failure: TurnFailure | undefined;
    try {
      await options.services.durable();
      yield* executeToolCalls(run, place, await resolvedCalls(run, open, accepted));
    } catch (error) {
      failure = failureFromError(error, run.scrub, "storage");
    }
    if (run.signal.aborted) failure = INTERRUPTED;
    if (failure !== undefined) {
      yield* answerRest(run, place, failure);
      for (const draft of failedTurnDrafts(run.log, run, failure)) yield run.emit(draft);
    } else if (left > 0) yield run.emit({ type: "turn.waiting", data: { ...turnOf(run), on: "input" } });
    else yield* runSteps(run, place.stepIndex + 1);
  } finally {
    run.leave();
  }
}

async function* runSteps(run: TurnRun, first: number): AsyncGenerator<SessionEvent, void> {
  const { turnId, sequence } = run;
  const maxSteps = run.options.bound.definition.maxSteps ?? limits.turnSteps;
  let end: StepEnd = { kind: "more" };
  for (let stepIndex = first; end.kind === "more"; stepIndex++) {
    if (run.signal.aborted) end = { kind: "failed", failure: INTERRUPTED };
    else if (stepIndex < maxSteps) end = yield* runStep(run, { turnId, sequence, stepIndex });
    else end = { kind: "failed", failure: stepLimitFailure(maxSteps) };
  }
  if (end.kind === "parked") yield run.emit({ type: "turn.waiting", data: { turnId, sequence, on: "input" } });
  else if (end.kind === "failed")
    for (const draft of failedTurnDrafts(run.log, run, end.failure)) yield run.emit(draft);
  else {
    yield run.emit({ type: "turn.completed", data: { turnId, sequence } });
    yield run.emit(waitingDraft(run.log, sequence));
  }
}

/** One model call and the calls it asks for, with exactly one end whatever happens. */
async function* runStep(run: TurnRun, place: StepPlace): AsyncGenerator<SessionEvent, StepEnd> {
  const { services } = run.options;
  let failure: TurnFailure;
  try {
    const request = requestOf(run);
    const text = run.scrub(canonicalJson(request));
    const hash = await sha256Hex(text);
    const modelId = services.model.modelId;
    yield run.emit({ type: "step.started", data: { ...place, modelId, request: { hash, blob: hash } } });
    await services.blobs.put(text);
    const outcome = yield* callModel(run, place, request);
    if (outcome.kind === "finished") return yield* finishStep(run, place, outcome);
    failure = outcome.failure;
  } catch (error) {
    failure = run.signal.aborted ? INTERRUPTED : failureFromError(error, run.scrub);
  }
  yield* answerRest(run, place, failure);
  yield run.emit({ type: "step.failed", data: { ...place, ...failure } });
  return { kind: "failed", failure };
}

async function* finishStep(
  run: TurnRun,
  place: StepPlace,
  outcome: Extract<ModelOutcome, { kind: "finished" }>,
): AsyncGenerator<SessionEvent, StepEnd> {
  const { finishReason, usage } = outcome;
  const completed = {
    type: "step.completed" as const,
    data: { ...place, finishReason, ...(usage === undefined ? {} : { usage }) },
  };
  if (outcome.calls.length === 0) {
    yield run.emit(completed);
    return { kind: "done" };
  }
  const actions = outcome.calls.map(actionFrom);
  yield run.emit({ type: "actions.requested", data: { ...place, actions } });
  const planned = await Promise.all(actions.map((action) => planCall(run, action)));
  const asked = planned.filter((call) => call.kind === "ask");
  if (asked.length > 0) {
    yield run.emit({ type: "input.requested", data: { ...place, requests: asked.map(requestFor) } });
  }
  await run.options.services.durable();
  yield* executeToolCalls(
    run,
    place,
    planned.filter((call) => call.kind !== "ask"),
  );
  if (run.signal.aborted) {
    yield* answerRest(run, place, INTERRUPTED);
    yield run.emit({ type: "step.failed", data: { ...place, ...INTERRUPTED } });
    return { kind: "failed", failure: INTERRUPTED };
  }
  yield run.emit(completed);
  return { kind: asked.length > 0 ? "parked" : "more" };
}

/** Answers what the step asked for and nobody answered yet; nothing is left without a result. */
function* answerRest(run: TurnRun, place: StepPlace, failure: TurnFailure): Generator<SessionEvent> {
  const open = openTurn(run.log);
  if (open?.step?.stepIndex !== place.stepIndex) return;
  for (const draft of answersToAll(place, open, failure)) yield run.emit(draft);
}

/** The exact request; what is put beside it on the way (signal, headers) is no part of what the model sees. */
function requestOf(run: TurnRun): LanguageModelV4CallOptions {
  const { bound, callSettings } = run.options;
  const tools = bound.tools.map((tool) => ({
    type: "function" as const,
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema as object,
  }));
  return {
    prompt: promptFromEvents(bound, run.log),
    ...(tools.length === 0 ? {} : { tools }),
    ...callSettings,
  };
}

function requestFor(call: PlannedCall): InputRequest {
  const { callId, toolName, input } = call.action;
  return {
    requestId: `request_${callId}`,
    kind: "tool-approval",
    prompt: `Allow ${toolName}?`,
    display: "confirmation",
    options: [
      { id: "approve", label: "Approve" },
      { id: "always", label: "Always allow in this session" },
      { id: "deny", label: "Deny" },
    ],
    action: { kind: "tool-call", callId, toolName, input },
    inputHash: inputHash(input),
  };
}

async function resolvedCalls(
  run: TurnRun,
  open: OpenTurn,
  resolutions: readonly InputResolution[],
): Promise<PlannedCall[]> {
  const calls = open.actions.flatMap((action) => {
    const request = open.pending.find((pending) => pending.action.callId === action.callId);
    const resolution = resolutions.find((answer) => answer.requestId === request?.requestId);
    return request === undefined || resolution === undefined ? [] : [resolvedCall(run, action, request, resolution)];
  });
  return await Promise.all(calls);
}

async function resolvedCall(
  run: TurnRun,
  action: ToolCallAction,
  request: InputRequest,
  { outcome, response }: InputResolution,
): Promise<PlannedCall> {
  const reject = (code: string, message: string): PlannedCall => {
    return { kind: "refuse", action, status: "rejected", error: { code, message: run.scrub(message) } };
  };
  if (outcome !== "approved") {
    const word = response?.["text"];
    const said = typeof word === "string" && word !== "" ? ` The person says: ${word}` : "";
    return reject("denied", `A person refused this call.${said}`);
  }
  if (request.inputHash !== undefined && request.inputHash !== inputHash(action.input)) {
    return reject("changed", "The approval was given for other arguments.");
  }
  const edited = response?.["input"];
  const isEdited = typeof edited === "object" && edited !== null && !Array.isArray(edited);
  const planned = await planCall(run, isEdited ? { ...action, input: edited as ToolCallAction["input"] } : action);
  // The person has just been asked.
  return planned.kind === "ask" ? { ...planned, kind: "run" } : planned;
}

function lastToken(events: readonly SessionEvent[]): string | undefined {
  const waiting = events.findLast((event) => event.type === "session.waiting");
  return waiting?.type === "session.waiting" ? waiting.data.continuationToken : undefined;
}

function turnOf(run: TurnRun): { readonly turnId: string; readonly sequence: number } {
  return { turnId: run.turnId, sequence: run.sequence };
}

function stepLimitFailure(maxSteps: number): TurnFailure {
  return { code: "step-limit", message: `The turn reached its limit of ${maxSteps} steps.` };
}
