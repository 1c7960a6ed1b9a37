import type { EventDraft } from "./eventStamp";
import type { OpenTurn } from "./openTurn";
import type { FileChange, SessionEvent } from "./sessionEvent";
import { failedTurnDrafts, unsuccessfulResult, type StepPlace, type TurnFailure } from "./turnRun";

/**
 * What ends a turn that a log stops in the middle of: every call without a result gets one, the step and the turn their
 * end. `changes` is what the files say a cut call has done; they are told with the first call that could have.
 */
export function closedTurnDrafts(
  log: readonly SessionEvent[],
  open: OpenTurn,
  failure: TurnFailure,
  changes: readonly FileChange[] = [],
): EventDraft[] {
  const { turnId, sequence } = open;
  const place: StepPlace = { turnId, sequence, stepIndex: open.step?.stepIndex ?? 0 };
  const drafts = answersToAll(place, open, failure, changes);
  if (open.step?.ended === false) drafts.push({ type: "step.failed", data: { ...place, ...failure } });
  return [...drafts, ...failedTurnDrafts(log, open, failure)];
}

/** Ends what waits for a person, then answers every call that has no result. */
export function answersToAll(
  place: StepPlace,
  open: OpenTurn,
  failure: TurnFailure,
  changes: readonly FileChange[] = [],
): EventDraft[] {
  const answers = cutCallDrafts(place, open, failure, changes);
  return open.pending.length > 0 ? [cancelledDraft(place, open), ...answers] : answers;
}

function cancelledDraft(place: StepPlace, open: OpenTurn): EventDraft {
  const resolutions = open.pending.map(({ requestId, kind }) => ({ requestId, kind, outcome: "cancelled" as const }));
  return { type: "input.resolved", data: { ...place, resolutions } };
}

/** Results for the calls that have none; those that wait for a person are rejected, the others failed. */
export function cutCallDrafts(
  place: StepPlace,
  open: OpenTurn,
  failure: TurnFailure,
  changes: readonly FileChange[] = [],
  which: (callId: string) => boolean = () => true,
): EventDraft[] {
  const pending = new Set(open.pending.map((request) => request.action.callId));
  const unanswered = open.actions.filter(({ callId }) => !open.answered.has(callId) && which(callId));
  const cut = unanswered.filter(({ callId }) => !pending.has(callId));
  const culprit = cut.find(({ toolName }) => !READING_TOOLS.has(toolName)) ?? cut[0];
  return unanswered.map((action) => {
    if (pending.has(action.callId)) return unsuccessfulResult(place, action, "rejected", failure);
    const isCulprit = action === culprit && changes.length > 0;
    return unsuccessfulResult(place, action, "failed", failure, isCulprit ? { changes } : {});
  });
}

/** Native tools that change nothing. */
const READING_TOOLS: ReadonlySet<string> = new Set(["Read", "LS", "Grep", "Glob", "SemanticSearch", "readTodos"]);
