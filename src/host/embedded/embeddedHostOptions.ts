import type { EditableFileSystem, ProjectDatabase, VersionedTree } from "../../fs";

/** What the page has open already: the shell's worker opens the same disk once more by its names. */
export interface EmbeddedHostOptions {
  /** The project's database; one that other tabs cannot open too (kept in memory only) has no shell, which is said. */
  readonly database: Pick<ProjectDatabase, "name" | "isShared">;
  /** Name of the disk in it. */
  readonly diskName: string;
  /** The page's own view of that disk, which the host looks anew at after each command; whoever made it closes it. */
  readonly disk: HostPageDisk;
  /** Makes the worker. Left out: the host's own, in a chunk of its own. */
  readonly createWorker?: () => Worker;
}

/** `idbFs` is one. */
export type HostPageDisk = EditableFileSystem &
  VersionedTree & {
    /** Looks for what others wrote. @throws UnavailableError */
    refresh(): Promise<void>;
  };
