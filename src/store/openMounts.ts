import {
  answeredFs,
  emptyFs,
  observedFs,
  pathFromMount,
  readOnlyFs,
  SnapshotTree,
  tempFs,
  unionFs,
  type EditableFileSystem,
  type FileSystem,
  type IdbFileSystem,
  type TreeEngine,
  type VersionedTree,
} from "../fs";
import type { Keyring } from "../secrets";
import type { RecordedMount, Served } from "../session";
import type { ProjectStore } from "../storage";
import { messageFromError } from "./messageFromError";
import type { MountMirror } from "./mountMirror";
import { layerRecords, overlayStatus } from "./mountOverlay";
import { diskOfRecord, isFilledRecord, isMirroredRecord, type FilledRecord, type MountRecord } from "./mountRecord";
import { outsideProblem, readyStatus, type MountStatus } from "./mountStatus";
import { mountViews, type MountView } from "./mountView";

type Tree = FileSystem & VersionedTree;

interface OpenMount {
  readonly record: MountRecord;
  readonly tree: Tree;
  readonly mirror?: MountMirror;
  /** Where its files lie on a disk of the project. */
  readonly disk?: IdbFileSystem;
  /** Lays trees over one another, where the mount is an overlay. */
  readonly overlaid?: (layers: readonly FileSystem[]) => Tree;
  readonly error?: string;
  close(): void | Promise<void>;
}

/** The table as it was composed at one time; its files live on. */
export interface MountTable {
  readonly records: readonly MountRecord[];
  recorded(): readonly RecordedMount[];
  /** The same with the host's disk alone: what an agent on the host sees. */
  hostOnly(): MountTable;
  /** The host's disk itself, where the table has it. */
  hostDisk(): IdbFileSystem | undefined;
  /** The union, writable where its mounts are. */
  tree(): EditableFileSystem & VersionedTree;
  /** A fresh union in which every mount tells what it served, and every overlay which layer had it. */
  observedTree(observe: (served: Served) => void): Tree;
}

/** The trees behind a project's mount table and the union over them. */
export interface OpenMounts {
  /** Opens what is new in the table and composes all anew; what is gone from it is kept aside. */
  setRecords(records: readonly MountRecord[]): Promise<void>;
  /** Lets a mount go that is no longer in the table; until then putting its record back brings its files back. */
  forget(id: string): void;
  /** The table as it is composed now. */
  table(): MountTable;
  /** Those in the table, and those that may come back to it. */
  allRecords(): readonly MountRecord[];
  views(): Promise<MountView[]>;
  /** By mount id. @throws UnavailableError */
  snapshots(): Promise<ReadonlyMap<string, SnapshotTree>>;
  /** Whether it is known what a mount holds; one that is still being opened for the first time holds nothing yet. */
  isKnown(id: string): Promise<boolean>;
  /** A mount's folder or store. */
  mirror(id: string): MountMirror | undefined;
  /** Looks for what others changed in folders and stores that were not looked at for that long. Never throws. */
  lookAgain(unseenMs: number): Promise<void>;
  /** Resolves when what mounts have seen is kept. */
  close(): Promise<void>;
}

export interface OpenMountsNeeds {
  readonly storage: ProjectStore;
  readonly engine: TreeEngine;
  readonly keyring: Keyring;
  readonly fillingStatus: (record: FilledRecord) => MountStatus;
  /** Called after every change of any mount's contents or state, other tabs' too. */
  readonly changed: () => void;
}

export function openMounts(needs: OpenMountsNeeds): OpenMounts {
  const { changed, fillingStatus } = needs;
  let mounts: readonly OpenMount[] = [];
  let table = composedTable(mounts);
  const aside = new Map<string, OpenMount>();
  /** Whether stores can be written comes out when they are reached. */
  const composedAgain = () => {
    const isOther = mounts.some(({ mirror }) => mirror && mirror.isWritable !== table.writable.has(mirror));
    if (isOther) table = composedTable(mounts);
    changed();
  };

  let applied: readonly MountRecord[] | undefined;
  const apply = async (records: readonly MountRecord[]) => {
    if (records === applied) return;
    applied = records;
    for (const mount of mounts) aside.set(mount.record.id, mount);
    mounts = await Promise.all(
      records.map(async (record) => {
        const open = aside.get(record.id);
        aside.delete(record.id);
        if (open && isSameSource(open, record)) return { ...open, record };
        void open?.close();
        return openMount(record, { ...needs, changed: composedAgain });
      }),
    );
    for (const { mirror, record } of mounts) if (isMirroredRecord(record)) mirror?.setRecord(record);
    table = composedTable(mounts);
    changed();
  };

  // One table after the other: a mount that is being opened must not be opened twice.
  let last = Promise.resolve();
  const setRecords = (records: readonly MountRecord[]) => (last = last.then(() => apply(records)));
  const statusOf = (mount: OpenMount) => mountStatus(mount, table.records, mounts, fillingStatus);

  needs.storage.outside.setFinder(async (versionId) => {
    for (const { mirror } of mounts) {
      const bytes = await mirror?.tree.bytesOfVersion(versionId);
      if (bytes !== undefined) return bytes;
    }
    return undefined;
  });
  return {
    setRecords,
    forget(id) {
      const mount = aside.get(id);
      mount?.mirror?.forgetSecrets();
      void mount?.close();
      aside.delete(id);
    },
    table: () => table,
    allRecords: () => [...mounts, ...aside.values()].map(({ record }) => record),
    views: async () =>
      mountViews(
        await Promise.all(
          mounts.map(async (mount) => ({
            record: mount.record,
            ...(await drawn(
              () => table.treeOf(mount.record.id).snapshot(),
              () => statusOf(mount),
            )),
          })),
        ),
      ),
    snapshots: async () =>
      new Map(
        await Promise.all(
          mounts.map(async ({ record }) => [record.id, await table.treeOf(record.id).snapshot()] as const),
        ),
      ),
    async isKnown(id) {
      const mount = mounts.find(({ record }) => record.id === id);
      if (mount === undefined || statusOf(mount).state === "ready") return mount !== undefined;
      return mount.mirror !== undefined && (await mount.tree.snapshot()).fileCount > 0;
    },
    mirror: (id) => mounts.find(({ record }) => record.id === id)?.mirror,
    async lookAgain(unseenMs) {
      const mirrors = mounts.flatMap(({ mirror }) => mirror ?? []);
      await Promise.all(mirrors.map((mirror) => mirror.lookAgain(unseenMs)));
    },
    async close() {
      const open = [...mounts, ...aside.values()];
      needs.storage.outside.setFinder(undefined);
      mounts = [];
      aside.clear();
      await Promise.all(open.map(async (mount) => mount.close()));
    },
  };
}

/** What is in a mount, or why that cannot be said. */
async function drawn(read: () => Promise<SnapshotTree>, status: () => MountStatus) {
  try {
    const tree = await read();
    // What is wrong with a disk comes out when it is read.
    return { tree, status: status() };
  } catch (error) {
    return {
      tree: SnapshotTree.empty,
      status: { ...status(), state: "failed", error: messageFromError(error) } as const,
    };
  }
}

interface ComposedTable extends MountTable {
  /** As the rest of the page may use a mount. */
  treeOf(id: string): Tree;
  /** The folders and stores that are writable in it. */
  readonly writable: ReadonlySet<MountMirror>;
}

function composedTable(mounts: readonly OpenMount[]): ComposedTable {
  const records = mounts.map(({ record }) => record);
  const trees = new Map<string, Tree>();
  const treeOf = (id: string): Tree => {
    const known = trees.get(id);
    if (known !== undefined) return known;
    // Met again while it is made, an overlay would hold itself: it holds nothing there.
    trees.set(id, emptyFs());
    const mount = mounts.find(({ record }) => record.id === id);
    const tree = mount === undefined ? emptyFs() : treeOfMount(mount, (layer) => layer, records, treeOf);
    trees.set(id, tree);
    return tree;
  };
  const union = unionFs(Object.fromEntries(records.map(({ id, prefix }) => [prefix, treeOf(id)])));
  const observed = (mount: OpenMount, observe: (served: Served) => void): Tree => {
    const { prefix } = mount.record;
    const answered = (tree: Tree, layer: string) =>
      answeredFs(tree, ({ path, verb }) => observe({ mount: prefix, path: pathFromMount(prefix, path), verb, layer }));
    return observedFs(treeOfMount(mount, answered, records, treeOf), prefix, observe);
  };
  return {
    records,
    recorded: () =>
      mounts.map(({ record: { prefix, kind, readOnly }, mirror }) => {
        const isReadOnly = readOnly || kind === "overlay" || mirror?.status.readOnlyReason !== undefined;
        return { prefix, kind, readOnly: isReadOnly };
      }),
    hostDisk: () => mounts.find(({ record }) => record.kind === "host")?.disk,
    hostOnly: () => composedTable(mounts.filter(({ record }) => record.kind === "host")),
    tree: () => union,
    observedTree: (observe) =>
      unionFs(Object.fromEntries(mounts.map((mount) => [mount.record.prefix, observed(mount, observe)]))),
    treeOf,
    writable: new Set(mounts.flatMap(({ mirror }) => (mirror?.isWritable ? [mirror] : []))),
  };
}

function treeOfMount(
  { record, tree, mirror, overlaid }: OpenMount,
  layer: (tree: Tree, prefix: string) => FileSystem,
  records: readonly MountRecord[],
  treeOf: (id: string) => Tree,
): Tree {
  if (record.kind === "overlay" && overlaid) {
    return overlaid(layerRecords(record, records).map(({ id, prefix }) => layer(treeOf(id), prefix)));
  }
  return record.readOnly || mirror?.isWritable === false ? readOnlyFs(tree) : tree;
}

function mountStatus(
  { record, mirror, disk, error }: OpenMount,
  records: readonly MountRecord[],
  mounts: readonly OpenMount[],
  fillingStatus: OpenMountsNeeds["fillingStatus"],
): MountStatus {
  if (error !== undefined) return { state: "failed", error };
  if (mirror) return mirror.status;
  if (record.kind !== "overlay") {
    const readOnlyReason = disk?.readOnlyReason();
    const status = isFilledRecord(record) ? fillingStatus(record) : readyStatus;
    return readOnlyReason === undefined ? status : { ...status, readOnlyReason };
  }
  return overlayStatus(record, records, ({ id }) => {
    const layer = mounts.find((mount) => mount.record.id === id);
    return layer === undefined || layer.record.kind === "overlay"
      ? readyStatus
      : mountStatus(layer, records, mounts, fillingStatus);
  });
}

/** Whether an open mount is what the record speaks of. */
function isSameSource({ record, mirror, error }: OpenMount, next: MountRecord): boolean {
  if (error !== undefined || record.kind !== next.kind) return false;
  return mirror ? mirror.isOf(next) : diskOfRecord(record) === diskOfRecord(next);
}

type OpenNeeds = Pick<OpenMountsNeeds, "storage" | "engine" | "keyring" | "changed">;

async function openMount(record: MountRecord, needs: OpenNeeds): Promise<OpenMount> {
  const { storage, engine, changed } = needs;
  try {
    if (record.kind === "overlay") {
      const { overlayFs } = await import("./layerTools");
      return { record, tree: emptyFs(), overlaid: overlayFs, close: () => undefined };
    }
    if (record.kind === "memory") {
      const tree = tempFs(record.seed ?? {}, { engine });
      return { record, tree, close: tree.subscribe(changed) };
    }
    if (isMirroredRecord(record)) {
      // Only who mounts one needs it.
      const { MountMirror } = await import("./mountMirror");
      const mirror = await MountMirror.open(record, needs);
      return { record, tree: mirror.tree, mirror, close: () => mirror.close() };
    }
    const disk = storage.disk(record.disk, { engine });
    if (record.kind === "idb" && record.firstFiles) await disk.writeMany(Object.entries(record.firstFiles));
    const stop = disk.subscribe(changed);
    return {
      record,
      tree: disk,
      disk,
      close() {
        stop();
        void disk.close();
      },
    };
  } catch (error) {
    return { record, tree: emptyFs(), error: outsideProblem(error), close: () => undefined };
  }
}
