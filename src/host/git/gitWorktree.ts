import { hashBlob, isIgnored } from "isomorphic-git";
import type { HostFileName, HostFileStat } from "../embedded/hostCommand";
import type { GitFile, GitIndexEntry } from "./gitIndex";
import type { GitRepository } from "./gitRepository";

/** How a file of the working tree would be stored. */
export interface WorktreeFile extends GitFile {
  readonly sizeBytes: number;
  readonly modifiedAt: number;
}

/** The file at a path; `undefined` when none is there. `known` is what the index says of it. */
export async function worktreeFile(
  repository: GitRepository,
  path: string,
  known: GitIndexEntry | undefined,
): Promise<WorktreeFile | undefined> {
  const stat = await statOrNone(repository, path);
  if (stat === undefined || stat.kind === "directory") return undefined;
  const mode = fileMode(stat, known);
  const { sizeBytes, modifiedAt } = stat;
  // Modification times are to the millisecond, so an equal one of an equal size is the same file.
  if (known?.stage === 0 && known.modifiedAt === modifiedAt && known.sizeBytes === sizeBytes) {
    return { oid: known.oid, mode, sizeBytes, modifiedAt };
  }
  const { oid } = await hashBlob({ object: await worktreeBytes(repository, path, stat) });
  return { oid, mode, sizeBytes, modifiedAt };
}

/** The bytes git would store. */
export async function worktreeBytes(repository: GitRepository, path: string, stat?: HostFileStat): Promise<Uint8Array> {
  const place = repository.place(path);
  const kind = (stat ?? (await repository.disk.lstat(place))).kind;
  if (kind === "symlink") return new TextEncoder().encode(await repository.disk.readlink(place));
  return repository.disk.readFile(place);
}

/** The permission bits of the disk do not outlive the page, so a file known to git keeps the bit it has there. */
function fileMode(stat: HostFileStat, known: GitIndexEntry | undefined): string {
  if (stat.kind === "symlink") return "120000";
  if (known !== undefined && known.mode.startsWith("100")) return known.mode;
  return (stat.mode & 0o100) === 0 ? "100644" : "100755";
}

async function statOrNone(repository: GitRepository, path: string): Promise<HostFileStat | undefined> {
  try {
    return await repository.disk.lstat(repository.place(path));
  } catch {
    return undefined;
  }
}

export interface UntrackedScan {
  /** Whether a path from the top is in the index. */
  isTracked(path: string): boolean;
  /** Whether a tracked file lies below a directory. */
  hasTracked(directory: string): boolean;
  /** Name every file rather than a directory of which nothing is tracked. */
  readonly everyFile: boolean;
  /** Name what is ignored too. */
  readonly withIgnored?: boolean;
}

/** Files that are not tracked and not ignored, in path order; a directory ends with a slash. */
export async function untrackedPaths(repository: GitRepository, scan: UntrackedScan, below = ""): Promise<string[]> {
  const found: string[] = [];
  const directory = below === "" ? repository.at.dir : repository.place(below.slice(0, -1));
  for (const entry of await entriesOf(repository, directory)) {
    const path = below + entry.name;
    if (entry.name === ".git" || scan.isTracked(path)) continue;
    if (entry.kind === "directory") {
      // A repository of its own is one thing to the one around it.
      const isNested = await repository.disk.exists(`${repository.place(path)}/.git`);
      const hasTracked = scan.hasTracked(path);
      if (!hasTracked && (await ignores(repository, scan, path))) continue;
      if (isNested) found.push(`${path}/`);
      else {
        const inside = await untrackedPaths(repository, scan, `${path}/`);
        if (scan.everyFile || hasTracked) found.push(...inside);
        else if (inside.length > 0) found.push(`${path}/`);
      }
    } else if (!(await ignores(repository, scan, path))) found.push(path);
  }
  return found;
}

async function ignores(repository: GitRepository, scan: UntrackedScan, path: string): Promise<boolean> {
  return scan.withIgnored !== true && (await isIgnored({ ...repository.at, filepath: path }));
}

async function entriesOf(repository: GitRepository, directory: string): Promise<readonly HostFileName[]> {
  const entries = repository.disk.readdirNow(directory) ?? (await repository.disk.readdir(directory));
  // As git orders paths: a directory sorts as if its name ended with a slash.
  const key = (entry: HostFileName) => (entry.kind === "directory" ? `${entry.name}/` : entry.name);
  return entries.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Every directory that holds one of the paths, at any depth. */
export function directoriesOf(paths: Iterable<string>): Set<string> {
  const directories = new Set<string>();
  for (const path of paths) {
    for (let cut = path.lastIndexOf("/"); cut > 0; cut = path.lastIndexOf("/", cut - 1)) {
      const directory = path.slice(0, cut);
      if (directories.has(directory)) break;
      directories.add(directory);
    }
  }
  return directories;
}
