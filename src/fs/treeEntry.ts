/** A file of a tree: what it is, and where its bytes come from. */
export interface FileEntry {
  readonly kind: "file";
  /** SHA-256 of the bytes in hex; a version id (mirror/versionId.ts) for a file elsewhere that was not written here. */
  readonly hash: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  /** Its bytes lie in a folder or store of somebody's: a stored snapshot may only name it. */
  readonly isElsewhere?: boolean;
  /** The bytes; not to be changed by whoever gets them. @throws UnavailableError when the store behind is gone */
  bytes(): Promise<Uint8Array>;
  /** The bytes when they are in memory; not to be changed. */
  bytesNow?(): Uint8Array | undefined;
  /** What `read` answers, when it is in memory; not to be changed. */
  contentsNow?(): string | Uint8Array | undefined;
  /** The text, when it is held as a string for as long as this entry is. */
  heldText?(): string | undefined;
}

/** A directory of a tree, with the sums over all below it. Shared by every tree that holds the same directory. */
export interface DirectoryEntry {
  readonly kind: "directory";
  /** Files at any depth. */
  readonly fileCount: number;
  /** Bytes of all files at any depth. */
  readonly sizeBytes: number;
  /** Whether somebody made it as such: it then stays when its last file goes. */
  readonly isExplicit: boolean;
  readonly children: ChildMap;
}

export type TreeEntry = FileEntry | DirectoryEntry;

/** One child in the balanced map of a directory's children (childMap.ts). */
export interface ChildNode {
  readonly name: string;
  readonly priority: number;
  readonly entry: TreeEntry;
  readonly left: ChildMap;
  readonly right: ChildMap;
  /** Names in this map. */
  readonly count: number;
  /** Files at any depth. */
  readonly fileCount: number;
  /** Bytes of all files at any depth. */
  readonly sizeBytes: number;
  /** The id of what this map holds, once it was asked for (directoryId.ts). */
  id: string | undefined;
}

export type ChildMap = ChildNode | undefined;

export function directoryEntry(children: ChildMap, isExplicit: boolean): DirectoryEntry {
  const { fileCount, sizeBytes } = children ?? { fileCount: 0, sizeBytes: 0 };
  return { kind: "directory", fileCount, sizeBytes, isExplicit, children };
}

export const emptyDirectory: DirectoryEntry = directoryEntry(undefined, false);
