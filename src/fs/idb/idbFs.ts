import { limits, nextTask, systemClock, type Clock } from "../../base";
import type { EditableFileSystem, FileToWrite } from "../fileSystem";
import { importBatches } from "../importBatches";
import { normalizeFsPath } from "../path";
import { PathError } from "../pathError";
import { snapshotVerbs, type TreeOptions } from "../snapshotVerbs";
import type { CommittingDisk, TreeEdit } from "../treeEdit";
import type { VersionedTree } from "../versionedTree";
import { Disk } from "./disk";
import { openProjectDatabase, type ProjectDatabase } from "./projectDatabase";

/** Batches of an import on their way at the same time, if they are small. */
const BATCHES_AT_ONCE = 4;
/** Writes of one commit from which they are stored in packs, as an import is. */
const PACKED_FROM_WRITES = 8;

/** A tree kept in IndexedDB. */
export type IdbFileSystem = EditableFileSystem &
  VersionedTree &
  CommittingDisk & {
    /**
     * Why nothing can be written on it, in words for a person: a newer version wrote it, or a part of it is damaged and what
     * can be read is shown. Known once something of it was read.
     */
    readOnlyReason(): string | undefined;
    /** Looks for what other tabs wrote; they also say so themselves. @throws UnavailableError */
    refresh(): Promise<void>;
    /** Lets go of the disk once what is being written is stored; a database opened by name is closed with it. */
    close(): Promise<void>;
  };

/**
 * A disk of a project, or (by a name alone) the one disk of a database of its own; both are made by the first write. Every
 * write resolves when it is stored, and `commit` with `expectedHash` is compare-and-swap across tabs. Any verb may throw
 * UnavailableError when the browser refuses, closed or cleared its storage, and any write QuotaError with nothing half.
 */
export function idbFs(
  where: string | { readonly database: ProjectDatabase; readonly disk: string },
  options: TreeOptions = {},
): IdbFileSystem {
  const now = options.now ?? systemClock;
  const holder = typeof where === "string" ? diskByName(where) : diskOf(where.database, where.disk);
  const verbs = snapshotVerbs(
    {
      current: () => holder.now()?.treeNow ?? holder.opened().then((disk) => disk.tree()),
      commit: (edits) => {
        const disk = holder.now();
        const layout = layoutOf(edits);
        return disk === undefined
          ? holder.opened().then((opened) => opened.commit(edits, layout))
          : disk.commit(edits, layout);
      },
      subscribe: (listener) => subscribed(holder, listener),
    },
    options,
  );
  return {
    ...verbs,
    read: async (path) => {
      try {
        return await verbs.read(path);
      } catch (error) {
        // The store knows contents, not paths.
        throw error instanceof PathError && error.path === "/" ? error.withPath(normalizeFsPath(path)) : error;
      }
    },
    writeMany: async (files) => importAll(await holder.opened(), files, now),
    readOnlyReason: () => holder.now()?.readOnlyReason,
    refresh: async () => void (await (await holder.opened()).refresh()),
    close: () => holder.close(),
  };
}

/** Where the verbs find their disk. */
interface DiskHolder {
  /** At once, when it is open. */
  now(): Disk | undefined;
  /** @throws UnavailableError; the next call then tries again */
  opened(): Promise<Disk>;
  close(): Promise<void>;
}

function diskOf(database: ProjectDatabase, name: string): DiskHolder {
  const disk = new Disk(database, name);
  return { now: () => disk, opened: () => Promise.resolve(disk), close: () => disk.close() };
}

/** The disk of a database of its own, opened by whoever comes first. */
function diskByName(name: string): DiskHolder {
  let disk: Disk | undefined;
  let database: ProjectDatabase | undefined;
  let opening: Promise<Disk> | undefined;
  const open = async () => {
    database = await openProjectDatabase(name);
    return (disk = new Disk(database, "main"));
  };
  return {
    now: () => disk,
    opened: () => {
      if (disk !== undefined) return Promise.resolve(disk);
      opening ??= open().finally(() => (opening = undefined));
      return opening;
    },
    close: async () => {
      await opening?.catch(() => undefined);
      await disk?.close();
      database?.close();
    },
  };
}

function subscribed(holder: DiskHolder, listener: () => void): () => void {
  let unsubscribe: (() => void) | undefined;
  let isLeft = false;
  const join = (disk: Disk) => {
    if (!isLeft) unsubscribe = disk.subscribe(listener);
  };
  const disk = holder.now();
  if (disk !== undefined) join(disk);
  else holder.opened().then(join, () => undefined);
  return () => {
    isLeft = true;
    unsubscribe?.();
  };
}

/** Prepares the next batches while the ones before are stored: what waits together is stored together. */
async function importAll(
  disk: Disk,
  files: Iterable<FileToWrite> | AsyncIterable<FileToWrite>,
  now: Clock,
): Promise<void> {
  const storing: { readonly stored: Promise<void>; readonly sizeBytes: number }[] = [];
  let waitingBytes = 0;
  const finishFirst = async () => {
    const first = storing.shift();
    waitingBytes -= first?.sizeBytes ?? 0;
    await first?.stored;
  };
  for await (const batch of importBatches(files)) {
    const sizeBytes = batch.reduce((sum, [, contents]) => sum + contents.length, 0);
    while (storing.length >= BATCHES_AT_ONCE || waitingBytes + sizeBytes > limits.importBatchBytes) {
      if (storing.length === 0) break;
      await finishFirst();
    }
    const stored = disk.import(batch, now());
    stored.catch(() => undefined);
    storing.push({ stored, sizeBytes });
    waitingBytes += sizeBytes;
    // The page has its turn, and hears of what was stored.
    await nextTask();
  }
  while (storing.length > 0) await finishFirst();
}

function layoutOf(edits: readonly TreeEdit[]): "loose" | "packed" {
  let writes = 0;
  for (const { kind } of edits) if (kind === "write" && ++writes >= PACKED_FROM_WRITES) return "packed";
  return "loose";
}
