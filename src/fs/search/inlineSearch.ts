import type { SearchQuery, SearchResult } from "../fileSystem";
import { decodedText } from "../grep/decodedText";
import { TimeSlice } from "../grep/timeSlice";
import type { SnapshotTree } from "../snapshotTree";
import type { FoundPassage } from "./foundPassage";
import { SearchIndex } from "./searchIndex";
import { searchResult } from "./searchResult";

/** One index and the work on it, which goes one after the other. */
interface HeldIndex {
  readonly index: SearchIndex;
  work: Promise<unknown>;
}

/** A memo, no state: an index lives as long as the tree it was last brought to. */
const indexes = new WeakMap<SnapshotTree, HeldIndex>();
let lastTree: WeakRef<SnapshotTree> | undefined;

/** Searches on the calling thread. The index is built at the first search, with breaks, and follows the tree from then on. */
export async function* inlineSearch(
  tree: SnapshotTree,
  query: SearchQuery,
): AsyncGenerator<SearchResult, void, undefined> {
  const held = heldIndex(tree);
  const found = held.work.then(() => foundIn(held.index, tree, query));
  held.work = found.catch(() => undefined);
  for (const passage of await found) yield searchResult(tree, passage);
}

async function foundIn(index: SearchIndex, tree: SnapshotTree, query: SearchQuery): Promise<FoundPassage[]> {
  const slice = new TimeSlice();
  for (const file of index.outdated(tree)) {
    const bytes = await tree.file(file.path)?.bytes();
    index.add(file, bytes && decodedText(bytes)?.text);
    if (slice.isOver) await slice.pause();
  }
  index.settle(tree);
  return index.find(query);
}

/** The tree's own index, else that of the tree before it when the two are much the same, else a new one. */
function heldIndex(tree: SnapshotTree): HeldIndex {
  const previous = lastTree?.deref();
  lastTree = new WeakRef(tree);
  const own = indexes.get(tree);
  if (own !== undefined) return own;
  const before = previous && indexes.get(previous);
  const held = before?.index.isLike(tree) ? before : { index: new SearchIndex(), work: Promise.resolve() };
  indexes.set(tree, held);
  return held;
}
