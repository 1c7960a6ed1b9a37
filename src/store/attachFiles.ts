import { joinFsPath, type SnapshotTree } from "../fs";
import type { ImportItem } from "./importFiles";
import type { MountsState } from "./mountsStore";

export interface AttachedFiles {
  /** Where they are now, in the order they were given. */
  readonly paths: readonly string[];
  /** A sentence for each that was not taken, and for all when none could be. */
  readonly refused: readonly string[];
}

/**
 * Writes files that belong to a message into `attachments` of the first mount that takes writes. A name that is taken
 * gets a number: what is there stays.
 */
export async function attachFiles(mounts: MountsState, files: readonly File[]): Promise<AttachedFiles> {
  const mount = mounts.mounts.find(({ readOnly, error }) => !readOnly && error === undefined);
  if (!mount) return { paths: [], refused: ["No mount takes writes: add one, or take “read-only” off one."] };
  const directory = joinFsPath(mount.prefix, "attachments");
  const names = freeNames(
    await mounts.currentSnapshot(),
    directory,
    files.map(({ name }) => name),
  );
  const items = files.map((file, index): ImportItem => ({
    kind: "file",
    path: names[index] ?? file.name,
    sizeBytes: file.size,
    bytes: async () => new Uint8Array(await file.arrayBuffer()),
  }));
  const label = files.length === 1 ? (files[0]?.name ?? "") : `${files.length} files`;
  const report = await mounts.importInto(directory, { label, items, total: items.length });
  if (!report) return { paths: [], refused: ["Another import is running. Wait for it, or stop it."] };
  const after = await mounts.currentSnapshot();
  const paths = names.map((name) => joinFsPath(directory, name)).filter((path) => after.file(path) !== undefined);
  return { paths, refused: report.failure === undefined ? report.refused : [report.failure, ...report.refused] };
}

function freeNames(tree: SnapshotTree, directory: string, names: readonly string[]): string[] {
  const taken = new Set(tree.children(directory).map(({ name }) => name));
  return names.map((name) => {
    const dot = name.lastIndexOf(".") > 0 ? name.lastIndexOf(".") : name.length;
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
    taken.add(free);
    return free;
  });
}
