import { systemClock } from "../../base";
import type { EditableFileSystem } from "../fileSystem";
import { importBatches } from "../importBatches";
import { normalizeFsPath } from "../path";
import { PathError } from "../pathError";
import { snapshotVerbs, type TreeOptions } from "../snapshotVerbs";
import type { CommittingDisk, TreeEdit } from "../treeEdit";
import type { VersionedTree } from "../versionedTree";
import { Disk } from "./disk";
import { openProjectDatabase, type ProjectDatabase } from "./projectDatabase";

/** Writes of one commit from which they are stored in packs, as an import is. */
const PACKED_FROM_WRITES = 8;

/** A tree kept in IndexedDB. */
export type IdbFileSystem = EditableFileSystem &
  VersionedTree &
  CommittingDisk & {
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
  let database: ProjectDatabase | undefined;
  let opening: Promise<Disk> | undefined;
  let disk = typeof where === "string" ? undefined : new Disk(where.database, where.disk);

  async function openOwn(name: string): Promise<Disk> {
    database = await openProjectDatabase(name);
    return (disk = new Disk(database, "main"));
  }

  /** A failed opening is tried again by the next verb. */
  function opened(): Promise<Disk> {
    if (disk !== undefined || typeof where !== "string") return Promise.resolve(disk as Disk);
    opening ??= openOwn(where).finally(() => (opening = undefined));
    return opening;
  }

  const verbs = snapshotVerbs(
    {
      current: () => disk?.treeNow ?? opened().then((own) => own.tree()),
      commit: (edits) =>
        disk === undefined
          ? opened().then((own) => own.commit(edits, layoutOf(edits)))
          : disk.commit(edits, layoutOf(edits)),
      subscribe: (listener) => {
        let unsubscribe: (() => void) | undefined;
        let isLeft = false;
        const join = (joined: Disk) => {
          if (!isLeft) unsubscribe = joined.subscribe(listener);
        };
        if (disk !== undefined) join(disk);
        else opened().then(join, () => undefined);
        return () => {
          isLeft = true;
          unsubscribe?.();
        };
      },
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
    writeMany: async (files) => {
      // The next batch is hashed while the one before is stored.
      const own = await opened();
      let storing: Promise<void> = Promise.resolve();
      for await (const batch of importBatches(files)) {
        const next = own.import(batch, now());
        next.catch(() => undefined);
        await storing;
        storing = next;
      }
      await storing;
    },
    refresh: async () => void (await (await opened()).refresh()),
    close: async () => {
      const open = disk ?? (await opening?.catch(() => undefined));
      await open?.settled();
      open?.close();
      database?.close();
    },
  };
}

function layoutOf(edits: readonly TreeEdit[]): "loose" | "packed" {
  let writes = 0;
  for (const { kind } of edits) if (kind === "write" && ++writes >= PACKED_FROM_WRITES) return "packed";
  return "loose";
}
