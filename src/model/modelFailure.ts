import { ModelError, type ModelFailureCode } from "./modelError";

/** Why a model call failed, as data: what events, retries and people branch on. */
export interface ModelFailure {
  readonly code: ModelFailureCode;
  readonly message: string;
  /** Whether the same request may succeed when sent again. */
  readonly retryable: boolean;
  /** Milliseconds the server asked to wait, as it said them. */
  readonly retryAfterMs?: number;
}

const RETRYABLE: Readonly<Record<ModelFailureCode, boolean>> = {
  network: true,
  cors: false,
  blocked: false,
  "rate-limit": true,
  quota: false,
  auth: false,
  server: true,
  stall: true,
  cut: true,
  aborted: false,
  "bad-request": false,
  unknown: false,
};

const UNREADABLE = new Set(["AI_JSONParseError", "AI_TypeValidationError", "AI_InvalidResponseDataError"]);
const NO_CREDIT =
  /insufficient[_ ](quota|balance|credits?|funds)|billing_hard_limit|credit balance|out of credits|billing details/i;

/** Reads any thrown or streamed error: of a provider package, of `fetch`, of this folder, or a server's error object. */
export function modelFailure(error: unknown): ModelFailure {
  const found = modelErrorIn(error);
  if (found) return failure(found.code, found.message);
  const fields = fieldsOf(error);
  const message = messageOf(error, fields);
  if (fields["name"] === "AbortError") return failure("aborted", "stopped");
  if (UNREADABLE.has(String(fields["name"]))) {
    return { ...failure("server", `The server sent something that cannot be read: ${message}`), retryable: false };
  }
  const status = statusOf(fields);
  if (status !== undefined) return statusFailure(status, message, fields);
  if (NO_CREDIT.test(`${String(fields["code"])} ${String(fields["type"])} ${message}`))
    return failure("quota", message);
  if (/rate.?limit/i.test(`${String(fields["code"])} ${String(fields["type"])}`)) return failure("rate-limit", message);
  if (/overloaded|server_error|unavailable/i.test(`${String(fields["code"])} ${String(fields["type"])}`)) {
    return failure("server", message);
  }
  if (error instanceof TypeError || fields["isRetryable"] === true) return failure("network", message);
  return failure("unknown", message);
}

/** Our own error, also where a provider package has wrapped it. */
function modelErrorIn(error: unknown): ModelError | undefined {
  for (let depth = 0, inner = error; depth < 5 && inner instanceof Error; depth++, inner = inner.cause) {
    if (inner instanceof ModelError) return inner;
  }
  return undefined;
}

function failure(code: ModelFailureCode, message: string): ModelFailure {
  return { code, message, retryable: RETRYABLE[code] };
}

function statusFailure(status: number, message: string, fields: Record<string, unknown>): ModelFailure {
  const retryAfterMs = retryAfterMsOf(fields);
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  const said = `${message} (HTTP ${status})`;
  const body = `${message} ${typeof fields["responseBody"] === "string" ? fields["responseBody"] : ""}`;
  if (status === 402) return failure("quota", said);
  if (status === 401 || status === 403) return failure("auth", said);
  // A server that says when to come back is not out of money, whatever words it uses.
  if (status === 429 && retryAfterMs === undefined && NO_CREDIT.test(body)) return failure("quota", said);
  if (status === 429) return { ...failure("rate-limit", said), ...wait };
  if (status === 408 || status === 425 || status >= 500) return { ...failure("server", said), ...wait };
  return failure("bad-request", said);
}

function fieldsOf(error: unknown): Record<string, unknown> {
  if (typeof error !== "object" || error === null) return {};
  const fields = error as Record<string, unknown>;
  // A server's own error object often comes wrapped: `{ error: { message } }`.
  const inner = fields["error"];
  return typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>) : fields;
}

function messageOf(error: unknown, fields: Record<string, unknown>): string {
  if (typeof error === "string") return error;
  const message = fields["message"];
  if (typeof message === "string" && message !== "") return message;
  return "the model's server gave no reason";
}

function statusOf(fields: Record<string, unknown>): number | undefined {
  for (const name of ["statusCode", "status", "code"]) {
    const value = fields[name];
    if (typeof value === "number" && value >= 400 && value < 600) return value;
  }
  return undefined;
}

/** The wait a server asked for: `retry-after-ms`, `retry-after` in seconds or as a date, or Google's `retryDelay`. */
function retryAfterMsOf(fields: Record<string, unknown>): number | undefined {
  const headers = fields["responseHeaders"] as Record<string, string> | undefined;
  const milliseconds = Number(headers?.["retry-after-ms"] ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const after = headers?.["retry-after"];
  if (after !== undefined && after.trim() !== "") {
    if (Number(after) >= 0) return Number(after) * 1_000;
    const date = Date.parse(after);
    // The server's own clock where it tells it, so that a wrong clock here does not matter.
    const now = Date.parse(headers?.["date"] ?? "");
    if (!Number.isNaN(date)) return Math.max(0, date - (Number.isNaN(now) ? Date.now() : now));
  }
  const body = typeof fields["responseBody"] === "string" ? fields["responseBody"] : "";
  const delay = /"retryDelay"\s*:\s*"([\d.]+)s"/.exec(body);
  return delay?.[1] === undefined ? undefined : Number(delay[1]) * 1_000;
}
