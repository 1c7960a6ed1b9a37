export type TrajectoryErrorCode =
  /** Written by a later version of this program. */
  | "newer-schema"
  /** The file does not hold what it should. */
  | "not-a-session"
  | "not-a-project"
  | "not-a-report";

/** A saved file that cannot be opened at all; what costs a line or an entry only is a warning. */
export class TrajectoryError extends Error {
  readonly code: TrajectoryErrorCode;

  constructor(code: TrajectoryErrorCode, message: string) {
    super(message);
    this.name = "TrajectoryError";
    this.code = code;
  }
}
