import type { Usage } from "../../session";

const KEYS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "costUsd"] as const;

/** Known figures only: what is no number, or below 0, is not known. */
export function usageOf(usage: { readonly [Key in keyof Usage]: unknown }): Usage {
  const known: Record<string, number> = {};
  for (const key of KEYS) {
    const value = usage[key];
    if (typeof value === "number" && Number.isFinite(value) && value >= 0) known[key] = value;
  }
  return known;
}

/** Sums what either knows. */
export function addedUsage(a: Usage | undefined, b: Usage): Usage {
  const sum: Record<string, number> = { ...a };
  for (const key of KEYS) {
    const value = b[key];
    if (value !== undefined) sum[key] = (sum[key] ?? 0) + value;
  }
  return sum;
}

/** What totals grew by. Totals that fell began anew, as after a compaction. */
export function usageSince(before: Usage | undefined, now: Usage): Usage {
  const beganAnew = KEYS.some((key) => (now[key] ?? 0) < (before?.[key] ?? 0));
  if (before === undefined || beganAnew) return now;
  const since: Record<string, number> = {};
  for (const key of KEYS) {
    const value = now[key];
    if (value !== undefined) since[key] = value - (before[key] ?? 0);
  }
  return since;
}
