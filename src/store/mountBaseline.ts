import { limits } from "../base";
import { SnapshotTree } from "../fs";
import { messageFromError } from "./messageFromError";
import type { OpenMounts } from "./openMounts";
import type { ProjectStateStore, ProjectStoreNeeds } from "./projectStore";
import { RunBaseline } from "./runBaseline";

export interface MountBaselineNeeds extends ProjectStoreNeeds {
  readonly project: ProjectStateStore;
}

/** What the mounts of the table held when the last run began, kept over reloads. */
export class MountBaseline {
  readonly #needs: MountBaselineNeeds;
  readonly #open: OpenMounts;
  readonly #run = new RunBaseline();

  constructor(needs: MountBaselineNeeds, open: OpenMounts) {
    this.#needs = needs;
    this.#open = open;
  }

  /** A run begins now. Answers the merged tree it begins on. @throws UnavailableError */
  async begin(): Promise<SnapshotTree> {
    this.#run.begin(await this.#knownTrees());
    const merged = (await this.merged()) ?? SnapshotTree.empty;
    void this.#keep();
    return merged;
  }

  /** A mount that joins after a run began is compared with what it came with, before anyone writes to it. */
  async meet(): Promise<void> {
    try {
      const trees = await this.#knownTrees();
      await this.#run.share(trees);
      if (this.#run.meet(trees)) await this.#keep();
    } catch {
      // A mount that cannot be read says so itself, where the table is drawn.
    }
  }

  /** The merged tree of the table's mounts; absent before the first run. @throws UnavailableError */
  async merged(): Promise<SnapshotTree | undefined> {
    if (!this.#run.hasBegun) return undefined;
    const trees = await this.#open.snapshots();
    const places = await Promise.all(
      this.#open.table().records.map(async ({ id, prefix }) => {
        // What is not known yet has not changed.
        const standsFor = (await this.#open.isKnown(id)) ? undefined : trees.get(id);
        return { id, prefix, ...(standsFor && { standsFor }) };
      }),
    );
    return this.#run.merged(places);
  }

  forget(mountId: string): void {
    this.#run.forget(mountId);
  }

  async restore(): Promise<void> {
    const { storage, project } = this.#needs;
    const { baseline: stored, mounts } = project.getState();
    if (stored === undefined) return;
    try {
      this.#run.restore(await storage.loadSnapshot(stored), mounts);
    } catch {
      // The marks begin anew with the next run; no file depends on them.
    }
  }

  async #knownTrees(): Promise<ReadonlyMap<string, SnapshotTree>> {
    const trees = await this.#open.snapshots();
    const known = await Promise.all([...trees].map(async ([id]) => [id, await this.#open.isKnown(id)] as const));
    return new Map(known.flatMap(([id, isKnown]) => (isKnown ? [[id, trees.get(id) ?? SnapshotTree.empty]] : [])));
  }

  async #keep(): Promise<void> {
    const { storage, project, notices } = this.#needs;
    try {
      const stored = await this.#run.stored();
      if (stored) project.getState().change({ baseline: await storage.keepSnapshot("baseline", stored) });
    } catch (error) {
      notices.getState().push({
        tone: "warn",
        text: `After a reload the changed marks of this run will be gone: ${messageFromError(error)}`,
        timeoutMs: limits.undoMs,
      });
    }
  }
}
