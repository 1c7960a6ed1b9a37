import type { GrepQuery, GrepResult, SearchQuery, SearchResult } from "./fileSystem";
import type { SnapshotTree } from "./snapshotTree";

/**
 * What searches the contents of a tree. A tree hands its snapshot over and returns the iterable as it is; nothing starts
 * before the first `next()`, and leaving the iterable stops the work. `query.path` is a whole path in the snapshot.
 */
export interface TreeEngine {
  /**
   * Hits by path, then line number.
   * @throws InvalidGrepPatternError, GrepBudgetError, UnknownFileTypeError (all with the code `invalid-grep-pattern`), at the first `next()`
   */
  grep(tree: SnapshotTree, query: GrepQuery): AsyncIterable<GrepResult>;
  /** Ranked passages by score, highest first, then path, then line. */
  search(tree: SnapshotTree, query: SearchQuery): AsyncIterable<SearchResult>;
}
