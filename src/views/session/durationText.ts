const MINUTE_SECONDS = 60;
const HOUR_MINUTES = 60;
const DAY_HOURS = 24;

/**
 * A span of time as a person reads it: `4 ms`, `1.2 s`, `3 min 20 s`, `1 h 33 min`, `65 d 2 h`; `unknown` when nobody
 * measured it. The two largest units only: beside hours nobody reads seconds.
 */
export function durationText(durationMs: number | undefined): string {
  if (durationMs === undefined) return "unknown";
  if (durationMs < 1_000) return `${Math.max(0, Math.round(durationMs))} ms`;
  if (durationMs < 59_950) return `${(durationMs / 1_000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1_000);
  if (seconds < HOUR_MINUTES * MINUTE_SECONDS)
    return `${Math.floor(seconds / MINUTE_SECONDS)} min ${seconds % MINUTE_SECONDS} s`;
  const minutes = Math.round(durationMs / 60_000);
  if (minutes < DAY_HOURS * HOUR_MINUTES)
    return `${Math.floor(minutes / HOUR_MINUTES)} h ${minutes % HOUR_MINUTES} min`;
  const hours = Math.round(durationMs / 3_600_000);
  return `${Math.floor(hours / DAY_HOURS).toLocaleString("en")} d ${hours % DAY_HOURS} h`;
}
