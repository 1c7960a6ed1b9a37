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
 * - *re-execution*: recorded calls run again on a fork of a tree; *divergence*: one that came to something else; *root*: the
 *   first divergence of a path; *report*: all of it as a value that can be saved and compared.
 * - *start tree*: what the calls of a re-execution run on; an *inferred* one holds what the recording shows of the files.
 * - *fork*: a new session that is an old one up to a step; *carried log*: our log inside a file of another format.
 */
export { createReplay, type Replay, type ReplayBase } from "./createReplay";
export { ReplayIndex } from "./replayIndex";
export { eventsFromNdjson } from "./eventsFromNdjson";
export { atifFromSessions } from "./export/atifFromSessions";
export type { SessionToExport } from "./export/exportedSession";
export { documentText, type CarryOptions, type ExportInput } from "./export/exportOptions";
export { htmlFromSessions, type HtmlOptions } from "./export/htmlFromSessions";
export { markdownFromSessions, type MarkdownOptions } from "./export/markdownFromSessions";
export { openAIMessagesFromSessions } from "./export/openAIMessagesFromSessions";
export { otlpFromSessions, type OtlpOptions } from "./export/otlpFromSessions";
export { logFromFragment, sessionFragment } from "./export/sessionFragment";
export { importPieces } from "./import/importInWorker";
export type { ImportSink } from "./import/importSink";
export { importTrajectory, type ImportOptions, type ImportProgress } from "./import/importTrajectory";
export type { ImportedSession, ImportedTrajectory } from "./import/importedTrajectory";
export type { ImportSource, SourceFile } from "./import/importSource";
export { inlinedEvent } from "./inlinedValues";
export { ndjsonFromEvents } from "./ndjsonFromEvents";
export { EvidencedStart, recordedChanges } from "./recordedChanges";
export { projectFromZip, projectZip, type SessionOfProject, type UnzippedProject } from "./projectZip";
export { TrajectoryError, type TrajectoryErrorCode } from "./trajectoryError";
export type { ReexecutionShell, ShellOutcome } from "./reexecute/callRunner";
export { compareReports, type ReportChange, type ReportComparison } from "./reexecute/compareReports";
export { declaredNormalisers } from "./reexecute/declaredNormalisers";
export {
  isDivergence,
  reportFromText,
  reportText,
  resultClasses,
  type ComparedFile,
  type DeclaredNormaliser,
  type Difference,
  type DivergencePolicy,
  type DivergenceReport,
  type InferredFile,
  type ReexecutedCall,
  type ResultClass,
} from "./reexecute/divergenceReport";
export type { Placement } from "./reexecute/foreign/placement";
export { forkSession, type ForkEdit, type ForkOptions, type SessionFork } from "./reexecute/forkSession";
export { inferStartTree, type InferredTree, type InferOptions } from "./reexecute/inferStartTree";
export type { Normaliser } from "./reexecute/normalisers";
export { firstOtherLine, recordAgain, type RecordAgainOptions } from "./reexecute/recordAgain";
export { placementAt } from "./reexecute/recordedCalls";
export { recordedModel, recordedThenLive, type RecordedThenLiveOptions } from "./reexecute/recordedModel";
export { reexecute, reexecutionReport, type ReexecuteOptions, type ReexecutionStart } from "./reexecute/reexecute";
export { reportFromLogs } from "./reexecute/reportFromLogs";
export { sessionFromZip, sessionZip, type UnzippedSession } from "./sessionZip";
