import { FileNotFoundError, normalizeFsPath, type FileSystem, type VersionedTree } from "../fs";

export interface LocalFileSystemOptions {
  /** Where a relative path begins: absolute, on the host. */
  readonly cwd: string;
  /** The host's disk at its own paths. */
  readonly disk: FileSystem & VersionedTree;
}

/**
 * The host's disk as file tools see it: a relative path begins at `cwd`, an absolute one is the host's own, and so is every
 * path in the results. It has no index, so `search` finds nothing, and what `grep` is to search must be there
 * (docs/filesystem.md, sections 2 and 3).
 */
export function localFileSystem({ cwd, disk }: LocalFileSystemOptions): FileSystem & VersionedTree {
  const at = (path = "") => normalizeFsPath(path.startsWith("/") ? path : `${cwd}/${path}`);
  return {
    list: (prefix) => disk.list(at(prefix)),
    stat: (path) => disk.stat(at(path)),
    glob: (pattern, dir) => disk.glob(pattern, at(dir)),
    read: (path) => disk.read(at(path)),
    async *grep(query) {
      const path = at(query.path);
      if ((await disk.stat(path)).kind === "missing") throw new FileNotFoundError(path);
      yield* disk.grep({ ...query, path });
    },
    write: (path, contents) => disk.write(at(path), contents),
    delete: (path) => disk.delete(at(path)),
    async *search() {},
    isVersioned: disk.isVersioned ?? true,
    snapshot: () => disk.snapshot(),
    subscribe: (listener) => disk.subscribe(listener),
  };
}
