import { baseName, parentPath, type Change } from "../fs";

/** Changes since the run began, ready to be asked for by row. */
export interface ChangeIndex {
  readonly byPath: ReadonlyMap<string, Change>;
  /** Directories with a change somewhere below them. */
  readonly directories: ReadonlySet<string>;
  /** By directory: names of files and directories that are no longer there. */
  readonly goneNames: ReadonlyMap<string, ReadonlyMap<string, "file" | "directory">>;
}

export const noChanges: ChangeIndex = { byPath: new Map(), directories: new Set(), goneNames: new Map() };

/** @param exists whether a directory is in the tree as it is now */
export function changeIndexFromChanges(
  changes: readonly Change[],
  exists: (directory: string) => boolean,
): ChangeIndex {
  const byPath = new Map<string, Change>();
  const directories = new Set<string>();
  const goneNames = new Map<string, Map<string, "file" | "directory">>();
  const noteGone = (path: string, kind: "file" | "directory") => {
    const parent = parentPath(path);
    const names = goneNames.get(parent) ?? new Map<string, "file" | "directory">();
    names.set(baseName(path), kind);
    goneNames.set(parent, names);
  };
  for (const change of changes) {
    byPath.set(change.path, change);
    if (change.kind === "deleted") noteGone(change.path, "file");
    for (let path = parentPath(change.path); !directories.has(path); path = parentPath(path)) {
      directories.add(path);
      if (path === "/") break;
      if (change.kind === "deleted" && !exists(path)) noteGone(path, "directory");
    }
  }
  return { byPath, directories, goneNames };
}
