import { randomBytes } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { chmod, open, rename, rm, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { limits, sha256HexSync } from "../base";
import {
  ancestorPaths,
  baseName,
  bytesFromContents,
  ConflictError,
  contentsFromBytes,
  FileNotFoundError,
  importBatches,
  InvalidPathError,
  isUnder,
  isValidFsPath,
  levelWalk,
  memoryFile,
  NotADirectoryError,
  NotAFileError,
  normalizeFsPath,
  SnapshotTree,
  validFsPath,
  walkedGlob,
  walkedGrep,
  type DirEntry,
  type EditableFileSystem,
  type FileInfo,
  type FileToWrite,
  type SearchQuery,
  type SearchResult,
  type TreeEngine,
  type WalkedTree,
} from "../fs";
import { nodeEngine } from "./nodeEngine";
import { errorFromNode, isForbidden, isNothingThere } from "./nodeError";
import { NodePlaces, type Child, type Place } from "./nodePlaces";

/**
 * A directory of this computer as a tree, for Node. Nothing outside of it can be read or written: `..` ends at its root,
 * and a link that leads out is refused (PermissionError). Links inside are followed when they are named; a walk shows a
 * linked directory and does not enter it. A file is replaced whole or not at all; one that somebody else changed since it
 * was read or written here is not written over (ConflictError, whose hashes are its times and sizes). Devices, pipes and
 * sockets are not shown and not opened. `search` reads every text below its paths. What searches is `engine`: when it is
 * left out one in place, which gives a pattern up that runs away.
 */
export function nodeFs(directory: string, { engine = nodeEngine }: NodeFsOptions = {}): EditableFileSystem {
  return new NodeFs(directory, engine).verbs();
}

export interface NodeFsOptions {
  readonly engine?: TreeEngine;
}

class NodeFs {
  readonly #places: NodePlaces;
  readonly #engine: TreeEngine;
  /** The version of every file as it was last read or written here. */
  readonly #seen = new Map<string, string>();
  /** Changes wait for each other: to look and to act are two steps. */
  #latest: Promise<unknown> = Promise.resolve();

  constructor(directory: string, engine: TreeEngine) {
    this.#engine = engine;
    this.#places = new NodePlaces(resolve(directory));
  }

  verbs(): EditableFileSystem {
    const list = (prefix = "/") => this.#list(normalizeFsPath(prefix), true);
    return {
      list,
      stat: (path) => this.#stat(normalizeFsPath(path)),
      glob: (pattern, dir = "/") => walkedGlob(list, pattern, dir),
      read: async (path) => this.#read(validFsPath(path)),
      grep: (query) => walkedGrep(this.#walked(), this.#engine, query),
      search: (query) => this.#search(query),
      write: async (path, contents) => {
        const bytes = ownBytes(contents);
        return this.#inTurn(validFsPath(path), (valid) => this.#write(valid, bytes));
      },
      delete: async (path) => this.#inTurn(validFsPath(path), (valid) => this.#delete(valid)),
      rename: async (from, to) => this.#inTurn(validFsPath(from), (valid) => this.#rename(valid, validFsPath(to))),
      makeDirectory: async (path) => this.#inTurn(validFsPath(path), (valid) => this.#places.makeDirectory(valid)),
      removeDirectory: async (path) => this.#inTurn(validFsPath(path), (valid) => this.#removeDirectory(valid)),
      writeMany: (files) => this.#writeMany(files),
    };
  }

  /** @throws what the tree would, for what the system says */
  async #explained<T>(path: string, ask: () => Promise<T>, isWrite = false): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw errorFromNode(path, error, isWrite);
    }
  }

  async #inTurn<T>(path: string, work: (path: string) => Promise<T>): Promise<T> {
    const before = this.#latest;
    const turn = (async () => {
      await before.catch(() => undefined);
      return this.#explained(path, () => work(path), true);
    })();
    this.#latest = turn;
    return turn;
  }

  #list(scope: string, showsLinks: boolean): AsyncIterable<DirEntry> {
    const level = async (path: string): Promise<DirEntry[]> => {
      const place = await this.#places.at(path);
      if (place?.kind !== "directory") return [];
      // A linked directory is entered only when it is named.
      if (path !== scope && (await this.#places.isLink(path))) return [];
      const prefix = path === "/" ? "" : path;
      const children = (await this.#places.children(place)).filter(({ isLink }) => showsLinks || !isLink);
      const entries = await Promise.all(children.map((child) => this.#childEntry(`${prefix}/${child.name}`, child)));
      return entries.filter((entry) => entry !== undefined);
    };
    const read = (path: string) =>
      this.#explained(path, async () => {
        try {
          return await level(path);
        } catch (error) {
          // Gone, or forbidden: a walk goes on beside it; the directory it began with is another matter.
          if (path !== scope && (isNothingThere(error) || isForbidden(error))) return [];
          throw error;
        }
      });
    return levelWalk(scope, read, { hidesEmpty: false });
  }

  /** An entry of a listing; `undefined` for what a tree cannot have: a link that leads out, a device, a broken name. */
  async #listed(path: string): Promise<DirEntry | undefined> {
    const info = await this.#stat(path);
    return info.kind === "missing" ? undefined : { ...info, kind: info.kind, path };
  }

  async #childEntry(path: string, child: Child): Promise<DirEntry | undefined> {
    if (child.isLink || !isValidFsPath(path)) return this.#listed(path);
    try {
      const info = infoOf(await child.place());
      return info.kind === "missing" ? undefined : { ...info, kind: info.kind, path };
    } catch (error) {
      if (isNothingThere(error) || isForbidden(error)) return undefined;
      throw error;
    }
  }

  async #stat(path: string): Promise<FileInfo> {
    try {
      return infoOf(await this.#explained(path, () => this.#places.at(path)));
    } catch (error) {
      if (path === "/") throw error;
      return { kind: "missing" };
    }
  }

  async #read(path: string): Promise<string | Uint8Array> {
    return this.#explained(path, async () => {
      const place = await this.#places.at(path);
      if (place === undefined) this.#seen.delete(path);
      const file = await readFile(path, place);
      this.#seen.set(path, file.version);
      return contentsFromBytes(file.bytes);
    });
  }

  #walked(): WalkedTree {
    return {
      list: (scope) => this.#list(scope, false),
      stat: (path) => this.#listed(path),
      fetch: async ({ path }) => {
        try {
          return await readFile(path, await this.#places.at(path));
        } catch {
          // Gone or forbidden by now: it costs itself, not the search.
          return undefined;
        }
      },
    };
  }

  async *#search({ paths, ...query }: SearchQuery): AsyncGenerator<SearchResult, void, undefined> {
    const scopes = paths === undefined || paths.length === 0 ? ["/"] : paths.map(normalizeFsPath);
    const walked = this.#walked();
    let tree = SnapshotTree.empty;
    for (const scope of scopes) {
      const named = scope === "/" ? undefined : await walked.stat(scope);
      for await (const entry of named?.kind === "file" ? [named] : walked.list(scope)) {
        if (entry.kind !== "file" || (entry.sizeBytes ?? 0) > limits.searchFileBytes) continue;
        const { path, sizeBytes = 0, modifiedAt = 0 } = entry;
        const bytes = async () => (await walked.fetch(entry))?.bytes ?? new Uint8Array();
        const hash = sha256HexSync(`${path}\0${modifiedAt}-${sizeBytes}`);
        tree = tree.withFile(path, { kind: "file", hash, sizeBytes, modifiedAt, bytes });
      }
    }
    yield* this.#engine.search(tree, query);
  }

  async #write(path: string, bytes: Uint8Array): Promise<void> {
    const there = path === "/" ? undefined : await this.#places.at(path);
    if (path === "/" || (there !== undefined && there.kind !== "file")) throw new NotAFileError(path);
    this.#assertUnchanged(path, there);
    const target = there?.real ?? join(await this.#places.parentFor(path), baseName(path));
    try {
      this.#seen.set(path, await replaceFile(target, bytes, there?.stats));
    } catch (error) {
      await this.#places.removed(path);
      throw error;
    }
  }

  /** @throws ConflictError when somebody else changed or removed the file since it was seen here */
  #assertUnchanged(path: string, there: Place | undefined): void {
    const seen = this.#seen.get(path);
    const now = there?.kind === "file" ? versionOf(there.stats) : undefined;
    if (seen !== undefined && now !== seen) throw new ConflictError(path, seen, now);
  }

  async #delete(path: string): Promise<void> {
    const there = await this.#places.at(path);
    if (there === undefined) throw new FileNotFoundError(path);
    if (there.kind !== "file") throw new NotAFileError(path);
    this.#assertUnchanged(path, there);
    await unlink(await this.#places.entry(path));
    await this.#places.removed(path);
    this.#seen.delete(path);
  }

  async #rename(from: string, to: string): Promise<void> {
    if (from === "/") throw new InvalidPathError(from);
    if ((await this.#places.at(from)) === undefined) throw new FileNotFoundError(from);
    if (from === to) return;
    if (isUnder(to, from)) throw new InvalidPathError(to);
    const taken = await this.#explained(to, () => this.#places.at(to), true);
    if (taken !== undefined) throw new ConflictError(to);
    const parent = await this.#explained(to, () => this.#places.parentFor(to), true);
    await rename(await this.#places.entry(from), join(parent, baseName(to)));
    this.#places.moved(from, to);
    await this.#places.removed(from);
    for (const path of this.#seen.keys()) if (isUnder(path, from)) this.#seen.delete(path);
  }

  async #removeDirectory(path: string): Promise<void> {
    if (path === "/") throw new InvalidPathError(path);
    const there = await this.#places.at(path);
    if (there === undefined) throw new FileNotFoundError(path);
    if (there.kind !== "directory") throw new NotADirectoryError(path);
    // A link goes itself, not what it leads to; `rm` follows none on its way.
    if (await this.#places.isLink(path)) await unlink(await this.#places.entry(path));
    else await rm(there.real, { recursive: true });
    await this.#places.removed(path);
    for (const seen of this.#seen.keys()) if (isUnder(seen, path)) this.#seen.delete(seen);
  }

  /** A directory has no transactions: a batch is checked whole before any of it is written. */
  async #writeMany(files: Iterable<FileToWrite> | AsyncIterable<FileToWrite>): Promise<void> {
    for await (const batch of importBatches(files)) {
      const valid = batch.map(([path, contents]) => [validFsPath(path), ownBytes(contents)] as const);
      await this.#inTurn("/", async () => {
        let together = SnapshotTree.empty;
        for (const [path] of valid) {
          together = together.withFile(path, memoryFile("", 0));
          await this.#explained(path, () => this.#assertPlace(path), true);
        }
        for (const [path, bytes] of valid) await this.#explained(path, () => this.#write(path, bytes), true);
      });
    }
  }

  /** @throws NotAFileError, NotADirectoryError, ConflictError */
  async #assertPlace(path: string): Promise<void> {
    const there = await this.#places.at(path);
    if (path === "/" || (there !== undefined && there.kind !== "file")) throw new NotAFileError(path);
    for (const above of ancestorPaths(path)) {
      const kind = (await this.#places.at(above))?.kind ?? "directory";
      if (kind !== "directory") throw new NotADirectoryError(path);
    }
    this.#assertUnchanged(path, there);
  }
}

/** Bytes the caller can no longer change. */
function ownBytes(contents: string | Uint8Array): Uint8Array {
  return new Uint8Array(bytesFromContents(contents));
}

function infoOf(place: Place | undefined): FileInfo {
  if (place?.kind === "directory") return { kind: "directory" };
  if (place?.kind !== "file") return { kind: "missing" };
  return { kind: "file", sizeBytes: Number(place.stats.size), modifiedAt: Number(place.stats.mtimeMs) };
}

function versionOf({ mtimeNs, size, ino }: BigIntStats): string {
  return `${mtimeNs}-${size}-${ino}`;
}

async function readFile(path: string, place: Place | undefined): Promise<{ bytes: Uint8Array; version: string }> {
  if (place === undefined) throw new FileNotFoundError(path);
  if (place.kind !== "file") throw new NotAFileError(path);
  const handle = await open(place.real, "r");
  try {
    // The version of what is read, also when the file is replaced meanwhile.
    const version = versionOf(await handle.stat({ bigint: true }));
    return { bytes: new Uint8Array(await handle.readFile()), version };
  } finally {
    await handle.close();
  }
}

/** Puts bytes in the place of a file in one step; nobody sees a part of them. Answers the version written. */
async function replaceFile(target: string, bytes: Uint8Array, before: BigIntStats | undefined): Promise<string> {
  const beside = join(dirname(target), `.rootscope-${randomBytes(8).toString("hex")}.tmp`);
  try {
    const handle = await open(beside, "wx");
    try {
      await handle.writeFile(bytes);
      const version = versionOf(await handle.stat({ bigint: true }));
      if (before !== undefined) await chmod(beside, Number(before.mode & 0o7777n));
      await rename(beside, target);
      return version;
    } finally {
      await handle.close();
    }
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
