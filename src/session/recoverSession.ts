import type { Clock, Ids } from "../base";
import { closedTurnDrafts, cutCallDrafts } from "./closedTurn";
import { eventStamp, type EventDraft } from "./eventStamp";
import { openTurn, waitingCallId, type OpenTurn } from "./openTurn";
import type { FileChange, SessionEvent } from "./sessionEvent";
import { waitingDraft, type TurnFailure } from "./turnRun";

const HOST_LOST: TurnFailure = {
  code: "host-lost",
  message: "The page was closed or crashed while this ran; it may have been done in part.",
};

export interface RecoverOptions {
  /** The whole log as it was found. */
  readonly events: readonly SessionEvent[];
  readonly ids: Ids;
  readonly clock: Clock;
  /**
   * What differs between the tree the log ends with and the tree as it was found. Each is told with the cut call that can
   * have done it; those that none can have done are in no event, and the driver's to tell as a person's.
   */
  readonly changes?: readonly FileChange[];
}

/**
 * The events that make a log whole again which a crash has cut: cut calls get a `failed` result with code `host-lost`,
 * the turn ends with the same code, and the session waits for a message. A turn that waits for a person goes on waiting.
 * Nothing for a log that needs nothing. Not for a session that runs, here or in another tab.
 */
export function recoverSession(options: RecoverOptions): SessionEvent[] {
  const stamp = eventStamp(options.ids, options.clock);
  return recoveryDrafts(options.events, options.changes ?? []).map(stamp);
}

function recoveryDrafts(events: readonly SessionEvent[], changes: readonly FileChange[]): EventDraft[] {
  const open = openTurn(events);
  if (open === undefined) return unsaidEnd(events);
  if (open.pending.length > 0) return parkedDrafts(open, changes);
  return closedTurnDrafts(events, open, HOST_LOST, changes);
}

/** A turn that ended, its session not yet said to wait. */
function unsaidEnd(events: readonly SessionEvent[]): EventDraft[] {
  const last = events.findLastIndex((event) => event.type === "turn.started");
  const started = events[last];
  const isSaid = events.slice(last + 1).some((event) => event.type.startsWith("session."));
  return started?.type !== "turn.started" || isSaid ? [] : [waitingDraft(events, started.data.sequence)];
}

function parkedDrafts(open: OpenTurn, changes: readonly FileChange[]): EventDraft[] {
  const { turnId, sequence } = open;
  const place = { turnId, sequence, stepIndex: open.step?.stepIndex ?? 0 };
  const pending = new Set(open.pending.map(waitingCallId));
  const drafts = cutCallDrafts(place, open, HOST_LOST, changes, (callId) => !pending.has(callId));
  if (open.step?.ended === false) {
    drafts.push({ type: "step.completed", data: { ...place, finishReason: "tool-calls" } });
  }
  if (!open.waiting) drafts.push({ type: "turn.waiting", data: { turnId, sequence, on: "input" } });
  return drafts;
}
