import type { Clock } from "./clock";
import type { Random } from "./random";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A ULID: 48 bits of time, 80 of chance, in Crockford's base 32; sorts by time. */
export function ulid(timeMs: number, random: Random): string {
  let text = "";
  for (let digit = 9, rest = timeMs; digit >= 0; digit--) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  for (let digit = 0; digit < 16; digit++) text += CROCKFORD.charAt(Math.floor(random() * 32));
  return text;
}

/** Ids of one session: the same clock and seed give the same ids. */
export interface Ids {
  /** `<prefix>_<ULID>`, e.g. `evt_01J…`. */
  next(prefix: string): string;
  /** A UUID (version 7): the name of a file nobody chose a name for. */
  uuid(): string;
}

export function sessionIds(clock: Clock, random: Random): Ids {
  return { next: (prefix) => `${prefix}_${ulid(clock(), random)}`, uuid: () => uuid(clock(), random) };
}

/** 48 bits of time, version and variant, 74 bits of chance. */
function uuid(timeMs: number, random: Random): string {
  const digits = timeMs.toString(16).padStart(12, "0").slice(-12);
  const chance = (count: number) =>
    Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join("");
  const variant = "89ab".charAt(Math.floor(random() * 4));
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7${chance(3)}-${variant}${chance(3)}-${chance(12)}`;
}
