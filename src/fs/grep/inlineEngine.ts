import type { GrepQuery, GrepResult, SearchQuery, SearchResult } from "../fileSystem";
import type { SnapshotTree } from "../snapshotTree";
import { lazyIterable } from "../lazyIterable";
import type { TreeEngine } from "../treeEngine";
import type { StepLimit } from "./inlineGrep";

/** Searches without workers, on the calling thread: small trees, and wherever no other engine was given. */
export const inlineEngine: TreeEngine = inlineEngineWithin();

/** The same, with a way to end a step that takes too long, where the surroundings have one. */
export function inlineEngineWithin(limit?: StepLimit): TreeEngine {
  return { grep: (tree, query) => loadedGrep(tree, query, limit), search: loadedSearch };
}

/** The expressions come with the first grep: a page opens without them. */
function loadedGrep(tree: SnapshotTree, query: GrepQuery, limit: StepLimit | undefined): AsyncIterable<GrepResult> {
  return lazyIterable(async () => {
    const { inlineGrep } = await import("./inlineGrep");
    return inlineGrep(tree, query, limit);
  });
}

/** The index comes with the first search: most pages never need it on their own thread. */
async function* loadedSearch(tree: SnapshotTree, query: SearchQuery): AsyncGenerator<SearchResult, void, undefined> {
  const { inlineSearch } = await import("../search/inlineSearch");
  yield* inlineSearch(tree, query);
}
