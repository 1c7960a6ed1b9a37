import type { EditableDisk, FileInfo, FileSystem } from "./fileSystem";
import { validFsPath } from "./path";
import { FileNotFoundError, ReadOnlyMountError } from "./pathError";
import { readVerbs, type TreeOptions } from "./snapshotVerbs";
import { SnapshotTree } from "./snapshotTree";
import type { VersionedTree } from "./versionedTree";

/** A snapshot as a tree that cannot be written. */
export function treeFs(snapshot: SnapshotTree, options: TreeOptions = {}): FileSystem & VersionedTree {
  const verbs = readVerbs(() => snapshot, options);
  return {
    ...verbs,
    ...refusingVerbs((path) => verbs.stat(path)),
    snapshot: () => Promise.resolve(snapshot),
    subscribe: () => () => undefined,
  };
}

/** A tree with no files, that takes none. */
export function emptyFs(): FileSystem & VersionedTree {
  return treeFs(SnapshotTree.empty);
}

/** The verbs that change a tree, each refused; those of a disk too, so that a screen hears the true reason. */
export function refusingVerbs(
  stat: (path: string) => Promise<FileInfo>,
): Pick<FileSystem, "write" | "delete"> & EditableDisk {
  const refuse = async (path: string): Promise<never> => {
    throw new ReadOnlyMountError(validFsPath(path));
  };
  const refuseExisting = async (path: string): Promise<never> => {
    const valid = validFsPath(path);
    if ((await stat(valid)).kind === "missing") throw new FileNotFoundError(valid);
    throw new ReadOnlyMountError(valid);
  };
  return {
    write: refuse,
    delete: refuseExisting,
    rename: refuseExisting,
    makeDirectory: refuse,
    removeDirectory: refuseExisting,
    writeMany: async (files) => {
      for await (const [path] of files) await refuse(path);
    },
  };
}
