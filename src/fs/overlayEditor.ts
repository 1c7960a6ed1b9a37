import type { Clock } from "../base";
import type { FileSystem, FileToWrite } from "./fileSystem";
import { memoryFile } from "./memoryFile";
import type { OverlayLayers } from "./overlayLayers";
import { ancestorPaths, isUnder, pathFromMount, validFsPath } from "./path";
import { ConflictError, FileNotFoundError, InvalidPathError, NotADirectoryError, NotAFileError } from "./pathError";
import type { SnapshotTree } from "./snapshotTree";
import type { FileEntry } from "./treeEntry";
import { snapshotByWalking } from "./versionedTree";

/** The edits of a fork over a live base, with the errors a snapshot's edits have (treeEdit.ts). One at a time. */
export class OverlayEditor {
  readonly #layers: OverlayLayers;
  readonly #view: FileSystem;
  readonly #now: Clock;

  /** `view` is what the fork shows: both layers together. */
  constructor(layers: OverlayLayers, view: FileSystem, now: Clock) {
    this.#layers = layers;
    this.#view = view;
    this.#now = now;
  }

  /** Writes all of the files or none. */
  async write(files: readonly FileToWrite[]): Promise<void> {
    const before = this.#layers.upper;
    try {
      for (const [path, contents] of files) await this.#writeOne(validFsPath(path), contents);
    } catch (error) {
      this.#layers.upper = before;
      throw error;
    }
  }

  async delete(path: string): Promise<void> {
    const { kind } = await this.#layers.stat(path);
    if (kind === "missing") throw new FileNotFoundError(path);
    if (kind === "directory") throw new NotAFileError(path);
    await this.#layers.remove(path);
  }

  async rename(from: string, to: string): Promise<void> {
    const info = await this.#layers.stat(from);
    if (from === "/") throw new InvalidPathError(from);
    if (info.kind === "missing") throw new FileNotFoundError(from);
    if (from === to) return;
    if (isUnder(to, from)) throw new InvalidPathError(to);
    if ((await this.#layers.stat(to)).kind !== "missing") throw new ConflictError(to);
    await this.#assertParents(to);
    if (info.kind === "file") return this.#renameFile(from, to, info.modifiedAt ?? this.#now());
    const moved = await this.subtree(from);
    for (const [path] of moved.files()) await this.#layers.touch(pathFromMount(to, path));
    await this.#layers.remove(from);
    this.#layers.upper = this.#layers.upper.withSubtree(to, moved);
  }

  async makeDirectory(path: string): Promise<void> {
    if ((await this.#layers.stat(path)).kind === "file") throw new NotADirectoryError(path);
    await this.#assertParents(path);
    this.#layers.upper = this.#layers.upper.withDirectory(path);
  }

  async removeDirectory(path: string): Promise<void> {
    if (path === "/") throw new InvalidPathError(path);
    const { kind } = await this.#layers.stat(path);
    if (kind === "missing") throw new FileNotFoundError(path);
    if (kind === "file") throw new NotADirectoryError(path);
    await this.#layers.remove(path);
  }

  /** A directory as the fork shows it, read whole. */
  async subtree(path: string): Promise<SnapshotTree> {
    const { upper } = this.#layers;
    let tree = await snapshotByWalking(this.#view, path, (below) => upper.file(below));
    if (tree.root.children === undefined || isExplicit(upper, path)) tree = tree.withDirectory("/");
    for (const [below, entry] of upper.subtree(path).walk()) {
      if (entry.kind === "directory" && entry.isExplicit) tree = tree.withDirectory(below);
    }
    return tree;
  }

  async #renameFile(from: string, to: string, modifiedAt: number): Promise<void> {
    const file: FileEntry = this.#layers.upper.file(from) ?? memoryFile(await this.#view.read(from), modifiedAt);
    await this.#layers.touch(to);
    await this.#layers.remove(from);
    this.#layers.upper = this.#layers.upper.withFile(to, file);
  }

  async #writeOne(path: string, contents: string | Uint8Array): Promise<void> {
    if ((await this.#layers.stat(path)).kind === "directory") throw new NotAFileError(path);
    await this.#assertParents(path);
    await this.#layers.touch(path);
    this.#layers.upper = this.#layers.upper.withFile(path, memoryFile(contents, this.#now()));
  }

  /** @throws NotADirectoryError when a parent of the path is a file */
  async #assertParents(path: string): Promise<void> {
    for (const above of ancestorPaths(path).toReversed()) {
      const { kind } = await this.#layers.stat(above);
      if (kind === "file") throw new NotADirectoryError(path);
      if (kind === "directory") return;
    }
  }
}

function isExplicit(tree: SnapshotTree, path: string): boolean {
  const entry = tree.entry(path);
  return entry?.kind === "directory" && entry.isExplicit;
}
