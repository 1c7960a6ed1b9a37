import { seededRandom, sessionIds, sha256HexSync, type Clock, type Ids } from "../base";
import type { EventData, SessionEvent, SessionEventType } from "./sessionEvent";

/** An event that has no identity yet. */
export type EventDraft = {
  readonly [Type in SessionEventType]: { readonly type: Type; readonly data: EventData[Type] };
}[SessionEventType];

/** Gives an event its id and its time; called once for each, right before it is handed out. */
export type EventStamp = (draft: EventDraft) => SessionEvent;

export function eventStamp(ids: Ids, clock: Clock): EventStamp {
  return (draft) => ({ ...draft, meta: { id: ids.next("evt"), at: new Date(clock()).toISOString() } });
}

/**
 * The ids of a session from its seed. `position` is how long its log was when these ids began to be given out, so that
 * a session continued after a reload does not repeat itself.
 */
export function sessionIdsAt(seed: string, position: number, clock: Clock): Ids {
  return sessionIds(clock, seededRandom(`${seed}/ids/${position}`));
}

/** The session's own id, the same for the same seed. */
export function sessionIdFromSeed(seed: string): string {
  return `session_${sha256HexSync(`${seed}/session`).slice(0, 24)}`;
}

/** The token that continues a session after its turn number `sequence`: another one after every message. */
export function continuationTokenAt(seed: string, sequence: number): string {
  return `continue_${sha256HexSync(`${seed}/continue/${sequence}`).slice(0, 32)}`;
}
