import { limits, nextTask } from "../base";
import { diffSteps, type Change, type SnapshotTree } from "../fs";

/**
 * A tree of the same files as `before` that shares with `after` all that is alike: two trees that were loaded apart share
 * nothing, and to compare them takes a look at every file. That look is taken once, in slices that leave the thread free.
 */
export async function sharingTree(before: SnapshotTree, after: SnapshotTree): Promise<SnapshotTree> {
  const changes: Change[] = [];
  let began = performance.now();
  for (const change of diffSteps(before, after)) {
    if (change) changes.push(change);
    if (performance.now() - began < limits.workSliceMs) continue;
    await nextTask();
    began = performance.now();
  }
  // Where most is another there is little to share.
  if (changes.length * 2 > after.fileCount) return before;
  return undone(before, after, changes);
}

/** `before`, made from `after` by taking the changes back. */
function undone(before: SnapshotTree, after: SnapshotTree, changes: readonly Change[]): SnapshotTree {
  let tree = after;
  for (const { path, kind } of changes) {
    // Where a file was, there may be a directory now that stays when it is empty.
    if (kind === "added" || tree.entry(path)?.kind === "directory") tree = tree.without(path);
  }
  return tree.withFiles(
    changes.flatMap(({ path }) => {
      const file = before.file(path);
      return file === undefined ? [] : [[path, file] as const];
    }),
  );
}
