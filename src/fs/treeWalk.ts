import type { ChildMap, ChildNode, TreeEntry } from "./treeEntry";

export type TreeStep = readonly [path: string, entry: TreeEntry];

/** One directory the walk is in. */
interface WalkFrame {
  /** The path of the directory with a `/` at its end. */
  readonly prefix: string;
  /** Nodes whose left side is done, the next in order last. */
  readonly path: ChildNode[];
  /** Directories already named whose contents are still to come, the next last. */
  readonly pending: { readonly key: string; readonly children: ChildNode }[];
}

/**
 * Every entry below a directory in plain string order of whole paths. A directory comes at its name, its contents at its
 * name and `/`: between the two come its siblings such as `a-b`, which is why contents wait in `pending`.
 */
export class TreeWalk implements IterableIterator<TreeStep> {
  readonly #frames: WalkFrame[] = [];

  constructor(directoryPath: string, children: ChildMap) {
    this.#enter(directoryPath === "/" ? "/" : `${directoryPath}/`, children);
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<TreeStep, undefined> {
    for (;;) {
      const frame = this.#frames.at(-1);
      if (frame === undefined) return { done: true, value: undefined };
      const node = frame.path.at(-1);
      const waiting = frame.pending.at(-1);
      if (waiting !== undefined && (node === undefined || node.name > waiting.key)) {
        frame.pending.pop();
        this.#enter(frame.prefix + waiting.key, waiting.children);
      } else if (node === undefined) {
        this.#frames.pop();
      } else {
        return { done: false, value: step(frame, node) };
      }
    }
  }

  #enter(prefix: string, children: ChildMap): void {
    const path: ChildNode[] = [];
    descend(path, children);
    this.#frames.push({ prefix, path, pending: [] });
  }
}

function step(frame: WalkFrame, node: ChildNode): TreeStep {
  frame.path.pop();
  descend(frame.path, node.right);
  const { entry, name } = node;
  if (entry.kind === "directory" && entry.children !== undefined) {
    frame.pending.push({ key: `${name}/`, children: entry.children });
  }
  return [frame.prefix + name, entry];
}

function descend(path: ChildNode[], map: ChildMap): void {
  for (let node = map; node !== undefined; node = node.left) path.push(node);
}

/** The children of one directory in order of their names. */
export function* childNodes(map: ChildMap): Generator<ChildNode, void, undefined> {
  const path: ChildNode[] = [];
  descend(path, map);
  for (let node = path.pop(); node !== undefined; node = path.pop()) {
    yield node;
    descend(path, node.right);
  }
}
