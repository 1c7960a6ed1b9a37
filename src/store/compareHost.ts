import { observedFs, readOnlyFs, treeFs, unionFs } from "../fs";
import { HOST_ROOT, type Host } from "../host";
import type { ArmNeeds } from "./compareArm";
import { fillingLock } from "./mountFilling";
import type { SessionPlace } from "./sessionPlace";

/** A run's own host, on a copy of the host's disk. */
export interface ArmHost {
  readonly place: SessionPlace;
  /** Ends the host and deletes the copy. Never throws. */
  close(): Promise<void>;
}

/**
 * The place of a run whose agent is on the host: a disk of its own with the files the comparison begins on, and an embedded
 * host on it. A copy that a crash leaves behind is deleted when the project is next opened.
 * @throws HostError, QuotaError, UnavailableError
 */
export async function armHost({ core, record, tree }: ArmNeeds, place: SessionPlace): Promise<ArmHost> {
  const { services, storage, project } = core;
  if (services.createHost === undefined) throw new Error("There is no host here.");
  const diskName = `compare-${services.randomSeed()}`;
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
    const start = tree.subtree(HOST_ROOT);
    await disk.writeMany(
      (async function* () {
        for (const [path, file] of start.files()) yield [path, await file.bytes()] as const;
      })(),
    );
    host = await services.createHost("embedded", { database: storage.database, diskName, disk });
  } catch (error) {
    await close();
    throw error;
  }
  const opened = host;
  const readOnly = record.mounts.some(({ kind, readOnly: isReadOnly }) => kind === "host" && isReadOnly);
  const own = readOnly ? readOnlyFs(disk) : disk;
  const union = unionFs({ [HOST_ROOT]: own });
  return {
    close,
    place: {
      ...place,
      mounts: () => [{ prefix: HOST_ROOT, kind: "host", readOnly }],
      liveTree: (observe = () => undefined) => unionFs({ [HOST_ROOT]: observedFs(own, HOST_ROOT, observe) }),
      currentSnapshot: () => union.snapshot(),
      beginRun: () => union.snapshot(),
      host: async () => ({
        shell: (command, options = {}) => opened.shell(command, { ...options, ...(readOnly ? { readOnly } : {}) }),
        putFiles: (files) => union.writeMany(files),
        mounts: treeFs(tree, { engine: services.engine }),
        async makeDirectory(path) {
          if (path !== HOST_ROOT && (await union.stat(path)).kind === "missing") await union.makeDirectory(path);
        },
      }),
    },
  };
}
