import { limits } from "../../base";
import type { GrepQuery, GrepResult } from "../fileSystem";
import { grepFilter } from "../grepFilter";
import { workerSearch } from "../search/workerSearch";
import type { SnapshotTree } from "../snapshotTree";
import type { TreeEngine } from "../treeEngine";
import { EngineSlot } from "./engineSlot";
import { grepExpression } from "./grepExpression";
import { inlineGrep } from "./inlineGrep";
import { MergedHits } from "./mergedHits";

export interface WorkerEngineOptions {
  /** Starts a worker on `engineWorker.ts`; called when one is needed, and again after one had to be killed. */
  readonly createWorker: () => Worker;
}

/**
 * Searches in a few workers that keep the texts of the trees they were asked about, by content: a change ships one file.
 * A pattern that runs away takes only its worker with it (`GrepBudgetError`). The caller owns the engine and disposes it.
 */
export function createWorkerEngine({ createWorker }: WorkerEngineOptions): TreeEngine & { dispose(): void } {
  const slots = Array.from({ length: limits.grepWorkers }, () => new EngineSlot(createWorker));
  // A worker of its own: building an index must not hold up a grep.
  const searchSlot = new EngineSlot(createWorker);
  return {
    grep: (tree, query) => ({ [Symbol.asyncIterator]: () => startedGrep(slots, tree, query) }),
    search: (tree, query) => workerSearch(searchSlot, tree, query),
    dispose: () => {
      for (const slot of [...slots, searchSlot]) slot.dispose();
    },
  };
}

function startedGrep(
  slots: readonly EngineSlot[],
  tree: SnapshotTree,
  query: GrepQuery,
): AsyncIterator<GrepResult, void> {
  try {
    const expression = grepExpression(query);
    grepFilter(query);
    // A small tree is searched sooner than a worker is asked; only a pattern that cannot run away may stay here.
    if (tree.sizeBytes < limits.grepWorkerBytes && expression.isBounded) return inlineGrep(tree, query);
  } catch (error) {
    return { next: () => Promise.reject(error) };
  }
  return new MergedHits(slots, tree, query);
}
