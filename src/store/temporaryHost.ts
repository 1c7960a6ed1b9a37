import type { IdbFileSystem, SnapshotTree } from "../fs";
import type { Host } from "../host";
import { fillingLock } from "./mountFilling";
import type { WorkbenchCore } from "./workbenchCore";

/** A host of its own on a disk of its own, for something that must not be seen on the project's. */
export interface TemporaryHost {
  readonly host: Host;
  readonly disk: IdbFileSystem;
  /** Ends the host and deletes the disk. Never throws. */
  readonly close: () => Promise<void>;
}

/**
 * An embedded host on a new disk that holds `start`. A disk that a crash leaves behind is deleted when the project is next
 * opened.
 * @throws HostError, QuotaError, UnavailableError
 */
export async function temporaryHost(
  { services, storage, project }: Pick<WorkbenchCore, "services" | "storage" | "project">,
  purpose: string,
  start: SnapshotTree,
): Promise<TemporaryHost> {
  if (services.createHost === undefined) throw new Error("There is no host here.");
  const diskName = `${purpose}-${services.randomSeed()}`;
  const removed = () => project.getState().removedDisks ?? [];
  project.getState().change({ removedDisks: [...removed(), diskName] });
  const unlock = await storage.lockSession(fillingLock(diskName));
  const disk = storage.disk(diskName, { engine: services.engine });
  let host: Host | undefined;
  const close = async () => {
    await host?.dispose().catch(() => undefined);
    await disk.close();
    await storage.removeDisk(diskName).catch(() => undefined);
    unlock?.();
    project.getState().change({ removedDisks: removed().filter((name) => name !== diskName) });
  };
  try {
    await disk.writeMany(
      (async function* () {
        for (const [path, file] of start.files()) yield [path, await file.bytes()] as const;
      })(),
    );
    host = await services.createHost("embedded", { database: storage.database, diskName, disk });
    return { host, disk, close };
  } catch (error) {
    await close();
    throw error;
  }
}
