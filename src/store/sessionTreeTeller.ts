import { isUnder, type SnapshotTree } from "../fs";
import type { EventData } from "../session";
import type { PersonChange } from "./personChanges";
import type { SessionFeed } from "./sessionFeed";
import type { SessionPlace } from "./sessionPlace";
import { treeChangesToTell, type TreeToTell } from "./sessionTreeChanges";
import type { WorkbenchCore } from "./workbenchCore";

/** What a person does to the tree of an open session and its log has not been told yet, in its order. */
export class UntoldChanges {
  readonly #changes: { readonly change: PersonChange; isDone: boolean }[] = [];
  /** Whether the log was written in this page, so that all a person did since is known here. */
  isWatched = false;

  get isEmpty(): boolean {
    return this.#changes.length === 0;
  }

  /** Resolves when it is stored. */
  async add(change: PersonChange): Promise<void> {
    const untold = { change, isDone: false };
    this.#changes.push(untold);
    await change.done;
    untold.isDone = true;
  }

  covers(path: string): boolean {
    return this.#changes.some(({ change }) => change.paths.some((changed) => isUnder(path, changed)));
  }

  /** All of them, and how to drop those that were stored by now once they are told. */
  taken(): { readonly known: readonly PersonChange[]; readonly told: () => void } {
    const done = new Set(this.#changes.filter(({ isDone }) => isDone));
    const known = this.#changes.map(({ change }) => change);
    const told = () => {
      const left = this.#changes.filter((untold) => !done.has(untold));
      this.#changes.splice(0, this.#changes.length, ...left);
    };
    return { known, told };
  }
}

export interface TreeTellerNeeds {
  readonly storage: WorkbenchCore["storage"];
  readonly place: SessionPlace;
  readonly feed: SessionFeed;
  readonly untold: UntoldChanges;
}

/** Finds what a session's log must be told of its tree. Asked only while no call of the session runs. */
export class SessionTreeTeller {
  readonly #needs: TreeTellerNeeds;
  #start: SnapshotTree | undefined;

  constructor(needs: TreeTellerNeeds) {
    this.#needs = needs;
  }

  /** What a person is known to have begun since the log was last told. Never throws: what fails now is told later. */
  async known(): Promise<readonly EventData["tree.changed"][]> {
    const { untold } = this.#needs;
    if (untold.isEmpty) return [];
    try {
      return await this.#changes(untold.isWatched ? {} : { memory: "later" });
    } catch {
      return [];
    }
  }

  /** Whatever differs before a turn, a person's change or not. @throws what storage throws */
  async all(): Promise<readonly EventData["tree.changed"][]> {
    const { untold } = this.#needs;
    const changes = await this.#changes(untold.isWatched ? {} : { memory: "began-anew" });
    untold.isWatched = true;
    return changes;
  }

  /** Whatever differs in what is kept, for a log this page did not write. @throws what storage throws */
  async kept(): Promise<readonly EventData["tree.changed"][]> {
    return this.#changes({ memory: "later" });
  }

  /** The tree is kept with what is told of it. */
  async #changes(options: Pick<TreeToTell, "memory">): Promise<readonly EventData["tree.changed"][]> {
    const { storage, place, feed, untold } = this.#needs;
    const { known, told } = untold.taken();
    const now = await place.currentSnapshot();
    const start = await this.start();
    const changes = treeChangesToTell({ events: feed.events, start, now, mounts: place.mounts(), known, ...options });
    const snapshot = changes.length === 0 ? undefined : await storage.saveSnapshot(now);
    told();
    return changes.map((change) => (snapshot === undefined ? change : { ...change, snapshot }));
  }

  /** The tree the session began with; absent where it was not kept, as with a log imported without its files. */
  async start(): Promise<SnapshotTree | undefined> {
    const { storage, feed } = this.#needs;
    const root = feed.state.started?.playground?.snapshot;
    if (root === undefined || this.#start !== undefined) return this.#start;
    try {
      this.#start = await storage.loadSnapshot(root);
    } catch {
      // What differs is unknown then.
    }
    return this.#start;
  }
}
