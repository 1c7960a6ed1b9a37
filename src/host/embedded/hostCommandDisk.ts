import { bytesFromContents } from "../../fs";
import type { BashFileSystem } from "./bashFileSystem";
import { diskPath } from "./bashFileSystem";
import { HostDiskError, type HostCommandDisk, type HostFileKind, type HostFileStat } from "./hostCommand";
import { hostDiskError } from "./hostDiskFault";
import type { ShellDisk } from "./shellDisk";

type BashStat = Awaited<ReturnType<BashFileSystem["stat"]>>;

/** The shell's tree for a command of the host's own. */
export function hostCommandDisk(tree: BashFileSystem, disk: ShellDisk): HostCommandDisk {
  return {
    readFile: (path) => inPosix(path, () => tree.readFileBuffer(path)),
    writeFile: (path, contents) => inPosix(path, () => tree.writeFile(path, bytesFromContents(contents))),
    appendFile: (path, contents) => inPosix(path, () => tree.appendFile(path, bytesFromContents(contents))),
    exists: (path) => tree.exists(path),
    stat: (path) => inPosix(path, async () => statFrom(await tree.stat(path))),
    lstat: (path) => inPosix(path, async () => statFrom(await tree.lstat(path))),
    readdir: (path) =>
      inPosix(path, async () =>
        (await tree.readdirWithFileTypes(path)).map((entry) => ({ name: entry.name, kind: kindOf(entry) })),
      ),
    mkdir: (path, options) => inPosix(path, () => tree.mkdir(path, options)),
    rm: (path, options) => inPosix(path, () => tree.rm(path, options)),
    rename: (from, to) => inPosix(from, () => tree.mv(from, to)),
    readlink: (path) => inPosix(path, () => tree.readlink(path)),
    symlink: (target, path) => inPosix(path, () => tree.symlink(target, path)),
    chmod: (path, mode) => inPosix(path, () => tree.chmod(path, mode)),
    statNow: (path) => onDisk(path, (at) => disk.stat(at)),
    readdirNow: (path) => onDisk(path, (at) => disk.readdir(at)),
    readFileNow: (path) => onDisk(path, (at) => disk.readNow(at)),
  };
}

function onDisk<T>(path: string, look: (at: string) => T | undefined): T | undefined {
  const at = diskPath(path);
  return at === undefined ? undefined : look(at);
}

/** What lies in memory is refused in the words of the shell's package, which begin with the code. */
async function inPosix<T>(path: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    if (error instanceof HostDiskError) throw error;
    const code = error instanceof Error ? /^(E[A-Z]+)\b/.exec(error.message)?.[1] : undefined;
    throw hostDiskError(isKnown(code) ? code : "EIO", path);
  }
}

function isKnown(
  code: string | undefined,
): code is "ENOENT" | "EEXIST" | "EISDIR" | "ENOTDIR" | "ENOTEMPTY" | "EINVAL" | "ELOOP" {
  return ["ENOENT", "EEXIST", "EISDIR", "ENOTDIR", "ENOTEMPTY", "EINVAL", "ELOOP"].includes(code ?? "");
}

function statFrom(stat: BashStat): HostFileStat {
  return { kind: kindOf(stat), sizeBytes: stat.size, modifiedAt: stat.mtime.getTime(), mode: stat.mode };
}

function kindOf(entry: Pick<BashStat, "isDirectory" | "isSymbolicLink">): HostFileKind {
  if (entry.isSymbolicLink) return "symlink";
  return entry.isDirectory ? "directory" : "file";
}
