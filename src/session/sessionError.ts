export type SessionErrorCode =
  /** The session takes no more messages. */
  | "ended"
  /** Nothing in the log waits for these answers. */
  | "not-waiting"
  /** The continuation token is not the last one given out. */
  | "stale-token";

/** A turn that cannot begin. What goes wrong once it has begun is an event. */
export class SessionError extends Error {
  readonly code: SessionErrorCode;

  constructor(code: SessionErrorCode, message: string) {
    super(message);
    this.name = "SessionError";
    this.code = code;
  }
}
