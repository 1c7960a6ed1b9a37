import type { DivergenceReport } from "../../../trajectory";
import { countText } from "../../widgets/byteText";

/** What a report comes to, in one sentence: its parts add up to the calls. */
export function verdictText({ calls, roots, counts }: Pick<DivergenceReport, "calls" | "roots" | "counts">): string {
  const same = counts.equal + counts["equal after normalisation"];
  const diverged = counts.differs + counts["status differs"] + counts.extra + counts.missing;
  const rest = calls.length - same - diverged;
  const all = countText(calls.length, "call");
  if (diverged === 0 && rest === 0) return `${all}: no divergence, all came to the same`;
  const following = diverged - roots.length;
  const own = `${countText(roots.length, "divergence")} of ${roots.length === 1 ? "its" : "their"} own`;
  return [
    `${all}: ${diverged === 0 ? "no divergence" : own}`,
    ...(following === 0
      ? []
      : [`${following} that ${following === 1 ? "follows" : "follow"} from ${roots.length === 1 ? "it" : "them"}`]),
    `${same} came to the same`,
    ...(rest === 0 ? [] : [`${rest} could not be compared`]),
  ].join(", ");
}
