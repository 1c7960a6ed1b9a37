import { normalizeFsPath } from "../path";
import type { SnapshotTree } from "../snapshotTree";
import type { FileEntry } from "../treeEntry";

/** The file at `scope`, or the files below it in the order of their paths; none when nothing is there. */
export function* scopedFiles(
  tree: SnapshotTree,
  scope: string | undefined,
): Generator<readonly [path: string, file: FileEntry], void, undefined> {
  const path = normalizeFsPath(scope ?? "/");
  const entry = tree.entry(path);
  if (entry?.kind === "file") yield [path, entry];
  else if (entry !== undefined) yield* tree.files(path);
}
