import type { FileSystem } from "./fileSystem";
import { refusingVerbs } from "./treeFs";
import { isVersionedTree, snapshotOf, type VersionedTree } from "./versionedTree";

/** The same tree, live, with every write refused. */
export function readOnlyFs(tree: FileSystem): FileSystem & VersionedTree {
  return {
    list: (prefix) => tree.list(prefix),
    stat: (path) => tree.stat(path),
    glob: (pattern, dir) => tree.glob(pattern, dir),
    read: (path) => tree.read(path),
    grep: (query) => tree.grep(query),
    search: (query) => tree.search(query),
    ...(tree.brief && { brief: (context) => tree.brief?.(context) ?? Promise.resolve(undefined) }),
    ...refusingVerbs((path) => tree.stat(path)),
    isVersioned: isVersionedTree(tree),
    snapshot: () => snapshotOf(tree),
    subscribe: (listener) => (isVersionedTree(tree) ? tree.subscribe(listener) : () => undefined),
  };
}
