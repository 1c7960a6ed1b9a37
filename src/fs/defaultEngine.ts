import { contentsFromBytes } from "./contents";
import type { GrepQuery, GrepResult, SearchResult } from "./fileSystem";
import { grepFilter } from "./grepFilter";
import { InvalidGrepPatternError } from "./pathError";
import type { SnapshotTree } from "./snapshotTree";
import type { TreeEngine } from "./treeEngine";

/** Searches line by line in place. */
export const defaultEngine: TreeEngine = { grep, async *search(): AsyncGenerator<SearchResult> {} };

async function* grep(tree: SnapshotTree, query: GrepQuery): AsyncGenerator<GrepResult> {
  const expression = compiled(query);
  const passes = grepFilter(query);
  const scope = query.path ?? "/";
  const single = tree.file(scope);
  let left = query.maxResults ?? Infinity;
  for (const [path, file] of single === undefined ? tree.files(scope) : [[scope, single] as const]) {
    const contents = passes(path) ? contentsFromBytes(await file.bytes()) : undefined;
    if (typeof contents !== "string") continue;
    for (const [index, line] of contents.replace(/\n$/, "").split("\n").entries()) {
      if (left <= 0) return;
      if (!expression.test(line)) continue;
      left--;
      yield { path, lineNumber: index + 1, line: line.replace(/\r$/, "") };
    }
  }
}

function compiled(query: GrepQuery): RegExp {
  try {
    return new RegExp(query.pattern, query.caseInsensitive ? "iu" : "u");
  } catch {
    throw new InvalidGrepPatternError(query.path ?? "/", query.pattern);
  }
}
