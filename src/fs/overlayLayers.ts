import { hashAt } from "./commitEdits";
import type { Change } from "./diffTrees";
import type { FileInfo, FileSystem } from "./fileSystem";
import { ancestorPaths, isUnder, parentPath } from "./path";
import { infoFromEntry } from "./snapshotVerbs";
import { SnapshotTree } from "./snapshotTree";

/**
 * The two layers of a fork over a live base: `upper` holds what was written, whiteouts hide what was deleted. A whiteout
 * hides all of the base below it, so files written there later lie over nothing.
 */
export class OverlayLayers {
  upper = SnapshotTree.empty;
  readonly #base: FileSystem;
  readonly #whiteouts = new Set<string>();
  /** Directories of the base that are hidden, for `apply` to remove. */
  readonly #removed = new Set<string>();
  /** What every file touched here was in the base when it was first touched: its hash, or `null` for nothing. */
  readonly #origins = new Map<string, string | null>();

  constructor(base: FileSystem) {
    this.#base = base;
  }

  /** Whether what the base has at the path is gone here, or lies under something written. */
  hides(path: string): boolean {
    if (this.upper.file(path) !== undefined || this.#whiteouts.has(path)) return true;
    return ancestorPaths(path).some((above) => this.#whiteouts.has(above) || this.upper.file(above) !== undefined);
  }

  /** Whether anything of the base may be hidden at all. */
  get hidesNothing(): boolean {
    return this.#whiteouts.size === 0 && this.upper.fileCount === 0;
  }

  async stat(path: string): Promise<FileInfo> {
    const entry = this.upper.entry(path);
    if (entry !== undefined) return infoFromEntry(entry);
    return this.hides(path) ? { kind: "missing" } : this.#base.stat(path);
  }

  /** Notes what the base has at a path before it is hidden or written over for the first time. */
  async touch(path: string): Promise<void> {
    if (this.#origins.has(path)) return;
    const isFile = !this.hides(path) && (await this.#base.stat(path)).kind === "file";
    this.#origins.set(path, isFile ? await hashAt(this.#base, path) : null);
  }

  /** Takes away the file or directory at a path, and the directories above it that the base has only by it. */
  async remove(path: string): Promise<void> {
    const isHidden = this.hides(path) && this.upper.file(path) === undefined;
    const { kind } = isHidden ? { kind: "missing" } : await this.#base.stat(path);
    if (kind === "file") await this.touch(path);
    if (kind === "directory") await this.#touchAllBelow(path);
    this.upper = this.upper.without(path);
    if (kind === "missing") return;
    if (kind === "directory") this.#hideDirectory(path);
    else this.#whiteouts.add(path);
    for (let above = parentPath(path); above !== "/" && !(await this.#showsBelow(above)); above = parentPath(above)) {
      this.#hideDirectory(above);
    }
  }

  /** What was touched and is no longer what it was, in order of the paths. */
  changes(): Change[] {
    const changes: Change[] = [];
    for (const [path, before] of [...this.#origins].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const after = this.upper.file(path)?.hash;
      // What is neither written nor hidden was only meant to be touched: an import that failed.
      if (after === (before ?? undefined) || (after === undefined && !this.hides(path))) continue;
      if (before === null) changes.push({ path, kind: "added", after: after as string });
      else if (after === undefined) changes.push({ path, kind: "deleted", before });
      else changes.push({ path, kind: "modified", before, after });
    }
    return changes;
  }

  directories(): { readonly made: string[]; readonly removed: string[] } {
    const made: string[] = [];
    for (const [path, entry] of this.upper.walk()) if (entry.kind === "directory" && entry.isExplicit) made.push(path);
    return { made, removed: [...this.#removed].filter((path) => this.upper.entry(path) === undefined) };
  }

  /** Forgets everything: the base now holds it. */
  clear(): void {
    this.upper = SnapshotTree.empty;
    for (const part of [this.#whiteouts, this.#removed, this.#origins]) part.clear();
  }

  #hideDirectory(path: string): void {
    for (const hidden of this.#whiteouts) if (isUnder(hidden, path)) this.#whiteouts.delete(hidden);
    this.#whiteouts.add(path);
    this.#removed.add(path);
  }

  async #touchAllBelow(directory: string): Promise<void> {
    for await (const { path, kind } of this.#base.list(directory)) {
      if (kind === "file") await this.touch(path);
      else if (!this.hides(path)) this.#removed.add(path);
    }
  }

  /** Whether anything of the base still shows below a directory. */
  async #showsBelow(directory: string): Promise<boolean> {
    if (this.hides(directory)) return true;
    for await (const { path } of this.#base.list(directory)) if (!this.hides(path)) return true;
    return false;
  }
}
