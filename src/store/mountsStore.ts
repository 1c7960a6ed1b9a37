import { createStore, type StoreApi } from "zustand/vanilla";
import { limits } from "../base";
import { SnapshotTree, type EditableFileSystem, type FileSystem, type VersionedTree } from "../fs";
import type { Served } from "../session";
import type { ProjectStore } from "../storage";
import { ChangeIndex } from "./changeIndex";
import { fileActions, type FileActions } from "./fileActions";
import { framePacer } from "./framePacer";
import { hiddenEntry, type HiddenEntry } from "./hiddenEntries";
import type { ImportProgress, ImportReport, ImportSource } from "./importFiles";
import { messageFromError } from "./messageFromError";
import { mountAt } from "./mountAt";
import { MountBaseline } from "./mountBaseline";
import { MountFillings } from "./mountFilling";
import { mountSourceActions, type MountSourceActions } from "./mountSourceActions";
import type { MountTableActions, MountTableNeeds } from "./mountTableActions";
import { personChanges, type PersonChanges } from "./personChanges";
import type { MountView } from "./mountView";
import { openMounts, type MountTable, type OpenMounts } from "./openMounts";
import { isMirroredRecord, mirrorScope, type MountRecord } from "./mountRecord";
import { movedPrefixes, overlaysBegunAnew } from "./movedMounts";
import type { ProjectStateStore, ProjectStoreNeeds } from "./projectStore";
import { shownAtFirst, treeSelection, type TreeSelection } from "./treeSelection";
import { TurnScratches, type ScratchTree, type ShownScratch } from "./turnScratches";

export interface MountsState extends FileActions, MountTableActions, MountSourceActions, TreeSelection {
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
  /** The `/tmp` of the turn that runs, which is in none of the above. */
  readonly scratch: ShownScratch | undefined;

  /** Shows the `/tmp` of a session's turn while it lasts; `undefined` when it is over. */
  readonly showScratch: (sessionId: string, tree: ScratchTree | undefined) => void;
  /** The merged tree as it is now with the `/tmp` of the turn that runs: what a person may look at. */
  readonly seenSnapshot: () => Promise<SnapshotTree>;
  /** The mount that serves a path. */
  readonly mountOf: (path: string) => MountView | undefined;
  /** What another mount hides at a path. */
  readonly hiddenAt: (path: string) => HiddenEntry | undefined;
  /** The table and its trees as they are now, for who goes on with them whatever becomes of the table. */
  readonly table: () => MountTable;
  /** A fresh union of the mounts that tells what each serves. */
  readonly liveTree: (observe?: (served: Served) => void) => FileSystem & VersionedTree;
  /** The merged tree as it is now, every write so far included. */
  readonly currentSnapshot: () => Promise<SnapshotTree>;
  /** Each mount's own tree as it is now, by mount id. */
  readonly treesByMount: () => Promise<ReadonlyMap<string, SnapshotTree>>;
  /** From here on "changed" means: since now. Answers the tree the run begins on. */
  readonly markRunBegin: () => Promise<SnapshotTree>;

  /** Listens to what a person, and no agent, does to files and mounts. */
  readonly onPersonChange: PersonChanges["subscribe"];
  /** Every write a person makes by other ways than the actions here goes through it. */
  readonly asPerson: PersonChanges["report"];

  /** Imports below a directory; answers nothing when an import is running already. */
  readonly importInto: (directory: string, source: ImportSource) => Promise<ImportReport | undefined>;
  readonly stopImport: () => void;

  /** Resolves when what mounts have seen is kept. */
  readonly dispose: () => Promise<void>;
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
  scratch: undefined,
} as const satisfies Partial<MountsState>;

export async function createMountsStore(needs: MountsStoreNeeds): Promise<MountsStore> {
  const { services, storage, project } = needs;
  let refreshSoon = () => undefined as void;
  const changed = () => refreshSoon();
  const open = openMounts({
    storage,
    engine: services.engine,
    keyring: services.keyring,
    fillingStatus: (record) => fillings.statusOf(record),
    changed,
  });
  const baseline = new MountBaseline(needs, open);
  const person = personChanges();
  const setRecords = async (records: readonly MountRecord[]) => {
    const before = open.table().records;
    await open.setRecords(records);
    for (const id of overlaysBegunAnew(before, records)) baseline.forget(id);
    await baseline.meet();
    changed();
  };
  const setRecordsAsPerson = (records: readonly MountRecord[]) =>
    person.report("mounts", movedPrefixes(open.table().records, records), () => setRecords(records));
  const beginsAnew = (id: string) => baseline.forget(id);
  const fillings = new MountFillings({ ...needs, changed, setRecords: setRecordsAsPerson, beginsAnew });

  const scratches = new TurnScratches(changed);
  const parts = { open, baseline, person, fillings, scratches, setRecords: setRecordsAsPerson };
  const store = createStore<MountsState>()((set, get) => ({
    ...mountsState(needs, parts, set, get),
    async dispose() {
      stopFollowing();
      stopLooking();
      refreshSoon = () => undefined;
      fillings.close();
      await open.close();
    },
  }));

  refreshSoon = framePacer(
    (callback) => services.scheduleFrame(callback),
    () => refresh(store, open, baseline, scratches),
  );
  let records = project.getState().mounts;
  const stopFollowing = project.subscribe((state) => {
    if (state.mounts === records) return;
    records = state.mounts;
    void setRecords(records);
  });
  const stopLooking = onReturn(() => void open.lookAgain(limits.mirrorLookMs));
  await baseline.restore();
  await setRecords(records);
  forgetFirstFiles(project);
  if ((project.getState().removedDisks ?? []).length > 0) {
    const { dropRemovedDisks } = await import("./mountTableActions");
    await dropRemovedDisks(needs);
  }
  void keepOutsideOf(storage, records);
  await refresh(store, open, baseline, scratches);
  return store;
}

/** Calls back when a person, or the network, comes back to the page: files may have changed elsewhere. Answers how to stop. */
function onReturn(look: () => void): () => void {
  // There is no window in Node and in workers.
  if (typeof globalThis.addEventListener !== "function") return () => undefined;
  const events = ["focus", "online"] as const;
  for (const event of events) globalThis.addEventListener(event, look);
  return () => {
    for (const event of events) globalThis.removeEventListener(event, look);
  };
}

interface MountsParts {
  readonly open: OpenMounts;
  readonly baseline: MountBaseline;
  readonly person: PersonChanges;
  readonly fillings: MountFillings;
  readonly scratches: TurnScratches;
  readonly setRecords: (records: readonly MountRecord[]) => Promise<void>;
}

function mountsState(
  needs: MountsStoreNeeds,
  { open, baseline, person, fillings, scratches, setRecords }: MountsParts,
  set: (patch: Partial<MountsState>) => void,
  get: () => MountsState,
): Omit<MountsState, "dispose"> {
  const { notices, project, storage } = needs;
  const tree = () => open.table().tree();
  const report = reportedOnce(storage, person, scratches);
  const seenMounts = () => get().scratch?.mounts ?? get().mounts;
  return {
    ...nothingDrawn,
    ...shownAtFirst(project.getState()),
    showScratch: (sessionId, scratch) => scratches.set(sessionId, scratch),
    seenSnapshot: async () => scratches.over(await tree().snapshot()),
    mountOf: (path) => mountAt(seenMounts(), path),
    hiddenAt: (path) => hiddenEntry({ mounts: seenMounts(), trees: get().trees }, path),
    table: () => open.table(),
    liveTree: (observe = () => undefined) => open.table().observedTree(observe),
    currentSnapshot: () => tree().snapshot(),
    treesByMount: () => open.snapshots(),
    async markRunBegin() {
      await lookedAgain(open);
      const merged = await baseline.begin();
      set({ baseline: merged, changes: ChangeIndex.none, runsBegun: get().runsBegun + 1 });
      return merged;
    },
    ...fileActions({
      notices,
      report,
      tree,
      snapshot: () => tree().snapshot(),
      baseline: () => baseline.merged(),
      changedPaths: () =>
        get()
          .changes.list()
          .map(({ path }) => path),
      mountOf: (path) => mountAt(open.table().records, path),
    }),
    ...tableActions({
      ...needs,
      open,
      fillings,
      setRecords,
      reveal: (path) => get().reveal(path),
      async holdsFiles(path) {
        const entry = await tree()
          .snapshot()
          .then((snapshot) => snapshot.entry(path));
        return entry?.kind === "file" || (entry?.fileCount ?? 0) > 0;
      },
      forget(id) {
        fillings.stop(id);
        open.forget(id);
        baseline.forget(id);
        void keepOutsideOf(storage, open.allRecords());
      },
    }),
    ...mountSourceActions({ open, fillings, records: () => project.getState().mounts }),
    onPersonChange: person.subscribe,
    asPerson: report,
    ...importActions(tree, report, (importing) => set({ importing })),
    ...treeSelection(set, get),
  };
}

/** What others changed in folders and stores by now; a run waits for it, but not for ever. */
async function lookedAgain(open: OpenMounts): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const longEnough = new Promise<void>((resolve) => (timer = setTimeout(resolve, limits.mirrorLookBeforeRunMs)));
  await Promise.race([open.lookAgain(limits.mirrorLookBeforeRunAgainMs), longEnough]);
  clearTimeout(timer);
}

/** Lets go of what is kept of folders and stores that are mounted no more. */
async function keepOutsideOf(storage: ProjectStore, records: readonly MountRecord[]): Promise<void> {
  const folders = records.flatMap((record) => (record.kind === "folder" && record.handle ? [record.handle] : []));
  // What is left is let go the next time.
  await storage.outside.keepOnly(records.filter(isMirroredRecord).map(mirrorScope), folders).catch(() => undefined);
}

async function refresh(
  store: MountsStore,
  open: OpenMounts,
  runBaseline: MountBaseline,
  scratches: TurnScratches,
): Promise<void> {
  await runBaseline.meet();
  const drawn = await Promise.all([
    open.views(),
    open.table().tree().snapshot(),
    open.snapshots(),
    runBaseline.merged(),
  ]).catch(async (error: unknown) => {
    const views = await open.views();
    return [
      views.map((view) => ({ ...view, error: view.error ?? messageFromError(error) })),
      SnapshotTree.empty,
      new Map<string, SnapshotTree>(),
      undefined,
    ] as const;
  });
  const [mounts, snapshot, trees, baseline] = drawn;
  const changes = baseline ? ChangeIndex.between(baseline, snapshot, store.getState().changes) : ChangeIndex.none;
  const scratch = await scratches.shown(mounts, snapshot);
  store.setState({ mounts, snapshot, trees, baseline, changes, scratch });
}

/** The first time a person writes, the browser is asked not to clear the site by itself. */
function reportedOnce(storage: ProjectStore, person: PersonChanges, scratches: TurnScratches): PersonChanges["report"] {
  let asked = false;
  return async (...change) => {
    scratches.assertNotIn(change[1]);
    // The answer shows where the usage does; a refusal changes nothing.
    if (!asked) storage.persist().catch(() => false);
    asked = true;
    return await person.report(...change);
  };
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

/** What changes the table is loaded with the first change. */
function tableActions(needs: MountTableNeeds): MountTableActions {
  let loading: Promise<MountTableActions> | undefined;
  const loaded = () =>
    (loading ??= import("./mountTableActions").then(({ mountTableActions }) => mountTableActions(needs)));
  return {
    addMount: async (mount) => (await loaded()).addMount(mount),
    editMount: async (id, patch) => (await loaded()).editMount(id, patch),
    reorderMount: async (id, by) => (await loaded()).reorderMount(id, by),
    removeMount: async (id) => (await loaded()).removeMount(id),
  };
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
        const { importFiles } = await import("./importFiles");
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
