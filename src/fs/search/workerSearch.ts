import type { SearchQuery, SearchResult } from "../fileSystem";
import { WorkerGoneError, type EngineSlot } from "../grep/engineSlot";
import type { EngineReply } from "../grep/engineProtocol";
import { shippedTexts, transferables } from "../grep/shippedTexts";
import { UnavailableError } from "../pathError";
import type { SnapshotTree } from "../snapshotTree";
import type { FoundPassage } from "./foundPassage";
import { searchResult } from "./searchResult";

/**
 * Searches in a worker that keeps the index; it asks for the texts it lacks, a few at a time.
 * @throws UnavailableError when the worker is gone
 */
export async function* workerSearch(
  slot: EngineSlot,
  tree: SnapshotTree,
  query: SearchQuery,
): AsyncGenerator<SearchResult, void, undefined> {
  for (const passage of await foundPassages(slot, tree, query)) yield searchResult(tree, passage);
}

async function foundPassages(
  slot: EngineSlot,
  tree: SnapshotTree,
  query: SearchQuery,
): Promise<readonly FoundPassage[]> {
  try {
    for (;;) {
      const reply = await asked(slot, tree, query);
      if (reply.kind === "found") return reply.passages;
      if (reply.kind !== "needed") throw new WorkerGoneError("failed", reply.kind === "failed" ? reply.message : "");
      const texts = await shippedTexts(tree, reply.paths);
      slot.tell({ kind: "texts", texts }, transferables(texts));
    }
  } catch (error) {
    if (error instanceof WorkerGoneError) throw new UnavailableError("/", error.message);
    throw error;
  }
}

/** The tree's root id holds only until the next shipment, so the question goes with it. */
function asked(slot: EngineSlot, tree: SnapshotTree, query: SearchQuery): Promise<EngineReply> {
  return new Promise((resolve, reject) => {
    slot.ship(tree, (root) => void slot.ask({ kind: "search", root, query }).then(resolve, reject)).catch(reject);
  });
}
