import { DiscoveryError, type DiscoveryFault } from "../base";

const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Milliseconds since 1970 of an absolute ISO-8601 instant with a zone; `undefined` for anything else. */
export function instantMs(text: string): number | undefined {
  const [, year, month, day] = INSTANT.exec(text) ?? [];
  if (year === undefined || !isDay(Number(year), Number(month), Number(day))) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Whether an instant comes after a session's frozen one; what a millisecond hides counts too.
 * @throws DiscoveryError as `assertAsOf`
 */
export function isLaterInstant(text: string, asOf: string): boolean {
  const [time, now] = [instantMs(text), assertAsOf(asOf)];
  if (time === undefined) return true;
  return time === now ? belowMs(text) > belowMs(asOf) : time > now;
}

/** The digits of a second after the third: they sort as the times do. */
function belowMs(text: string): string {
  return (/\.\d{3}(\d*)/.exec(text)?.[1] ?? "").replace(/0+$/, "");
}

/** Some engines read 30 February as 2 March. */
function isDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** What is wrong with a session's frozen instant. */
export function asOfFaults(asOf: string): DiscoveryFault[] {
  if (instantMs(asOf) !== undefined) return [];
  return [
    {
      field: "asOf",
      problem: `${JSON.stringify(asOf)} is no instant.`,
      mend: "Give an ISO-8601 date and time with a zone, e.g. 2025-01-31T12:00:00Z.",
    },
  ];
}

/**
 * Milliseconds since 1970 of a session's frozen instant.
 * @throws DiscoveryError where it cannot be used
 */
export function assertAsOf(asOf: string): number {
  const time = instantMs(asOf);
  if (time === undefined) throw new DiscoveryError(asOfFaults(asOf));
  return time;
}
