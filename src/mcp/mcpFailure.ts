import { reachability } from "../base";
import { McpError } from "./mcpError";
import type { McpFetch } from "./mcpFetch";

export interface FailurePlace {
  readonly url: string;
  readonly requests: McpFetch;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The page's own origin; none outside a page. */
  readonly pageOrigin: string | undefined;
}

/** What the protocol's package throws, as far as it says which of its errors it is. */
interface PackageError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
}

/**
 * Any failure of a connection as a McpError that says exactly what is wrong, and what is to be done. Asks the server again
 * where a browser hides why there was no answer. Never throws.
 */
export async function mcpFailure(error: unknown, place: FailurePlace): Promise<McpError> {
  for (const found of chainOf(error)) {
    if (found instanceof McpError) return found;
    const told = await failureOf(found, place);
    if (told !== undefined) return told;
  }
  const unanswered = place.requests.unanswered();
  if (unanswered !== undefined) return await noAnswer(unanswered, place);
  return new McpError("protocol", error instanceof Error ? error.message : String(error), error);
}

function* chainOf(error: unknown): Generator<object> {
  let found = error;
  for (let depth = 0; depth < LONGEST_CHAIN && typeof found === "object" && found !== null; depth++) {
    yield found;
    found = (found as PackageError).cause;
  }
}

const LONGEST_CHAIN = 8;

async function failureOf(error: PackageError, place: FailurePlace): Promise<McpError | undefined> {
  const { origin } = new URL(place.url);
  const unanswered = place.requests.unanswered();
  if (error instanceof TypeError && unanswered !== undefined) return await noAnswer(unanswered, place);
  if (error.name === "UnauthorizedError") return needsSignIn(origin, error);
  const { status } = error;
  if (typeof status === "number" && (status === 0 || status >= 300)) return statusFailure(status, place, error);
  if (error.code === "REQUEST_TIMEOUT") {
    return new McpError("timeout", `${origin} did not answer in time.`, error);
  }
  if (error.code === "CLIENT_HTTP_UNEXPECTED_CONTENT" || error.name === "ZodError" || error.name === "SyntaxError") {
    return new McpError("not-mcp", `${place.url} is no MCP endpoint: it answers with something else. ${USUAL}`, error);
  }
  return undefined;
}

const USUAL = "The address usually ends in /mcp.";

export function needsSignIn(origin: string, cause?: unknown): McpError {
  return new McpError("needs-sign-in", `${origin} asks who is there: sign in, or give it a token.`, cause);
}

function statusFailure(status: number, place: FailurePlace, error: PackageError): McpError {
  const { origin } = new URL(place.url);
  if (status === 401) return needsSignIn(origin, error);
  // A page is not shown where a redirect leads: its status is 0.
  if (status < 400) {
    const words = `${place.url} redirects to another address: use that one. Often it differs by a / at its end, or by https.`;
    return new McpError("not-mcp", words, error);
  }
  if (status === 403) {
    return new McpError("refused", `${origin} does not allow this (403): the sign-in or token lacks the right.`, error);
  }
  if ((status === 400 || status === 404) && place.requests.lacksSessionId() && place.pageOrigin !== undefined) {
    const words =
      `${origin} begins a session and then does not know this page (${status}). It must let the page read the session's ` +
      "id: Access-Control-Expose-Headers: Mcp-Session-Id.";
    return new McpError("session", words, error);
  }
  if (status === 404 || status === 405) {
    return new McpError("not-mcp", `${place.url} is no MCP endpoint: it answered ${status}. ${USUAL}`, error);
  }
  const passes = status >= 500 ? " That is trouble of the server's own; it may pass." : "";
  return new McpError("http-status", `${origin} answered ${status}.${passes}`, error);
}

async function noAnswer(
  { url, error }: { readonly url: string; readonly error: unknown },
  { fetch = (input, init) => globalThis.fetch(input, init), pageOrigin }: FailurePlace,
): Promise<McpError> {
  const { code, message } = await reachability(url, fetch, error);
  const advice = code === "cors" ? ` ${corsAdvice(pageOrigin)}` : " Is the server running, and is the address right?";
  return new McpError(code, `${message}${advice}`, error);
}

/** What a server must send, so that a page may use it. */
export function corsAdvice(pageOrigin = "the page's origin"): string {
  return (
    `The server must send Access-Control-Allow-Origin: ${pageOrigin}; allow the methods GET, POST and DELETE and the ` +
    "request headers authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version and " +
    "mcp-session-id; and expose Mcp-Session-Id and WWW-Authenticate."
  );
}
