/**
 * `bad-address`: no web address · `blocked`: the page's own policy, nothing was sent · `network`: no answer · `cors`: an
 * answer this page may not read · `redirect`: led to an address that could not be read · `http-status` · `timeout` ·
 * `cut`: the answer broke off · `too-large` · `not-text` · `bad-answer`: a search's answer of another shape.
 */
export type WebErrorCode =
  | "bad-address"
  | "blocked"
  | "network"
  | "cors"
  | "redirect"
  | "http-status"
  | "timeout"
  | "cut"
  | "too-large"
  | "not-text"
  | "bad-answer";

/** Why something of the web could not be read, in words a model and a person can act on. */
export class WebError extends Error {
  readonly code: WebErrorCode;
  readonly url: string;
  /** With `http-status`. */
  readonly status?: number;

  constructor(code: WebErrorCode, message: string, url: string, status?: number) {
    super(message);
    this.name = "WebError";
    this.code = code;
    this.url = url;
    if (status !== undefined) this.status = status;
  }
}
