import { SnapshotTree } from "../snapshotTree";

/** What a mirror remembers of a path that was written through it. */
export interface RememberedFile {
  /** The version the last write made. */
  readonly version: string;
  /** The id that version has in trees. */
  readonly id: string;
  /** Ids of versions of this path and the SHA-256 of what they hold: contents that come back are the same file again. */
  readonly contents: readonly (readonly [id: string, hash: string])[];
}

/** Where a mirror keeps what must outlive the page. Only `load` may reject; the rest is done as well as it can be. */
export interface MirrorMemory {
  /** The tree as it was last seen, and what is remembered of its paths. */
  load(): Promise<{ readonly tree: SnapshotTree; readonly files: ReadonlyMap<string, RememberedFile> }>;
  keepTree(tree: SnapshotTree): Promise<void>;
  remember(path: string, file: RememberedFile): Promise<void>;
  /** Keeps contents by the id they have in trees. */
  keepContents(id: string, bytes: Uint8Array): Promise<void>;
  contents(id: string): Promise<Uint8Array | undefined>;
}

/** A memory that goes with the page. */
export function pageMemory(): MirrorMemory {
  const kept = new Map<string, Uint8Array>();
  return {
    load: async () => ({ tree: SnapshotTree.empty, files: new Map() }),
    keepTree: async () => undefined,
    remember: async () => undefined,
    keepContents: async (id, bytes) => void kept.set(id, bytes),
    contents: async (id) => kept.get(id),
  };
}
