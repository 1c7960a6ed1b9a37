import { createStore, type StoreApi } from "zustand/vanilla";
import { limits } from "../base";
import { SnapshotTree, type EditableFileSystem, type FileSystem, type VersionedTree } from "../fs";
import type { Served } from "../session";
import type { ProjectStore } from "../storage";
import { ChangeIndex } from "./changeIndex";
import { fileActions, type FileActions } from "./fileActions";
import { framePacer } from "./framePacer";
import { hiddenEntry, type HiddenEntry } from "./hiddenEntries";
import { importFiles, type ImportProgress, type ImportReport, type ImportSource } from "./importFiles";
import { messageFromError } from "./messageFromError";
import { mountAt } from "./mountAt";
import { dropRemovedDisks, mountTableActions, type MountTableActions } from "./mountTableActions";
import { personChanges, type PersonChanges } from "./personChanges";
import type { MountView } from "./mountView";
import { openMounts, type OpenMounts } from "./openMounts";
import type { MountRecord } from "./mountRecord";
import type { ProjectStateStore, ProjectStoreNeeds } from "./projectStore";
import { RunBaseline } from "./runBaseline";
import { shownAtFirst, treeSelection, type TreeSelection } from "./treeSelection";

export interface MountsState extends FileActions, MountTableActions, TreeSelection {
  readonly mounts: readonly MountView[];
  /** The merged tree as last drawn: at most a frame behind the disks. */
  readonly snapshot: SnapshotTree;
  /** What is in each mount, by its id, as last drawn; what another mount hides is in it too. */
  readonly trees: ReadonlyMap<string, SnapshotTree>;
  /**
   * The files as they were when the last run began, each where its mount stands now; absent before the first run. A
   * mount that joined since counts as it came.
   */
  readonly baseline: SnapshotTree | undefined;
  /** How many runs have begun since the page was opened. */
  readonly runsBegun: number;
  /** What differs from the baseline. */
  readonly changes: ChangeIndex;
  readonly importing: ImportProgress | undefined;

  /** The mount that serves a path. */
  readonly mountOf: (path: string) => MountView | undefined;
  /** What another mount hides at a path. */
  readonly hiddenAt: (path: string) => HiddenEntry | undefined;
  /** A fresh union of the mounts that tells what each serves; runs work on this. */
  readonly liveTree: (observe?: (served: Served) => void) => FileSystem & VersionedTree;
  /** The merged tree as it is now, every write so far included. */
  readonly currentSnapshot: () => Promise<SnapshotTree>;
  /** Each mount's own tree as it is now, by mount id. */
  readonly treesByMount: () => Promise<ReadonlyMap<string, SnapshotTree>>;
  /** From here on "changed" means: since now. Answers the tree the run begins on. */
  readonly markRunBegin: () => Promise<SnapshotTree>;

  /** Listens to what a person, and no agent, does to files and mounts. */
  readonly onPersonChange: PersonChanges["subscribe"];

  /** Imports below a directory; answers nothing when an import is running already. */
  readonly importInto: (directory: string, source: ImportSource) => Promise<ImportReport | undefined>;
  readonly stopImport: () => void;

  readonly dispose: () => void;
}

export type MountsStore = StoreApi<MountsState>;

export interface MountsStoreNeeds extends ProjectStoreNeeds {
  readonly project: ProjectStateStore;
}

const nothingDrawn = {
  mounts: [],
  snapshot: SnapshotTree.empty,
  trees: new Map(),
  baseline: undefined,
  runsBegun: 0,
  changes: ChangeIndex.none,
  importing: undefined,
} as const satisfies Partial<MountsState>;

export async function createMountsStore(needs: MountsStoreNeeds): Promise<MountsStore> {
  const { services, storage, project } = needs;
  let refreshSoon = () => undefined as void;
  const open = openMounts({ storage, engine: services.engine, changed: () => refreshSoon() });
  const baseline = new RunBaseline();
  const person = personChanges();
  const setRecords = async (records: readonly MountRecord[]) => {
    await open.setRecords(records);
    await meetNewMounts(needs, open, baseline);
  };

  const store = createStore<MountsState>()((set, get) => ({
    ...mountsState(needs, { open, baseline, person, setRecords }, set, get),
    dispose() {
      stopFollowing();
      refreshSoon = () => undefined;
      open.close();
    },
  }));

  refreshSoon = framePacer(
    (callback) => services.scheduleFrame(callback),
    () => refresh(store, open, baseline),
  );
  let records = project.getState().mounts;
  const stopFollowing = project.subscribe((state) => {
    if (state.mounts === records) return;
    records = state.mounts;
    void setRecords(records);
  });
  await restoreBaseline(needs, baseline);
  await setRecords(records);
  forgetFirstFiles(project);
  await dropRemovedDisks(needs);
  await refresh(store, open, baseline);
  return store;
}

interface MountsParts {
  readonly open: OpenMounts;
  readonly baseline: RunBaseline;
  readonly person: PersonChanges;
  readonly setRecords: (records: readonly MountRecord[]) => Promise<void>;
}

function mountsState(
  needs: MountsStoreNeeds,
  { open, baseline, person, setRecords }: MountsParts,
  set: (patch: Partial<MountsState>) => void,
  get: () => MountsState,
): Omit<MountsState, "dispose"> {
  const { notices, project, storage } = needs;
  const tree = () => open.tree();
  const report = reportedOnce(storage, person);
  return {
    ...nothingDrawn,
    ...shownAtFirst(project.getState()),
    mountOf: (path) => mountAt(get().mounts, path),
    hiddenAt: (path) => hiddenEntry(get(), path),
    liveTree: (observe = () => undefined) => open.observedTree(observe),
    currentSnapshot: () => tree().snapshot(),
    treesByMount: () => open.snapshots(),
    async markRunBegin() {
      baseline.begin(await open.snapshots());
      const merged = (await baseline.merged(open.records())) ?? SnapshotTree.empty;
      set({ baseline: merged, changes: ChangeIndex.none, runsBegun: get().runsBegun + 1 });
      void keepBaseline(needs, baseline);
      return merged;
    },
    ...fileActions({
      notices,
      report,
      tree,
      snapshot: () => tree().snapshot(),
      baseline: () => baseline.merged(open.records()),
      changedPaths: () =>
        get()
          .changes.list()
          .map(({ path }) => path),
      mountOf: (path) => mountAt(open.records(), path),
    }),
    ...mountTableActions({
      ...needs,
      setRecords: (records) =>
        person.report("mounts", movedPrefixes(open.records(), records), () => setRecords(records)),
      reveal: (path) => get().reveal(path),
      async holdsFiles(path) {
        const entry = await tree()
          .snapshot()
          .then((snapshot) => snapshot.entry(path));
        return entry?.kind === "file" || (entry?.fileCount ?? 0) > 0;
      },
      forget(id) {
        open.forget(id);
        baseline.forget(id);
      },
    }),
    onPersonChange: person.subscribe,
    ...importActions(tree, report, (importing) => set({ importing })),
    ...treeSelection(set, get),
  };
}

async function refresh(store: MountsStore, open: OpenMounts, runBaseline: RunBaseline): Promise<void> {
  const records = open.records();
  const drawn = await Promise.all([open.views(), open.tree().snapshot(), open.snapshots()]).catch(
    async (error: unknown) => {
      const views = await open.views();
      return [
        views.map((view) => ({ ...view, error: view.error ?? messageFromError(error) })),
        SnapshotTree.empty,
        new Map<string, SnapshotTree>(),
      ] as const;
    },
  );
  const [mounts, snapshot, trees] = drawn;
  const baseline = await runBaseline.merged(records);
  const changes = baseline ? ChangeIndex.between(baseline, snapshot, store.getState().changes) : ChangeIndex.none;
  store.setState({ mounts, snapshot, trees, baseline, changes });
}

/** The first time a person writes, the browser is asked not to clear the site by itself. */
function reportedOnce(storage: ProjectStore, person: PersonChanges): PersonChanges["report"] {
  let asked = false;
  return (...change) => {
    // The answer shows where the usage does; a refusal changes nothing.
    if (!asked) storage.persist().catch(() => false);
    asked = true;
    return person.report(...change);
  };
}

/** Where another table has other mounts. */
function movedPrefixes(before: readonly MountRecord[], after: readonly MountRecord[]): string[] {
  const isIn = (records: readonly MountRecord[], { id, prefix }: MountRecord) =>
    records.some((record) => record.id === id && record.prefix === prefix);
  const moved = [
    ...before.filter((record) => !isIn(after, record)),
    ...after.filter((record) => !isIn(before, record)),
  ];
  return moved.map(({ prefix }) => prefix);
}

/** First files are on their disks now. */
function forgetFirstFiles(project: ProjectStateStore): void {
  const { mounts, change } = project.getState();
  if (!mounts.some((record) => record.kind === "idb" && record.firstFiles)) return;
  change({ mounts: mounts.map(withoutFirstFiles) });
}

function withoutFirstFiles(record: MountRecord): MountRecord {
  if (record.kind !== "idb") return record;
  const { firstFiles: _written, ...rest } = record;
  return rest;
}

/** A mount that joins after a run began is compared with what it came with, before anyone writes to it. */
async function meetNewMounts(needs: MountsStoreNeeds, open: OpenMounts, baseline: RunBaseline): Promise<void> {
  try {
    if (baseline.meet(await open.snapshots())) await keepBaseline(needs, baseline);
  } catch {
    // A mount that cannot be read says so itself, where the table is drawn.
  }
}

async function keepBaseline({ storage, project, notices }: MountsStoreNeeds, baseline: RunBaseline): Promise<void> {
  try {
    const stored = await baseline.stored();
    if (stored) project.getState().change({ baseline: await storage.keepSnapshot("baseline", stored) });
  } catch (error) {
    notices.getState().push({
      tone: "warn",
      text: `After a reload the changed marks of this run will be gone: ${messageFromError(error)}`,
      timeoutMs: limits.undoMs,
    });
  }
}

async function restoreBaseline({ storage, project }: MountsStoreNeeds, baseline: RunBaseline): Promise<void> {
  const { baseline: stored, mounts } = project.getState();
  if (stored === undefined) return;
  try {
    baseline.restore(await storage.loadSnapshot(stored), mounts);
  } catch {
    // The marks begin anew with the next run; no file depends on them.
  }
}

function importActions(
  tree: () => EditableFileSystem,
  report: PersonChanges["report"],
  show: (progress: ImportProgress | undefined) => void,
): Pick<MountsState, "importInto" | "stopImport"> {
  let running: AbortController | undefined;
  return {
    async importInto(directory, source) {
      if (running) return undefined;
      running = new AbortController();
      const { signal } = running;
      show({ label: source.label, target: directory, files: 0, bytes: 0, total: source.total });
      try {
        return await report("edit", [directory], () =>
          importFiles({ tree: tree(), target: directory, source, signal, progress: show }),
        );
      } finally {
        running = undefined;
        show(undefined);
      }
    },
    stopImport: () => running?.abort(),
  };
}
