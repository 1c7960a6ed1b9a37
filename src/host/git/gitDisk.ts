import type { PromiseFsClient } from "isomorphic-git";
import type { HostCommandDisk, HostFileStat } from "../embedded/hostCommand";

/** A file's state as Node's `fs.Stats` tells it, as far as isomorphic-git reads one. */
export interface GitFileStats {
  readonly type: "file" | "dir" | "symlink";
  readonly mode: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly uid: number;
  readonly gid: number;
  readonly dev: number;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** The host's disk in the shape of Node's `fs.promises`, which is what isomorphic-git reads and writes. */
export function gitDisk(disk: HostCommandDisk): PromiseFsClient {
  const promises = {
    async readFile(path: string, options?: { encoding?: string } | string) {
      const bytes = await disk.readFile(path);
      const encoding = typeof options === "string" ? options : options?.encoding;
      return encoding === "utf8" ? new TextDecoder().decode(bytes) : bytes;
    },
    writeFile: (path: string, contents: string | Uint8Array) =>
      disk.writeFile(path, typeof contents === "string" ? contents : Uint8Array.from(contents)),
    unlink: (path: string) => disk.rm(path),
    readdir: async (path: string) => (await disk.readdir(path)).map((entry) => entry.name),
    mkdir: (path: string) => disk.mkdir(path),
    rmdir: (path: string) => disk.rm(path),
    rm: (path: string, options?: { recursive?: boolean }) => disk.rm(path, { recursive: options?.recursive ?? false }),
    stat: async (path: string) => gitFileStats(await disk.stat(path)),
    lstat: async (path: string) => gitFileStats(await disk.lstat(path)),
    readlink: (path: string) => disk.readlink(path),
    symlink: (target: string, path: string) => disk.symlink(target, path),
    chmod: (path: string, mode: number) => disk.chmod(path, mode),
  };
  return { promises };
}

function gitFileStats(stat: HostFileStat): GitFileStats {
  const bits = stat.kind === "directory" ? 0o040000 : stat.kind === "symlink" ? 0o120000 : 0o100000;
  return {
    type: stat.kind === "directory" ? "dir" : stat.kind,
    mode: bits | stat.mode,
    size: stat.sizeBytes,
    mtimeMs: stat.modifiedAt,
    ctimeMs: stat.modifiedAt,
    ino: 0,
    uid: 0,
    gid: 0,
    dev: 0,
    isFile: () => stat.kind === "file",
    isDirectory: () => stat.kind === "directory",
    isSymbolicLink: () => stat.kind === "symlink",
  };
}
