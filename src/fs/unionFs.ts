import type { BriefContext, EditableFileSystem, FileInfo, FileSystem } from "./fileSystem";
import { errorFromMount, MountTable, type Mount } from "./mountTable";
import { normalizeFsPath, pathInMount, validFsPath } from "./path";
import { NoMountError, NotAFileError } from "./pathError";
import { unionEdits } from "./unionEdits";
import { unionSnapshots } from "./unionSnapshots";
import { unionWalks } from "./unionWalks";
import type { VersionedTree } from "./versionedTree";

/**
 * Trees at prefixes as one. The longest prefix owns all below it: nothing another mount holds there surfaces in any verb.
 * Mount points, and the directories that lead to them, are directories. Errors of a mount come back about whole paths.
 * A person's edits go to the mount that owns the path; across mounts a rename is a copy, then a deletion.
 * @throws InvalidPathError for a prefix that no path can have
 */
export function unionFs(mounts: Readonly<Record<string, FileSystem>>): EditableFileSystem & VersionedTree {
  const table = new MountTable(mounts);
  const verbs: FileSystem = {
    ...unionWalks(table),
    stat: (path) => statOf(table, normalizeFsPath(path)),
    read: async (path) => atMount(table, validFsPath(path), (mount, inner) => mount.tree.read(inner)),
    write: async (path, contents) =>
      atMount(table, validFsPath(path), (mount, inner) => mount.tree.write(inner, contents)),
    delete: async (path) => atMount(table, validFsPath(path), (mount, inner) => mount.tree.delete(inner)),
    brief: (context) => briefOf(table, context),
  };
  return { ...verbs, ...unionEdits(table, verbs), ...unionSnapshots(table) };
}

async function statOf(table: MountTable, path: string): Promise<FileInfo> {
  if (table.isDirectory(path)) return { kind: "directory" };
  const mount = table.owner(path);
  if (mount === undefined) return { kind: "missing" };
  const inner = pathInMount(mount.prefix, path);
  try {
    return await mount.tree.stat(inner);
  } catch (error) {
    throw errorFromMount(mount, error, inner);
  }
}

/** What the owner of a path answers. @throws NoMountError; NotAFileError for a directory that leads to a mount */
async function atMount<T>(
  table: MountTable,
  path: string,
  ask: (mount: Mount, inner: string) => Promise<T>,
): Promise<T> {
  const mount = table.owner(path);
  if (mount === undefined) throw new NoMountError(path);
  if (mount.prefix !== path && table.isDirectory(path)) throw new NotAFileError(path);
  const inner = pathInMount(mount.prefix, path);
  try {
    return await ask(mount, inner);
  } catch (error) {
    throw errorFromMount(mount, error, inner);
  }
}

/** What the mounts tell, and where they all are if one of them tells nothing. */
async function briefOf(table: MountTable, context: BriefContext): Promise<string | undefined> {
  const told: string[] = [];
  for (const { prefix, tree } of table.mounts) {
    const brief = await tree.brief?.(context);
    if (brief) told.push(`${prefix}: ${brief}`);
  }
  const prefixes = table.mounts.map(({ prefix }) => prefix);
  const isPlain = prefixes.every((prefix) => prefix === "/");
  const isListed = context.mountsTold !== true && !isPlain && told.length < prefixes.length;
  const parts = [...(isListed ? [`Mounts: ${prefixes.join(", ")}`] : []), ...told];
  return parts.length === 0 ? undefined : parts.join("\n");
}
