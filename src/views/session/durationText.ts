/** A span of time as a person reads it: `4 ms`, `1.2 s`, `3 min 20 s`; `unknown` when nobody measured it. */
export function durationText(durationMs: number | undefined): string {
  if (durationMs === undefined) return "unknown";
  if (durationMs < 1_000) return `${Math.max(0, Math.round(durationMs))} ms`;
  if (durationMs < 59_950) return `${(durationMs / 1_000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
