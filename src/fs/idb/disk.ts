import { limits } from "../../base";
import { diffTrees } from "../diffTrees";
import type { FileToWrite } from "../fileSystem";
import { Listeners } from "../listeners";
import { PathError, QuotaError, ReadOnlyMountError, UnavailableError, WriteFailedError } from "../pathError";
import type { SnapshotTree } from "../snapshotTree";
import { treeFromEdits, type TreeEdit } from "../treeEdit";
import { writeCheckpoint } from "./checkpoint";
import type { StagedContents } from "./contentStore";
import {
  diskHeadKey,
  diskLogKey,
  recordFromSteps,
  sizeOfRecord,
  type DiskHead,
  type DiskStep,
  type StepsRecord,
} from "./diskRecords";
import { emptyDisk, hashesDropped, readDiskHead, stateAtHead, type DiskState } from "./diskTree";
import type { ProjectDatabase } from "./projectDatabase";
import { readProjectHead, STORAGE_SCHEMA, type ProjectHead } from "./projectHead";
import type { RecordWriter } from "./records";
import { importedEdits, storedEdits, type StoredEdits } from "./storedEdits";

/** Edits on their way, their contents hashed and laid out. */
interface PendingCommit {
  readonly edits: readonly TreeEdit[];
  readonly staged: StagedContents;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** What one transaction did. */
interface Committed {
  readonly before: DiskState;
  readonly after: DiskState;
  readonly steps: readonly DiskStep[];
  /** The steps as stored; `undefined` when there are none. */
  readonly record: StepsRecord | undefined;
  readonly taken: readonly PendingCommit[];
  readonly refused: ReadonlyMap<PendingCommit, unknown>;
}

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

  /** Reads what was written since. */
  async refresh(): Promise<DiskState> {
    const known = this.#state ?? emptyDisk;
    const state = await this.#database.records.read(async (reader) => {
      const [, head] = await Promise.all([readProjectHead(reader), readDiskHead(reader, this.#name)]);
      return stateAtHead(reader, this.#name, known, head, this.#database.contents);
    });
    this.#noteNews(state.tree);
    this.#become(state);
    return this.#state ?? state;
  }

  /** All edits or none. @throws PathError of the first that cannot be, ConflictError, QuotaError, UnavailableError */
  async commit(edits: readonly TreeEdit[], layout: "loose" | "packed"): Promise<void> {
    if (edits.length === 0) return;
    this.#assertWritable(pathOf(edits));
    const stored = storedEdits(edits, this.#database.contents);
    await this.#enqueue(stored instanceof Promise ? await stored : stored, layout);
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

  /** Waits for what is being written, then lets go. */
  async close(): Promise<void> {
    await this.#writing;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearTimeout(this.#checkpointTimer);
  }

  #assertWritable(path: string): void {
    if (this.#database.readOnlyReason !== undefined) throw new ReadOnlyMountError(path);
  }

  #enqueue({ edits, contents }: StoredEdits, layout: "loose" | "packed"): Promise<void> {
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
   * Commits on the state in memory, asking in the same breath whether it is the newest: no waiting between reading and
   * writing. @returns `undefined` when it was not; then nothing was written
   */
  async #commitAsKnown(group: readonly PendingCommit[]): Promise<Committed | undefined> {
    const known = this.#state;
    if (known?.head === undefined) return undefined;
    const committed = committedTo(known, group);
    try {
      await this.#database.records.write(async (writer) => {
        const head = readDiskHead(writer, this.#name);
        const [diskHead] = await Promise.all([head, this.#put(writer, committed)]);
        if (!isSameHead(diskHead, known.head)) throw new OvertakenError();
      });
    } catch (error) {
      if (error instanceof OvertakenError) return undefined;
      throw error;
    }
    return committed;
  }

  /** Commits after reading what was written since. */
  #commitCaughtUp(group: readonly PendingCommit[]): Promise<Committed> {
    return this.#database.records.write(async (writer) => {
      const [projectHead, diskHead] = await Promise.all([readProjectHead(writer), readDiskHead(writer, this.#name)]);
      assertDiskWritable(projectHead, diskHead);
      const known = this.#state ?? emptyDisk;
      const newest = await stateAtHead(writer, this.#name, known, diskHead, this.#database.contents);
      const committed = committedTo(newest, group);
      await this.#put(writer, committed);
      return committed;
    });
  }

  async #put(writer: RecordWriter, { after, record, taken }: Committed): Promise<void> {
    if (record === undefined || after.head === undefined) return;
    writer.put(diskLogKey(this.#name, after.head.sequence), record);
    writer.put(diskHeadKey(this.#name), after.head);
    for (const { staged } of taken) await this.#database.contents.writeStaged(writer, staged);
  }

  #done({ before, after, steps, taken }: Committed): void {
    this.#noteNews(before.tree);
    for (const hash of hashesDropped(before.tree, after.tree, steps)) this.#database.droppedHashes.add(hash);
    for (const { staged } of taken) this.#database.contents.stored(staged);
    this.#become(after);
    if (steps.length === 0 || after.head === undefined) return;
    this.#database.announce({ kind: "disk", disk: this.#name, sequence: after.head.sequence });
    this.#scheduleCheckpoint(after.head);
    if (!this.#isReserveReleased) return;
    this.#isReserveReleased = false;
    void this.#database.restoreReserve();
  }

  /** Remembers what other tabs took out of the tree shown here. */
  #noteNews(newest: SnapshotTree): void {
    const known = this.#state?.tree;
    if (known === undefined || known === newest) return;
    for (const { before } of diffTrees(known, newest)) {
      if (before !== undefined) this.#database.droppedHashes.add(before);
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

  /** When the quota is gone, the reserve is for what makes the disk smaller. */
  async #makeRoom(commit: PendingCommit): Promise<boolean> {
    if (this.#isReserveReleased || commit.edits.some(({ kind }) => kind === "write")) return false;
    this.#isReserveReleased = true;
    return this.#database.releaseReserve().then(
      () => true,
      () => false,
    );
  }

  #scheduleCheckpoint(head: DiskHead): void {
    const records = head.sequence - head.checkpointSequence;
    if (records < limits.checkpointLogRecords && head.logSize < limits.checkpointLogBytes) return;
    if (this.#checkpointTimer !== undefined) return;
    this.#checkpointTimer = setTimeout(() => {
      this.#checkpointTimer = undefined;
      this.#checkpoint().catch(() => undefined);
    }, limits.checkpointDelayMs);
  }

  async #checkpoint(): Promise<void> {
    const state = this.#state;
    if (state === undefined) return;
    const head = await writeCheckpoint(this.#database.records, this.#name, state);
    if (head !== undefined && this.#state?.head?.sequence === head.sequence) {
      this.#state = { head, tree: this.#state.tree };
    }
  }
}

/** Somebody else committed first. */
class OvertakenError extends Error {}

/** What the group makes of a state; a commit that cannot be is refused by itself. */
function committedTo(before: DiskState, group: readonly PendingCommit[]): Committed {
  const steps: DiskStep[] = [];
  const taken: PendingCommit[] = [];
  const refused = new Map<PendingCommit, unknown>();
  let { tree } = before;
  for (const commit of group) {
    try {
      const edited = editedTree(tree, commit.edits);
      tree = edited.tree;
      steps.push(...edited.steps);
      taken.push(commit);
    } catch (error) {
      refused.set(commit, error);
    }
  }
  if (steps.length === 0) return { before, after: before, steps, record: undefined, taken, refused };
  const record = recordFromSteps(steps);
  const head = nextHead(before.head, sizeOfRecord(record));
  return { before, after: { head, tree }, steps, record, taken, refused };
}

/** @throws ReadOnlyMountError when a newer version wrote the project */
function assertDiskWritable(projectHead: ProjectHead, diskHead: DiskHead | undefined): void {
  if (Math.max(projectHead.schema, diskHead?.schema ?? 0) > STORAGE_SCHEMA) throw new ReadOnlyMountError("/");
}

function isSameHead(a: DiskHead | undefined, b: DiskHead | undefined): boolean {
  return a?.sequence === b?.sequence && a?.checkpoint === b?.checkpoint && a?.schema === b?.schema;
}

function editedTree(tree: SnapshotTree, edits: readonly TreeEdit[]): { tree: SnapshotTree; steps: DiskStep[] } {
  if (!edits.some((edit) => edit.kind === "removeDirectory" && edit.onlyEmpty)) {
    return { tree: treeFromEdits(tree, edits), steps: edits.map(stepFromEdit) };
  }
  // Whether such an edit does anything is known only when its turn comes.
  let edited = tree;
  const steps: DiskStep[] = [];
  for (const edit of edits) {
    const next = treeFromEdits(edited, [edit]);
    if (next !== edited || edit.kind !== "removeDirectory") steps.push(stepFromEdit(edit));
    edited = next;
  }
  return { tree: edited, steps };
}

function stepFromEdit(edit: TreeEdit): DiskStep {
  switch (edit.kind) {
    case "write": {
      const { hash, sizeBytes, modifiedAt } = edit.file;
      return { kind: "write", path: edit.path, hash, sizeBytes, modifiedAt };
    }
    case "rename":
      return { kind: "rename", path: edit.from, to: edit.to };
    case "makeDirectory":
      return { kind: "mark", path: edit.path };
    default:
      return { kind: "remove", path: edit.path };
  }
}

function nextHead(head: DiskHead | undefined, recordSize: number): DiskHead {
  const { sequence, logSize, ...rest } = head ?? {
    schema: STORAGE_SCHEMA,
    sequence: 0,
    checkpoint: 0,
    checkpointSequence: 0,
    logSize: 0,
  };
  return { ...rest, sequence: sequence + 1, logSize: logSize + recordSize };
}

function pathOf([edit]: readonly TreeEdit[]): string {
  return edit === undefined ? "/" : edit.kind === "rename" ? edit.to : edit.path;
}

/** Errors of the store are about `/`; whoever wrote wants to know which file. */
function aboutPath(error: unknown, path: string): unknown {
  if (error instanceof PathError) return error.path === "/" ? error.withPath(path) : error;
  return error instanceof Error ? new WriteFailedError(path, error.message) : new UnavailableError(path);
}
