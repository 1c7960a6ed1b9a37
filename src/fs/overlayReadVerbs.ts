import type { FileSystem } from "./fileSystem";
import { mergedSorted, type MergeSource } from "./mergedSorted";
import type { OverlayLayers } from "./overlayLayers";
import { normalizeFsPath, validFsPath } from "./path";
import { FileNotFoundError } from "./pathError";
import { byLine, byPath, byScore } from "./resultOrder";
import { readVerbs, type ReadVerbs, type TreeOptions } from "./snapshotVerbs";

/** The reading verbs of a fork over a live base: what was written, and what of the base is not hidden. */
export function overlayReadVerbs(base: FileSystem, layers: OverlayLayers, options: TreeOptions): ReadVerbs {
  const upper = readVerbs(() => layers.upper, options);
  const both = <T extends { readonly path: string }>(own: AsyncIterable<T>, below: AsyncIterable<T>) => [
    { open: () => own[Symbol.asyncIterator]() },
    {
      open: () => below[Symbol.asyncIterator](),
      accept: (item: T) => (layers.hides(item.path) ? undefined : item),
    } satisfies MergeSource<T>,
  ];
  /** The base may stop at the cap only while none of its hits can be hidden. */
  const cap = (maxResults: number | undefined) => (layers.hidesNothing ? maxResults : undefined);
  return {
    list: (prefix) => mergedSorted(both(upper.list(prefix), base.list(prefix)), byPath, { unique: true }),
    glob: (pattern, dir) => mergedSorted(both(upper.glob(pattern, dir), base.glob(pattern, dir)), byPath),
    stat: (path) => layers.stat(normalizeFsPath(path)),
    read: async (path) => {
      const valid = validFsPath(path);
      if (valid !== "/" && layers.upper.entry(valid) !== undefined) return upper.read(valid);
      if (layers.hides(valid)) throw new FileNotFoundError(valid);
      return base.read(valid);
    },
    grep: (query) => {
      const below = base.grep({ ...query, maxResults: cap(query.maxResults) });
      return mergedSorted(both(upper.grep(query), below), byLine, { limit: query.maxResults });
    },
    search: (query) => {
      const below = base.search({ ...query, maxResults: cap(query.maxResults) });
      return mergedSorted(both(upper.search(query), below), byScore, { limit: query.maxResults });
    },
  };
}
