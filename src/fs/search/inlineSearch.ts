import type { SearchQuery, SearchResult } from "../fileSystem";
import type { SnapshotTree } from "../snapshotTree";

export async function* inlineSearch(_tree: SnapshotTree, _query: SearchQuery): AsyncGenerator<SearchResult> {}
