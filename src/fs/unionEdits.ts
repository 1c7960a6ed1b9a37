import { isEditableDisk } from "./commitEdits";
import type { EditableDisk, EditableFileSystem, FileSystem, FileToWrite } from "./fileSystem";
import { importBatches } from "./importBatches";
import { errorFromMount, type Mount, type MountTable } from "./mountTable";
import { ancestorPaths, isUnder, parentPath, pathFromMount, pathInMount, validFsPath } from "./path";
import {
  ConflictError,
  FileNotFoundError,
  InvalidPathError,
  NoMountError,
  NotADirectoryError,
  WriteFailedError,
} from "./pathError";

/** A person's edits of a union, each by the mount that owns the path; `verbs` are the union's own. */
export function unionEdits(table: MountTable, verbs: FileSystem): EditableDisk {
  const owner = (path: string): Mount => {
    const mount = table.owner(path);
    if (mount === undefined) throw new NoMountError(path);
    return mount;
  };
  const edits: EditableDisk = {
    makeDirectory: async (path) => {
      const valid = validFsPath(path);
      if (table.isDirectory(valid)) return;
      const mount = owner(valid);
      const disk = editable(mount, valid);
      await toldWhole(mount, valid, (inner) => disk.makeDirectory(inner));
    },
    removeDirectory: async (path) => {
      const valid = validFsPath(path);
      assertNoMount(table, valid);
      await removedDirectory(verbs, owner(valid), valid);
    },
    rename: async (from, to) => {
      const [source, target] = [validFsPath(from), validFsPath(to)];
      assertNoMount(table, source);
      const [sourceMount, targetMount] = [owner(source), owner(target)];
      const { tree } = sourceMount;
      const isWithin = sourceMount === targetMount && !table.isDirectory(target);
      if (!isWithin || !isEditableDisk(tree)) return moved({ ...verbs, ...edits }, source, target);
      const inner = pathInMount(sourceMount.prefix, target);
      await toldWhole(sourceMount, source, (path) => tree.rename(path, inner));
    },
    writeMany: async (files) => {
      for await (const batch of importBatches(files)) {
        for (const [mount, part] of byMount(batch, owner)) await writtenMany(verbs, mount, part);
      }
    },
  };
  return edits;
}

/** A mount, and what leads to one, is not a directory of any tree: it cannot be renamed or removed. */
function assertNoMount(table: MountTable, path: string): void {
  if (table.isDirectory(path)) throw new InvalidPathError(path);
}

function editable(mount: Mount, path: string): EditableDisk {
  if (isEditableDisk(mount.tree)) return mount.tree;
  throw new WriteFailedError(path);
}

async function toldWhole<T>(mount: Mount, path: string, ask: (inner: string) => Promise<T>): Promise<T> {
  const inner = pathInMount(mount.prefix, path);
  try {
    return await ask(inner);
  } catch (error) {
    throw errorFromMount(mount, error, inner);
  }
}

function byMount(batch: readonly FileToWrite[], owner: (path: string) => Mount): Map<Mount, FileToWrite[]> {
  const parts = new Map<Mount, FileToWrite[]>();
  for (const [path, contents] of batch) {
    const valid = validFsPath(path);
    const mount = owner(valid);
    const part = parts.get(mount) ?? [];
    part.push([pathInMount(mount.prefix, valid), contents]);
    parts.set(mount, part);
  }
  return parts;
}

async function writtenMany(whole: FileSystem, mount: Mount, files: readonly FileToWrite[]): Promise<void> {
  const { tree, prefix } = mount;
  if (isEditableDisk(tree)) return toldWhole(mount, prefix, () => tree.writeMany(files));
  for (const [inner, contents] of files) await whole.write(pathFromMount(prefix, inner), contents);
}

async function removedDirectory(whole: FileSystem, mount: Mount, path: string): Promise<void> {
  const { tree } = mount;
  if (isEditableDisk(tree)) return toldWhole(mount, path, (inner) => tree.removeDirectory(inner));
  const { kind } = await whole.stat(path);
  if (kind === "missing") throw new FileNotFoundError(path);
  if (kind === "file") throw new NotADirectoryError(path);
  const files: string[] = [];
  for await (const entry of whole.list(path)) if (entry.kind === "file") files.push(entry.path);
  for (const file of files) await whole.delete(file);
}

/** Copies, then deletes; when either fails the copy is taken back and everything is as it was. */
async function moved(whole: EditableFileSystem, from: string, to: string): Promise<void> {
  const { kind } = await whole.stat(from);
  if (kind === "missing") throw new FileNotFoundError(from);
  if (from === to) return;
  if (isUnder(to, from)) throw new InvalidPathError(to);
  if ((await whole.stat(to)).kind !== "missing") throw new ConflictError(to);
  for (const above of ancestorPaths(to)) {
    if ((await whole.stat(above)).kind === "file") throw new NotADirectoryError(to);
  }
  const remove = (path: string) => (kind === "file" ? whole.delete(path) : whole.removeDirectory(path));
  try {
    if (kind === "file") await whole.write(to, await whole.read(from));
    else await copiedDirectory(whole, from, to);
    await remove(from);
  } catch (error) {
    // What failed is the news; a copy that cannot be taken back either is seen in the tree.
    if ((await whole.stat(to)).kind === kind) await remove(to).catch(() => undefined);
    throw error;
  }
}

async function copiedDirectory(whole: EditableFileSystem, from: string, to: string): Promise<void> {
  const files: string[] = [];
  const directories = new Set([from]);
  for await (const { path, kind } of whole.list(from)) {
    if (kind === "file") files.push(path);
    else directories.add(path);
    directories.delete(parentPath(path));
  }
  const target = (path: string) => to + path.slice(from.length);
  // Directories that hold something are made by it.
  for (const path of directories) await whole.makeDirectory(target(path));
  await whole.writeMany(
    (async function* copies() {
      for (const path of files) yield [target(path), await whole.read(path)] as const;
    })(),
  );
}
