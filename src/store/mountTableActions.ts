import { limits } from "../base";
import { isUnder, normalizeFsPath } from "../fs";
import type { ChosenSource, MountPatch, NewMount } from "./chosenMount";
import { messageFromError } from "./messageFromError";
import { fillingLock, type MountFillings } from "./mountFilling";
import { diskOfRecord, isFilledRecord, type MountRecord } from "./mountRecord";
import { nextColor, prefixProblem } from "./mountRules";
import type { NoticeStore } from "./noticeStore";
import { offerBack } from "./offerBack";
import type { OpenMounts } from "./openMounts";
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
}

export interface MountTableNeeds extends ProjectStoreNeeds {
  readonly project: ProjectStateStore;
  readonly open: OpenMounts;
  readonly fillings: MountFillings;
  /** Opens what is new in the table and composes all anew. */
  readonly setRecords: (records: readonly MountRecord[]) => Promise<void>;
  /** Lets a mount go whose removal can no longer be undone. */
  forget(id: string): void;
  reveal(path: string): void;
  /** Whether there are files at a path, or below it. */
  holdsFiles(path: string): Promise<boolean>;
}

export function mountTableActions(needs: MountTableNeeds): MountTableActions {
  const { project, notices, services, storage } = needs;
  const records = () => project.getState().mounts;
  const setRecords = tableSetter(needs);
  return {
    async addMount({ prefix, readOnly, ...choice }) {
      const { hostPrefixProblem, keepSecrets, sourceFromChoice, sourceProblem } = await import("./mountSources");
      const id = `mount_${services.clock().toString(36)}`;
      const problem =
        prefixProblem(prefix, records()) ??
        hostPrefixProblem(choice.kind, prefix) ??
        sourceProblem(choice, id, records());
      if (problem) return problem;
      try {
        const source = await sourceFromChoice(choice, id, storage);
        const normal = normalizeFsPath(prefix);
        const record: MountRecord = { id, prefix: normal, readOnly, color: nextColor(records()), ...source };
        const hidesFiles = await needs.holdsFiles(record.prefix);
        keepSecrets(services.keyring, `${storage.id}/${id}`, choice);
        await setRecords([...records(), record]);
        needs.reveal(record.prefix);
        if (hidesFiles) adviseOfHidden(notices, records(), record.prefix);
        fillFrom(needs, record, choice);
        return undefined;
      } catch (error) {
        return messageFromError(error);
      }
    },
    async editMount(id, { source: choice, ...patch }) {
      const { hostPrefixProblem, keepSecrets, sourceAfter, sourceProblem } = await import("./mountSources");
      const before = records().find((record) => record.id === id);
      if (!before) return "There is no such mount.";
      const { prefix = before.prefix, readOnly = before.readOnly } = patch;
      if (choice && choice.kind !== before.kind) return "A mount keeps its kind: add another one.";
      const problem =
        prefixProblem(prefix, records(), id) ??
        hostPrefixProblem(before.kind, prefix) ??
        (choice && sourceProblem(choice, id, records()));
      if (problem) return problem;
      try {
        const place = { id, prefix: normalizeFsPath(prefix), readOnly, color: before.color };
        const after: MountRecord = { ...place, ...(await sourceAfter(before, choice, storage)) };
        if (choice) keepSecrets(services.keyring, `${storage.id}/${id}`, choice);
        await setRecords(records().map((record) => (record.id === id ? after : record)));
        if (choice) await begunWith(needs, after, choice);
        return undefined;
      } catch (error) {
        return messageFromError(error);
      }
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

/** Filling goes on by itself: how far it is shows in the table. */
function fillFrom({ fillings }: MountTableNeeds, record: MountRecord, choice: ChosenSource): void {
  if (!isFilledRecord(record)) return;
  if (choice.kind === "archive") fillings.setArchive(record.id, choice.file);
  void fillings.fill(record);
}

/** A source that was chosen again is opened with what was said, whether its settings are others or not. */
async function begunWith(needs: MountTableNeeds, record: MountRecord, choice: ChosenSource): Promise<void> {
  fillFrom(needs, record, choice);
  const hasSecrets = (choice.kind === "s3" && choice.credentials) || (choice.kind === "webdav" && choice.password);
  if (hasSecrets) await needs.open.mirror(record.id)?.connect();
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
  const remove = async (id: string): Promise<void> => {
    // A mount that cannot be read can still be removed.
    const trees = await needs.open.snapshots().catch(() => undefined);
    const at = records().findIndex((record) => record.id === id);
    const removed = records()[at];
    if (!removed) return;
    const removedDisk = diskOfRecord(removed);
    // What lies elsewhere, or in other mounts, stays there.
    const isHeldHere = removedDisk !== undefined || removed.kind === "memory";
    const held = isHeldHere ? trees?.get(id) : undefined;
    if (removedDisk) project.getState().change({ removedDisks: [...removedDisks(), removedDisk] });
    await setRecords(records().filter((record) => record.id !== id));
    const undo = async () => {
      // What has come to its place goes, and can be had back as well: two of one path would hide each other.
      const inTheWay = records().find(({ prefix }) => prefix === removed.prefix);
      if (inTheWay) await remove(inTheWay.id);
      const next = [...records()];
      next.splice(at, 0, removed);
      project.getState().change({ removedDisks: removedDisks().filter((disk) => disk !== removedDisk) });
      await setRecords(next);
    };
    offerBack(notices, {
      text: `Removed the mount ${removed.prefix}`,
      undo: () => void undo(),
      end() {
        needs.forget(id);
        if (removedDisk) void dropRemovedDisks(needs, removedDisk);
      },
      ...(held && held.fileCount > 0
        ? { file: () => import("./zipTools").then(({ zipOfMount }) => zipOfMount(held, removed.prefix)) }
        : {}),
    });
  };
  return remove;
}

/** Deletes disks whose mounts were removed: one, or at start all that are left from before. */
export async function dropRemovedDisks(
  { project, storage }: Pick<MountTableNeeds, "project" | "storage">,
  only?: string,
): Promise<void> {
  const removed = project.getState().removedDisks ?? [];
  const dropped = only === undefined ? removed : removed.filter((disk) => disk === only);
  if (dropped.length === 0) return;
  const gone: string[] = [];
  for (const disk of dropped) {
    // One that another tab is filling is on its way in.
    const unlock = await storage.lockSession(fillingLock(disk));
    if (unlock === undefined) continue;
    await storage.removeDisk(disk).catch(() => undefined);
    unlock();
    gone.push(disk);
  }
  const left = project.getState().removedDisks ?? [];
  project.getState().change({ removedDisks: left.filter((disk) => !gone.includes(disk)) });
}
