import { limits } from "../../base";
import {
  ConflictError,
  memoryFile,
  treeFromEdits,
  type IdbFileSystem,
  type SnapshotTree,
  type TreeEdit,
} from "../../fs";
import type { PendingFile } from "./pendingFile";

/** One step of a change of the disk, as `TreeEdit`; the file of a `pending` one may still grow. */
export type QueuedEdit = TreeEdit | { readonly kind: "pending"; readonly path: string; readonly file: PendingFile };

/** Times an append is made again because somebody else wrote the file. */
const APPEND_ATTEMPTS = 8;

/** Edits that are made all or none, and who waits for them. */
interface QueuedChange {
  readonly edits: readonly QueuedEdit[];
  readonly done: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * What the shell wrote and the disk does not have yet. What waits together is committed together, in order; `tree` shows it
 * already.
 */
export class WriteQueue {
  readonly #disk: Pick<IdbFileSystem, "commit" | "refresh" | "snapshot">;
  #tree: SnapshotTree;
  #waiting: QueuedChange[] = [];
  #flushing: Promise<void> | undefined;
  #waitingSince = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Of a change whose writer did not wait for it. */
  #untold: unknown[] = [];

  constructor(disk: Pick<IdbFileSystem, "commit" | "refresh" | "snapshot">, tree: SnapshotTree) {
    this.#disk = disk;
    this.#tree = tree;
  }

  get tree(): SnapshotTree {
    return this.#tree;
  }

  /** Takes what others wrote, with what waits here on top of it. */
  async lookAgain(): Promise<void> {
    const newest = await this.#disk.snapshot();
    // What is being committed is in neither.
    if (this.#flushing === undefined) this.#tree = withChanges(newest, this.#waiting);
  }

  /** Adds an edit nobody waits for yet. @throws PathError when it cannot be made */
  add(edit: QueuedEdit): void {
    this.#enqueue([edit]);
  }

  /** Resolves when the edits are stored. @throws PathError, with none of them made */
  async make(edits: readonly QueuedEdit[]): Promise<void> {
    const change = this.#enqueue(edits);
    this.#flush();
    await change.done;
  }

  /** Resolves when the file is stored; at once for a quick one that may wait for those after it. */
  async stored(file: PendingFile, isQuick: boolean): Promise<void> {
    const change = this.#waiting.find(({ edits }) =>
      edits.some((edit) => edit.kind === "pending" && edit.file === file),
    );
    if (change === undefined) return;
    const isDue = performance.now() - this.#waitingSince >= limits.shellWriteDelayMs;
    if (!isQuick || isDue) {
      this.#flush();
      return change.done;
    }
    change.done.catch((error: unknown) => this.#untold.push(error));
    this.#timer ??= setTimeout(() => this.#flush(), limits.shellQuickWriteMs);
  }

  /** Resolves when nothing waits. Never throws. */
  async drain(): Promise<void> {
    while (this.#waiting.length > 0 || this.#flushing !== undefined) {
      this.#flush();
      await this.#flushing;
    }
  }

  /** As `drain`. @throws the first error nobody was told of */
  async settle(): Promise<void> {
    await this.drain();
    const [first] = this.#untold.splice(0);
    if (first !== undefined) throw first;
  }

  #enqueue(edits: readonly QueuedEdit[]): QueuedChange {
    this.#tree = treeFromEdits(this.#tree, edits.map(shownEdit));
    if (this.#waiting.length === 0) this.#waitingSince = performance.now();
    let resolve = (): void => undefined;
    let reject = (_error: unknown): void => undefined;
    const done = new Promise<void>((resolveDone, rejectDone) => {
      resolve = resolveDone;
      reject = rejectDone;
    });
    // Whoever waits hears of it; a quick write has nobody yet.
    done.catch(() => undefined);
    const change = { edits, done, resolve, reject };
    this.#waiting.push(change);
    return change;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing ??= this.#writeAll().finally(() => (this.#flushing = undefined));
  }

  async #writeAll(): Promise<void> {
    // Whatever is written in this turn goes into one commit.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      for (const { edits } of group) for (const edit of edits) if (edit.kind === "pending") edit.file.isTaken = true;
      await this.#writeGroup(group);
      this.#tree = withChanges(await this.#disk.snapshot(), this.#waiting);
    }
  }

  /** Never throws: each change is resolved or rejected. */
  async #writeGroup(group: readonly QueuedChange[]): Promise<void> {
    try {
      await this.#disk.commit(group.flatMap(({ edits }) => edits.map(storedEdit)));
      for (const change of group) change.resolve();
    } catch (error) {
      const [first] = group;
      // One that cannot be made must not take the others down.
      if (group.length > 1) for (const change of group) await this.#writeGroup([change]);
      else if (first !== undefined) await this.#writeAnew(first, error);
    }
  }

  /** Appends to what somebody else wrote meanwhile. */
  async #writeAnew(change: QueuedChange, problem: unknown): Promise<void> {
    const [edit] = change.edits;
    let error = problem;
    for (let attempt = 1; attempt < APPEND_ATTEMPTS; attempt++) {
      if (!(error instanceof ConflictError) || edit?.kind !== "pending" || edit.file.isReplacing) break;
      try {
        await this.#disk.refresh();
        const there = (await this.#disk.snapshot()).file(edit.path);
        const before = (await there?.bytes()) ?? new Uint8Array(0);
        const appended = edit.file.appended();
        const both = new Uint8Array(before.length + appended.length);
        both.set(before);
        both.set(appended, before.length);
        const file = memoryFile(both, edit.file.modifiedAt);
        await this.#disk.commit([{ kind: "write", path: edit.path, file, expectedHash: there?.hash ?? null }]);
        return change.resolve();
      } catch (again) {
        error = again;
      }
    }
    change.reject(error);
  }
}

/** As the shell sees it before it is stored: whoever else writes is not looked at. */
function shownEdit(edit: QueuedEdit): TreeEdit {
  return edit.kind === "pending" ? { kind: "write", path: edit.path, file: edit.file } : edit;
}

function storedEdit(edit: QueuedEdit): TreeEdit {
  if (edit.kind !== "pending") return edit;
  const write: TreeEdit = { kind: "write", path: edit.path, file: edit.file.toFile() };
  return edit.file.isReplacing ? write : { ...write, expectedHash: edit.file.base?.hash ?? null };
}

/** Changes that cannot be made any more are left out: their writers will hear so. */
function withChanges(tree: SnapshotTree, changes: readonly QueuedChange[]): SnapshotTree {
  let shown = tree;
  for (const { edits } of changes) {
    try {
      shown = treeFromEdits(shown, edits.map(shownEdit));
    } catch {
      continue;
    }
  }
  return shown;
}
