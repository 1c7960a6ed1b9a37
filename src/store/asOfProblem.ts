import { assertAsOf } from "../agent";
import { DiscoveryError } from "../base";

/** Why a session cannot take a text for its instant, in words; nothing when it can. */
export function asOfProblem(asOf: string): string | undefined {
  try {
    assertAsOf(asOf);
    return undefined;
  } catch (error) {
    if (!(error instanceof DiscoveryError)) throw error;
    return error.faults.map(({ problem, mend }) => `${problem} ${mend}`).join(" ");
  }
}
