import { ancestorPaths, baseName, isValidFsPath, parentPath, pathNames } from "../path";
import { NotADirectoryError } from "../pathError";
import { isNothingThere } from "./directoryErrors";

export type DirectoryHandle = FileSystemDirectoryHandle;
export type PlaceHandle = FileSystemDirectoryHandle | FileSystemFileHandle;

/** What the API says something is not: nothing of that name, or of the other kind. */
async function orUndefined<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isNothingThere(error)) return undefined;
    throw error;
  }
}

/** The handles of paths below a folder. All reject with what the API throws, unless it only says that nothing is there. */
export class DirectoryPlaces {
  readonly #root: DirectoryHandle;
  /** Directories a write made on its way: they go with their last file, as those somebody made do not. */
  readonly #madeOnTheWay = new Set<string>();

  constructor(root: DirectoryHandle) {
    this.#root = root;
  }

  async directory(path: string): Promise<DirectoryHandle | undefined> {
    let handle: DirectoryHandle | undefined = this.#root;
    if (!isValidFsPath(path)) return undefined;
    for (const name of pathNames(path)) {
      handle = await orUndefined(handle.getDirectoryHandle(name));
      if (handle === undefined) return undefined;
    }
    return handle;
  }

  async at(path: string): Promise<PlaceHandle | undefined> {
    if (path === "/") return this.#root;
    const parent = await this.directory(parentPath(path));
    if (parent === undefined || !isValidFsPath(path)) return undefined;
    const name = baseName(path);
    return (await orUndefined(parent.getFileHandle(name))) ?? orUndefined(parent.getDirectoryHandle(name));
  }

  /** The directory a path lies in, made with all above it where it is missing. @throws NotADirectoryError */
  async parentFor(path: string): Promise<DirectoryHandle> {
    return this.#made(path, ancestorPaths(path), (made) => this.#madeOnTheWay.add(made));
  }

  /** Makes a directory that stays when it is empty. @throws NotADirectoryError */
  async makeDirectory(path: string): Promise<void> {
    await this.#made(
      path,
      [...ancestorPaths(path), path].filter((each) => each !== "/"),
      (made) => this.#madeOnTheWay.add(made),
    );
    this.#madeOnTheWay.delete(path);
  }

  /** Removes what is at a path, and the directories above that were there by it alone. */
  async remove(path: string): Promise<void> {
    const parent = await this.directory(parentPath(path));
    await parent?.removeEntry(baseName(path), { recursive: true });
    this.#forget(path);
    for (let above = parentPath(path); this.#madeOnTheWay.has(above); above = parentPath(above)) {
      const holder = await this.directory(parentPath(above));
      try {
        // Fails for one that holds anything.
        await holder?.removeEntry(baseName(above));
      } catch {
        return;
      }
      this.#madeOnTheWay.delete(above);
    }
  }

  /** Remembers of directories that were copied elsewhere how they were made. */
  copied(from: string, to: string): void {
    for (const path of this.#madeOnTheWay) {
      if (path === from || path.startsWith(`${from}/`)) this.#madeOnTheWay.add(to + path.slice(from.length));
    }
  }

  async #made(path: string, directories: readonly string[], tell: (made: string) => void): Promise<DirectoryHandle> {
    let handle = this.#root;
    for (const directory of directories) {
      const name = baseName(directory);
      const there = await orUndefined(handle.getDirectoryHandle(name));
      try {
        handle = there ?? (await handle.getDirectoryHandle(name, { create: true }));
      } catch (error) {
        if (isNothingThere(error)) throw new NotADirectoryError(path);
        throw error;
      }
      if (there === undefined) tell(directory);
    }
    return handle;
  }

  #forget(path: string): void {
    for (const each of this.#madeOnTheWay) {
      if (each === path || each.startsWith(`${path}/`)) this.#madeOnTheWay.delete(each);
    }
  }
}
