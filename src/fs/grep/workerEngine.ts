import { limits } from "../../base";
import { lazyIterable } from "../lazyIterable";
import { workerSearch } from "../search/workerSearch";
import type { TreeEngine } from "../treeEngine";
import { EngineSlot, type WorkerEngineOptions } from "./engineSlot";

/**
 * Searches in a few workers that keep the texts of the trees they were asked about, by content: a change ships one file.
 * A pattern that runs away takes only its worker with it (`GrepBudgetError`). The caller owns the engine and disposes it.
 */
export function createWorkerEngine(options: WorkerEngineOptions): TreeEngine & { dispose(): void } {
  const slots = Array.from({ length: limits.grepWorkers }, () => new EngineSlot(options));
  // A worker of its own: building an index must not hold up a grep.
  const searchSlot = new EngineSlot({ ...options, fileBudgetMs: limits.searchSilenceMs });
  return {
    // What reads patterns comes with the first grep: a page opens without it.
    grep: (tree, query) =>
      lazyIterable(async () => {
        const { workerGrep } = await import("./workerGrep");
        return workerGrep(slots, tree, query);
      }),
    search: (tree, query) => workerSearch(searchSlot, tree, query),
    dispose: () => {
      for (const slot of [...slots, searchSlot]) slot.dispose();
    },
  };
}
