/**
 * The state of the open project, in stores that know no screen.
 *
 * - *workbench*: the stores of one open project, made together.
 * - *project document*: what a project keeps of its agent, mounts, comparison and screen, as one JSON record.
 * - *mount*: a tree of the project at a prefix of the one merged tree.
 * - *changed*: different from what its mount held when the last run began.
 * - *hidden*: in a mount, and not to be seen because another mount stands before it.
 * - *document*: what a tab of the editor shows: a file, the instructions, the agent definition.
 */
export { createWorkbench, type Workbench } from "./workbench";
export { noticeTimeMs, type Notice } from "./noticeStore";
export { shownName, shownSentence } from "./shownName";
export {
  AGENT_ID,
  INSTRUCTIONS_ID,
  isFileDocument,
  type AgentView,
  type EditorDocument,
  type EditorView,
} from "./editorDocument";
export { agentJsonReport, agentJsonSchema, isVirtualRuntime, type AgentJsonReport } from "./agentJsonCheck";
export { jsonCompletions, jsonHover } from "./agentJsonCompletion";
export { agentJsonWithField } from "./agentJsonEdit";
export { agentJsonMarkers } from "./agentJsonMarkers";
export { promptPreview } from "./promptPreview";
export { foundSkills, newSkillPath, newSkillText, skillFolderProblem, type FoundSkills } from "./skills";
export { type AgentJsonTextStore } from "./agentJsonText";
export { type EditorStore } from "./editorStore";
export { attachFiles } from "./attachFiles";
export type { ImportItem, ImportReport, ImportSource } from "./importFiles";
export { zipItems } from "./zipItems";
export { createFindStore, type FindState, type FindStore, type FoundLine } from "./findStore";
export { type FileSides, type FinalFile } from "./compareFiles";
export { type CompareLine } from "./compareLines";
export { endedAlike, isWholePair, pairMetrics, runsOf } from "./comparePairs";
export { compareSentence } from "./compareSentence";
export { isOpen, type ArmSide, type ComparePair, type CompareRun } from "./compareState";
export { messageFromError } from "./messageFromError";
export { type MountLook } from "./mountLook";
export { folderProblem } from "./mountStatus";
export { type MountView } from "./mountView";
export { type ChosenSource, type MountCredentials, type MountPatch, type NewMount } from "./chosenMount";
export { prefixProblem } from "./mountRules";
export { isHostRuntime, type HostRuntimeDocument } from "./hostRuntime";
export { type MountKind } from "./mountRecord";
export type { ProjectHost } from "./projectHost";
export {
  emptyProjectDocument,
  type CompareVariant,
  type ProjectDocument,
  type WorkMode,
  plannedRunCount,
} from "./projectDocument";
export { type ProjectState } from "./projectStore";
export { mountAt } from "./mountAt";
export { PathRanking, type RankedPaths } from "./pathRanking";
export { rowByTyping, treeRowsMaker, type TreeRow, type TreeRows, type TreeRowsInput } from "./treeRows";
export { createWorkbenchHost, type WorkbenchHost } from "./workbenchHost";
export { connectionProblem } from "./connectionRecord";
export { type ConnectionView, type HarnessTools } from "./connectionsState";
export { type ToolsPanel, type ToolsPanelState } from "./toolsPanelStore";
export { type OfferedRow, type ToolRow } from "./toolsPanelRows";
export { inputFromJson, inputFromTexts, missingTexts, textsFromInput, tryFields, type TryField } from "./tryToolFields";
export { type TryDraft, type TryOutcome } from "./tryToolStore";
export { DEMO_MODEL_NAME } from "../model";
export { type ModelReadiness, type ModelState } from "./modelStore";
export { callLook } from "./callLook";
export { callName } from "./callName";
export { pathOfCall, sessionCallSummary, type CallSummary } from "./sessionCallSummary";
export { type FileDifference } from "./sessionDifference";
export { type SessionImport, type SessionSource } from "./sessionImport";
export { sessionFileFromAddress } from "./sessionFileFromAddress";
export { type SessionLook, type SessionLookStore } from "./sessionLook";
export { type StepRequest } from "./sessionRequest";
export { isFiltering, toolsCalled, type FilterKind } from "./replayFilter";
export { exportedReplay, replayExports, type ReplayExport } from "./replayLookExport";
export { fidelityWords, IMPORTED_FORMATS, formatName } from "./replayLookFormats";
export { originalPiece } from "./replayLookOriginal";
export { targetOf, type OutlineNode } from "./replayLookOutline";
export { createReplayLook, type ReplayLookState, type ReplayLookStore } from "./replayLookStore";
export { axisTicks, waterfall, type Waterfall, type WaterfallRow } from "./replayLookWaterfall";
export { type SearchHit } from "./replaySearch";
export { recordedChanges } from "../trajectory";
export { replayAddress } from "./replayLookAddress";
export { type ReplayAsk, type ReplayFile, type ReplayPlace, type ReplaySpeed, type ReplayState } from "./replayState";
export { groupCounts, groupTools, type ChatRow } from "./sessionRows";
export { type ApprovalAnswer, type SessionStoreState, type SessionView } from "./sessionStoreState";
export { traceRows, type TraceRow } from "./sessionTrace";
export { noticeFromError } from "./noticeFromError";
export type { TerminalBlock, TerminalStore } from "./terminalStore";
export type { ReexecuteStore, ReexecutionChoice, ReexecutionPlan, ShownReport, StartOption } from "./reexecuteState";
export type { ForkChoice, ForkPlan, ForkTarget } from "./forkSessionState";
