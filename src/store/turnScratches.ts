import {
  isUnder,
  ReadOnlyMountError,
  treeFs,
  unionFs,
  type EditableFileSystem,
  type SnapshotTree,
  type VersionedTree,
} from "../fs";
import { SCRATCH_PREFIX } from "../tools";
import { mountViews, type MountView } from "./mountView";
import { readyStatus } from "./mountStatus";

export type ScratchTree = EditableFileSystem & VersionedTree;

/** The `/tmp` of a turn as a person sees it beside the mounts; nothing that is kept, compared or exported has it. */
export interface ShownScratch {
  readonly view: MountView;
  /** Every mount that is seen while it stands there, itself among them. */
  readonly mounts: readonly MountView[];
  readonly tree: SnapshotTree;
  /** The merged tree with it. */
  readonly snapshot: SnapshotTree;
}

/** As many colours as the theme has for mounts. */
const COLORS = [1, 2, 3, 4, 5, 6, 7, 8];

/** The scratches of the turns that run; the one that began last is seen. */
export class TurnScratches {
  readonly #changed: () => void;
  readonly #bySession = new Map<string, { readonly tree: ScratchTree; readonly stop: () => void }>();

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** The scratch of a session's turn; `undefined` when it is over. */
  set(sessionId: string, tree: ScratchTree | undefined): void {
    const before = this.#bySession.get(sessionId);
    if (before?.tree === tree) return;
    before?.stop();
    this.#bySession.delete(sessionId);
    if (tree !== undefined) this.#bySession.set(sessionId, { tree, stop: tree.subscribe(this.#changed) });
    this.#changed();
  }

  /** @throws ReadOnlyMountError for a path that only the agent may write now */
  assertNotIn(paths: readonly string[]): void {
    const path = this.#last === undefined ? undefined : paths.find((each) => isUnder(each, SCRATCH_PREFIX));
    if (path !== undefined) throw new ReadOnlyMountError(path);
  }

  /** A merged tree with the scratch where there is one. */
  async over(merged: SnapshotTree): Promise<SnapshotTree> {
    const tree = this.#last;
    return tree === undefined ? merged : unionFs({ "/": treeFs(merged), [SCRATCH_PREFIX]: tree }).snapshot();
  }

  async shown(mounts: readonly MountView[], merged: SnapshotTree): Promise<ShownScratch | undefined> {
    const tree = await this.#last?.snapshot();
    if (tree === undefined) return undefined;
    const color = COLORS.find((each) => mounts.every((mount) => mount.color !== each)) ?? COLORS.length;
    const record = { id: "scratch", prefix: SCRATCH_PREFIX, kind: "memory", readOnly: true, color } as const;
    const [view] = mountViews([{ record, tree, status: readyStatus }]);
    if (view === undefined) return undefined;
    const seen = mounts.filter(({ prefix }) => !isUnder(prefix, SCRATCH_PREFIX));
    const snapshot = await unionFs({ "/": treeFs(merged), [SCRATCH_PREFIX]: treeFs(tree) }).snapshot();
    return { view, mounts: [...seen, view], tree, snapshot };
  }

  get #last(): ScratchTree | undefined {
    return [...this.#bySession.values()].at(-1)?.tree;
  }
}
