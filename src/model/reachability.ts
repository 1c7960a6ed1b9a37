import { limits } from "../base";

/** Why a request never got an answer: `cors` when the server is there and the browser may not read it. */
export interface Reachability {
  readonly code: "cors" | "network";
  readonly message: string;
}

/**
 * Finds out why a request to `url` got no answer. A browser hides the reason, so the server is asked again in a way
 * that needs no permission to read: if that goes through, the server is there and the answer was withheld (CORS).
 * The second request carries no key and no body. Never throws.
 */
export async function reachability(
  url: string,
  request: typeof globalThis.fetch,
  error: unknown,
): Promise<Reachability> {
  const { origin } = new URL(url);
  const reason = networkReason(error);
  if (reason !== undefined) return { code: "network", message: `No connection to ${origin}: ${reason}.` };
  try {
    await request(`${origin}/`, {
      mode: "no-cors",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(limits.connectionTestMs),
    });
    return { code: "cors", message: `${origin} answers, but does not let this page read its answer (CORS).` };
  } catch {
    return { code: "network", message: `No connection to ${origin}.` };
  }
}

/** What the platform says itself; browsers say nothing. */
function networkReason(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return undefined;
  const { code } = cause as { code?: unknown };
  return cause.message || (typeof code === "string" ? code : cause.name);
}
