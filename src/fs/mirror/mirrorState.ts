import { limits, sha256Hex } from "../../base";
import { contentsFromBytes } from "../contents";
import { ByteCache } from "../idb/byteCache";
import { inParallel } from "../inParallel";
import { Listeners } from "../listeners";
import { ancestorPaths, isUnder } from "../path";
import {
  ConflictError,
  ContentsNotKeptError,
  FileNotFoundError,
  NotAFileError,
  PathError,
  ElsewhereError,
} from "../pathError";
import type { SnapshotTree } from "../snapshotTree";
import type { FileEntry } from "../treeEntry";
import { MirroredFile, type MirrorReader } from "./mirroredFile";
import { treeFromListing, wholeListing, type ListingOptions } from "./mirrorListing";
import { pageMemory, type MirrorMemory, type RememberedFile } from "./mirrorMemory";
import type { MirrorSource, SourceEntry } from "./mirrorSource";
import { versionId } from "./versionId";

/** Paths written since a listing began, which may show them as they were before. */
class WrittenPaths {
  readonly #paths = new Set<string>();
  readonly #above = new Set<string>();

  constructor(paths: Iterable<string>) {
    for (const path of paths) this.add(path);
  }

  add(path: string): void {
    this.#paths.add(path);
    for (const directory of ancestorPaths(path)) this.#above.add(directory);
  }

  /** Whether it is one of them, or above or below one. */
  concerns(path: string): boolean {
    if (this.#paths.size === 0) return false;
    return (
      this.#paths.has(path) || this.#above.has(path) || ancestorPaths(path).some((above) => this.#paths.has(above))
    );
  }
}

/** What a mirror knows: the tree as last seen, the versions read, the contents held; and how it learns of changes. */
export class MirrorState implements MirrorReader {
  tree: SnapshotTree;
  /** Directories made here that the source cannot hold. */
  readonly ownDirectories = new Set<string>();
  readonly memory: MirrorMemory;
  readonly #scope: string;
  readonly #remembered: Map<string, RememberedFile>;
  readonly #listeners = new Listeners();
  readonly #held = new ByteCache(limits.contentCacheBytes);
  /** The version of each path that was last read or written here, `null` for none: what a write of it goes by. */
  readonly #seen = new Map<string, string | null>();
  /** Listings under way. */
  readonly #looks = new Set<WrittenPaths>();
  readonly #writing = new Map<string, number>();
  #source: MirrorSource | PathError = new ElsewhereError("/", "It is not open yet.");
  /** The first look at the source: nothing is written before. */
  #firstLook: Promise<unknown> = Promise.resolve();
  #hasLooked = false;
  #looking: Promise<void> | undefined;
  /** The files of the tree by their ids, made when it is first asked for. */
  #byId: { readonly tree: SnapshotTree; readonly files: ReadonlyMap<string, FileEntry> } | undefined;
  #keepTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #keeping = new Set<Promise<unknown>>();
  /** Contents the memory has. */
  readonly #keptIds = new Set<string>();

  private constructor(
    scope: string,
    memory: MirrorMemory,
    tree: SnapshotTree,
    files: ReadonlyMap<string, RememberedFile>,
  ) {
    this.#scope = scope;
    this.memory = memory;
    this.tree = tree;
    this.#remembered = new Map(files);
  }

  static async load(scope: string, memory: MirrorMemory = pageMemory()): Promise<MirrorState> {
    const { tree, files } = await memory.load();
    return new MirrorState(scope, memory, tree, files);
  }

  readonly subscribe = this.#listeners.subscribe;

  connect(source: MirrorSource): void {
    this.#source = source;
    this.#hasLooked = false;
    // A listing of what was there before says nothing of this one.
    this.#looking = undefined;
  }

  disconnect(why: PathError): void {
    this.#source = why;
  }

  get isConnected(): boolean {
    return !(this.#source instanceof PathError);
  }

  /** @throws why it cannot be reached */
  source(path: string): MirrorSource {
    if (this.#source instanceof PathError) throw this.#source.withPath(path);
    return this.#source;
  }

  refresh(options: ListingOptions): Promise<void> {
    if (this.#looking !== undefined) return this.#looking;
    const looking = this.#look(options).finally(() => {
      if (this.#looking === looking) this.#looking = undefined;
    });
    this.#looking = looking;
    if (!this.#hasLooked) this.#firstLook = looking.catch(() => undefined);
    return looking;
  }

  async #look(options: ListingOptions): Promise<void> {
    const source = this.source("/");
    const written = new WrittenPaths(this.#writing.keys());
    this.#looks.add(written);
    try {
      const listing = await wholeListing(source, options);
      if (this.#source !== source) throw new DOMException("Another source was connected.", "AbortError");
      const fileOf = (entry: SourceEntry) => this.fileOf(entry);
      const isNewer = (path: string) => written.concerns(path);
      const isKept = (path: string) => this.ownDirectories.has(path);
      this.setTree(treeFromListing({ tree: this.tree, listing, fileOf, isNewer, isKept }));
      this.#hasLooked = true;
    } finally {
      this.#looks.delete(written);
    }
  }

  /** Files one by one; where a directory is, or was, all is listed. */
  async refreshPaths(paths: readonly string[]): Promise<void> {
    const source = this.source("/");
    const looked = paths.filter((path) => !this.#writing.has(path));
    const entries = await inParallel(looked, limits.hostRequests, (path) => source.look(path));
    const isDirectory = looked.some(
      (path, index) => entries[index]?.kind === "directory" || this.tree.entry(path)?.kind === "directory",
    );
    if (isDirectory) {
      // A listing that began before says nothing of it.
      await this.#looking?.catch(() => undefined);
      return this.refresh({});
    }
    // Where the whole source is gone nothing is there either, and that is another matter.
    if (entries.includes(undefined)) for await (const _ of source.list("/", new AbortController().signal)) break;
    for (const path of looked) await this.lookAgain(path);
  }

  /** Waits until what is there is known, and keeps listings from undoing what is written. */
  async writing<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    await this.#firstLook;
    for (const path of paths) {
      this.#writing.set(path, (this.#writing.get(path) ?? 0) + 1);
      for (const look of this.#looks) look.add(path);
    }
    try {
      return await work();
    } finally {
      for (const path of paths) {
        const left = (this.#writing.get(path) ?? 1) - 1;
        if (left === 0) this.#writing.delete(path);
        else this.#writing.set(path, left);
      }
    }
  }

  setTree(tree: SnapshotTree): void {
    if (tree.root === this.tree.root) return;
    this.tree = tree;
    this.#listeners.notify();
    clearTimeout(this.#keepTimer);
    this.#keepTimer = setTimeout(() => this.#keep(this.memory.keepTree(this.tree)), limits.mirrorKeepDelayMs);
  }

  async close(): Promise<void> {
    clearTimeout(this.#keepTimer);
    this.#keep(this.memory.keepTree(this.tree));
    await Promise.all(this.#keeping);
  }

  /** The version a write of the path must meet; `null`: nothing. */
  expectedAt(path: string): string | null {
    const seen = this.#seen.get(path);
    if (seen !== undefined) return seen;
    const there = this.tree.file(path);
    return there instanceof MirroredFile ? there.version : null;
  }

  /** The file the source has, under the id its version has here. */
  fileOf({ path, version = "", sizeBytes = 0, modifiedAt = 0 }: SourceEntry): MirroredFile {
    const remembered = this.#remembered.get(path);
    const hash = remembered?.version === version ? remembered.id : versionId(this.#scope, path, version);
    return new MirroredFile(this, { hash, path, version, sizeBytes, modifiedAt });
  }

  async read(path: string): Promise<string | Uint8Array> {
    if (path === "/") throw new NotAFileError(path);
    const there = this.tree.file(path);
    let found;
    try {
      found = await this.source(path).fetch(path);
    } catch (error) {
      const kept = there && (await this.#keptBytes(there.hash));
      if (kept === undefined) throw error;
      return contentsFromBytes(kept);
    }
    if (found === undefined) {
      this.#seen.delete(path);
      await this.lookAgain(path);
      throw this.tree.entry(path)?.kind === "directory" ? new NotAFileError(path) : new FileNotFoundError(path);
    }
    if (!(there instanceof MirroredFile) || there.version !== found.version) await this.lookAgain(path);
    const file = this.tree.file(path);
    this.#seen.set(path, found.version);
    if (file instanceof MirroredFile && file.version === found.version) this.#hold(file, found.bytes, true);
    return contentsFromBytes(found.bytes);
  }

  async fetchForSearch(path: string): Promise<{ readonly bytes: Uint8Array; readonly version: string } | undefined> {
    const there = this.tree.file(path);
    const held = there && this.#held.get(there.hash);
    if (there && held) return { bytes: held, version: there.hash };
    const found = await this.source(path).fetch(path);
    if (found === undefined) return undefined;
    if (there instanceof MirroredFile && there.version === found.version) this.#hold(there, found.bytes, false);
    return found;
  }

  async bytesOfVersion(id: string): Promise<Uint8Array | undefined> {
    if (this.#byId?.tree !== this.tree) {
      const files = [...this.tree.files()].map(([, file]) => [file.hash, file] as const);
      this.#byId = { tree: this.tree, files: new Map(files) };
    }
    const file = this.#byId.files.get(id);
    if (!(file instanceof MirroredFile)) return undefined;
    // Who asks says that it was not kept; why it cannot be had now is said elsewhere.
    return this.#bytesOf(file).catch(() => undefined);
  }

  heldBytes(id: string): Uint8Array | undefined {
    return this.#held.get(id);
  }

  async bytesOf(file: MirroredFile): Promise<Uint8Array> {
    const bytes = await this.#bytesOf(file);
    if (this.tree.file(file.path)?.hash === file.hash) this.#seen.set(file.path, file.version);
    return bytes;
  }

  /** The bytes of a version as it is there, or as it was kept. @throws ContentsNotKeptError */
  async #bytesOf(file: MirroredFile): Promise<Uint8Array> {
    const held = this.#held.get(file.hash);
    if (held !== undefined) return held;
    let failure: unknown;
    if (this.tree.file(file.path)?.hash === file.hash) {
      try {
        const found = await this.source(file.path).fetch(file.path);
        if (found?.version === file.version) {
          this.#hold(file, found.bytes, true);
          return found.bytes;
        }
        await this.lookAgain(file.path);
      } catch (error) {
        failure = error;
      }
    }
    const kept = await this.#keptBytes(file.hash);
    if (kept !== undefined) return kept;
    throw failure ?? new ContentsNotKeptError(file.path);
  }

  async #keptBytes(id: string): Promise<Uint8Array | undefined> {
    return this.#held.get(id) ?? this.memory.contents(id).catch(() => undefined);
  }

  #hold({ hash, sizeBytes }: FileEntry, bytes: Uint8Array, isToKeep: boolean): void {
    this.#held.set(hash, bytes);
    if (isToKeep && sizeBytes <= limits.mirrorKeptBytes) this.#keep(this.#keepContents(hash, bytes));
  }

  async #keepContents(id: string, bytes: Uint8Array): Promise<void> {
    if (this.#keptIds.has(id)) return;
    await this.memory.keepContents(id, bytes);
    this.#keptIds.add(id);
  }

  #keep(work: Promise<unknown>): void {
    // What cannot be kept is missing later, and said to be then.
    const kept = work.catch(() => undefined).finally(() => this.#keeping.delete(kept));
    this.#keeping.add(kept);
  }

  /** Keeps what a path holds before it is changed, so that the change can be shown and undone. */
  async keepBefore(path: string): Promise<void> {
    const file = this.tree.file(path);
    if (!(file instanceof MirroredFile) || file.sizeBytes > limits.mirrorKeptBytes) return;
    try {
      const bytes = await this.#bytesOf(file);
      await this.#keepContents(file.hash, bytes);
      this.#learn(path, file, await sha256Hex(bytes));
    } catch {
      // The write itself says what is wrong.
    }
  }

  /** The tree holds what was just written. */
  async wrote(
    path: string,
    bytes: Uint8Array,
    written: { readonly version: string; readonly modifiedAt: number },
  ): Promise<void> {
    const hash = await sha256Hex(bytes);
    const before = this.#remembered.get(path)?.contents ?? [];
    const [id = hash] = before.find(([, known]) => known === hash) ?? [];
    const file = new MirroredFile(this, { path, hash: id, sizeBytes: bytes.length, ...written });
    this.#learn(path, file, hash);
    this.#seen.set(path, written.version);
    this.#held.set(id, bytes);
    await this.#keepContents(id, bytes).catch(() => undefined);
    this.setTree(this.tree.withFile(path, file));
  }

  #learn(path: string, file: MirroredFile, hash: string): void {
    const contents = (this.#remembered.get(path)?.contents ?? []).filter(([id]) => id !== file.hash);
    const remembered: RememberedFile = {
      version: file.version,
      id: file.hash,
      contents: [...contents, [file.hash, hash] as const].slice(-limits.mirrorKnownContents),
    };
    this.#remembered.set(path, remembered);
    this.#keep(this.memory.remember(path, remembered));
  }

  /** A file that is at another path now, with the id it had. */
  moved(
    from: MirroredFile,
    { path, version = "", sizeBytes = from.sizeBytes, modifiedAt = 0 }: SourceEntry,
  ): MirroredFile {
    const contents = this.#remembered.get(from.path)?.contents.filter(([id]) => id === from.hash) ?? [];
    if (this.#seen.get(from.path) === from.version) this.#seen.set(path, version);
    const remembered: RememberedFile = { version, id: from.hash, contents };
    this.#remembered.set(path, remembered);
    this.#keep(this.memory.remember(path, remembered));
    return new MirroredFile(this, { hash: from.hash, path, version, sizeBytes, modifiedAt });
  }

  /** What was seen at a path and below it is no longer to be expected there. */
  leave(path: string): void {
    for (const seen of this.#seen.keys()) if (isUnder(seen, path)) this.#seen.delete(seen);
  }

  deleted(path: string): void {
    this.#seen.delete(path);
    this.setTree(this.tree.without(path));
  }

  /** Learns what is at one path now. */
  async lookAgain(path: string): Promise<void> {
    const entry = await this.source(path).look(path);
    const there = this.tree.entry(path);
    if (entry === undefined || entry.kind === "directory") {
      if (there?.kind === "file") this.setTree(this.tree.without(path));
      return;
    }
    if (there instanceof MirroredFile && there.version === entry.version) return;
    const tree = there?.kind === "directory" ? this.tree.without(path) : this.tree;
    this.setTree(tree.withFile(path, this.fileOf(entry)));
  }

  /** What somebody else did to a path instead of the expected version; the tree shows it by then. */
  async conflict(path: string, expected: string | null): Promise<ConflictError> {
    await this.lookAgain(path);
    // Until somebody reads the new one, nothing may be written over it; where there is none, nothing can get lost.
    if (this.tree.file(path) === undefined) this.#seen.delete(path);
    else this.#seen.set(path, expected);
    const seen = expected === null ? undefined : this.fileOf({ path, kind: "file", version: expected }).hash;
    return new ConflictError(path, seen, this.tree.file(path)?.hash);
  }
}
