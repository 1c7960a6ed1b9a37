import { limits } from "../base";
import { isUnder, normalizeFsPath } from "../fs";
import { nextColor, prefixProblem } from "./mountRules";
import type { NoticeStore } from "./noticeStore";
import type { MountKind, MountRecord } from "./projectDocument";
import type { ProjectStateStore, ProjectStoreNeeds } from "./projectStore";

/** A mount as a person asks for it. */
export interface NewMount {
  readonly prefix: string;
  readonly kind: MountKind;
  readonly readOnly: boolean;
}

/** What a person does to the mount table. */
export interface MountTableActions {
  /** Answers why not, or nothing when it is done. */
  readonly addMount: (mount: NewMount) => Promise<string | undefined>;
  /** Answers why not, or nothing when it is done. */
  readonly editMount: (
    id: string,
    patch: { readonly prefix: string; readonly readOnly: boolean },
  ) => Promise<string | undefined>;
  /** Moves a mount up (-1) or down (1) in the table. */
  readonly reorderMount: (id: string, by: -1 | 1) => Promise<void>;
  /** Takes a mount out of the table and offers to undo. */
  readonly removeMount: (id: string) => Promise<void>;
}

export interface MountTableNeeds extends ProjectStoreNeeds {
  readonly project: ProjectStateStore;
  /** Opens what is new in the table and composes all anew. */
  readonly setRecords: (records: readonly MountRecord[]) => Promise<void>;
  /** Lets a mount go whose removal can no longer be undone. */
  forget(id: string): void;
  reveal(path: string): void;
  /** Whether there are files at a path, or below it. */
  holdsFiles(path: string): Promise<boolean>;
}

export function mountTableActions(needs: MountTableNeeds): MountTableActions {
  const { project, notices, services } = needs;
  const records = () => project.getState().mounts;
  const setRecords = tableSetter(needs);
  return {
    async addMount({ prefix, kind, readOnly }) {
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
      const hidesFiles = await needs.holdsFiles(record.prefix);
      await setRecords([...records(), record]);
      needs.reveal(record.prefix);
      if (hidesFiles) adviseOfHidden(notices, records(), record.prefix);
      return undefined;
    },
    async editMount(id, patch) {
      const problem = prefixProblem(patch.prefix, records(), id);
      if (problem) return problem;
      const prefix = normalizeFsPath(patch.prefix);
      await setRecords(records().map((record) => (record.id === id ? { ...record, ...patch, prefix } : record)));
      return undefined;
    },
    async reorderMount(id, by) {
      const next = [...records()];
      const from = next.findIndex((record) => record.id === id);
      const [moved] = from < 0 ? [] : next.splice(from, 1);
      if (!moved) return;
      next.splice(Math.max(0, from + by), 0, moved);
      await setRecords(next);
    },
    removeMount: mountRemoval(needs, setRecords),
  };
}

type SetRecords = (mounts: readonly MountRecord[]) => Promise<void>;

function tableSetter({ project, setRecords }: MountTableNeeds): SetRecords {
  return async (mounts) => {
    project.getState().change({ mounts });
    // At once: a table that is out of date when the page opens again may name a disk as removed that is not.
    void project.getState().flush();
    await setRecords(mounts);
  };
}

function adviseOfHidden(notices: NoticeStore, records: readonly MountRecord[], prefix: string): void {
  const outer = records.find((record) => record.prefix !== prefix && isUnder(prefix, record.prefix));
  if (!outer) return;
  notices.getState().push({
    tone: "info",
    text: `What ${outer.prefix} holds under ${prefix} is hidden by the new mount.`,
    timeoutMs: limits.undoMs,
  });
}

function mountRemoval(needs: MountTableNeeds, setRecords: SetRecords): MountTableActions["removeMount"] {
  const { project, notices } = needs;
  const records = () => project.getState().mounts;
  const removedDisks = () => project.getState().removedDisks ?? [];
  return async (id) => {
    const at = records().findIndex((record) => record.id === id);
    const removed = records()[at];
    if (!removed) return;
    if (removed.disk) project.getState().change({ removedDisks: [...removedDisks(), removed.disk] });
    await setRecords(records().filter((record) => record.id !== id));
    const undo = async () => {
      clearTimeout(timer);
      const next = [...records()];
      next.splice(at, 0, removed);
      project.getState().change({ removedDisks: removedDisks().filter((disk) => disk !== removed.disk) });
      await setRecords(next);
    };
    const timer = setTimeout(() => {
      // A pointer may rest on the notice: what can no longer be undone is not offered.
      notices.getState().dismiss(offer);
      needs.forget(id);
      if (removed.disk) void dropRemovedDisks(needs, removed.disk);
    }, limits.undoMs + 1_000);
    const offer = notices.getState().push({
      tone: "info",
      text: `Removed the mount ${removed.prefix}`,
      timeoutMs: limits.undoMs,
      action: { label: "Undo", run: () => void undo() },
    });
  };
}

/** Deletes disks whose mounts were removed: one, or at start all that are left from before. */
export async function dropRemovedDisks(
  { project, storage }: Pick<MountTableNeeds, "project" | "storage">,
  only?: string,
): Promise<void> {
  const removed = project.getState().removedDisks ?? [];
  const dropped = only === undefined ? removed : removed.filter((disk) => disk === only);
  if (dropped.length === 0) return;
  for (const disk of dropped) await storage.removeDisk(disk).catch(() => undefined);
  project.getState().change({ removedDisks: removed.filter((disk) => !dropped.includes(disk)) });
}
