import { continuationTokenAt } from "./eventStamp";
import { openTurn } from "./openTurn";
import { SessionError } from "./sessionError";
import type { SessionEvent } from "./sessionEvent";
import { playgroundStart } from "./turnRun";

/**
 * The token that continues a session as it stands: another one after every message, also while that message's turn runs.
 * `undefined` before the first message.
 */
export function continuationToken(events: readonly SessionEvent[]): string | undefined {
  const open = openTurn(events);
  if (open !== undefined) return continuationTokenAt(playgroundStart(events)?.seed ?? "", open.sequence);
  const waiting = events.findLast((event) => event.type === "session.waiting");
  return waiting?.type === "session.waiting" ? waiting.data.continuationToken : undefined;
}

/**
 * Nothing where the session takes a message from whoever holds `token`; a sender without one is the page itself.
 * @throws SessionError `ended`; 409: `stale-token`, `task-session`
 */
export function assertTakesMessage(events: readonly SessionEvent[], token: string | undefined): void {
  if (events.some((event) => event.type === "session.completed" || event.type === "session.failed")) {
    throw new SessionError("ended", "The session is over and takes no more messages.");
  }
  const isBegun = events.some((event) => event.type === "turn.started");
  if (playgroundStart(events)?.task !== undefined && (isBegun || token !== undefined)) throw taskSession();
  if (token !== undefined && token !== continuationToken(events)) {
    throw new SessionError(
      "stale-token",
      "The session has gone on since this token was given out; use the newest one.",
    );
  }
}

/**
 * Nothing where a tool may be called in the session from outside.
 * @throws SessionError 409: `session-busy`, `task-session`
 */
export function assertTakesCall(events: readonly SessionEvent[]): void {
  if (playgroundStart(events)?.task !== undefined) throw taskSession();
  if (openTurn(events) !== undefined) {
    throw new SessionError(
      "session-busy",
      "A turn of this session has not ended; wait for it, or call the tool outside the session.",
    );
  }
}

function taskSession(): SessionError {
  return new SessionError(
    "task-session",
    "This session is a subagent's and takes nothing from outside; speak to the session it works for.",
  );
}
