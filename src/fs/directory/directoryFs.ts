import { limits } from "../../base";
import { bytesFromContents, contentsFromBytes } from "../contents";
import type { DirEntry, EditableFileSystem, FileInfo, FileToWrite } from "../fileSystem";
import { inlineEngine } from "../grep/inlineEngine";
import { importBatches } from "../importBatches";
import { inParallel } from "../inParallel";
import { levelWalk } from "../levelWalk";
import { memoryFile } from "../memoryFile";
import { ancestorPaths, baseName, isUnder, isValidFsPath, normalizeFsPath, validFsPath } from "../path";
import { ConflictError, FileNotFoundError, InvalidPathError, NotADirectoryError, NotAFileError } from "../pathError";
import { SnapshotTree } from "../snapshotTree";
import type { MirrorSource, SourceDirectories, SourceEntry } from "../mirror/mirrorSource";
import type { TreeOptions } from "../snapshotVerbs";
import { walkedGlob, walkedGrep } from "../walkedVerbs";
import { errorFromDirectory, isNothingThere } from "./directoryErrors";
import { isSwapFile, watchedDirectory } from "./watchedDirectory";
import { DirectoryPlaces, type DirectoryHandle, type PlaceHandle } from "./directoryPlaces";

export interface DirectoryFsOptions extends Pick<TreeOptions, "engine"> {
  /** What the page needs the folder for; `readwrite` unless said otherwise. */
  readonly mode?: "read" | "readwrite";
}

export interface DirectoryFileSystem extends EditableFileSystem {
  /** Whether the page may use the folder now, must ask first, or was told no. */
  permission(): Promise<PermissionState>;
  /** Asks the person for the folder; to be called right after a click. Whether the page may use it now. */
  askPermission(): Promise<boolean>;
}

export interface DirectorySource extends MirrorSource, Pick<DirectoryFileSystem, "permission" | "askPermission"> {
  readonly directories: SourceDirectories;
}

/** Not yet in the standard's types; folders of the origin's own need no permission and may lack them. */
interface PermissionHandle {
  queryPermission?(descriptor: { readonly mode: "read" | "readwrite" }): Promise<PermissionState>;
  requestPermission?(descriptor: { readonly mode: "read" | "readwrite" }): Promise<PermissionState>;
}

/**
 * A folder of this computer, or of the origin's private file system, as a tree (File System Access API). Files are replaced
 * whole. A file that somebody else changed since it was read or written here is not written over: ConflictError, whose hashes
 * are the times and sizes the browser tells. Errors for want of permission are DirectoryPermissionErrors.
 */
export function directoryFs(handle: DirectoryHandle, options: DirectoryFsOptions = {}): DirectoryFileSystem {
  return new DirectoryFs(handle, options).verbs();
}

/** The same folder as a mirror needs it: a version is the time and the size the browser tells. */
export function directorySource(handle: DirectoryHandle, options: DirectoryFsOptions = {}): DirectorySource {
  return new DirectoryFs(handle, options).source();
}

class DirectoryFs {
  readonly #root: DirectoryHandle;
  readonly #places: DirectoryPlaces;
  readonly #engine;
  readonly #mode: "read" | "readwrite";
  /** The version of every file as it was last read or written here. */
  readonly #seen = new Map<string, string>();
  /** Changes wait for each other: the API has no step that looks and acts at once. */
  #latest: Promise<unknown> = Promise.resolve();

  constructor(root: DirectoryHandle, { engine = inlineEngine, mode = "readwrite" }: DirectoryFsOptions) {
    this.#root = root;
    this.#places = new DirectoryPlaces(root);
    this.#engine = engine;
    this.#mode = mode;
  }

  verbs(): DirectoryFileSystem {
    const list = (prefix = "/") => this.#list(normalizeFsPath(prefix));
    const entry = async (path: string) => {
      const info = await this.#stat(path);
      return info.kind === "missing" ? undefined : ({ ...info, path } as DirEntry);
    };
    return {
      list,
      stat: (path) => this.#stat(normalizeFsPath(path)),
      glob: (pattern, dir = "/") => walkedGlob(list, pattern, dir),
      read: async (path) => this.#read(validFsPath(path)),
      grep: (query) => walkedGrep({ list, stat: entry, fetch: ({ path }) => this.#fetch(path) }, this.#engine, query),
      search: async function* () {},
      write: async (path, contents) => {
        const bytes = ownBytes(contents);
        return this.#inTurn(validFsPath(path), (valid) => this.#write(valid, bytes));
      },
      delete: async (path) => this.#inTurn(validFsPath(path), (valid) => this.#delete(valid)),
      rename: async (from, to) => this.#inTurn(validFsPath(from), (valid) => this.#rename(valid, validFsPath(to))),
      makeDirectory: async (path) => this.#inTurn(validFsPath(path), (valid) => this.#places.makeDirectory(valid)),
      removeDirectory: async (path) => this.#inTurn(validFsPath(path), (valid) => this.#removeDirectory(valid)),
      writeMany: (files) => this.#writeMany(files),
      permission: () => this.#permission(),
      askPermission: this.#ask,
    };
  }

  source(): DirectorySource {
    const verbs = this.verbs();
    const entry = async (path: string) => {
      const info = await this.#stat(path);
      return info.kind === "missing" ? undefined : sourceEntry({ ...info, kind: info.kind, path });
    };
    return {
      list: (scope, signal) => this.#listedFor(scope, signal),
      look: entry,
      fetch: (path) => this.#fetch(path),
      write: (path, bytes, expected) =>
        this.#inTurn(path, async () => {
          if ((await entry(path))?.version !== (expected ?? undefined)) return { kind: "changed" };
          this.#seen.delete(path);
          await this.#write(path, new Uint8Array(bytes));
          const written = await entry(path);
          return { kind: "written", version: written?.version ?? "", modifiedAt: written?.modifiedAt ?? 0 };
        }),
      delete: (path, expected) =>
        this.#inTurn(path, async () => {
          const there = await entry(path);
          if (there?.kind !== "file") return "missing";
          if (there.version !== expected) return "changed";
          await this.#places.remove(path);
          return "deleted";
        }),
      directories: {
        rename: (from, to) => verbs.rename(from, to),
        make: (path) => verbs.makeDirectory(path),
        remove: (path) => verbs.removeDirectory(path),
      },
      watch: (changed) => watchedDirectory(this.#root, changed),
      permission: () => this.#permission(),
      askPermission: this.#ask,
    };
  }

  async *#listedFor(scope: string, signal: AbortSignal): AsyncGenerator<SourceEntry, void> {
    for await (const entry of this.#list(scope)) {
      signal.throwIfAborted();
      yield sourceEntry(entry);
    }
  }

  readonly #ask = async (): Promise<boolean> => {
    const handle = this.#root as PermissionHandle;
    return (
      handle.requestPermission === undefined || (await handle.requestPermission({ mode: this.#mode })) === "granted"
    );
  };

  async #permission(): Promise<PermissionState> {
    return (await (this.#root as PermissionHandle).queryPermission?.({ mode: this.#mode })) ?? "granted";
  }

  /** @throws what the tree would, for what the API throws */
  async #explained<T>(path: string, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw errorFromDirectory(path, error, this.#ask);
    }
  }

  async #inTurn<T>(path: string, work: (path: string) => Promise<T>): Promise<T> {
    const before = this.#latest;
    const turn = (async () => {
      await before.catch(() => undefined);
      return this.#explained(path, () => work(path));
    })();
    this.#latest = turn;
    return turn;
  }

  #list(scope: string): AsyncIterable<DirEntry> {
    /** Handles of directories that were seen in their parents and are still to be read. */
    const known = new Map<string, DirectoryHandle>();
    const level = async (path: string, signal: AbortSignal): Promise<DirEntry[]> => {
      const handle = known.get(path) ?? (await this.#places.directory(path));
      known.delete(path);
      return handle === undefined ? [] : this.#children(path, handle, signal, known);
    };
    return levelWalk(scope, (path, signal) => this.#explained(path, () => level(path, signal)), { hidesEmpty: false });
  }

  async #children(
    path: string,
    directory: DirectoryHandle,
    signal: AbortSignal,
    known: Map<string, DirectoryHandle>,
  ): Promise<DirEntry[]> {
    const handles: [path: string, handle: PlaceHandle][] = [];
    try {
      for await (const [name, handle] of directory.entries()) {
        if (signal.aborted) return [];
        const child = `${path === "/" ? "" : path}/${name}`;
        // A name a tree cannot have is one of another system: `\` or half a character.
        if (isValidFsPath(child) && !isSwapFile(name)) handles.push([child, handle]);
      }
    } catch (error) {
      // Gone since it was seen; the folder itself is another matter.
      if (path !== "/" && isNothingThere(error)) return [];
      throw error;
    }
    const entries = await inParallel(handles, limits.hostRequests, async ([child, handle]) => {
      if (handle.kind === "file") return fileEntry(child, handle);
      known.set(child, handle);
      return { path: child, kind: "directory" as const };
    });
    return entries.filter((entry) => entry !== undefined);
  }

  async #stat(path: string): Promise<FileInfo> {
    if (!isValidFsPath(path)) return { kind: "missing" };
    const handle = await this.#explained(path, async () => {
      try {
        return await this.#places.at(path);
      } catch (error) {
        // A name that cannot be is not there.
        if (error instanceof TypeError) return undefined;
        throw error;
      }
    });
    if (handle === undefined) return { kind: "missing" };
    if (handle.kind === "directory") return { kind: "directory" };
    const entry = await this.#explained(path, () => fileEntry(path, handle));
    if (entry === undefined) return { kind: "missing" };
    const { path: _, ...info } = entry;
    return info;
  }

  async #read(path: string): Promise<string | Uint8Array> {
    const found = await this.#fetch(path);
    if (found === undefined) {
      this.#seen.delete(path);
      throw (await this.#stat(path)).kind === "directory" ? new NotAFileError(path) : new FileNotFoundError(path);
    }
    this.#seen.set(path, found.version);
    return contentsFromBytes(found.bytes);
  }

  async #fetch(path: string): Promise<{ readonly bytes: Uint8Array; readonly version: string } | undefined> {
    return this.#explained(path, async () => {
      // A file that is changed while it is read cannot be read; it can a moment later.
      for (let attempt = 0; ; attempt++) {
        const handle = await this.#places.at(path);
        if (handle?.kind !== "file") return undefined;
        try {
          const file = await handle.getFile();
          return { bytes: new Uint8Array(await file.arrayBuffer()), version: versionOf(file) };
        } catch (error) {
          if (!(error instanceof DOMException) || error.name !== "NotReadableError" || attempt > 0) throw error;
        }
      }
    });
  }

  async #write(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (path === "/") throw new NotAFileError(path);
    await this.#assertUnchanged(path);
    const parent = await this.#places.parentFor(path);
    const handle = await parent.getFileHandle(baseName(path), { create: true });
    const writable = await handle.createWritable();
    try {
      await writable.write(bytes);
      await writable.close();
    } catch (error) {
      await writable.abort().catch(() => undefined);
      throw error;
    }
    this.#seen.set(path, versionOf(await handle.getFile()));
  }

  /** @throws ConflictError when somebody else changed or removed the file since it was seen here */
  async #assertUnchanged(path: string): Promise<void> {
    const seen = this.#seen.get(path);
    if (seen === undefined) return;
    const there = await this.#places.at(path);
    const now = there?.kind === "file" ? versionOf(await there.getFile()) : undefined;
    if (now !== seen) throw new ConflictError(path, seen, now);
  }

  async #delete(path: string): Promise<void> {
    const there = await this.#places.at(path);
    if (there === undefined) throw new FileNotFoundError(path);
    if (there.kind === "directory") throw new NotAFileError(path);
    await this.#assertUnchanged(path);
    await this.#places.remove(path);
    this.#seen.delete(path);
  }

  /** There is no step for it that works everywhere: a copy, then a removal. What is cut off leaves both. */
  async #rename(from: string, to: string): Promise<void> {
    const source = await this.#places.at(from);
    if (from === "/") throw new InvalidPathError(from);
    if (source === undefined) throw new FileNotFoundError(from);
    if (from === to) return;
    if (isUnder(to, from)) throw new InvalidPathError(to);
    if ((await this.#places.at(to)) !== undefined) throw new ConflictError(to);
    const parent = await this.#explained(to, () => this.#places.parentFor(to));
    await this.#explained(to, () => copyInto(parent, baseName(to), source));
    this.#places.copied(from, to);
    await this.#places.remove(from);
    for (const path of this.#seen.keys()) if (isUnder(path, from)) this.#seen.delete(path);
  }

  async #removeDirectory(path: string): Promise<void> {
    if (path === "/") throw new InvalidPathError(path);
    const there = await this.#places.at(path);
    if (there === undefined) throw new FileNotFoundError(path);
    if (there.kind === "file") throw new NotADirectoryError(path);
    await this.#places.remove(path);
    for (const seen of this.#seen.keys()) if (isUnder(seen, path)) this.#seen.delete(seen);
  }

  /** A folder has no transactions: a batch is checked whole before any of it is written. */
  async #writeMany(files: Iterable<FileToWrite> | AsyncIterable<FileToWrite>): Promise<void> {
    for await (const batch of importBatches(files)) {
      const valid = batch.map(([path, contents]) => [validFsPath(path), ownBytes(contents)] as const);
      await this.#inTurn("/", async () => {
        let together = SnapshotTree.empty;
        for (const [path] of valid) {
          together = together.withFile(path, memoryFile("", 0));
          await this.#explained(path, () => this.#assertPlace(path));
        }
        for (const [path, bytes] of valid) await this.#explained(path, () => this.#write(path, bytes));
      });
    }
  }

  /** @throws NotAFileError, NotADirectoryError, ConflictError */
  async #assertPlace(path: string): Promise<void> {
    if ((await this.#places.at(path))?.kind === "directory") throw new NotAFileError(path);
    for (const above of ancestorPaths(path)) {
      if ((await this.#places.at(above))?.kind === "file") throw new NotADirectoryError(path);
    }
    await this.#assertUnchanged(path);
  }
}

/** Bytes the caller can no longer change. */
function ownBytes(contents: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytesFromContents(contents));
}

function versionOf({ lastModified, size }: Pick<File, "lastModified" | "size">): string {
  return `${lastModified}-${size}`;
}

function sourceEntry(entry: DirEntry): SourceEntry {
  const { path, kind, sizeBytes = 0, modifiedAt = 0 } = entry;
  if (kind === "directory") return { path, kind };
  return { path, kind, sizeBytes, modifiedAt, version: versionOf({ lastModified: modifiedAt, size: sizeBytes }) };
}

async function fileEntry(path: string, handle: FileSystemFileHandle): Promise<DirEntry | undefined> {
  try {
    const { size, lastModified } = await handle.getFile();
    return { path, kind: "file", sizeBytes: size, modifiedAt: lastModified };
  } catch (error) {
    if (isNothingThere(error)) return undefined;
    throw error;
  }
}

async function copyInto(parent: DirectoryHandle, name: string, source: PlaceHandle): Promise<void> {
  if (source.kind === "file") {
    const target = await parent.getFileHandle(name, { create: true });
    const writable = await target.createWritable();
    await writable.write(await source.getFile());
    await writable.close();
    return;
  }
  const target = await parent.getDirectoryHandle(name, { create: true });
  for await (const [childName, child] of source.entries()) await copyInto(target, childName, child);
}
