import type { ArchiveEntries } from "../archive";
import { limits } from "../base";
import type { TreeEngine } from "../fs";
import { importFiles, itemsFromEntries, type ImportReport } from "./importFiles";
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
  readonly #engine: TreeEngine;
  readonly #running = new Map<string, Filling>();
  /** Why the last filling of a mount came to nothing. */
  readonly #failures = new Map<string, string>();
  /** Archives a person chose, until they are unpacked: a file of the computer cannot be asked for again. */
  readonly #archives = new Map<string, Blob>();

  constructor(needs: MountFillingNeeds) {
    this.#needs = needs;
    this.#engine = needs.services.engine;
  }

  statusOf(record: FilledRecord): MountStatus {
    const running = this.#running.get(record.id);
    if (running) return { state: "opening", progress: running.progress };
    const failure = this.#failures.get(record.id);
    if (record.filledAt !== undefined) return { state: "ready", ...(failure === undefined ? {} : { error: failure }) };
    const error = failure ?? "It was not fetched to its end, and nothing of it is kept.";
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
      const problem = await this.#fill(record, filling);
      if (problem === undefined) this.#archives.delete(record.id);
      else this.#failures.set(record.id, problem);
      return problem;
    } catch (error) {
      const problem = messageFromError(error);
      this.#failures.set(record.id, problem);
      return problem;
    } finally {
      this.#running.delete(record.id);
      this.#needs.changed();
    }
  }

  async #fill(record: FilledRecord, filling: Filling): Promise<string | undefined> {
    const { storage, services } = this.#needs;
    const disk = `${record.id}-${services.clock().toString(36)}`;
    const unlock = await storage.lockSession(fillingLock(disk));
    // Until it is whole it is one that goes when the page opens again.
    this.#markRemoved([disk]);
    try {
      const report = await this.#filled(record, disk, filling);
      const problem = reportProblem(report);
      if (problem === undefined && this.#recordOf(record.id)) await this.#takeOver(record.id, disk, report);
      else await this.#drop(disk);
      return problem;
    } finally {
      unlock?.();
    }
  }

  async #filled(record: FilledRecord, disk: string, filling: Filling): Promise<ImportReport> {
    const { signal } = filling.abort;
    const show = (progress: MountProgress) => {
      filling.progress = progress;
      this.#needs.changed();
    };
    const entries = this.#entries(record, signal, (bytes) => show({ files: 0, bytes }));
    const tree = this.#needs.storage.disk(disk, { engine: this.#engine });
    try {
      return await importFiles({
        tree,
        target: "/",
        source: { label: record.prefix, items: itemsFromEntries(entries) },
        signal,
        progress: ({ files, bytes }) => show({ files, bytes }),
      });
    } finally {
      await tree.close();
    }
  }

  async *#entries(record: FilledRecord, signal: AbortSignal, received: (bytes: number) => void): ArchiveEntries {
    const { archiveEntries, packageEntries, urlEntries } = await import("./mountTools");
    if (record.kind === "package") {
      yield* packageEntries({ package: record.package, signal, received });
    } else if (record.kind === "address") {
      if (record.url === undefined) throw new Error("Its address is to be given again.");
      yield* urlEntries({ url: record.url, signal, received });
    } else {
      const archive = this.#archives.get(record.id);
      if (archive === undefined) throw new Error(`Choose the file “${record.fileName}” again.`);
      yield* archiveEntries(archive);
    }
  }

  async #takeOver(id: string, disk: string, { files, refused }: ImportReport): Promise<void> {
    const { project, notices, services } = this.#needs;
    const before = this.#recordOf(id);
    if (before === undefined) return;
    const isFirst = before.filledAt === undefined;
    const filled = { ...before, disk, filledAt: services.clock() };
    if (isFirst) this.#needs.beginsAnew(id);
    const removed = (project.getState().removedDisks ?? []).filter((other) => other !== disk);
    project.getState().change({ removedDisks: [...removed, before.disk] });
    await this.#setRecord(filled);
    if (isFirst) void this.#drop(before.disk);
    else this.#offerUndo(before, filled);
    if (refused.length === 0) return;
    notices.getState().push({
      tone: "warn",
      text: `${before.prefix} has ${files.toLocaleString("en")} files; ${refused.length} entries were left out.`,
      details: refused,
    });
  }

  /** What was there before is kept as long as it can be taken back. */
  #offerUndo(before: FilledRecord, filled: FilledRecord): void {
    const { project, notices } = this.#needs;
    const undo = async () => {
      clearTimeout(timer);
      if (this.#recordOf(before.id)?.disk !== filled.disk) return;
      const removed = (project.getState().removedDisks ?? []).filter((disk) => disk !== before.disk);
      project.getState().change({ removedDisks: [...removed, filled.disk] });
      await this.#setRecord({ ...filled, disk: before.disk, ...filledAtOf(before) });
      await this.#drop(filled.disk);
    };
    const timer = setTimeout(() => {
      notices.getState().dismiss(offer);
      void this.#drop(before.disk);
    }, limits.undoMs + 1_000);
    const offer = notices.getState().push({
      tone: "info",
      text: `Fetched ${before.prefix} again`,
      timeoutMs: limits.undoMs,
      action: { label: "Undo", run: () => void undo() },
    });
  }

  #recordOf(id: string): FilledRecord | undefined {
    const record = this.#needs.project.getState().mounts.find((mount) => mount.id === id);
    return record && isFilledRecord(record) ? record : undefined;
  }

  async #setRecord(record: FilledRecord): Promise<void> {
    const { project, setRecords } = this.#needs;
    const mounts = project.getState().mounts.map((mount) => (mount.id === record.id ? record : mount));
    project.getState().change({ mounts });
    void project.getState().flush();
    await setRecords(mounts);
  }

  #markRemoved(disks: readonly string[]): void {
    const { project } = this.#needs;
    project.getState().change({ removedDisks: [...(project.getState().removedDisks ?? []), ...disks] });
    void project.getState().flush();
  }

  async #drop(disk: string): Promise<void> {
    const { project, storage } = this.#needs;
    await storage.removeDisk(disk).catch(() => undefined);
    const removed = (project.getState().removedDisks ?? []).filter((other) => other !== disk);
    project.getState().change({ removedDisks: removed });
  }
}

/** The lock that tells other tabs of this project that a disk is being filled. */
export function fillingLock(disk: string): string {
  return `filling/${disk}`;
}

function needsSource(record: FilledRecord): boolean {
  return record.kind === "archive" || (record.kind === "address" && record.url === undefined);
}

function filledAtOf({ filledAt }: FilledRecord): { filledAt?: number } {
  return filledAt === undefined ? {} : { filledAt };
}

function reportProblem({ files, stopped, failure, refused }: ImportReport): string | undefined {
  const came = `${files.toLocaleString("en")} ${files === 1 ? "file" : "files"} had come; nothing of it is kept.`;
  if (stopped) return `Stopped. ${came}`;
  if (failure !== undefined) return files === 0 ? failure : `${failure.replace(/\.?$/, ".")} ${came}`;
  return files === 0 ? (refused[0] ?? "There are no files in it.") : undefined;
}
