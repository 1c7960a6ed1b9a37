import type { GrepQuery, GrepResult, SearchQuery, SearchResult } from "../fileSystem";
import type { SnapshotTree } from "../snapshotTree";
import { lazyIterable } from "../lazyIterable";
import type { TreeEngine } from "../treeEngine";

/** Searches without workers, on the calling thread: Node, small trees, and wherever no worker engine was given. */
export const inlineEngine: TreeEngine = { grep: loadedGrep, search: loadedSearch };

/** The expressions come with the first grep: a page opens without them. */
function loadedGrep(tree: SnapshotTree, query: GrepQuery): AsyncIterable<GrepResult> {
  return lazyIterable(async () => {
    const { inlineGrep } = await import("./inlineGrep");
    return inlineGrep(tree, query);
  });
}

/** The index comes with the first search: most pages never need it on their own thread. */
async function* loadedSearch(tree: SnapshotTree, query: SearchQuery): AsyncGenerator<SearchResult, void, undefined> {
  const { inlineSearch } = await import("../search/inlineSearch");
  yield* inlineSearch(tree, query);
}
