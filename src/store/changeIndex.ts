import { childDifferences, diffTrees, SnapshotTree, treesDiffer, type Change } from "../fs";

const NONE_GONE: ReadonlyMap<string, "file" | "directory"> = new Map();

/**
 * Changes since the run began, ready to be asked for by row. Nothing of it is written out beforehand: both trees are kept,
 * and a question walks only what they do not share at its place.
 */
export class ChangeIndex {
  /** Files that changed. */
  readonly count: number;
  readonly after: SnapshotTree;
  readonly #before: SnapshotTree;

  private constructor(before: SnapshotTree, after: SnapshotTree, count: number) {
    this.#before = before;
    this.after = after;
    this.count = count;
  }

  static readonly none = new ChangeIndex(SnapshotTree.empty, SnapshotTree.empty, 0);

  /**
   * The changes between two trees, which costs what they do not share, and less when `last` has the same beginning; the same
   * object when nothing is new.
   */
  static between(before: SnapshotTree, after: SnapshotTree, last: ChangeIndex = ChangeIndex.none): ChangeIndex {
    if (last.#before !== before) return new ChangeIndex(before, after, diffTrees(before, after).length);
    if (last.after === after) return last;
    let { count } = last;
    for (const { path } of diffTrees(last.after, after)) {
      const hash = before.file(path)?.hash;
      if (last.after.file(path)?.hash !== hash) count--;
      if (after.file(path)?.hash !== hash) count++;
    }
    return new ChangeIndex(before, after, count);
  }

  /** How the file at a path changed, if it did. */
  kindAt(path: string): Change["kind"] | undefined {
    const before = this.#before.file(path)?.hash;
    const after = this.after.file(path)?.hash;
    if (before === after) return undefined;
    return before === undefined ? "added" : after === undefined ? "deleted" : "modified";
  }

  /** Whether a file below a directory changed. */
  isChangedBelow(directory: string): boolean {
    return treesDiffer(this.#before.subtree(directory), this.after.subtree(directory));
  }

  /** By name what was in a directory, with files in it, and is there no longer. */
  goneNames(directory: string): ReadonlyMap<string, "file" | "directory"> {
    const before = this.entryBefore(directory);
    if (before === undefined || before === this.after.entry(directory)) return NONE_GONE;
    const gone = new Map<string, "file" | "directory">();
    for (const { name, before: old, after: fresh } of childDifferences(before, this.after.entry(directory))) {
      if (old?.kind === "file" && fresh?.kind !== "file") gone.set(name, "file");
      else if (old?.kind === "directory" && old.fileCount > 0 && fresh?.kind !== "directory")
        gone.set(name, "directory");
    }
    return gone.size === 0 ? NONE_GONE : gone;
  }

  /** What was at a path: the same object as long as the beginning is the same. */
  entryBefore(path: string) {
    return this.#before.entry(path);
  }

  /** Every change in order of the paths; the work grows with their number. */
  list(): Change[] {
    return diffTrees(this.#before, this.after);
  }
}
