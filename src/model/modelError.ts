export type ModelFailureCode =
  | "network"
  | "cors"
  /** The page's own policy keeps it from the address. */
  | "blocked"
  | "rate-limit"
  | "quota"
  | "auth"
  | "server"
  /** Nothing came for `limits.modelStallMs`. */
  | "stall"
  /** The stream ended, or its connection broke, before the model said it was done. */
  | "cut"
  | "aborted"
  | "bad-request"
  | "unknown";

/** A failure of a model call found by this folder, not by a provider package. */
export class ModelError extends Error {
  readonly code: ModelFailureCode;

  constructor(code: ModelFailureCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ModelError";
    this.code = code;
  }
}
