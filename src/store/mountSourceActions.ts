import type { MountCredentials } from "./chosenMount";
import type { MountFillings } from "./mountFilling";
import { isFilledRecord, type MountRecord } from "./mountRecord";
import type { OpenMounts } from "./openMounts";

/** What a person does about where a mount's files come from. Answers say why not, or nothing when it is done. */
export interface MountSourceActions {
  /** Asks the person for a mount's folder; to be called right in a click. */
  readonly askMountPermission: (id: string) => Promise<string | undefined>;
  /** Opens a store with these; they are held in memory, until the page is reloaded. */
  readonly giveMountCredentials: (id: string, credentials: MountCredentials) => Promise<string | undefined>;
  /** Opens a mount anew; one that is filled from somewhere is fetched again, and keeps what it has until that is there. */
  readonly reopenMount: (id: string) => Promise<string | undefined>;
  /**
   * What fetching a mount again would lose: the files written here since, or none by name where files were deleted or
   * moved only; absent where nothing was changed.
   */
  readonly lostByFetching: (id: string) => Promise<readonly string[] | undefined>;
  /** Looks for what others changed in a folder or a store. */
  readonly refreshMount: (id: string) => Promise<string | undefined>;
  /** Stops opening or filling a mount; what came so far of a filling is let go. */
  readonly stopFilling: (id: string) => void;
}

export interface MountSourceNeeds {
  readonly open: OpenMounts;
  readonly fillings: MountFillings;
  readonly records: () => readonly MountRecord[];
}

const NOTHING_THERE = "There is no such mount.";

export function mountSourceActions({ open, fillings, records }: MountSourceNeeds): MountSourceActions {
  const recordOf = (id: string) => records().find((record) => record.id === id);
  return {
    askMountPermission: async (id) => (open.mirror(id) ? open.mirror(id)?.askPermission() : NOTHING_THERE),
    giveMountCredentials: async (id, credentials) =>
      open.mirror(id) ? open.mirror(id)?.giveCredentials(credentials) : NOTHING_THERE,
    async reopenMount(id) {
      const record = recordOf(id);
      if (record === undefined) return NOTHING_THERE;
      if (isFilledRecord(record)) return fillings.fill(record);
      if (open.mirror(id)) return open.mirror(id)?.connect();
      // Whatever kept it from opening is tried again with the table.
      await open.setRecords([...records()]);
      return undefined;
    },
    async lostByFetching(id) {
      const record = recordOf(id);
      if (record === undefined || !isFilledRecord(record) || record.filledAt === undefined) return undefined;
      const tree = (await open.snapshots()).get(id);
      if (tree === undefined || (await tree.rootHash()) === record.filledWith) return undefined;
      const { filledAt, filledWith } = record;
      const written = [...tree.files()].flatMap(([path, { modifiedAt }]) => (modifiedAt > filledAt ? [path] : []));
      // One that was filled before this was kept is judged by its times alone.
      return filledWith === undefined && written.length === 0 ? undefined : written;
    },
    refreshMount: async (id) => open.mirror(id)?.refresh(),
    stopFilling(id) {
      fillings.stop(id);
      open.mirror(id)?.stop();
    },
  };
}
