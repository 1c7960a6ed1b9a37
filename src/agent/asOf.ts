import { DiscoveryError } from "../base";

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Milliseconds since 1970 of an absolute ISO-8601 instant with a zone; `undefined` for anything else. */
export function instantMs(text: string): number | undefined {
  const time = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Milliseconds since 1970 of a session's frozen instant.
 * @throws DiscoveryError where it cannot be used
 */
export function assertAsOf(asOf: string): number {
  const time = instantMs(asOf);
  if (time !== undefined) return time;
  throw new DiscoveryError([
    {
      field: "asOf",
      problem: `${JSON.stringify(asOf)} is no instant.`,
      mend: "Give an ISO-8601 date and time with a zone, e.g. 2025-01-31T12:00:00Z.",
    },
  ]);
}
