import { createStore, type StoreApi } from "zustand/vanilla";
import {
  diffTrees,
  isUnder,
  normalizeFsPath,
  SnapshotTree,
  type EditableFileSystem,
  type FileSystem,
  type VersionedTree,
} from "../fs";
import type { Served } from "../session";
import type { ProjectStore } from "../storage";
import { changeIndexFromChanges, noChanges, type ChangeIndex } from "./changeIndex";
import { fileActions, UNDO_MS, type FileActions } from "./fileActions";
import { importFiles, type ImportProgress, type ImportReport, type ImportSource } from "./importFiles";
import { messageFromError } from "./messageFromError";
import { nextColor, prefixProblem } from "./mountRules";
import { openMounts, type MountView, type OpenMounts } from "./openMounts";
import type { MountKind, MountRecord, ProjectDocument } from "./projectDocument";
import type { ProjectStateStore, ProjectStoreNeeds } from "./projectStore";
import { directoriesAbove, mountAt } from "./treeRows";

export interface MountsState extends FileActions {
  readonly mounts: readonly MountView[];
  /** The merged tree as last drawn: at most a frame behind the disks. */
  readonly snapshot: SnapshotTree;
  /** The merged tree as it was when the last run began; absent before the first. */
  readonly baseline: SnapshotTree | undefined;
  /** What differs from the baseline. */
  readonly changes: ChangeIndex;
  readonly importing: ImportProgress | undefined;
  readonly expanded: ReadonlySet<string>;
  readonly selected: string | undefined;

  /** The mount that serves a path. */
  readonly mountOf: (path: string) => MountView | undefined;
  /** A fresh union of the mounts that tells what each serves; runs work on this. */
  readonly liveTree: (observe?: (served: Served) => void) => FileSystem & VersionedTree;
  /** The merged tree as it is now, every write so far included. */
  readonly currentSnapshot: () => Promise<SnapshotTree>;
  /** Each mount's own tree as it is now, by mount id. */
  readonly treesByMount: () => Promise<ReadonlyMap<string, SnapshotTree>>;
  /** From here on "changed" means: since now. Answers the tree the run begins on. */
  readonly markRunBegin: () => Promise<SnapshotTree>;

  /** Answers why not, or nothing when it is done. */
  readonly addMount: (mount: {
    readonly prefix: string;
    readonly kind: MountKind;
    readonly readOnly: boolean;
  }) => Promise<string | undefined>;
  /** Answers why not, or nothing when it is done. */
  readonly editMount: (
    id: string,
    patch: { readonly prefix: string; readonly readOnly: boolean },
  ) => Promise<string | undefined>;
  /** Moves a mount up (-1) or down (1) in the table. */
  readonly reorderMount: (id: string, by: -1 | 1) => Promise<void>;
  /** Takes a mount out of the table and offers to undo. */
  readonly removeMount: (id: string) => Promise<void>;

  /** Imports below a directory; answers nothing when an import is running already. */
  readonly importInto: (directory: string, source: ImportSource) => Promise<ImportReport | undefined>;
  readonly stopImport: () => void;

  readonly setExpanded: (path: string, expanded: boolean) => void;
  readonly select: (path: string | undefined) => void;
  /** Selects a path with every directory above it open. */
  readonly reveal: (path: string) => void;
  readonly dispose: () => void;
}

export type MountsStore = StoreApi<MountsState>;

export interface MountsStoreNeeds extends ProjectStoreNeeds {
  readonly project: ProjectStateStore;
}

export async function createMountsStore(needs: MountsStoreNeeds): Promise<MountsStore> {
  const { services, storage, notices, project } = needs;
  let refreshSoon = () => undefined as void;
  const open = openMounts({ storage, engine: services.engine, changed: () => refreshSoon() });

  const store = createStore<MountsState>()((set, get) => {
    const tree = () => open.tree();
    const written = persistOnce(storage);
    return {
      mounts: [],
      snapshot: SnapshotTree.empty,
      baseline: undefined,
      changes: noChanges,
      importing: undefined,
      ...shownAtFirst(project.getState()),
      mountOf: (path) => mountAt(get().mounts, path),
      liveTree: (observe = () => undefined) => open.observedTree(observe),
      currentSnapshot: () => tree().snapshot(),
      treesByMount: () => open.snapshots(),
      async markRunBegin() {
        const baseline = await tree().snapshot();
        set({ baseline, changes: noChanges });
        void keepBaseline(needs, baseline);
        return baseline;
      },
      ...fileActions({
        notices,
        written,
        tree,
        snapshot: () => tree().snapshot(),
        baseline: () => get().baseline,
        changedPaths: () => [...get().changes.byPath.keys()],
        mountPrefix: (path) => mountAt(get().mounts, path)?.prefix,
      }),
      ...tableActions(needs, open, (path) => get().reveal(path)),
      ...importActions(tree, written, (importing) => set({ importing })),
      setExpanded(path, expanded) {
        const next = new Set(get().expanded);
        if (expanded) next.add(path);
        else next.delete(path);
        set({ expanded: next });
      },
      select: (selected) => set({ selected }),
      reveal(path) {
        const expanded = new Set(get().expanded);
        for (const ancestor of directoriesAbove(path)) expanded.add(ancestor);
        set({ expanded, selected: path });
      },
      dispose() {
        stopFollowing();
        refreshSoon = () => undefined;
        open.close();
      },
    };
  });

  refreshSoon = refresher(
    (callback) => services.scheduleFrame(callback),
    () => refresh(store, open),
  );
  let records = project.getState().mounts;
  const stopFollowing = project.subscribe((state) => {
    if (state.mounts === records) return;
    records = state.mounts;
    void open.setRecords(records);
  });
  await open.setRecords(records);
  forgetFirstFiles(project);
  await dropRemovedDisks(needs);
  store.setState({ baseline: await storedBaseline(needs) });
  await refresh(store, open);
  return store;
}

async function refresh(store: MountsStore, open: OpenMounts): Promise<void> {
  const [mounts, snapshot] = await Promise.all([open.views(), open.tree().snapshot()]).catch(async (error: unknown) => {
    const views = await open.views();
    return [
      views.map((view) => ({ ...view, error: view.error ?? messageFromError(error) })),
      SnapshotTree.empty,
    ] as const;
  });
  const { baseline } = store.getState();
  const changes = baseline
    ? changeIndexFromChanges(diffTrees(baseline, snapshot), (path) => snapshot.entry(path)?.kind === "directory")
    : noChanges;
  store.setState({ mounts, snapshot, changes });
}

/** Runs `work` before a coming frame, one at a time; heavy work is given time in proportion, so that it never crowds the thread. */
function refresher(scheduleFrame: (callback: () => void) => void, work: () => Promise<void>): () => void {
  let state: "idle" | "waiting" | "running" | "again" = "idle";
  const run = async () => {
    state = "running";
    const began = performance.now();
    await work();
    const restMs = (performance.now() - began) * 4;
    const again = (state as string) === "again";
    state = "idle";
    if (!again) return;
    state = "waiting";
    setTimeout(() => scheduleFrame(() => void run()), Math.min(restMs, 1_000));
  };
  return () => {
    if (state === "idle") {
      state = "waiting";
      scheduleFrame(() => void run());
    } else if (state === "running") state = "again";
  };
}

function tableActions(needs: MountsStoreNeeds, open: OpenMounts, reveal: (path: string) => void) {
  const { project, notices, services } = needs;
  const records = () => project.getState().mounts;
  const setRecords = async (mounts: readonly MountRecord[]) => {
    project.getState().change({ mounts });
    // At once: a table that is out of date when the page opens again may name a disk as removed that is not.
    void project.getState().flush();
    await open.setRecords(mounts);
  };
  const shadowAdvice = (prefix: string) => {
    const outer = records().find((record) => record.prefix !== prefix && isUnder(prefix, record.prefix));
    if (outer)
      notices.getState().push({
        tone: "info",
        text: `What ${outer.prefix} holds under ${prefix} is hidden by the new mount.`,
        timeoutMs: UNDO_MS,
      });
  };
  return {
    async addMount({
      prefix,
      kind,
      readOnly,
    }: {
      readonly prefix: string;
      readonly kind: MountKind;
      readonly readOnly: boolean;
    }) {
      const problem = prefixProblem(prefix, records());
      if (problem) return problem;
      const id = `mount_${services.clock().toString(36)}`;
      const record: MountRecord = {
        id,
        prefix: normalizeFsPath(prefix),
        kind,
        readOnly,
        color: nextColor(records()),
        ...(kind === "idb" ? { disk: id } : {}),
      };
      await setRecords([...records(), record]);
      reveal(record.prefix);
      shadowAdvice(record.prefix);
      return undefined;
    },
    async editMount(id: string, patch: { readonly prefix: string; readonly readOnly: boolean }) {
      const problem = prefixProblem(patch.prefix, records(), id);
      if (problem) return problem;
      const prefix = normalizeFsPath(patch.prefix);
      await setRecords(records().map((record) => (record.id === id ? { ...record, ...patch, prefix } : record)));
      return undefined;
    },
    async reorderMount(id: string, by: -1 | 1) {
      const next = [...records()];
      const from = next.findIndex((record) => record.id === id);
      const [moved] = from < 0 ? [] : next.splice(from, 1);
      if (!moved) return;
      next.splice(Math.max(0, from + by), 0, moved);
      await setRecords(next);
    },
    async removeMount(id: string) {
      const at = records().findIndex((record) => record.id === id);
      const removed = records()[at];
      if (!removed) return;
      const disks = project.getState().removedDisks ?? [];
      if (removed.disk) project.getState().change({ removedDisks: [...disks, removed.disk] });
      await setRecords(records().filter((record) => record.id !== id));
      const undo = async () => {
        clearTimeout(timer);
        const next = [...records()];
        next.splice(at, 0, removed);
        project
          .getState()
          .change({ removedDisks: (project.getState().removedDisks ?? []).filter((disk) => disk !== removed.disk) });
        await setRecords(next);
      };
      const timer = setTimeout(() => {
        open.forget(id);
        if (removed.disk) void dropRemovedDisks(needs, removed.disk);
      }, UNDO_MS + 1_000);
      notices.getState().push({
        tone: "info",
        text: `Removed the mount ${removed.prefix}`,
        timeoutMs: UNDO_MS,
        action: { label: "Undo", run: () => void undo() },
      });
    },
  };
}

/** Deletes disks whose mounts were removed: one, or at start all that are left from before. */
async function dropRemovedDisks({ project, storage }: MountsStoreNeeds, only?: string): Promise<void> {
  const removed = project.getState().removedDisks ?? [];
  const dropped = only === undefined ? removed : removed.filter((disk) => disk === only);
  if (dropped.length === 0) return;
  for (const disk of dropped) await storage.removeDisk(disk).catch(() => undefined);
  project.getState().change({ removedDisks: removed.filter((disk) => !dropped.includes(disk)) });
}

/** Mounts are open, and so is the way to the document that is shown. */
function shownAtFirst({ mounts, activeDocument }: ProjectDocument): Pick<MountsState, "expanded" | "selected"> {
  const isFile = activeDocument?.startsWith("/") ?? false;
  const paths = mounts.flatMap(({ prefix }) => [prefix, ...directoriesAbove(prefix)]);
  return {
    expanded: new Set(isFile ? [...paths, ...directoriesAbove(activeDocument ?? "/")] : paths),
    selected: isFile ? activeDocument : undefined,
  };
}

/** To be called when a person writes: the first time, the browser is asked not to clear the site by itself. */
function persistOnce(storage: ProjectStore): () => void {
  let asked = false;
  return () => {
    // The answer shows where the usage does; a refusal changes nothing.
    if (!asked) storage.persist().catch(() => false);
    asked = true;
  };
}

/** First files are on their disks now. */
function forgetFirstFiles(project: ProjectStateStore): void {
  const { mounts, change } = project.getState();
  if (!mounts.some((record) => record.firstFiles)) return;
  change({ mounts: mounts.map(({ firstFiles: _written, ...record }) => record) });
}

async function keepBaseline({ storage, project, notices }: MountsStoreNeeds, baseline: SnapshotTree): Promise<void> {
  try {
    project.getState().change({ baseline: await storage.saveSnapshot(baseline) });
  } catch (error) {
    notices.getState().push({
      tone: "warn",
      text: `After a reload the changed marks of this run will be gone: ${messageFromError(error)}`,
      timeoutMs: UNDO_MS,
    });
  }
}

async function storedBaseline({ storage, project }: MountsStoreNeeds): Promise<SnapshotTree | undefined> {
  const { baseline } = project.getState();
  if (baseline === undefined) return undefined;
  try {
    return await storage.loadSnapshot(baseline);
  } catch {
    // The marks begin anew with the next run; no file depends on them.
    return undefined;
  }
}

function importActions(
  tree: () => EditableFileSystem,
  written: () => void,
  report: (progress: ImportProgress | undefined) => void,
): Pick<MountsState, "importInto" | "stopImport"> {
  let running: AbortController | undefined;
  return {
    async importInto(directory, source) {
      if (running) return undefined;
      running = new AbortController();
      written();
      report({ label: source.label, files: 0, bytes: 0, total: source.total });
      try {
        return await importFiles({ tree: tree(), target: directory, source, signal: running.signal, progress: report });
      } finally {
        running = undefined;
        report(undefined);
      }
    },
    stopImport: () => running?.abort(),
  };
}
