import type { JsonObject } from "../base";
import type { IdbFileSystem, ProjectDatabase, SnapshotTree, StorageTrouble, TreeOptions } from "../fs";
import type { OutsideFiles } from "./outsideFiles";
import type { BlobStore, SessionLog, SessionRecord } from "./sessionRecord";

/** What changed in a project, in this tab or another. */
export type ProjectChange =
  | { readonly kind: "document" }
  | { readonly kind: "sessions" }
  /** Something keeps the project from being written now: `trouble` says what. */
  | { readonly kind: "trouble" }
  | { readonly kind: "log"; readonly sessionId: string };

export interface StorageUsage {
  /** Bytes this site uses in the browser, all projects together; 0 when the browser does not say. */
  readonly usedBytes: number;
  /** Bytes the browser speaks of; no promise. */
  readonly quotaBytes?: number;
  /** Whether the browser has promised not to clear the site by itself. */
  readonly persisted: boolean;
}

/** What may change of the record of a session. */
export type SessionPatch = Partial<Omit<SessionRecord, "id" | "eventCount">>;

/** One open project: its document, disks, sessions and blobs, all in one database (docs/storage.md). */
export interface ProjectStore {
  readonly id: string;
  readonly name: string;
  /** False when nothing outlives the tab; `reason` then says why. */
  readonly kept: boolean;
  readonly reason?: string;
  readonly database: ProjectDatabase;
  /** What keeps the project from being written: a newer version, damage, or that it was cleared while it was open. */
  trouble(): StorageTrouble | undefined;
  /** The project's own settings as opaque JSON; `{}` before the first save. @throws DamagedRecordError, UnavailableError */
  loadDocument(): Promise<JsonObject>;
  /** A damaged record is kept aside. */
  saveDocument(document: JsonObject): Promise<void>;

  /** A disk of this project by its id, made on first use. The caller closes it. */
  disk(diskId: string, options?: TreeOptions): IdbFileSystem;
  diskIds(): Promise<readonly string[]>;
  removeDisk(diskId: string): Promise<void>;
  readonly outside: OutsideFiles;

  /** Newest first. */
  sessions(): Promise<readonly SessionRecord[]>;
  /** @param kept values kept with it, as by `keepWith` */
  createSession(record: SessionRecord, kept?: readonly string[]): Promise<void>;
  /** Nothing happens when the session is gone. */
  updateSession(sessionId: string, patch: SessionPatch): Promise<void>;
  /** Several in one transaction, by their ids. */
  updateSessions(patches: ReadonlyMap<string, SessionPatch>): Promise<void>;
  deleteSession(sessionId: string): Promise<void>;
  /** Several in one transaction and with one word to listeners. */
  deleteSessions(sessionIds: readonly string[]): Promise<void>;
  log(sessionId: string): SessionLog;
  /** Keeps values for as long as the session is kept, whatever its log names; in place of those kept so before. */
  keepWith(sessionId: string, hashes: readonly string[]): Promise<void>;
  /** Takes the session for this tab; `undefined` while another tab runs it. The result lets it go. */
  lockSession(sessionId: string): Promise<(() => void) | undefined>;

  readonly blobs: BlobStore;
  /** Stores a tree by its root hash; cheap when little changed. A session whose log names the hash keeps it. */
  saveSnapshot(tree: SnapshotTree): Promise<string>;
  /** Stores a tree and keeps it under a name of the project's own, in place of the tree that name kept before. */
  keepSnapshot(name: string, tree: SnapshotTree): Promise<string>;
  /** @throws UnavailableError when it was not kept. */
  loadSnapshot(rootHash: string): Promise<SnapshotTree>;

  usage(): Promise<StorageUsage>;
  /** Asks the browser not to clear this site by itself; to be called after a person's first write. */
  persist(): Promise<boolean>;
  /**
   * Gives back the space of contents that no disk and no kept session needs. Does nothing while another tab has the
   * project open. Contents that were in a tree since this tab opened the project are kept, unless `held` names the
   * trees that are still in use here.
   */
  sweep(options?: { readonly held?: readonly SnapshotTree[] }): Promise<void>;
  /** Called after every change of the document, the session list or a log, other tabs' too. */
  subscribe(listener: (change: ProjectChange) => void): () => void;
  close(): Promise<void>;
}
