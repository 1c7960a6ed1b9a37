import type { ImportFidelity } from "../../session";
import type { DraftClock } from "./draftClock";
import type { ResultDraft } from "./importBuilder";

/** What the entries of one session say of how much the recording tells. */
export class DraftFidelity {
  hasMadeIds = false;
  hasEvidence = false;
  #hasPerCall = false;
  #hasCumulative = false;
  #hasTruncated = false;
  readonly #results = { real: 0, absent: 0 };

  result({ absent, truncated }: ResultDraft): void {
    this.#results[absent === true ? "absent" : "real"]++;
    if (truncated === true) this.#hasTruncated = true;
  }

  usage(how: "per-call" | "cumulative"): void {
    if (how === "per-call") this.#hasPerCall = true;
    else this.#hasCumulative = true;
  }

  fidelity(times: DraftClock["told"], callCount: number): ImportFidelity {
    const { real, absent } = this.#results;
    return {
      times: times.naive > 0 ? "naive" : times.real > 0 ? "real" : "missing",
      callIds: this.hasMadeIds ? "made" : "real",
      results: callCount > 0 && real === 0 ? "absent" : this.#hasTruncated || absent > 0 ? "truncated" : "full",
      usage: this.#hasPerCall ? "per-call" : this.#hasCumulative ? "cumulative" : "absent",
      files: this.hasEvidence ? "inferred" : "none",
    };
  }
}
