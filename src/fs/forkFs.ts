import { commitEdits, editsFromChanges } from "./commitEdits";
import { treeDifference } from "./diffTrees";
import type { FileSystem } from "./fileSystem";
import type { ForkedFileSystem } from "./forkedFileSystem";
import { Listeners } from "./listeners";
import { overlayFork } from "./overlayFork";
import { snapshotVerbs, type TreeOptions } from "./snapshotVerbs";
import type { SnapshotTree } from "./snapshotTree";
import { treeFromEdits } from "./treeEdit";
import { isVersionedTree, type VersionedTree } from "./versionedTree";

/**
 * A copy-on-write copy of any tree. Over a versioned tree it is the tree as it is at this call, at no cost; over any other
 * one the base shows through, live, where the fork has not touched it.
 */
export function forkFs(base: FileSystem, options: TreeOptions = {}): ForkedFileSystem {
  return isVersionedTree(base) ? snapshotFork(base, options) : overlayFork(base, options);
}

function snapshotFork(base: FileSystem & VersionedTree, options: TreeOptions): ForkedFileSystem {
  const listeners = new Listeners();
  let origin: SnapshotTree | undefined;
  let tree: SnapshotTree | undefined;
  const beginning = base.snapshot();
  // Whoever uses the fork hears of a failure; one that nobody uses fails nobody.
  beginning.catch(() => undefined);
  const begun = async (): Promise<{ origin: SnapshotTree; tree: SnapshotTree }> => {
    origin ??= await beginning;
    return { origin, tree: (tree ??= origin) };
  };
  const verbs = snapshotVerbs(
    {
      current: () => tree ?? begun().then((both) => both.tree),
      commit: async (edits) => {
        const start = tree ?? (await begun()).tree;
        tree = treeFromEdits(tree ?? start, edits);
        listeners.notify();
      },
      subscribe: listeners.subscribe,
    },
    options,
  );
  return {
    ...verbs,
    changes: async () => {
      const both = await begun();
      return treeDifference(both.origin, both.tree).changes;
    },
    apply: async () => {
      const { origin: from, tree: to } = await begun();
      const { changes, madeDirectories, removedDirectories } = treeDifference(from, to);
      const directories = { made: madeDirectories, removed: removedDirectories };
      await commitEdits(
        base,
        editsFromChanges(changes, (path) => to.file(path), directories),
      );
      origin = to;
    },
  };
}
