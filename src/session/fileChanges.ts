import { diffTrees, type SnapshotTree } from "../fs";
import type { FileChange } from "./sessionEvent";

/** The files that differ between two trees, as events tell them. */
export function fileChanges(before: SnapshotTree, after: SnapshotTree): FileChange[] {
  return diffTrees(before, after).map((change) => {
    const sizeBytes = after.file(change.path)?.sizeBytes;
    return {
      path: change.path,
      ...(change.before === undefined ? {} : { before: change.before }),
      ...(change.after === undefined ? {} : { after: change.after }),
      ...(sizeBytes === undefined ? {} : { sizeBytes }),
    };
  });
}
