import { canonicalJson, limits, sha256Hex } from "../base";
import { seedFiles, type BoundAgent } from "../agent";
import type { LanguageModelV4CallOptions } from "../model";
import { callModel, type ModelOutcome } from "./callModel";
import { callTree } from "./callTree";
import { actionFrom, planCall, type PlannedCall } from "./checkCalls";
import { answersToAll, closedTurnDrafts } from "./closedTurn";
import { assertTakesMessage } from "./continuation";
import { executeToolCalls } from "./executeToolCalls";
import { inputHash, openTurn } from "./openTurn";
import { modelRequest } from "./modelRequest";
import { acceptedResolutions, resolvedCalls } from "./resolvedCalls";
import { runTask } from "./runTask";
import type { InputRequest, SessionEvent } from "./sessionEvent";
import { SessionError } from "./sessionError";
import {
  failedTurnDrafts,
  failureFromError,
  INTERRUPTED,
  turnFrame,
  waitingDraft,
  type StepPlace,
  type TurnFailure,
  type TurnFrame,
  type TurnRun,
} from "./turnRun";
import type { ResumeTurnOptions, RunTurnOptions, TurnOptions } from "./turnServices";
import { unlessStopped } from "./unlessStopped";

/** How a step left its turn. */
type StepEnd =
  | { readonly kind: "more" | "done" | "parked" }
  | { readonly kind: "failed"; readonly failure: TurnFailure };

/**
 * One turn: from a person's message until the agent is done, waits for a person, fails or is stopped. Yields every event
 * in order; the driver appends it to the log before it asks for the next one. A turn that the log ends in the middle of
 * is ended first, its parked calls rejected. Whatever goes wrong is an event, an agent that cannot be bound too: the last
 * one is always `session.waiting`, or `turn.waiting` when a person must answer. A driver that leaves the iteration ends
 * everything that runs.
 *
 * @throws SessionError before the first event: `ended`, `stale-token`, `task-session`; DiscoveryError for seed files that
 * cannot be any
 */
export async function* runTurn(options: RunTurnOptions): AsyncGenerator<SessionEvent, void, undefined> {
  const { events, message, bound, send } = options;
  assertTakesMessage(events, options.continuationToken);
  const seeds = seedFiles(options.workspaceFiles ?? {});
  const sequence = events.reduce((count, event) => count + (event.type === "turn.started" ? 1 : 0), 0);
  const frame = turnFrame(options, { turnId: `turn_${sequence}`, sequence });
  const turn = { turnId: frame.turnId, sequence };
  try {
    const open = openTurn(events);
    if (open !== undefined) for (const draft of closedTurnDrafts(frame.log, open, INTERRUPTED)) yield frame.emit(draft);
    yield frame.emit({ type: "turn.started", data: turn });
    yield frame.emit({ type: "message.received", data: { ...turn, message } });
    const run = await boundRun(frame, () => ("beginTurn" in bound ? bound.beginTurn(send) : Promise.resolve(bound)));
    const failure = "code" in run ? run : yield* putSeeds(run, seeds);
    if (failure !== undefined) for (const draft of failedTurnDrafts(frame.log, turn, failure)) yield frame.emit(draft);
    else if ("bound" in run) yield* runSteps(run, 0);
  } finally {
    leaveTurn(frame);
  }
}

/**
 * Goes on with a turn that waits for a person. Calls that were approved run, those refused are answered with the refusal;
 * requests without an answer leave the turn waiting.
 *
 * @throws SessionError before the first event: `not-waiting`; `stale-approval` where an answer was given for other
 * arguments, and the turn goes on waiting
 */
export async function* resumeTurn(options: ResumeTurnOptions): AsyncGenerator<SessionEvent, void, undefined> {
  const open = openTurn(options.events);
  const accepted = acceptedResolutions(open?.pending ?? [], options.resolutions);
  if (open?.step === undefined || accepted.length === 0) {
    throw new SessionError("not-waiting", "No call of this session waits for these answers.");
  }
  const { bound } = options;
  const frame = turnFrame(options, { turnId: open.turnId, sequence: open.sequence });
  const place: StepPlace = { turnId: open.turnId, sequence: open.sequence, stepIndex: open.step.stepIndex };
  try {
    yield frame.emit({ type: "input.resolved", data: { ...place, resolutions: accepted } });
    let waits = open.pending.length > accepted.length;
    const run = await boundRun(frame, () => ("continueTurn" in bound ? bound.continueTurn() : Promise.resolve(bound)));
    let failure = "code" in run ? run : undefined;
    try {
      await options.services.durable();
      if ("bound" in run && (yield* executeToolCalls(run, place, await resolvedCalls(run, open, accepted))))
        waits = true;
    } catch (error) {
      failure = failureFromError(error, frame.scrub, "storage");
    }
    if (frame.signal.aborted) failure = INTERRUPTED;
    if (failure !== undefined) {
      yield* answerRest(frame, place, failure);
      for (const draft of failedTurnDrafts(frame.log, frame, failure)) yield frame.emit(draft);
    } else if (waits) yield frame.emit({ type: "turn.waiting", data: { ...turnOf(frame), on: "input" } });
    else if ("bound" in run) yield* runSteps(run, place.stepIndex + 1);
  } finally {
    leaveTurn(frame);
  }
}

/**
 * Goes on with a turn that the log ends in the middle of, with its next model call: a fork begins so. Its calls must all
 * have their results, and nobody may be waited for.
 *
 * @throws SessionError before the first event: `not-waiting`
 */
export async function* continueTurn(options: TurnOptions): AsyncGenerator<SessionEvent, void, undefined> {
  const open = openTurn(options.events);
  const isReady = open?.actions.every(({ callId }) => open.answered.has(callId)) === true && open.pending.length === 0;
  if (open === undefined || !isReady) {
    throw new SessionError("not-waiting", "This session does not end where a model is asked next.");
  }
  const { bound } = options;
  const frame = turnFrame(options, { turnId: open.turnId, sequence: open.sequence });
  try {
    const run = await boundRun(frame, () => ("continueTurn" in bound ? bound.continueTurn() : Promise.resolve(bound)));
    if ("bound" in run) yield* runSteps(run, open.step === undefined ? 0 : open.step.stepIndex + 1);
    else for (const draft of failedTurnDrafts(frame.log, frame, run)) yield frame.emit(draft);
  } finally {
    leaveTurn(frame);
  }
}

/** The turn with its agent, or why it has none: an author's factory may throw, and the session stays usable. */
async function boundRun(frame: TurnFrame, bind: () => Promise<BoundAgent>): Promise<TurnRun | TurnFailure> {
  try {
    const bound = await unlessStopped(bind(), frame.signal);
    const run: TurnRun = { ...frame, bound, task: (call) => runTask({ run: runTurn, resume: resumeTurn }, run, call) };
    return run;
  } catch (error) {
    return frame.signal.aborted ? INTERRUPTED : failureFromError(error, frame.scrub, "root-failed");
  }
}

/** Writes what the message brings along through the tree, told as one change, before the model is asked anything. */
async function* putSeeds(
  run: TurnRun,
  seeds: ReturnType<typeof seedFiles>,
): AsyncGenerator<SessionEvent, TurnFailure | undefined> {
  if (seeds.length === 0) return undefined;
  const { treeForCall, services } = run.options;
  const view = callTree({ bound: run.bound, treeForCall, signal: run.signal, now: services.clock });
  let failure: TurnFailure | undefined;
  try {
    for (const [path, contents] of seeds) await view.tree.write(path, contents);
  } catch (error) {
    failure = run.signal.aborted ? INTERRUPTED : failureFromError(error, run.scrub, "seed-failed");
  }
  try {
    const { changes, after } = await view.changes();
    if (changes.length === 0) return failure;
    await services.keep(after, changes);
    yield run.emit({ type: "tree.changed", data: { reason: "seed", changes } });
  } catch (error) {
    failure ??= failureFromError(error, run.scrub, "storage");
  }
  return failure;
}

/** What is the turn's own goes with it, unless it waits for a person. */
function leaveTurn(frame: TurnFrame): void {
  frame.leave();
  const { bound } = frame.options;
  if ("endTurn" in bound && frame.log.at(-1)?.type !== "turn.waiting") bound.endTurn();
}

async function* runSteps(run: TurnRun, first: number): AsyncGenerator<SessionEvent, void> {
  const { turnId, sequence } = run;
  const maxSteps = run.bound.definition.maxSteps ?? limits.turnSteps;
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
    // Stored while the model answers; no call runs before it is.
    const kept = services.blobs.put(text);
    kept.catch(() => undefined);
    const outcome = yield* callModel(run, place, request);
    if (outcome.kind === "finished") return yield* finishStep(run, place, outcome, kept);
    await kept;
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
  kept: Promise<unknown>,
): AsyncGenerator<SessionEvent, StepEnd> {
  const { finishReason, usage } = outcome;
  const completed = {
    type: "step.completed" as const,
    data: { ...place, finishReason, ...(usage === undefined ? {} : { usage }) },
  };
  if (outcome.calls.length === 0) {
    await kept;
    yield run.emit(completed);
    return { kind: "done" };
  }
  const actions = outcome.calls.map((call) => actionFrom(call, run.bound.tools));
  yield run.emit({ type: "actions.requested", data: { ...place, actions } });
  const planned = await Promise.all(actions.map((action) => planCall(run, action)));
  const asked = planned.filter((call) => call.kind === "ask");
  if (asked.length > 0) {
    yield run.emit({ type: "input.requested", data: { ...place, requests: asked.map(requestFor) } });
  }
  await Promise.all([kept, run.options.services.durable()]);
  const waits = yield* executeToolCalls(
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
  return { kind: asked.length > 0 || waits ? "parked" : "more" };
}

/** Answers what the step asked for and nobody answered yet; nothing is left without a result. */
function* answerRest(run: TurnFrame, place: StepPlace, failure: TurnFailure): Generator<SessionEvent> {
  const open = openTurn(run.log);
  if (open?.step?.stepIndex !== place.stepIndex) return;
  for (const draft of answersToAll(place, open, failure)) yield run.emit(draft);
}

/** The exact request; what is put beside it on the way (signal, headers) is no part of what the model sees. */
function requestOf(run: TurnRun): LanguageModelV4CallOptions {
  return { ...modelRequest(run.bound, run.log), ...run.options.callSettings };
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

function turnOf(run: TurnFrame): { readonly turnId: string; readonly sequence: number } {
  return { turnId: run.turnId, sequence: run.sequence };
}

function stepLimitFailure(maxSteps: number): TurnFailure {
  return { code: "step-limit", message: `The turn reached its limit of ${maxSteps} steps.` };
}
