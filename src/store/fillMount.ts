import { archiveEntries, packageEntries, urlEntries, type ArchiveEntries } from "../archive";
import type { SnapshotTree } from "../fs";
import { importFiles, itemsFromEntries, type ImportReport } from "./importFiles";
import { fillingLock, type MountFillingNeeds } from "./mountFilling";
import { fillingOf, isFilledRecord, type FilledRecord } from "./mountRecord";
import type { MountProgress } from "./mountStatus";
import { offerBack } from "./offerBack";
import { zipOfMount } from "./zipTools";

/** What is to be filled, and from what. */
export interface FillOrder {
  readonly record: FilledRecord;
  /** The file of an archive, while it is at hand. */
  readonly archive: Blob | undefined;
  readonly signal: AbortSignal;
  readonly show: (progress: MountProgress) => void;
}

/** Fills a disk and puts it in the place of the mount's; answers why not. @throws QuotaError, UnavailableError */
export function fillMount(needs: MountFillingNeeds, order: FillOrder): Promise<string | undefined> {
  return new MountFill(needs, order).run();
}

class MountFill {
  readonly #needs: MountFillingNeeds;
  readonly #order: FillOrder;

  constructor(needs: MountFillingNeeds, order: FillOrder) {
    this.#needs = needs;
    this.#order = order;
  }

  /** Answers why nothing came of it. */
  async run(): Promise<string | undefined> {
    const { record } = this.#order;
    const { storage, services } = this.#needs;
    const disk = `${record.id}-${services.clock().toString(36)}`;
    const unlock = await storage.lockSession(fillingLock(disk));
    // Until it is whole it is one that goes when the page opens again.
    this.#markRemoved([disk]);
    try {
      const report = await this.#filled(disk);
      const problem = reportProblem(report);
      if (problem === undefined && this.#recordOf(record.id)) await this.#takeOver(record.id, disk, report);
      else await this.#drop(disk);
      return problem;
    } finally {
      unlock?.();
    }
  }

  async #filled(disk: string): Promise<ImportReport> {
    const { record, signal, show } = this.#order;
    const { storage, services } = this.#needs;
    const tree = storage.disk(disk, { engine: services.engine });
    try {
      return await importFiles({
        tree,
        target: "/",
        source: { label: record.prefix, items: itemsFromEntries(this.#entries()) },
        signal,
        progress: ({ files, bytes }) => show({ files, bytes }),
      });
    } finally {
      await tree.close();
    }
  }

  async *#entries(): ArchiveEntries {
    const { record, archive, signal, show } = this.#order;
    const received = (bytes: number) => show({ files: 0, bytes });
    if (record.kind === "package") {
      yield* packageEntries({ package: record.package, signal, received });
    } else if (record.kind === "address") {
      if (record.url === undefined) throw new Error("Its address is to be given again.");
      yield* urlEntries({ url: record.url, signal, received });
    } else {
      if (archive === undefined) throw new Error(`Choose the file “${record.fileName}” again.`);
      yield* archiveEntries(archive);
    }
  }

  async #takeOver(id: string, disk: string, { files, refused }: ImportReport): Promise<void> {
    const { project, notices, services } = this.#needs;
    const before = this.#recordOf(id);
    if (before === undefined) return;
    const isFirst = before.filledAt === undefined;
    const { problem: _past, ...kept } = before;
    const filled = { ...kept, disk, filledAt: services.clock(), filledWith: await this.#rootHashOf(disk) };
    if (isFirst) this.#needs.beginsAnew(id);
    const removed = (project.getState().removedDisks ?? []).filter((other) => other !== disk);
    project.getState().change({ removedDisks: [...removed, before.disk] });
    await this.#setRecord(filled);
    if (isFirst) void this.#drop(before.disk);
    else this.#offerUndo(before, filled);
    if (refused.length === 0) return;
    notices.getState().push({
      tone: "warn",
      text: `${before.prefix} has ${counted(files, "file", "files")}; ${counted(refused.length, "entry was", "entries were")} left out.`,
      details: refused,
    });
  }

  /** What was there before is kept as long as it can be taken back. */
  #offerUndo(before: FilledRecord, filled: FilledRecord): void {
    const { project, notices } = this.#needs;
    const undo = async () => {
      if (this.#recordOf(before.id)?.disk !== filled.disk) return;
      const removed = (project.getState().removedDisks ?? []).filter((disk) => disk !== before.disk);
      project.getState().change({ removedDisks: [...removed, filled.disk] });
      const { filledAt: _at, filledWith: _with, ...kept } = filled;
      await this.#setRecord({ ...kept, disk: before.disk, ...fillingOf(before) });
      await this.#drop(filled.disk);
    };
    const file = () => this.#onDisk(before.disk, (tree) => zipOfMount(tree, before.prefix));
    offerBack(notices, {
      text: `Fetched ${before.prefix} again`,
      undo: () => void undo(),
      end: () => void this.#drop(before.disk),
      file,
    });
  }

  #rootHashOf(disk: string): Promise<string> {
    return this.#onDisk(disk, (tree) => tree.rootHash());
  }

  async #onDisk<T>(disk: string, work: (tree: SnapshotTree) => Promise<T>): Promise<T> {
    const { storage, services } = this.#needs;
    const tree = storage.disk(disk, { engine: services.engine });
    try {
      return await work(await tree.snapshot());
    } finally {
      await tree.close();
    }
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

function reportProblem({ files, stopped, failure, refused }: ImportReport): string | undefined {
  const came = `${counted(files, "file", "files")} had come; nothing of it is kept.`;
  if (stopped) return `Stopped. ${came}`;
  if (failure !== undefined) return files === 0 ? failure : `${failure.replace(/\.?$/, ".")} ${came}`;
  return files === 0 ? (refused[0] ?? "There are no files in it.") : undefined;
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
