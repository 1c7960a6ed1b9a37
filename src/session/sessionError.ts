export type SessionErrorCode =
  /** The session takes no more messages. */
  | "ended"
  /** Nothing in the log waits for these answers. */
  | "not-waiting"
  /** The continuation token is not the last one given out. */
  | "stale-token"
  /** An answer was given for other arguments than those that wait for it. */
  | "stale-approval"
  /** A tool call from outside addresses a session whose turn has not ended. */
  | "session-busy"
  /** A subagent's session: it takes the one message of its task and nothing from outside. */
  | "task-session";

const CONFLICTS: ReadonlySet<SessionErrorCode> = new Set([
  "stale-token",
  "stale-approval",
  "session-busy",
  "task-session",
]);

/** A turn that cannot begin, or a call that cannot be made. What goes wrong once a turn has begun is an event. */
export class SessionError extends Error {
  readonly code: SessionErrorCode;
  /** What a server would answer: 409 where it is at odds with where the session stands, else 400. */
  readonly status: 400 | 409;

  constructor(code: SessionErrorCode, message: string) {
    super(message);
    this.name = "SessionError";
    this.code = code;
    this.status = CONFLICTS.has(code) ? 409 : 400;
  }
}
