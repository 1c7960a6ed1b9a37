/**
 * Sessions as files, and sessions as they can be looked at again.
 *
 * - *log file*: a session's events, one JSON object a line (`.ndjson`); *session file*: the log with the tree it began
 *   with and every value it names (`.zip`); *project file*: a project and all its sessions (`.zip`).
 * - *blob*: a stored value or a file's contents, named by its SHA-256.
 * - *warning*: something of a file that was lost, and where; it costs itself, never the file.
 * - *import*: sessions of any program from a file, a folder or an archive, as logs; *format*: a way to write them down;
 *   *fidelity*: how much of what happened a file tells.
 * - *replay*: a log as a lookup: what the session and its tree were after each event.
 */
export { createReplay, type Replay } from "./createReplay";
export { eventsFromNdjson } from "./eventsFromNdjson";
export { importInWorker } from "./import/importInWorker";
export { importTrajectory, type ImportOptions, type ImportProgress } from "./import/importTrajectory";
export type { ImportedSession, ImportedTrajectory } from "./import/importedTrajectory";
export type { ImportSource, SourceFile } from "./import/importSource";
export { ndjsonFromEvents } from "./ndjsonFromEvents";
export { projectFromZip, projectZip, type SessionOfProject, type UnzippedProject } from "./projectZip";
export { TrajectoryError, type TrajectoryErrorCode } from "./trajectoryError";
export { sessionFromZip, sessionZip, type UnzippedSession } from "./sessionZip";
