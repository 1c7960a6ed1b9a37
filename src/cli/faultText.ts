import type { DiscoveryFault } from "../index";

/** A fault or a warning in a line: where, what, and the way out. */
export function faultText({ field, problem, mend }: DiscoveryFault): string {
  return `${field}: ${problem} ${mend}`;
}
