import { isUnder, type SnapshotTree } from "../fs";
import type { EventData, SessionEvent } from "../session";
import type { HeldPlace } from "./heldPlace";
import type { PersonChange } from "./personChanges";
import type { SessionFeed } from "./sessionFeed";
import { treeChangesToTell, type TreeToTell } from "./sessionTreeChanges";
import type { WorkbenchCore } from "./workbenchCore";

interface UntoldChange {
  readonly change: PersonChange;
  isDone: boolean;
  /** Whether it is told only after the turn that runs, which sees nothing of it. */
  isLater: boolean;
}

/** What a person does to the tree of an open session and its log has not been told yet, in its order. */
export class UntoldChanges {
  readonly #changes: UntoldChange[] = [];
  /** Whether the log was written in this page, so that all a person did since is known here. */
  isWatched = false;

  get isEmpty(): boolean {
    return this.#changes.every(({ isLater }) => isLater);
  }

  /** Resolves when it is stored. */
  async add(change: PersonChange): Promise<void> {
    const untold: UntoldChange = { change, isDone: false, isLater: false };
    this.#changes.push(untold);
    await change.done;
    untold.isDone = true;
  }

  covers(path: string): boolean {
    return this.#changes.some(
      ({ change, isLater }) => !isLater && change.paths.some((changed) => isUnder(path, changed)),
    );
  }

  /**
   * All of them, and how to drop those that were stored by now once they are told: of the mounts nothing is told while a
   * turn holds the table it began with (`tableIsHeld`).
   */
  taken(): { readonly known: readonly PersonChange[]; readonly told: (tableIsHeld: boolean) => void } {
    const done = new Set(this.#changes.filter(({ isDone }) => isDone));
    const known = this.#changes.map(({ change }) => change);
    const told = (tableIsHeld: boolean) => {
      for (const untold of done) untold.isLater = tableIsHeld && untold.change.reason === "mounts";
      const left = this.#changes.filter((untold) => untold.isLater || !done.has(untold));
      this.#changes.splice(0, this.#changes.length, ...left);
    };
    return { known, told };
  }
}

export interface TreeTellerNeeds {
  readonly storage: WorkbenchCore["storage"];
  readonly place: HeldPlace;
  readonly feed: SessionFeed;
  readonly untold: UntoldChanges;
  /** Puts an event into the log. */
  readonly tell: (data: EventData["tree.changed"]) => void;
}

/**
 * Tells a session's log of its tree, while it is held for writing. What differs from the log while no call runs is no
 * call's doing; so nothing is told while one may run, and between two calls the turn itself asks (`known`).
 */
export class SessionTreeTeller {
  readonly #needs: TreeTellerNeeds;
  #start: SnapshotTree | undefined;
  #callsMayRun = false;
  #isEnded = false;
  /** One after the other; no event of a turn comes in between, because the next one could begin a call. */
  #telling: Promise<void> = Promise.resolve();

  constructor(needs: TreeTellerNeeds) {
    this.#needs = needs;
  }

  /** To be called for every event before it is in the log. */
  follow({ type }: SessionEvent): void {
    if (type === "actions.requested" || type === "input.resolved") this.#callsMayRun = true;
    else if (/^(step|turn|session)\./.test(type)) this.#callsMayRun = false;
  }

  /** Resolves when nothing is being told. */
  settled(): Promise<void> {
    return this.#telling;
  }

  /** Tells no more; resolves when what is being told is in the log. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#telling;
  }

  /** Tells what `known` finds; later, when calls may run. Never throws. */
  tellKnown(): Promise<void> {
    return this.#tell(async () => (this.#callsMayRun || this.#isEnded ? [] : this.known()));
  }

  /** Tells whatever differs before a turn, a person's change or not. @throws what storage throws */
  tellAll(): Promise<void> {
    const { untold } = this.#needs;
    return this.#tell(async () => {
      const changes = await this.#changes(untold.isWatched ? {} : { memory: "began-anew" });
      untold.isWatched = true;
      return changes;
    });
  }

  /** Tells whatever differs in what is kept, for a log this page did not write. @throws what storage throws */
  tellKept(): Promise<void> {
    return this.#tell(() => this.#changes({ memory: "later" }));
  }

  #tell(find: () => Promise<readonly EventData["tree.changed"][]>): Promise<void> {
    const before = this.#telling;
    const mine = (async () => {
      await before;
      for (const data of await find()) this.#needs.tell(data);
    })();
    this.#telling = mine.catch(() => undefined);
    return mine;
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

  /** The tree is kept with what is told of it. */
  async #changes(options: Pick<TreeToTell, "memory">): Promise<readonly EventData["tree.changed"][]> {
    const { storage, place, feed, untold } = this.#needs;
    const { known, told } = untold.taken();
    const now = await place.currentSnapshot();
    const start = await this.start();
    const changes = treeChangesToTell({ events: feed.events, start, now, mounts: place.mounts(), known, ...options });
    const snapshot = changes.length === 0 ? undefined : await storage.saveSnapshot(now);
    told(place.isHeld());
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
