import { systemClock } from "../base";
import type { EditableFileSystem } from "./fileSystem";
import { Listeners } from "./listeners";
import { memoryFile } from "./memoryFile";
import { validFsPath } from "./path";
import { snapshotVerbs, type TreeOptions } from "./snapshotVerbs";
import { SnapshotTree } from "./snapshotTree";
import { treeFromEdits, type CommittingDisk } from "./treeEdit";
import type { VersionedTree } from "./versionedTree";

/**
 * A tree in memory, from a record of path → contents.
 * @throws InvalidPathError, NotAFileError, NotADirectoryError when the record's paths cannot be together
 */
export function tempFs(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: TreeOptions = {},
): EditableFileSystem & VersionedTree & CommittingDisk {
  const createdAt = (options.now ?? systemClock)();
  const listeners = new Listeners();
  let tree = SnapshotTree.empty.withFiles(
    Object.entries(files).map(([path, contents]) => [validFsPath(path), memoryFile(contents, createdAt)]),
  );
  return snapshotVerbs(
    {
      current: () => tree,
      commit: async (edits) => {
        tree = treeFromEdits(tree, edits);
        listeners.notify();
      },
      subscribe: listeners.subscribe,
    },
    options,
  );
}
