import { limits } from "../../base";
import { diffTrees } from "../diffTrees";
import type { FileToWrite } from "../fileSystem";
import { Listeners } from "../listeners";
import { PathError, QuotaError, ReadOnlyMountError, UnavailableError, WriteFailedError } from "../pathError";
import type { SnapshotTree } from "../snapshotTree";
import type { TreeEdit } from "../treeEdit";
import { writeCheckpoint } from "./checkpoint";
import { committedTo, type Committed, type PendingCommit } from "./committedTo";
import { putRecords } from "./contentPacks";
import type { ContentLayout } from "./contentStore";
import { DamagedRecordError } from "./damagedRecordError";
import { diskHeadKey, diskLogKey, headFromRecord, LOST_REASON, recordFromHead, type DiskHead } from "./diskRecords";
import { emptyDisk, hashesDropped, readDiskState, type DiskState } from "./diskTree";
import { makeRoom } from "./makeRoom";
import type { ProjectDatabase } from "./projectDatabase";
import { putProjectHead, readProjectHead, STORAGE_SCHEMA, type ProjectHead } from "./projectHead";
import { KeyTakenError } from "./records";
import { importedEdits, storedEdits, type StoredEdits } from "./storedEdits";

/**
 * One disk of a project: its tree in memory, its commits in the database. A commit is one transaction that first catches
 * up with what other tabs wrote; commits made at the same time share one. Whatever is told to have been written is stored.
 */
export class Disk {
  readonly #database: ProjectDatabase;
  readonly #name: string;
  readonly #listeners = new Listeners();
  readonly #unsubscribe: readonly (() => void)[];
  #state: DiskState | undefined;
  #loading: Promise<DiskState> | undefined;
  #pending: PendingCommit[] = [];
  #writing: Promise<void> | undefined;
  #importing: Promise<unknown> = Promise.resolve();
  /** The newest commit anybody spoke of. */
  #newestHint = 0;
  #checkpointTimer: ReturnType<typeof setTimeout> | undefined;
  #isReserveReleased = false;
  /** Commits room was made for: once each. */
  readonly #gotRoom = new WeakSet<PendingCommit>();
  /** What of it is damaged: then it is read, and never written. */
  #damage: string | undefined;

  constructor(database: ProjectDatabase, name: string) {
    this.#database = database;
    this.#name = name;
    const catchUp = () => void (this.#state !== undefined && this.refresh().catch(() => undefined));
    this.#unsubscribe = [
      database.onWake(catchUp),
      database.onHint((hint) => {
        if (hint.kind !== "disk" || hint.disk !== name) return;
        this.#newestHint = Math.max(this.#newestHint, hint.sequence);
        // A commit on its way catches up by itself, mostly.
        if (this.#isBehind() && this.#writing === undefined) catchUp();
      }),
    ];
  }

  readonly subscribe = this.#listeners.subscribe;

  /** The tree in memory, once it was read. */
  get treeNow(): SnapshotTree | undefined {
    return this.#state?.tree;
  }

  /** @throws UnavailableError */
  async tree(): Promise<SnapshotTree> {
    if (this.#state !== undefined) return this.#state.tree;
    this.#loading ??= this.refresh().finally(() => (this.#loading = undefined));
    return (await this.#loading).tree;
  }

  /** Why nothing can be written on it, when that is so, as far as it was read. */
  get readOnlyReason(): string | undefined {
    return this.#damage ?? this.#database.readOnlyReason;
  }

  /** Reads what was written since. @throws UnavailableError */
  async refresh(): Promise<DiskState> {
    const known = this.#state ?? emptyDisk;
    const state = await this.#database.records
      .read(async (reader) => {
        const read = readDiskState(reader, this.#name, known, this.#database.contents);
        const [newest] = await Promise.all([read, this.#database.assertThere(reader)]);
        return newest;
      })
      .catch((error: unknown) => this.#salvaged(error));
    this.#noteNews(state.tree);
    this.#become(state);
    return this.#state ?? state;
  }

  /** All edits or none. @throws PathError of the first that cannot be, ConflictError, QuotaError, UnavailableError */
  async commit(edits: readonly TreeEdit[], layout: ContentLayout): Promise<void> {
    if (edits.length === 0) return;
    this.#assertWritable(pathOf(edits));
    const storing = storedEdits(edits, this.#database.contents);
    const stored = storing instanceof Promise ? await storing : storing;
    const sizeBytes = stored.contents.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const isSmall = layout === "loose" && sizeBytes <= limits.heldContentBytes;
    await this.#enqueue(stored, isSmall ? "held" : layout);
  }

  /** All files or none. @throws as `commit` */
  async import(files: readonly FileToWrite[], modifiedAt: number): Promise<void> {
    this.#assertWritable(files[0]?.[0] ?? "/");
    const stored = importedEdits(files, modifiedAt, this.#database.contents);
    // A large batch is hashed longer than the small one after it: they are written as they came all the same.
    // The promise is in an object, because to return it would be to wait for it.
    const turn = Promise.all([stored, this.#importing]).then(([ready]) => ({
      written: this.#enqueue(ready, "packed").finally(ready.release),
    }));
    this.#importing = turn.catch(() => undefined);
    const { written } = await turn;
    await written;
  }

  /** Waits for what is being written, a checkpoint that is due included, then lets go. */
  async close(): Promise<void> {
    await this.#writing;
    if (this.#checkpointTimer !== undefined) await this.#checkpoint().catch(() => undefined);
    clearTimeout(this.#checkpointTimer);
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  /** What there is of a disk that is damaged; one that was read before it was stays as it is known. @throws the error */
  async #salvaged(error: unknown): Promise<DiskState> {
    const isDamaged =
      error instanceof DamagedRecordError || (error instanceof UnavailableError && error.reason === LOST_REASON);
    if (!isDamaged || (this.#state !== undefined && this.#damage === undefined)) throw error;
    const salvage = await salvageOnDemand();
    const salvaged = await this.#database.records.read(async (reader) =>
      salvage?.(reader, this.#name, this.#database.contents),
    );
    if (salvaged === undefined) throw error;
    this.#damage = salvaged.reason;
    return salvaged.state;
  }

  #assertWritable(path: string): void {
    const { trouble } = this.#database;
    if (trouble?.kind === "cleared") throw new UnavailableError(path, trouble.reason);
    if (this.readOnlyReason !== undefined) throw new ReadOnlyMountError(path);
  }

  #enqueue({ edits, contents }: StoredEdits, layout: ContentLayout): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ edits, staged: this.#database.contents.stage(contents, layout), resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    // Whatever is written in this turn of the event loop goes into one transaction.
    await Promise.resolve();
    while (this.#pending.length > 0) {
      const group = this.#pending;
      this.#pending = [];
      await this.#writeGroup(group);
    }
    // In the same breath as the look above: whoever comes between the two would wait for a writer that has ended.
    this.#writing = undefined;
    if (this.#isBehind()) void this.refresh().catch(() => undefined);
  }

  #isBehind(): boolean {
    return this.#newestHint > (this.#state?.head?.sequence ?? 0);
  }

  /** Never throws: each commit of the group is resolved or rejected. */
  async #writeGroup(group: readonly PendingCommit[]): Promise<void> {
    try {
      const committed = (await this.#commitAsKnown(group)) ?? (await this.#commitCaughtUp(group));
      this.#done(committed);
      for (const commit of committed.taken) commit.resolve();
      for (const [commit, reason] of committed.refused) commit.reject(reason);
    } catch (error) {
      const [first, ...rest] = group;
      if (error instanceof QuotaError && rest.length > 0) {
        // One that is too large must not take the others down.
        for (const commit of group) await this.#writeGroup([commit]);
      } else if (error instanceof QuotaError && first !== undefined && (await this.#makeRoom(first))) {
        await this.#writeGroup(group);
      } else {
        for (const commit of group) commit.reject(aboutPath(error, pathOf(commit.edits)));
      }
    }
  }

  /**
   * Commits on the state in memory, in one way to the store: a record of this number can be added only once, so that it is
   * stored just when nobody else committed. Whether the disk is what it was is asked in the same breath.
   * @returns `undefined` when somebody was faster, or it cannot be done so
   */
  async #commitAsKnown(group: readonly PendingCommit[]): Promise<Committed | undefined> {
    const known = this.#state;
    if (known?.head === undefined || known.head.schema < STORAGE_SCHEMA) return undefined;
    const committed = committedTo(known, group);
    const { after, record, taken } = committed;
    if (record === undefined || after.head === undefined) return undefined;
    if (taken.some(({ staged }) => staged.present.size > 0)) return undefined;
    const key = diskLogKey(this.#name, after.head.sequence);
    try {
      const { head } = await this.#database.records.write(async (writer) => {
        const stored = writer.get(diskHeadKey(this.#name));
        stored.catch(() => undefined);
        writer.add(key, record);
        for (const { staged } of taken) putRecords(writer, staged.records);
        return { head: stored };
      });
      const there = headFromRecord(await head, after.head.sequence);
      if (isLogOf(there, after.head)) return { ...committed, after: { ...after, head: there } };
    } catch (error) {
      if (error instanceof KeyTakenError) return undefined;
      throw error;
    }
    // The log this belongs to is gone, and nobody reads what was added to it.
    await this.#database.records.write(async (writer) => writer.delete(key));
    return undefined;
  }

  /** Commits after reading what was written since. */
  #commitCaughtUp(group: readonly PendingCommit[]): Promise<Committed> {
    return this.#database.records.write(async (writer) => {
      const known = this.#state ?? emptyDisk;
      const [projectHead, newest] = await Promise.all([
        readProjectHead(writer),
        readDiskState(writer, this.#name, known, this.#database.contents),
      ]);
      assertDiskWritable(projectHead, newest.head);
      const committed = committedTo(newest, group);
      const { record, after, taken } = committed;
      if (record === undefined || after.head === undefined) return committed;
      // Nothing a disk of this name may have left.
      if (newest.head === undefined) writer.deleteAll(["d", this.#name]);
      if (newest.head?.schema !== STORAGE_SCHEMA) {
        writer.put(diskHeadKey(this.#name), recordFromHead(after.head));
        if (projectHead.schema < STORAGE_SCHEMA) putProjectHead(writer, { ...projectHead, schema: STORAGE_SCHEMA });
      }
      writer.add(diskLogKey(this.#name, after.head.sequence), record);
      for (const { staged } of taken) await this.#database.contents.writeStaged(writer, staged);
      return committed;
    });
  }

  #done({ before, after, steps, record, taken }: Committed): void {
    this.#noteNews(before.tree);
    for (const hash of hashesDropped(before.tree, after.tree, steps)) this.#database.noteDropped(hash);
    for (const { staged } of taken) this.#database.contents.stored(staged);
    if (record !== undefined && after.head !== undefined) {
      this.#database.contents.storedHeld(diskLogKey(this.#name, after.head.sequence), record.contents);
    }
    this.#become(after);
    if (record === undefined || after.head === undefined) return;
    this.#database.announce({ kind: "disk", disk: this.#name, sequence: after.head.sequence });
    this.#scheduleCheckpoint();
    if (!this.#isReserveReleased) return;
    this.#isReserveReleased = false;
    void this.#database.restoreReserve();
  }

  /** Remembers what other tabs took out of the tree shown here. */
  #noteNews(newest: SnapshotTree): void {
    const known = this.#state?.tree;
    if (known === undefined || known === newest) return;
    for (const { before } of diffTrees(known, newest)) {
      if (before !== undefined) this.#database.noteDropped(before);
    }
  }

  #become(state: DiskState): void {
    const [known, next] = [this.#state?.head?.sequence ?? 0, state.head?.sequence ?? 0];
    // A reading that was overtaken by a commit knows less.
    if (this.#state !== undefined && next < known) return;
    const isChanged = this.#state?.tree !== state.tree;
    this.#state = state;
    if (isChanged) this.#listeners.notify();
  }

  /** When the quota is gone: the reserve is for what makes the disk smaller, the rest gets what nothing needs any more. */
  async #makeRoom(commit: PendingCommit): Promise<boolean> {
    if (commit.edits.some(({ kind }) => kind === "write")) {
      if (this.#gotRoom.has(commit)) return false;
      this.#gotRoom.add(commit);
      return makeRoom(this.#database);
    }
    if (this.#isReserveReleased) return false;
    this.#isReserveReleased = true;
    return this.#database.releaseReserve().then(
      () => true,
      () => false,
    );
  }

  #scheduleCheckpoint(): void {
    const { head, logSize } = this.#state ?? emptyDisk;
    const records = (head?.sequence ?? 0) - (head?.checkpointSequence ?? 0);
    if (records < limits.checkpointLogRecords && logSize < limits.checkpointLogBytes) return;
    this.#checkpointTimer ??= setTimeout(() => {
      this.#checkpointTimer = undefined;
      // In the middle of an import it would be for nothing.
      if (this.#writing === undefined) this.#checkpoint().catch(() => undefined);
      else this.#scheduleCheckpoint();
    }, limits.checkpointDelayMs);
  }

  async #checkpoint(): Promise<void> {
    const state = this.#state;
    if (state === undefined) return;
    const { records, contents } = this.#database;
    const head = await writeCheckpoint(records, this.#name, state, contents);
    if (head !== undefined && this.#state?.head?.sequence === head.sequence) {
      this.#state = { head, tree: this.#state.tree, logSize: 0 };
    }
  }
}

/** @throws ReadOnlyMountError when a newer version wrote the project */
function assertDiskWritable(projectHead: ProjectHead, diskHead: DiskHead | undefined): void {
  if (Math.max(projectHead.schema, diskHead?.schema ?? 0) > STORAGE_SCHEMA) throw new ReadOnlyMountError("/");
}

/** Whether the last commit of `head` is one of the disk as it is stored. */
function isLogOf(stored: DiskHead | undefined, head: DiskHead): stored is DiskHead {
  return stored !== undefined && stored.schema === head.schema && stored.checkpointSequence < head.sequence;
}

function pathOf([edit]: readonly TreeEdit[]): string {
  return edit === undefined ? "/" : edit.kind === "rename" ? edit.to : edit.path;
}

/** Errors of the store are about `/`; whoever wrote wants to know which file. */
function aboutPath(error: unknown, path: string): unknown {
  if (error instanceof PathError) return error.path === "/" ? error.withPath(path) : error;
  return error instanceof Error ? new WriteFailedError(path, error.message) : new UnavailableError(path);
}

/** Only who has a damaged disk needs it; where it cannot be loaded the damage is what there is to say. */
async function salvageOnDemand() {
  try {
    return (await import("./salvagedDisk")).salvagedDisk;
  } catch {
    return undefined;
  }
}
