import { limits } from "../../base";
import { inParallel } from "../inParallel";
import { ancestorPaths, isUnder, parentPath } from "../path";
import { ConflictError, FileNotFoundError, InvalidPathError, NotADirectoryError, NotAFileError } from "../pathError";
import { memoryFile } from "../memoryFile";
import { SnapshotTree } from "../snapshotTree";
import { MirroredFile } from "./mirroredFile";
import type { SourceEntry } from "./mirrorSource";
import type { MirrorState } from "./mirrorState";

/** The edits of a mirror: each goes to the source first, and into the tree when it is done there. */
export class MirrorEditor {
  readonly #state: MirrorState;
  /** Writes of one path wait for each other, so that a mirror never loses a race against itself. */
  readonly #latest = new Map<string, Promise<unknown>>();

  constructor(state: MirrorState) {
    this.#state = state;
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    await this.#inTurn(path, async () => {
      const { state, source } = this.#at(path);
      this.#assertPlace(path);
      // Before anything is read: to see what is there by now is not to have read it.
      const expected = state.expectedAt(path);
      await state.keepBefore(path);
      const written = await source.write(path, bytes, expected);
      if (written.kind === "changed") throw await state.conflict(path, expected);
      const { version, modifiedAt = Date.now() } = written;
      await state.wrote(path, bytes, { version, modifiedAt });
    });
  }

  async delete(path: string): Promise<void> {
    await this.#inTurn(path, async () => {
      const { state, source } = this.#at(path);
      if (state.tree.entry(path) === undefined) await state.lookAgain(path);
      const there = state.tree.entry(path);
      if (there?.kind === "directory") throw new NotAFileError(path);
      if (!(there instanceof MirroredFile)) throw new FileNotFoundError(path);
      const expected = state.expectedAt(path);
      if (expected === null) throw await state.conflict(path, expected);
      await state.keepBefore(path);
      const outcome = await source.delete(path, expected);
      if (outcome === "changed") {
        const conflict = await state.conflict(path, expected);
        if (conflict.actualHash !== undefined) throw conflict;
      }
      state.deleted(path);
      await this.#keepParent(path);
      // Somebody else deleted it first: there is nothing here that could get lost.
      if (outcome !== "deleted") throw new FileNotFoundError(path);
    });
  }

  async rename(from: string, to: string): Promise<void> {
    const { state } = this.#at(from);
    const entry = state.tree.entry(from);
    if (from === "/") throw new InvalidPathError(from);
    if (entry === undefined) throw new FileNotFoundError(from);
    if (from === to) return;
    if (isUnder(to, from)) throw new InvalidPathError(to);
    if (state.tree.entry(to) !== undefined) throw new ConflictError(to);
    this.#assertPlace(to);
    const { directories } = state.source(from);
    if (directories === undefined) return this.#copied(from, to);
    await this.#state.writing([from, to], async () => {
      const versions = await this.#versionsAt(from);
      await directories.rename(from, to);
      await this.#moved(from, to, versions);
    });
  }

  /** What is at a path and below it, just before it moves: what was changed meanwhile is not what the tree says. */
  async #versionsAt(path: string): Promise<ReadonlyMap<string, string | undefined>> {
    const { source } = this.#at(path);
    const versions = new Map([[path, (await source.look(path))?.version]]);
    for await (const entry of source.list(path, new AbortController().signal)) versions.set(entry.path, entry.version);
    return versions;
  }

  /** Where a source can move things itself, what was moved is the same file at another path. */
  async #moved(from: string, to: string, versions: ReadonlyMap<string, string | undefined>): Promise<void> {
    const { state, source } = this.#at(from);
    const before = state.tree;
    const fileAt = (there: SourceEntry) => {
      const old = before.file(from + there.path.slice(to.length));
      const isSame = old instanceof MirroredFile && versions.get(old.path) === old.version;
      return isSame ? state.moved(old, there) : state.fileOf(there);
    };
    let tree = before.without(from);
    const there = await source.look(to);
    if (there?.kind === "file") tree = tree.withFile(to, fileAt(there));
    if (there?.kind === "directory") {
      tree = tree.withDirectory(to);
      const files: [string, MirroredFile][] = [];
      for await (const below of source.list(to, new AbortController().signal)) {
        if (below.kind === "directory") tree = tree.withDirectory(below.path);
        else files.push([below.path, fileAt(below)]);
      }
      tree = tree.withFiles(files);
    }
    state.leave(from);
    state.setTree(tree);
    await this.#keepParent(from);
  }

  /** File by file; what is cut off leaves both, and nothing is lost. */
  async #copied(from: string, to: string): Promise<void> {
    const { tree } = this.#state;
    const files = tree.file(from) ? [[from, tree.file(from)] as const] : [...tree.files(from)];
    const below = [[from, tree.entry(from)] as const, ...tree.walk(from)];
    for (const [path, entry] of below) {
      if (entry?.kind === "directory" && entry.isExplicit) await this.makeDirectory(to + path.slice(from.length));
    }
    await inParallel(files, limits.hostRequests, async ([path, file]) => {
      if (file) await this.write(to + path.slice(from.length), await file.bytes());
      await this.delete(path);
    });
    this.#dropOwnDirectories(from);
  }

  async makeDirectory(path: string): Promise<void> {
    const { state, source } = this.#at(path);
    if (path === "/") return;
    if ([...ancestorPaths(path), path].some((each) => state.tree.file(each) !== undefined)) {
      throw new NotADirectoryError(path);
    }
    await state.writing([path], async () => {
      if (source.directories) await source.directories.make(path);
      else state.ownDirectories.add(path);
      state.setTree(state.tree.withDirectory(path));
    });
  }

  /** What somebody else has put into it, or changed in it, meanwhile is not removed. @throws ConflictError about that */
  async removeDirectory(path: string): Promise<void> {
    const { state, source } = this.#at(path);
    const there = state.tree.entry(path);
    if (path === "/") throw new InvalidPathError(path);
    if (there === undefined) throw new FileNotFoundError(path);
    if (there.kind === "file") throw new NotADirectoryError(path);
    await inParallel([...state.tree.files(path)], limits.hostRequests, ([file]) => this.delete(file));
    this.#dropOwnDirectories(path);
    await state.writing([path], async () => {
      for await (const left of source.list(path, new AbortController().signal)) {
        if (left.kind !== "file") continue;
        await state.lookAgain(left.path);
        throw new ConflictError(left.path, undefined, state.tree.file(left.path)?.hash);
      }
      if (source.directories && (await source.look(path)) !== undefined) await source.directories.remove(path);
      state.deleted(path);
      await this.#keepParent(path);
    });
  }

  /** Whether files can be written together. @throws NotAFileError, NotADirectoryError */
  assertTogether(paths: readonly string[]): void {
    SnapshotTree.empty.withFiles(paths.map((path) => [path, memoryFile("", 0)] as const));
    for (const path of paths) this.#assertPlace(path);
  }

  #at(path: string) {
    return { state: this.#state, source: this.#state.source(path) };
  }

  /** @throws NotAFileError for a directory, NotADirectoryError when a parent is a file */
  #assertPlace(path: string): void {
    const { tree } = this.#state;
    if (path === "/" || tree.entry(path)?.kind === "directory") throw new NotAFileError(path);
    if (ancestorPaths(path).some((above) => tree.file(above) !== undefined)) throw new NotADirectoryError(path);
  }

  /** A directory that is there by itself stays when its last file goes. */
  async #keepParent(path: string): Promise<void> {
    const { state, source } = this.#at(path);
    const parent = parentPath(path);
    if (parent === "/" || source.directories === undefined || state.tree.entry(parent) !== undefined) return;
    if ((await source.look(parent))?.kind !== "directory") return this.#keepParent(parent);
    state.setTree(state.tree.withDirectory(parent));
  }

  #dropOwnDirectories(path: string): void {
    const { ownDirectories } = this.#state;
    for (const own of ownDirectories) if (isUnder(own, path)) ownDirectories.delete(own);
    if (this.#state.tree.entry(path)?.kind === "directory" && !this.#holdsFile(path)) this.#state.deleted(path);
  }

  #holdsFile(path: string): boolean {
    const entry = this.#state.tree.entry(path);
    return entry?.kind === "directory" && entry.fileCount > 0;
  }

  async #inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
    const before = this.#latest.get(path);
    const turn = (async () => {
      await before?.catch(() => undefined);
      return this.#state.writing([path], work);
    })();
    this.#latest.set(path, turn);
    try {
      return await turn;
    } finally {
      if (this.#latest.get(path) === turn) this.#latest.delete(path);
    }
  }
}
