import { type EditableFileSystem, type FileToWrite, type SnapshotTree } from "../fs";

/**
 * Makes the files at `paths` what they are in `wanted`: written where it has them, deleted where it has not.
 * Directories are taken with all below them. @throws PathError
 */
export async function restorePaths(
  tree: EditableFileSystem,
  wanted: SnapshotTree,
  paths: readonly string[],
): Promise<void> {
  const emptyDirectories: string[] = [];
  for (const path of paths) {
    const entry = wanted.entry(path);
    const { kind } = await tree.stat(path);
    if (!entry && kind === "file") await tree.delete(path);
    else if (!entry && kind === "directory") await tree.removeDirectory(path);
    else if (entry?.kind === "directory" && entry.fileCount === 0) emptyDirectories.push(path);
  }
  await tree.writeMany(filesToWrite(wanted, paths));
  for (const directory of emptyDirectories) await tree.makeDirectory(directory);
}

async function* filesToWrite(wanted: SnapshotTree, paths: readonly string[]): AsyncGenerator<FileToWrite> {
  for (const path of paths) {
    const entry = wanted.entry(path);
    if (entry?.kind === "file") yield [path, await entry.bytes()];
    else if (entry) for (const [below, file] of wanted.files(path)) yield [below, await file.bytes()];
  }
}
