import {
  emptyFs,
  isUnder,
  observedFs,
  readOnlyFs,
  SnapshotTree,
  tempFs,
  unionFs,
  type EditableFileSystem,
  type FileSystem,
  type TreeEngine,
  type VersionedTree,
} from "../fs";
import type { Served } from "../session";
import type { ProjectStore } from "../storage";
import { messageFromError } from "./messageFromError";
import { diskOfRecord, type MountRecord } from "./mountRecord";
import type { MountView } from "./mountView";

interface OpenMount {
  readonly record: MountRecord;
  readonly tree: FileSystem & VersionedTree;
  readonly error?: string;
  close(): void;
}

/** The trees behind a project's mount table and the union over them. */
export interface OpenMounts {
  /** Opens what is new in the table and composes all anew; what is gone from it is kept aside. */
  setRecords(records: readonly MountRecord[]): Promise<void>;
  /** Lets a mount go that is no longer in the table; until then putting its record back brings its files back. */
  forget(id: string): void;
  /** The union, writable where its mounts are. */
  tree(): EditableFileSystem & VersionedTree;
  /** A fresh union in which every mount tells what it served. */
  observedTree(observe: (served: Served) => void): FileSystem & VersionedTree;
  /** The table as it is composed now. */
  records(): readonly MountRecord[];
  views(): Promise<MountView[]>;
  /** By mount id. @throws UnavailableError */
  snapshots(): Promise<ReadonlyMap<string, SnapshotTree>>;
  close(): void;
}

export interface OpenMountsNeeds {
  readonly storage: ProjectStore;
  readonly engine: TreeEngine;
  /** Called after every change of any mount's contents, other tabs' too. */
  readonly changed: () => void;
}

export function openMounts({ storage, engine, changed }: OpenMountsNeeds): OpenMounts {
  let mounts: OpenMount[] = [];
  let union: FileSystem & VersionedTree = unionFs({});
  const aside = new Map<string, OpenMount>();

  let applied: readonly MountRecord[] | undefined;
  const apply = async (records: readonly MountRecord[]) => {
    if (records === applied) return;
    applied = records;
    for (const mount of mounts) aside.set(mount.record.id, mount);
    mounts = await Promise.all(
      records.map(async (record) => {
        const open = aside.get(record.id);
        aside.delete(record.id);
        return open && !open.error ? { ...open, record } : openMount(record, storage, engine, changed);
      }),
    );
    union = unionFs(Object.fromEntries(mounts.map((mount) => [mount.record.prefix, outerTree(mount)])));
    changed();
  };

  // One table after the other: a mount that is being opened must not be opened twice.
  let last = Promise.resolve();
  const setRecords = (records: readonly MountRecord[]) => (last = last.then(() => apply(records)));

  return {
    setRecords,
    forget(id) {
      aside.get(id)?.close();
      aside.delete(id);
    },
    tree: () => union as EditableFileSystem & VersionedTree,
    observedTree: (observe) =>
      unionFs(
        Object.fromEntries(
          mounts.map((mount) => [mount.record.prefix, observedFs(outerTree(mount), mount.record.prefix, observe)]),
        ),
      ),
    records: () => mounts.map(({ record }) => record),
    views: () => mountViews(mounts),
    snapshots: async () =>
      new Map(await Promise.all(mounts.map(async ({ record, tree }) => [record.id, await tree.snapshot()] as const))),
    close() {
      for (const mount of [...mounts, ...aside.values()]) mount.close();
      mounts = [];
      aside.clear();
    },
  };
}

function outerTree(mount: OpenMount): FileSystem & VersionedTree {
  return mount.record.readOnly ? readOnlyFs(mount.tree) : mount.tree;
}

async function openMount(
  record: MountRecord,
  storage: ProjectStore,
  engine: TreeEngine,
  changed: () => void,
): Promise<OpenMount> {
  try {
    if (record.kind === "memory") {
      const tree = tempFs(record.seed ?? {}, { engine });
      return { record, tree, close: tree.subscribe(changed) };
    }
    const disk = storage.disk(diskOfRecord(record) ?? record.id, { engine });
    if (record.kind === "idb" && record.firstFiles) await disk.writeMany(Object.entries(record.firstFiles));
    const stop = disk.subscribe(changed);
    return {
      record,
      tree: disk,
      close() {
        stop();
        void disk.close();
      },
    };
  } catch (error) {
    return { record, tree: emptyFs(), error: messageFromError(error), close: () => undefined };
  }
}

async function mountViews(mounts: readonly OpenMount[]): Promise<MountView[]> {
  const snapshots = await Promise.all(
    mounts.map(async (mount) => {
      if (mount.error) return { tree: SnapshotTree.empty, error: mount.error };
      try {
        return { tree: await mount.tree.snapshot() };
      } catch (error) {
        return { tree: SnapshotTree.empty, error: messageFromError(error) };
      }
    }),
  );
  return mounts.map(({ record }, index) => {
    const { tree = SnapshotTree.empty, error } = snapshots[index] ?? {};
    return {
      id: record.id,
      prefix: record.prefix,
      kind: record.kind,
      source: record,
      state: error === undefined ? ("ready" as const) : ("failed" as const),
      readOnly: record.readOnly,
      color: record.color,
      fileCount: tree.fileCount,
      sizeBytes: tree.sizeBytes,
      hides: mounts.flatMap(({ record: other }, at) => {
        const hidden = hiddenFiles(other.prefix, snapshots[at]?.tree ?? SnapshotTree.empty, record.prefix);
        return hidden > 0 ? [{ prefix: other.prefix, fileCount: hidden }] : [];
      }),
      ...(error === undefined ? {} : { error }),
    };
  });
}

/** Files of the tree at `outer` that the mount at `inner` covers. */
function hiddenFiles(outer: string, tree: SnapshotTree, inner: string): number {
  if (outer === inner || !isUnder(inner, outer)) return 0;
  const entry = tree.entry(outer === "/" ? inner : inner.slice(outer.length));
  if (!entry) return 0;
  return entry.kind === "file" ? 1 : entry.fileCount;
}
