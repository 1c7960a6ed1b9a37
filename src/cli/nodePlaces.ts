import type { BigIntStats } from "node:fs";
import { lstat, mkdir, readdir, realpath, rmdir, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { ancestorPaths, baseName, isValidFsPath, NotADirectoryError, parentPath, PermissionError } from "../fs";
import { isNodeError } from "./isNodeError";
import { isNothingThere } from "./nodeError";

/** What is at a path of the tree. `other`: a device, a pipe or a socket, which is neither file nor directory to a tree. */
export interface Place {
  readonly kind: "file" | "directory" | "other";
  /** Where it is on the computer, links resolved. */
  readonly real: string;
  readonly stats: BigIntStats;
}

/** One entry of a directory; `place` tells what it is itself, a link too. */
export interface Child {
  readonly name: string;
  readonly isLink: boolean;
  place(): Promise<Place>;
}

/** Names of files that are being written; no tree shows them. */
const BEING_WRITTEN = /^\.rootscope-[0-9a-f]{16}\.tmp$/;

/**
 * The places of a tree below a directory of the computer. Links are followed as long as they stay in the directory; one
 * that leads out of it is refused with a PermissionError, by whatever way it is reached. All reject with what the system
 * says otherwise.
 */
export class NodePlaces {
  readonly #directory: string;
  #real: string | undefined;
  /** Directories a write made on its way: they go with their last file, as those somebody made do not. */
  readonly #madeOnTheWay = new Set<string>();

  /** @param directory an absolute path */
  constructor(directory: string) {
    this.#directory = directory;
  }

  async at(path: string): Promise<Place | undefined> {
    if (!isValidFsPath(path) || isForeign(path)) return undefined;
    const root = await this.#root();
    try {
      const real = path === "/" ? root : await realpath(join(root, path));
      if (!isInside(real, root)) throw leadsOut(path);
      return placeAt(real, await stat(real, { bigint: true }));
    } catch (error) {
      if (path !== "/" && isNothingThere(error)) return undefined;
      throw error;
    }
  }

  /** Where the entry of that name itself is, which may be a link. Its directory must be there. */
  async entry(path: string): Promise<string> {
    const parent = await this.at(parentPath(path));
    if (parent?.kind !== "directory") throw new NotADirectoryError(path);
    return join(parent.real, baseName(path));
  }

  async isLink(path: string): Promise<boolean> {
    return path !== "/" && (await lstat(await this.entry(path))).isSymbolicLink();
  }

  /** The names in a directory, without files that are being written. */
  async children(directory: Place): Promise<Child[]> {
    const entries = await readdir(directory.real, { withFileTypes: true });
    return entries
      .filter(({ name }) => !BEING_WRITTEN.test(name))
      .map((entry) => ({
        name: entry.name,
        isLink: entry.isSymbolicLink(),
        // What is no link lies where its directory does: nothing is to be resolved.
        place: async () =>
          placeAt(join(directory.real, entry.name), await lstat(join(directory.real, entry.name), { bigint: true })),
      }));
  }

  /** Where the directory a path lies in is, made with all above it where it is missing. @throws NotADirectoryError */
  async parentFor(path: string): Promise<string> {
    const there = await this.at(parentPath(path));
    if (there?.kind === "directory") return there.real;
    return this.#made(path, ancestorPaths(path));
  }

  /** Makes a directory that stays when it is empty. @throws NotADirectoryError */
  async makeDirectory(path: string): Promise<void> {
    if (path !== "/") await this.#made(path, [...ancestorPaths(path), path]);
    this.#madeOnTheWay.delete(path);
  }

  /** Is told that something is gone; directories above that were there by it alone go with it. */
  async removed(path: string): Promise<void> {
    for (const each of this.#madeOnTheWay)
      if (each === path || each.startsWith(`${path}/`)) this.#madeOnTheWay.delete(each);
    for (let above = parentPath(path); this.#madeOnTheWay.has(above); above = parentPath(above)) {
      try {
        // Fails for one that holds anything.
        await rmdir(await this.entry(above));
      } catch {
        return;
      }
      this.#madeOnTheWay.delete(above);
    }
  }

  /** Is told that something moved: its directories are as they were made. */
  moved(from: string, to: string): void {
    for (const path of this.#madeOnTheWay) {
      if (path === from || path.startsWith(`${from}/`)) this.#madeOnTheWay.add(to + path.slice(from.length));
    }
  }

  /** Where the directory is, once it is there. */
  async #root(): Promise<string> {
    this.#real ??= await realpath(this.#directory);
    return this.#real;
  }

  async #made(path: string, directories: readonly string[]): Promise<string> {
    let real = await this.#root();
    for (const directory of directories) {
      const there = await this.at(directory);
      if (there === undefined) {
        await makeUnlessThere(path, join(real, baseName(directory)));
        this.#madeOnTheWay.add(directory);
        real = join(real, baseName(directory));
      } else if (there.kind === "directory") real = there.real;
      else throw new NotADirectoryError(path);
    }
    return real;
  }
}

/** @throws NotADirectoryError where something else is in the way, such as a link that leads nowhere */
async function makeUnlessThere(path: string, real: string): Promise<void> {
  try {
    await mkdir(real);
  } catch (error) {
    if (!isNodeError(error) || error.code !== "EEXIST") throw error;
    if (!(await lstat(real)).isDirectory()) throw new NotADirectoryError(path);
  }
}

function placeAt(real: string, stats: BigIntStats): Place {
  return { kind: stats.isFile() ? "file" : stats.isDirectory() ? "directory" : "other", real, stats };
}

function leadsOut(path: string): PermissionError {
  return new PermissionError(path, "A link leads out of the directory.");
}

function isInside(real: string, root: string): boolean {
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** A name that means something else on Windows: another directory, a drive, a second stream of a file. */
function isForeign(path: string): boolean {
  return sep === "\\" && /[\\:]/.test(path);
}
