import type { Clock, Ids } from "../base";
import { closedTurnDrafts } from "./closedTurn";
import { eventStamp } from "./eventStamp";
import { openTurn } from "./openTurn";
import type { SessionEvent } from "./sessionEvent";
import { INTERRUPTED } from "./turnRun";

export interface InterruptOptions {
  /** The whole log. */
  readonly events: readonly SessionEvent[];
  readonly ids: Ids;
  readonly clock: Clock;
}

/**
 * The events that end a turn which waits for a person: its calls are answered with the interruption, and the session
 * waits for the next message. Nothing when no turn is open. Not for a turn that runs: its own signal stops that.
 */
export function interruptTurn({ events, ids, clock }: InterruptOptions): SessionEvent[] {
  const open = openTurn(events);
  return open === undefined ? [] : closedTurnDrafts(events, open, INTERRUPTED).map(eventStamp(ids, clock));
}
