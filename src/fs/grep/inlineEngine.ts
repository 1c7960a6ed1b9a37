import type { SearchQuery, SearchResult } from "../fileSystem";
import type { SnapshotTree } from "../snapshotTree";
import type { TreeEngine } from "../treeEngine";
import { inlineGrep } from "./inlineGrep";

/** Searches without workers, on the calling thread: Node, small trees, and wherever no worker engine was given. */
export const inlineEngine: TreeEngine = { grep: inlineGrep, search: loadedSearch };

/** The index comes with the first search: most pages never need it on their own thread. */
async function* loadedSearch(tree: SnapshotTree, query: SearchQuery): AsyncGenerator<SearchResult, void, undefined> {
  const { inlineSearch } = await import("../search/inlineSearch");
  yield* inlineSearch(tree, query);
}
