/**
 * The state of the open project, in stores that know no screen.
 *
 * - *workbench*: the stores of one open project, made together.
 * - *project document*: what a project keeps of its agent, mounts, comparison and screen, as one JSON record.
 * - *mount*: a tree of the project at a prefix of the one merged tree.
 * - *changed*: different from the merged tree as it was when the last run began.
 * - *document*: what a tab of the editor shows: a file, the instructions, the agent definition.
 */
export { createWorkbench, type Workbench } from "./workbench";
export { type WorkbenchCore } from "./workbenchCore";
export { type WorkbenchServices } from "./workbenchServices";
export { createNoticeStore, type Notice, type NoticeState, type NoticeStore, type NoticeTone } from "./noticeStore";
export {
  AGENT_ID,
  INSTRUCTIONS_ID,
  isFileDocument,
  type EditorConflict,
  type EditorDocument,
  type EditorView,
} from "./editorDocument";
export { type EditorState, type EditorStore } from "./editorStore";
export { type ChangeIndex } from "./changeIndex";
export {
  type ImportItem,
  type ImportProgress,
  type ImportReport,
  type ImportSource,
  itemsFromZip,
} from "./importFiles";
export { type FileSides, type FinalFile } from "./compareFiles";
export { type CompareLine } from "./compareLines";
export { isWholePair, pairMetrics, runsOf } from "./comparePairs";
export { compareSentence } from "./compareSentence";
export { isOpen, type ArmSide, type ComparePair, type CompareRun } from "./compareState";
export { messageFromError } from "./messageFromError";
export { nameProblem, prefixProblem } from "./mountRules";
export { type MountsState, type MountsStore } from "./mountsStore";
export { type MountLook } from "./mountLook";
export { type MountView } from "./openMounts";
export {
  emptyProjectDocument,
  type AgentDocument,
  type CompareDocument,
  type CompareVariant,
  type MountKind,
  type MountRecord,
  type ProjectDocument,
  type WorkMode,
} from "./projectDocument";
export { type ProjectState, type ProjectStateStore, type SaveState } from "./projectStore";
export { mountAt, rowByTyping, treeRows, type TreeRow } from "./treeRows";
export { createWorkbenchHost, type HostState, type WorkbenchHost } from "./workbenchHost";
export { offeredTools, type OfferedTools } from "./offeredTools";
export { DEMO_MODEL_NAME } from "../model";
export { type ModelReadiness, type ModelState, type ModelStore } from "./modelStore";
export { pathOfCall, sessionCallSummary, type CallSummary } from "./sessionCallSummary";
export { type DifferenceLine, type FileDifference } from "./sessionDifference";
export { type SessionLook, type SessionLookStore } from "./sessionLook";
export { type StepRequest } from "./sessionRequest";
export { type ReplayFile, type ReplaySpeed } from "./replayState";
export { groupCounts, groupTools, type ChatRow } from "./sessionRows";
export {
  type ApprovalAnswer,
  type SessionRunner,
  type SessionStore,
  type SessionStoreState,
  type SessionView,
} from "./sessionStoreState";
export { traceRows, type Trace, type TraceRow } from "./sessionTrace";
