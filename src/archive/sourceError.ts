/**
 * `bad-request`: the address or name is none · `no-answer`: not reachable, or not for pages (CORS) · `not-found` · `refused`: only
 * for some · `failed`: the server's own trouble · `damaged`: not what it should be · `too-large`.
 */
export type SourceErrorCode =
  | "bad-request"
  | "no-answer"
  | "not-found"
  | "refused"
  | "failed"
  | "damaged"
  | "too-large";

/** Why something could not be fetched, in words for a person. */
export class SourceError extends Error {
  readonly code: SourceErrorCode;
  /** The address that was asked, or what was asked for when there was none to ask. */
  readonly source: string;

  constructor(code: SourceErrorCode, message: string, source: string) {
    super(message);
    this.name = "SourceError";
    this.code = code;
    this.source = source;
  }
}
