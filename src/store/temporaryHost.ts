import { readAhead } from "../base";
import type { IdbFileSystem, SnapshotTree } from "../fs";
import type { Host } from "../host";
import { fillingLock } from "./mountFilling";
import { shownWork } from "./shownWork";
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
 * @throws HostError, QuotaError, UnavailableError; Error when a person stops the copying
 */
export async function temporaryHost(
  {
    services,
    storage,
    project,
    notices,
  }: Pick<WorkbenchCore, "services" | "storage" | "project"> & Partial<Pick<WorkbenchCore, "notices">>,
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
  const count = start.fileCount.toLocaleString("en");
  const work = notices && shownWork(notices, `Copying ${count} files for a run on a host disk of its own…`);
  try {
    await disk.writeMany(
      (async function* () {
        let copied = 0;
        const files = readAhead(start.files(), ([, file]) => file.bytes(), { sizeOf: ([, file]) => file.sizeBytes });
        for await (const [[path], bytes] of files) {
          work?.signal.throwIfAborted();
          yield [path, bytes] as const;
          work?.progress(`Copying files for a run on a host disk of its own: ${++copied} of ${count}`);
        }
      })(),
    );
    host = await services.createHost("embedded", { database: storage.database, diskName, disk });
    return { host, disk, close };
  } catch (error) {
    await close();
    throw error;
  } finally {
    work?.end();
  }
}
