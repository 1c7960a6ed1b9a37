import { messageFromError } from "./messageFromError";
import { isFilledRecord, type FilledRecord, type MountRecord } from "./mountRecord";
import type { MountProgress, MountStatus } from "./mountStatus";
import type { ProjectStateStore, ProjectStoreNeeds } from "./projectStore";

export interface MountFillingNeeds extends ProjectStoreNeeds {
  readonly project: ProjectStateStore;
  /** Called after every change of a filling's state. */
  readonly changed: () => void;
  /** Opens what is new in the table. */
  readonly setRecords: (records: readonly MountRecord[]) => Promise<void>;
  /** What the mount held so far is nothing to compare with: it comes with what it is filled with. */
  readonly beginsAnew: (id: string) => void;
}

/** One filling under way. */
interface Filling {
  readonly abort: AbortController;
  progress: MountProgress;
}

/**
 * Fills the disks of mounts that are files of an archive, an address or a package. Every filling goes to a disk of its own,
 * which takes the place of the mount's disk when it is whole; a filling that ends before leaves nothing.
 */
export class MountFillings {
  readonly #needs: MountFillingNeeds;
  readonly #running = new Map<string, Filling>();
  /** Why the last filling of a mount came to nothing. */
  readonly #failures = new Map<string, string>();
  /** Archives a person chose, until they are unpacked: a file of the computer cannot be asked for again. */
  readonly #archives = new Map<string, Blob>();

  constructor(needs: MountFillingNeeds) {
    this.#needs = needs;
  }

  statusOf(record: FilledRecord): MountStatus {
    const running = this.#running.get(record.id);
    if (running) return { state: "opening", progress: running.progress };
    const failure = this.#failures.get(record.id);
    if (record.filledAt !== undefined) return { state: "ready", ...(failure === undefined ? {} : { error: failure }) };
    const error = failure ?? record.problem ?? unfinishedWords(record);
    return { state: needsSource(record) && !this.#archives.has(record.id) ? "needs-source" : "failed", error };
  }

  setArchive(id: string, file: Blob): void {
    this.#archives.set(id, file);
  }

  stop(id: string): void {
    this.#running.get(id)?.abort.abort();
  }

  close(): void {
    for (const { abort } of this.#running.values()) abort.abort();
  }

  /** Resolves when the disk is filled or given up; answers why it is not. Never throws. */
  async fill(record: FilledRecord): Promise<string | undefined> {
    if (this.#running.has(record.id)) return undefined;
    const filling: Filling = { abort: new AbortController(), progress: { files: 0, bytes: 0 } };
    this.#running.set(record.id, filling);
    this.#failures.delete(record.id);
    this.#needs.changed();
    try {
      const { fillMount } = await import("./fillMount");
      const problem = await fillMount(this.#needs, {
        record,
        archive: this.#archives.get(record.id),
        signal: filling.abort.signal,
        show: (progress) => {
          filling.progress = progress;
          this.#needs.changed();
        },
      });
      const isBroken = problem !== undefined && !filling.abort.signal.aborted;
      // The same file would be as broken when it is tried again.
      if (problem === undefined || isBroken) this.#archives.delete(record.id);
      if (problem !== undefined) await this.#keepFailure(record.id, problem);
      return problem;
    } catch (error) {
      const problem = messageFromError(error);
      await this.#keepFailure(record.id, problem).catch(() => undefined);
      return problem;
    } finally {
      this.#running.delete(record.id);
      this.#needs.changed();
    }
  }

  /** A reload must not take away why there is nothing in a mount. */
  async #keepFailure(id: string, problem: string): Promise<void> {
    this.#failures.set(id, problem);
    const { project, setRecords } = this.#needs;
    const { mounts } = project.getState();
    const record = mounts.find((mount) => mount.id === id);
    if (record === undefined || !isFilledRecord(record) || record.filledAt !== undefined) return;
    const next = mounts.map((mount) => (mount === record ? { ...record, problem } : mount));
    project.getState().change({ mounts: next });
    void project.getState().flush();
    await setRecords(next);
  }
}

function unfinishedWords({ kind }: FilledRecord): string {
  const word = kind === "archive" ? "unpacked" : "fetched";
  return `It was not ${word} to its end, and nothing of it is kept.`;
}

/** The lock that tells other tabs of this project that a disk is being filled. */
export function fillingLock(disk: string): string {
  return `filling/${disk}`;
}

function needsSource(record: FilledRecord): boolean {
  return record.kind === "archive" || (record.kind === "address" && record.url === undefined);
}
