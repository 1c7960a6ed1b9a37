import { limits } from "../../base";
import { bytesFromContents, contentsFromBytes } from "../contents";
import type { DirEntry, FileInfo, FileSystem } from "../fileSystem";
import { inlineEngine } from "../grep/inlineEngine";
import { ByteCache } from "../idb/byteCache";
import { levelWalk } from "../levelWalk";
import { ancestorPaths, isValidFsPath, normalizeFsPath, parentPath, validFsPath } from "../path";
import { FileNotFoundError, NotADirectoryError, NotAFileError } from "../pathError";
import type { TreeOptions } from "../snapshotVerbs";
import { walkedGlob, walkedGrep, type WalkedTree } from "../walkedVerbs";
import type { HostEntry, HostFilesApi } from "./hostFilesApi";
import { HostVersions } from "./hostVersions";
import { scopedFiles } from "./scopedFiles";

export interface HostFsOptions extends Pick<TreeOptions, "engine"> {
  /**
   * Asks for the version of a path before the first write of it, so that every write is conditional: for stores that others
   * write too. Without it the first write of a path this handle has not read is unconditional.
   */
  readonly asksFirst?: boolean;
}

/**
 * A store of blobs with etags as a tree: what lies below `scope` in the store is its root. After a read or write of a path
 * through this handle, a write or deletion of it happens only if nobody else changed it since: a lost race is a
 * ConflictError with both etags, and lasts until the path is read again. Directories are there by their files.
 */
export function hostFs(files: HostFilesApi, scope = "/", options: HostFsOptions = {}): FileSystem {
  return new HostFs(scopedFiles(files, normalizeFsPath(scope)), options).verbs();
}

class HostFs {
  readonly #files: HostFilesApi;
  readonly #versions: HostVersions;
  readonly #engine;
  /** Directories known to be there, because something was seen below them: a write need not ask what its parents are. */
  readonly #directories = new Set<string>(["/"]);
  /** What parents are, while it is being asked: many writes at once ask once. */
  readonly #asked = new Map<string, Promise<HostEntry | undefined>>();
  /** Bytes of files as grep fetched them, by path and etag. */
  readonly #fetched = new ByteCache(limits.contentCacheBytes);

  constructor(files: HostFilesApi, { engine = inlineEngine, asksFirst = false }: HostFsOptions) {
    this.#files = files;
    this.#versions = new HostVersions(files, asksFirst);
    this.#engine = engine;
  }

  verbs(): FileSystem {
    const list = (prefix = "/") => this.#list(prefix);
    return {
      list,
      stat: async (path) => infoFromEntry(await this.#entry(normalizeFsPath(path))),
      glob: (pattern, dir = "/") => walkedGlob(list, pattern, dir),
      read: (path) => this.#read(path),
      grep: (query) => walkedGrep(this.#walked(), this.#engine, query),
      write: (path, contents) => this.#write(path, contents),
      delete: (path) => this.#delete(path),
      search: async function* () {},
    };
  }

  async *#list(prefix: string): AsyncGenerator<HostEntry, void, undefined> {
    const scope = normalizeFsPath(prefix);
    if (!isValidFsPath(scope)) return;
    yield* levelWalk(scope, (path, signal) => this.#files.list(path, signal), { hidesEmpty: true });
  }

  async #entry(path: string): Promise<HostEntry | undefined> {
    if (path === "/") return { path, kind: "directory" };
    if (!isValidFsPath(path)) return undefined;
    const entry = await this.#files.stat(path);
    if (entry?.kind !== "directory") return entry;
    for await (const _ of this.#list(path)) return entry;
    return undefined;
  }

  async #read(path: string): Promise<string | Uint8Array> {
    const valid = validFsPath(path);
    if (valid === "/") throw new NotAFileError(valid);
    const file = await this.#versions.read(valid);
    if (file !== undefined) return contentsFromBytes(file.bytes);
    throw (await this.#entry(valid))?.kind === "directory" ? new NotAFileError(valid) : new FileNotFoundError(valid);
  }

  async #write(path: string, contents: string | Uint8Array): Promise<void> {
    const valid = validFsPath(path);
    if (valid === "/") throw new NotAFileError(valid);
    // The caller may change its bytes while this one waits for its turn.
    const bytes = typeof contents === "string" ? bytesFromContents(contents) : contents.slice();
    await this.#versions.write(valid, bytes, () => this.#placeFor(valid));
    for (const above of ancestorPaths(valid)) this.#directories.add(above);
  }

  /** What is at a path to be written. @throws NotAFileError, NotADirectoryError */
  async #placeFor(path: string): Promise<HostEntry | undefined> {
    const unknown = ancestorPaths(path).filter((above) => !this.#directories.has(above));
    const [there, ...above] = await Promise.all([
      this.#entry(path),
      ...unknown.map((ancestor) => this.#askedOnce(ancestor)),
    ]);
    if (there?.kind === "directory") throw new NotAFileError(path);
    if (above.some((entry) => entry?.kind === "file")) throw new NotADirectoryError(path);
    return there;
  }

  #askedOnce(path: string): Promise<HostEntry | undefined> {
    const asked = this.#asked.get(path) ?? this.#files.stat(path).finally(() => this.#asked.delete(path));
    this.#asked.set(path, asked);
    return asked;
  }

  async #delete(path: string): Promise<void> {
    const valid = validFsPath(path);
    if (valid === "/") throw new NotAFileError(valid);
    await this.#versions.delete(valid, () => this.#entry(valid));
    // They may have gone with it, and be files the next time.
    for (let above = parentPath(valid); above !== "/"; above = parentPath(above)) this.#directories.delete(above);
  }

  #walked(): WalkedTree {
    return {
      list: (scope) => this.#list(scope),
      stat: (path) => this.#entry(path),
      fetch: (file) => this.#fetch(file),
    };
  }

  async #fetch({ path, etag }: DirEntry & { readonly etag?: string | undefined }) {
    const held = etag === undefined ? undefined : this.#fetched.get(`${path}\0${etag}`);
    if (held !== undefined && etag !== undefined) return { bytes: held, version: etag };
    const file = await this.#files.read(path);
    if (file === undefined) return undefined;
    const version = file.etag ?? `unknown ${crypto.randomUUID()}`;
    if (file.etag !== undefined) this.#fetched.set(`${path}\0${version}`, file.bytes);
    return { bytes: file.bytes, version };
  }
}

function infoFromEntry(entry: HostEntry | undefined): FileInfo {
  if (entry === undefined) return { kind: "missing" };
  if (entry.kind === "directory") return { kind: "directory" };
  const { kind, sizeBytes, modifiedAt } = entry;
  return { kind, ...(sizeBytes !== undefined && { sizeBytes }), ...(modifiedAt !== undefined && { modifiedAt }) };
}
