import { limits } from "../../base";
import type { GrepQuery, GrepResult } from "../fileSystem";
import { grepFilter } from "../grepFilter";
import { resultCap } from "../resultCap";
import type { SnapshotTree } from "../snapshotTree";
import type { EngineSlot } from "./engineSlot";
import { grepExpression } from "./grepExpression";
import { inlineGrep } from "./inlineGrep";
import { MergedHits } from "./mergedHits";

/** A grep that has begun: in place where that is quick and safe, else in the workers. */
export function workerGrep(
  slots: readonly EngineSlot[],
  tree: SnapshotTree,
  query: GrepQuery,
): AsyncIterator<GrepResult, void> {
  try {
    const expression = grepExpression(query);
    grepFilter(query);
    resultCap(query.maxResults);
    // A small tree is searched sooner than a worker is asked; only a pattern that cannot run away may stay here.
    if (tree.sizeBytes < limits.grepWorkerBytes && expression.isBounded) return inlineGrep(tree, query);
  } catch (error) {
    return { next: () => Promise.reject(error) };
  }
  return new MergedHits(slots, tree, query);
}
