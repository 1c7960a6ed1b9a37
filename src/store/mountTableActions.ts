import { limits } from "../base";
import { isUnder, normalizeFsPath } from "../fs";
import type { MountCredentials, MountPatch, NewMount } from "./chosenMount";
import { diskOfRecord, type MountRecord } from "./mountRecord";
import { nextColor, prefixProblem } from "./mountRules";
import type { NoticeStore } from "./noticeStore";
import type { ProjectStateStore, ProjectStoreNeeds } from "./projectStore";

/** What a person does to the mount table. Answers say why not, or nothing when it is done. */
export interface MountTableActions {
  /** Answers once the mount is in the table; opening and filling it go on (`MountView.state`). */
  readonly addMount: (mount: NewMount) => Promise<string | undefined>;
  readonly editMount: (id: string, patch: MountPatch) => Promise<string | undefined>;
  /** Moves a mount up (-1) or down (1) in the table. */
  readonly reorderMount: (id: string, by: -1 | 1) => Promise<void>;
  /** Takes a mount out of the table and offers to undo. */
  readonly removeMount: (id: string) => Promise<void>;
  /** Asks the person for a mount's folder; to be called right in a click. */
  readonly askMountPermission: (id: string) => Promise<string | undefined>;
  /** Opens a store with these; they are held in memory, until the page is reloaded. */
  readonly giveMountCredentials: (id: string, credentials: MountCredentials) => Promise<string | undefined>;
  /** Opens a mount anew; one that is filled from somewhere is fetched again, and keeps what it has until that is there. */
  readonly reopenMount: (id: string) => Promise<string | undefined>;
  /** Looks for what others changed in a folder or a store. */
  readonly refreshMount: (id: string) => Promise<string | undefined>;
  /** Stops opening or filling a mount; what came so far is let go. */
  readonly stopFilling: (id: string) => void;
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
    async addMount({ prefix, readOnly, ...source }) {
      if (source.kind !== "idb" && source.kind !== "memory") return "This kind of mount cannot be added yet.";
      const problem = prefixProblem(prefix, records());
      if (problem) return problem;
      const id = `mount_${services.clock().toString(36)}`;
      const record: MountRecord = {
        id,
        prefix: normalizeFsPath(prefix),
        readOnly,
        color: nextColor(records()),
        ...(source.kind === "idb" ? { ...source, disk: id } : source),
      };
      const hidesFiles = await needs.holdsFiles(record.prefix);
      await setRecords([...records(), record]);
      needs.reveal(record.prefix);
      if (hidesFiles) adviseOfHidden(notices, records(), record.prefix);
      return undefined;
    },
    async editMount(id, patch) {
      const before = records().find((record) => record.id === id);
      if (!before) return undefined;
      const { prefix = before.prefix, readOnly = before.readOnly } = patch;
      const problem = prefixProblem(prefix, records(), id);
      if (problem) return problem;
      const after = { ...before, prefix: normalizeFsPath(prefix), readOnly };
      await setRecords(records().map((record) => (record.id === id ? after : record)));
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
    askMountPermission: () => Promise.resolve(undefined),
    giveMountCredentials: () => Promise.resolve(undefined),
    reopenMount: () => Promise.resolve(undefined),
    refreshMount: () => Promise.resolve(undefined),
    stopFilling: () => undefined,
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
    const removedDisk = diskOfRecord(removed);
    if (removedDisk) project.getState().change({ removedDisks: [...removedDisks(), removedDisk] });
    await setRecords(records().filter((record) => record.id !== id));
    const undo = async () => {
      clearTimeout(timer);
      const next = [...records()];
      next.splice(at, 0, removed);
      project.getState().change({ removedDisks: removedDisks().filter((disk) => disk !== removedDisk) });
      await setRecords(next);
    };
    const timer = setTimeout(() => {
      // A pointer may rest on the notice: what can no longer be undone is not offered.
      notices.getState().dismiss(offer);
      needs.forget(id);
      if (removedDisk) void dropRemovedDisks(needs, removedDisk);
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
