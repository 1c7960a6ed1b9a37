import type { Change } from "./diffTrees";
import type { EditableFileSystem } from "./fileSystem";
import type { VersionedTree } from "./versionedTree";

/** A tree that keeps its changes to itself until they are applied. */
export type ForkedFileSystem = EditableFileSystem &
  VersionedTree & {
    /** The files that differ from the base as it was, in order of their paths. */
    changes(): Promise<Change[]>;
    /**
     * Writes the changes to the base, which is then what this tree differs from.
     * @throws ConflictError, naming the first path at which the base is no longer as it was; nothing is then written
     */
    apply(): Promise<void>;
  };
