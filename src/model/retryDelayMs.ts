import { limits, type Random } from "../base";
import type { ModelFailure } from "./modelFailure";

/**
 * Milliseconds to wait before sending a failed request again; `undefined` when it must not be sent again.
 *
 * @param attempt how many times it was sent so far, from 1
 */
export function retryDelayMs(failure: ModelFailure, attempt: number, random: Random): number | undefined {
  if (!failure.retryable || attempt >= limits.modelAttempts) return undefined;
  if (failure.retryAfterMs !== undefined) return Math.min(failure.retryAfterMs, limits.modelRetryMaxMs);
  const backoff = limits.modelRetryBaseMs * 2 ** (attempt - 1);
  // Half fixed, half chance: callers that failed together do not come back together.
  return Math.min(Math.round(backoff * (0.5 + random() / 2)), limits.modelRetryMaxMs);
}
