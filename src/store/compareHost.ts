import { observedFs, readOnlyFs, treeFs, unionFs, type SnapshotTree } from "../fs";
import { HOST_ROOT } from "../host";
import type { RecordedMount } from "../session";
import type { SessionPlace } from "./sessionPlace";
import { temporaryHost } from "./temporaryHost";

/** A run's own host, on a copy of the host's disk. */
export interface ArmHost {
  readonly place: SessionPlace;
  /** Ends the host and deletes the copy. Never throws. */
  close(): Promise<void>;
}

export interface ArmHostNeeds {
  readonly core: Parameters<typeof temporaryHost>[0];
  /** What its disk is named after. */
  readonly purpose: "compare" | "fork";
  readonly mounts: readonly Pick<RecordedMount, "kind" | "readOnly">[];
  /** The merged tree the run begins on. */
  readonly tree: SnapshotTree;
}

/**
 * The place of a run whose agent is on the host: a disk of its own with the files it begins on, and an embedded host on it.
 * @throws HostError, QuotaError, UnavailableError
 */
export async function armHost({ core, purpose, mounts, tree }: ArmHostNeeds, place: SessionPlace): Promise<ArmHost> {
  const { services } = core;
  const { host, disk, close } = await temporaryHost(core, purpose, tree.subtree(HOST_ROOT));
  const readOnly = mounts.some(({ kind, readOnly: isReadOnly }) => kind === "host" && isReadOnly);
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
        shell: (command, options = {}) => host.shell(command, { ...options, ...(readOnly ? { readOnly } : {}) }),
        putFiles: (files) => union.writeMany(files),
        mounts: treeFs(tree, { engine: services.engine }),
        async makeDirectory(path) {
          if (path !== HOST_ROOT && (await union.stat(path)).kind === "missing") await union.makeDirectory(path);
        },
      }),
    },
  };
}
