import { sha256Hex } from "../base";
import { treeWithScratch, type BoundAgent } from "../agent";
import {
  bytesFromContents,
  isUnder,
  isVersionedTree,
  memoryFile,
  normalizeFsPath,
  observedFs,
  SnapshotTree,
  type FileSystem,
} from "../fs";
import { SCRATCH_PREFIX } from "../tools";
import type { FileChange, Served } from "./sessionEvent";

/**
 * The tree as one call sees it: it notes who served the call and which files the call wrote, and takes no more writes
 * once the call is stopped. What others change at the same time is not laid to the call's account.
 */
export interface CallTree {
  readonly tree: FileSystem;
  /** Who served the call so far, each answer once. */
  served(): readonly Served[];
  /** Notes who served it by other ways than the tree. */
  observe(one: Served): void;
  /** Resolves when no write of the call is under way. */
  settled(): Promise<void>;
  /** Whether the call has written to the tree; what it puts into the turn's scratch is none of the tree's. */
  hasWritten(): boolean;
  /** What the call changed, and a tree that holds what it left behind. */
  changes(): Promise<{ readonly changes: readonly FileChange[]; readonly after: SnapshotTree }>;
}

export interface CallTreeOptions {
  readonly bound: Pick<BoundAgent, "tree" | "scratch">;
  readonly treeForCall?: ((observe: (served: Served) => void) => FileSystem) | undefined;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

export function callTree(options: CallTreeOptions): CallTree {
  const served = new Map<string, Served>();
  const observe = (one: Served): void => {
    served.set(`${one.verb} ${one.mount} ${one.path} ${one.layer ?? ""}`, one);
  };
  const tree = viewedTree(options, observe);
  const isKept = (path: string) => options.bound.scratch === undefined || !isUnder(path, SCRATCH_PREFIX);
  const writes = new CallWrites(tree, options.now, isKept);
  return {
    tree: guardedTree(tree, options.signal, writes),
    served: () => [...served.values()],
    observe,
    settled: () => writes.settled(),
    hasWritten: () => writes.hasWritten(),
    changes: () => writes.changes(),
  };
}

/** The driver's view of the tree with the turn's scratch in it, else the tree the agent is bound to, which has it already. */
function viewedTree({ bound, treeForCall }: CallTreeOptions, observe: (served: Served) => void): FileSystem {
  const view = treeForCall?.(observe);
  if (view === undefined) return bound.tree;
  const { scratch } = bound;
  if (scratch === undefined) return view;
  return treeWithScratch(view, { ...scratch, tree: observedFs(scratch.tree, SCRATCH_PREFIX, observe) });
}

/** The writes of one call: which paths, what they held before, and when they are done. */
class CallWrites {
  readonly #tree: FileSystem;
  readonly #now: () => number;
  readonly #isKept: (path: string) => boolean;
  readonly #before = new Map<string, string | undefined>();
  readonly #running = new Set<Promise<void>>();

  constructor(tree: FileSystem, now: () => number, isKept: (path: string) => boolean) {
    this.#tree = tree;
    this.#now = now;
    this.#isKept = isKept;
  }

  hasWritten(): boolean {
    return this.#before.size > 0;
  }

  async run(path: string, write: () => Promise<void>): Promise<void> {
    const work = this.#noted(normalizeFsPath(path), write);
    const ended = work.then(
      () => undefined,
      () => undefined,
    );
    this.#running.add(ended);
    void ended.then(() => this.#running.delete(ended));
    await work;
  }

  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  async changes(): Promise<{ changes: FileChange[]; after: SnapshotTree }> {
    let after = await this.#after();
    const changes: FileChange[] = [];
    for (const path of [...this.#before.keys()].toSorted()) {
      const before = this.#before.get(path);
      const file = after.file(path);
      if (before === file?.hash) continue;
      changes.push({
        path,
        ...(before === undefined ? {} : { before }),
        ...(file === undefined ? {} : { after: file.hash, sizeBytes: file.sizeBytes }),
      });
    }
    return { changes, after };
  }

  async #noted(path: string, write: () => Promise<void>): Promise<void> {
    if (this.#isKept(path) && !this.#before.has(path)) this.#before.set(path, await this.#hash(path));
    await write();
  }

  async #hash(path: string): Promise<string | undefined> {
    if (isVersionedTree(this.#tree)) return (await this.#tree.snapshot()).file(path)?.hash;
    const contents = await this.#contents(path);
    return contents === undefined ? undefined : await sha256Hex(contents);
  }

  /** A tree without snapshots is asked for the files the call wrote, and for nothing else. */
  async #after(): Promise<SnapshotTree> {
    if (isVersionedTree(this.#tree)) return await this.#tree.snapshot();
    let after = SnapshotTree.empty;
    for (const path of this.#before.keys()) {
      const contents = await this.#contents(path);
      if (contents !== undefined) after = after.withFile(path, memoryFile(contents, this.#now()));
    }
    return after;
  }

  async #contents(path: string): Promise<Uint8Array | undefined> {
    try {
      return bytesFromContents(await this.#tree.read(path));
    } catch {
      // Missing, or a directory: either way no file that could have been changed.
      return undefined;
    }
  }
}

function guardedTree(tree: FileSystem, signal: AbortSignal, writes: CallWrites): FileSystem {
  const guarded: Partial<Record<keyof FileSystem, unknown>> = {};
  // A partial tree stays partial: a verb it lacks is not made up.
  for (const verb of ["list", "stat", "glob", "read", "grep", "search", "brief"] as const) {
    const method = tree[verb] as ((...args: unknown[]) => unknown) | undefined;
    if (typeof method === "function") guarded[verb] = method.bind(tree);
  }
  if (typeof tree.write === "function") {
    guarded.write = async (path: string, contents: string | Uint8Array) => {
      signal.throwIfAborted();
      await writes.run(path, () => tree.write(path, contents));
    };
  }
  if (typeof tree.delete === "function") {
    guarded.delete = async (path: string) => {
      signal.throwIfAborted();
      await writes.run(path, () => tree.delete(path));
    };
  }
  return guarded as FileSystem;
}
