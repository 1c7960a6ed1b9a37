import type { SessionEvent } from "../session";

/**
 * How a run ended. `environment`: for reasons that say nothing about its instructions, so it is no result ·
 * `stopped`: by a person or a closed page, no result either · `failed`: by its own doing, a result like `completed`.
 */
export type RunOutcome = "running" | "completed" | "failed" | "environment" | "stopped";

/** Codes of turns that ended because the model could not be reached or nothing could be stored. */
const ENVIRONMENT_CODES = new Set([
  "network",
  "cors",
  "blocked",
  "rate-limit",
  "quota",
  "auth",
  "server",
  "stall",
  "cut",
  "unknown",
  "unavailable",
]);

/** Codes of turns that somebody ended. */
const STOPPED_CODES = new Set(["interrupted", "aborted", "host-lost"]);

/** The outcome of a run's last turn and, where it did not complete, why. */
export function runOutcome(events: readonly SessionEvent[]): {
  readonly outcome: RunOutcome;
  readonly message?: string;
} {
  const last = events.findLast(({ type }) => type.startsWith("turn."));
  if (last?.type === "turn.completed") return { outcome: "completed" };
  if (last?.type === "turn.cancelled") return { outcome: "stopped" };
  if (last?.type !== "turn.failed") return { outcome: "running" };
  const { code, message } = last.data;
  return { outcome: outcomeOfFailure(code), message };
}

/** How a run ended whose last turn failed with this code. */
export function outcomeOfFailure(code: string): "stopped" | "environment" | "failed" {
  if (STOPPED_CODES.has(code)) return "stopped";
  return ENVIRONMENT_CODES.has(code) ? "environment" : "failed";
}

/** Whether a run that ended so is a result and may be counted. */
export function isResult(outcome: string): boolean {
  return outcome === "completed" || outcome === "failed";
}
