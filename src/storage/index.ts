/**
 * What a person keeps: projects and their sessions, in IndexedDB (docs/storage.md).
 *
 * - *catalog*: the list of projects, in a small database of its own.
 * - *project store*: one open project: document, disks, sessions, blobs.
 * - *session record*: what a list shows of a session; *session log*: its events.
 * - *blob*: a value stored once by its SHA-256.
 * - *kept*: whether all this outlives the tab.
 */
export { createLogWriter } from "./createLogWriter";
export { openProjects } from "./openProjects";
export type { ProjectCatalog, ProjectRecord } from "./projectCatalog";
export type { ProjectStore, StorageUsage } from "./projectStore";
export type { ImportedFrom, SessionLog, SessionRecord } from "./sessionRecord";
