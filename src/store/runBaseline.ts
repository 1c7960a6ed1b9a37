import { SnapshotTree, treeFs, unionFs } from "../fs";
import { sharingTree } from "./sharingTree";

interface MountPlace {
  readonly id: string;
  readonly prefix: string;
  /** What is taken for the mount's tree at that time, where nothing is to count as changed. */
  readonly standsFor?: SnapshotTree;
}

type TreesByMount = ReadonlyMap<string, SnapshotTree>;

/**
 * What the files were when the last run began, kept for each mount by itself: where a mount stands, and what it hides of
 * others, may change afterwards without any file counting as changed.
 */
export class RunBaseline {
  #trees: Map<string, SnapshotTree> | undefined;
  /** Mounts whose trees were loaded by themselves and share nothing yet with those of now. */
  readonly #apart = new Set<string>();
  #composed: { readonly key: readonly unknown[]; readonly tree: SnapshotTree } | undefined;

  get hasBegun(): boolean {
    return this.#trees !== undefined;
  }

  /** A run begins on these trees. */
  begin(trees: TreesByMount): void {
    this.#trees = new Map(trees);
    this.#apart.clear();
  }

  /** Lets what was restored share with the trees of now what is alike: to compare them then costs what changed. */
  async share(trees: TreesByMount): Promise<void> {
    for (const id of this.#apart) {
      const [before, now] = [this.#trees?.get(id), trees.get(id)];
      if (!before || !now) continue;
      this.#apart.delete(id);
      const shared = await sharingTree(before, now);
      if (this.#trees?.get(id) === before) this.#trees.set(id, shared);
    }
  }

  /** Mounts that joined since are compared with what they came with. Answers whether there was one. */
  meet(trees: TreesByMount): boolean {
    const known = this.#trees;
    const fresh = known === undefined ? [] : [...trees].filter(([id]) => !known.has(id));
    for (const [id, tree] of fresh) known?.set(id, tree);
    return fresh.length > 0;
  }

  forget(mountId: string): void {
    this.#trees?.delete(mountId);
  }

  /** The merged tree of those mounts; absent before the first run. The same object while nothing of it changes. */
  async merged(mounts: readonly MountPlace[]): Promise<SnapshotTree | undefined> {
    const trees = this.#trees;
    if (trees === undefined) return undefined;
    const parts = mounts.map(
      ({ id, prefix, standsFor }) => [prefix, standsFor ?? trees.get(id) ?? SnapshotTree.empty] as const,
    );
    const key = parts.flat();
    const last = this.#composed;
    if (last && last.key.length === key.length && last.key.every((part, index) => part === key[index]))
      return last.tree;
    const tree = await mergedTree(parts);
    this.#composed = { key, tree };
    return tree;
  }

  /** All of it as one tree, to be stored: each mount's in a directory of its own. */
  async stored(): Promise<SnapshotTree | undefined> {
    return this.#trees && mergedTree([...this.#trees].map(([id, tree]) => [storedPath(id), tree] as const));
  }

  /** Takes what `stored` answered for these mounts. */
  restore(whole: SnapshotTree, mounts: readonly MountPlace[]): void {
    const found = mounts.flatMap(({ id }) =>
      whole.entry(storedPath(id))?.kind === "directory" ? [[id, whole.subtree(storedPath(id))] as const] : [],
    );
    this.#trees = new Map(found);
    for (const [id] of found) this.#apart.add(id);
  }
}

function mergedTree(parts: readonly (readonly [prefix: string, tree: SnapshotTree])[]): Promise<SnapshotTree> {
  return unionFs(Object.fromEntries(parts.map(([prefix, tree]) => [prefix, treeFs(tree)] as const))).snapshot();
}

function storedPath(mountId: string): string {
  return `/mount-${encodeURIComponent(mountId)}`;
}
