import type { ReplayPlace } from "./replayState";

/** The part of an address that names a place in a session: events count from 1 there, 0 is before the first. */
export function replayAddress(sessionId: string, { index, file }: ReplayPlace): string {
  const session = `#/replay/${encodeURIComponent(sessionId)}`;
  if (file !== undefined) return `${session}/${index === undefined ? "end" : index + 1}/${encodeURIComponent(file)}`;
  return index === undefined ? session : `${session}/${index + 1}`;
}
