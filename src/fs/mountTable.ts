import type { FileSystem } from "./fileSystem";
import { ancestorPaths, isUnder, normalizeFsPath, pathFromMount, validFsPath } from "./path";
import { PathError } from "./pathError";

export interface Mount {
  readonly prefix: string;
  readonly tree: FileSystem;
  /** Prefixes of other mounts below this one, in order: what this tree holds there never surfaces. */
  readonly shadowedBy: readonly string[];
  /** Comes after every path below those prefixes. */
  readonly shadowEnd: string;
}

/** Which tree a path belongs to: the one with the longest prefix, by segments. */
export class MountTable {
  /** In order of their prefixes, so that what lies below comes after. */
  readonly mounts: readonly Mount[];
  /** Mount points and the directories that lead to them, in order, without `/`: directories whatever a tree says. */
  readonly directories: readonly string[];
  readonly #directories: ReadonlySet<string>;

  /** The first of two mounts on one prefix is the one. @throws InvalidPathError for a prefix no path can have */
  constructor(mounts: Readonly<Record<string, FileSystem>>) {
    const trees = new Map<string, FileSystem>();
    for (const [prefix, tree] of Object.entries(mounts)) {
      const path = validFsPath(prefix);
      if (!trees.has(path)) trees.set(path, tree);
    }
    const prefixes = [...trees.keys()].toSorted();
    this.mounts = [...trees]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([prefix, tree]) => {
        const shadowedBy = prefixes.filter((other) => other !== prefix && isUnder(other, prefix));
        // As `0` comes right after `/`, it ends what is below a prefix.
        const shadowEnd =
          shadowedBy
            .map((other) => `${other}0`)
            .toSorted()
            .at(-1) ?? "";
        return { prefix, tree, shadowedBy, shadowEnd };
      });
    this.#directories = new Set(prefixes.flatMap((prefix) => [...ancestorPaths(prefix), prefix]));
    this.directories = [...this.#directories].filter((path) => path !== "/").toSorted();
  }

  /** Whether the path is a mount point or leads to one; `/` always is. */
  isDirectory(path: string): boolean {
    return path === "/" || this.#directories.has(path);
  }

  owner(path: string): Mount | undefined {
    return this.mounts.findLast((mount) => isUnder(path, mount.prefix));
  }

  /** The mounts strictly below a path. */
  below(path: string): Mount[] {
    return this.mounts.filter((mount) => mount.prefix !== path && isUnder(mount.prefix, path));
  }
}

/** Whether another mount owns what this one has at the path (whole). */
export function isShadowed({ shadowedBy, shadowEnd }: Mount, path: string): boolean {
  const [first] = shadowedBy;
  // Asked of every entry of a list: most lie before or after all other mounts.
  if (first === undefined || path < first || path >= shadowEnd) return false;
  return shadowedBy.some((prefix) => isUnder(path, prefix));
}

/**
 * An error of a mounted tree as the whole would tell it: a typed one about the whole path, any other with the path in its
 * message rewritten where it can be found.
 */
export function errorFromMount(mount: Mount, error: unknown, path: string): unknown {
  if (mount.prefix === "/") return error;
  if (isPathError(error)) return error.withPath(pathFromMount(mount.prefix, normalizeFsPath(error.path)));
  if (!(error instanceof Error) || path === "/") return error;
  const message = error.message.replace(mentionOf(path), pathFromMount(mount.prefix, path).replaceAll("$", "$$$$"));
  return message === error.message ? error : renamedError(error, message);
}

/** The path where it stands by itself, not as the end or the beginning of another one. */
function mentionOf(path: string): RegExp {
  return new RegExp(`(?<![\\w./-])${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`, "g");
}

/** By its shape: an authored tree may come with a copy of the class of its own. */
function isPathError(error: unknown): error is PathError {
  return (
    error instanceof PathError ||
    (error instanceof Error && "path" in error && typeof error.path === "string" && "withPath" in error)
  );
}

function renamedError(error: Error, message: string): Error {
  const renamed = new Error(message, { cause: error });
  renamed.name = error.name;
  return renamed;
}
