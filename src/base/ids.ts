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
}

export function sessionIds(clock: Clock, random: Random): Ids {
  return { next: (prefix) => `${prefix}_${ulid(clock(), random)}` };
}
