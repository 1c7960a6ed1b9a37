const BITS = 5;
const WIDTH = 2 ** BITS;

/** A leaf holds values, every other node holds nodes; all but the last of a level are full. */
type TreeNode = readonly unknown[];

/**
 * A list of a state, immutable: a change gives a new list and leaves this one as it was. The values lie in a tree of
 * small arrays, of which a change copies one a level: appending costs the same however long the list is, and a log of
 * many thousand events folds in a time that grows as the log does. A list that did not change stays the same object.
 */
export class StateList<T> implements Iterable<T> {
  static readonly empty: StateList<never> = new StateList<never>([], 0, 0);

  readonly #root: TreeNode;
  /** Levels above the leaves. */
  readonly #depth: number;
  readonly length: number;

  private constructor(root: TreeNode, depth: number, length: number) {
    this.#root = root;
    this.#depth = depth;
    this.length = length;
  }

  get(index: number): T | undefined {
    if (index < 0 || index >= this.length) return undefined;
    let node = this.#root;
    for (let level = this.#depth; level > 0; level--) node = node[slotOf(index, level)] as TreeNode;
    return node[slotOf(index, 0)] as T;
  }

  get last(): T | undefined {
    return this.get(this.length - 1);
  }

  appended(value: T): StateList<T> {
    const isFull = this.length === WIDTH ** (this.#depth + 1);
    const root = isFull ? [this.#root] : this.#root;
    const depth = isFull ? this.#depth + 1 : this.#depth;
    return new StateList<T>(withValue(root, depth, this.length, value), depth, this.length + 1);
  }

  /** The list with another value at a place it has. */
  with(index: number, value: T): StateList<T> {
    if (index < 0 || index >= this.length || this.get(index) === value) return this;
    return new StateList<T>(withValue(this.#root, this.#depth, index, value), this.#depth, this.length);
  }

  /** The list with the last value that passes changed; this list when there is none. */
  withLast(passes: (value: T) => boolean, change: (value: T) => T): StateList<T> {
    const index = this.findLastIndex(passes);
    const value = this.get(index);
    return value === undefined ? this : this.with(index, change(value));
  }

  /** -1 when no value passes. Looks from the end, where what a log speaks of mostly is. */
  findLastIndex(passes: (value: T) => boolean): number {
    for (let index = this.length - 1; index >= 0; index--) if (passes(this.get(index) as T)) return index;
    return -1;
  }

  findLast(passes: (value: T) => boolean): T | undefined {
    return this.get(this.findLastIndex(passes));
  }

  [Symbol.iterator](): IterableIterator<T> {
    return valuesOf(this.#root, this.#depth) as IterableIterator<T>;
  }
}

function slotOf(index: number, level: number): number {
  return (index >>> (level * BITS)) % WIDTH;
}

function withValue(node: TreeNode, level: number, index: number, value: unknown): TreeNode {
  const slot = slotOf(index, level);
  const copy = [...node];
  copy[slot] = level === 0 ? value : withValue((node[slot] ?? []) as TreeNode, level - 1, index, value);
  return copy;
}

function* valuesOf(node: TreeNode, level: number): Generator {
  if (level === 0) yield* node;
  else for (const below of node) yield* valuesOf(below as TreeNode, level - 1);
}
