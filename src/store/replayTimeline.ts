import type { ReplaySpeed } from "./replayState";

/** Milliseconds to which a longer pause between two events is cut while playing, unless as recorded. */
export const LONGEST_PAUSE_MS = 1_000;

/** When each event is due while playing, in milliseconds of play since the first. */
export function playTimes(times: Float64Array, speed: ReplaySpeed): Float64Array {
  const due = new Float64Array(times.length);
  const factor = speed === "recorded" ? 1 : speed;
  const longestMs = speed === "recorded" ? Infinity : LONGEST_PAUSE_MS;
  for (let index = 1; index < times.length; index++) {
    const pauseMs = (times[index] ?? 0) - (times[index - 1] ?? 0);
    due[index] = (due[index - 1] ?? 0) + Math.min(pauseMs, longestMs) / factor;
  }
  return due;
}

/** The last event that is due at a time of play; -1 before the first. */
export function indexAt(due: Float64Array, playedMs: number): number {
  let low = 0;
  let high = due.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((due[middle] ?? 0) <= playedMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
