/**
 * A conversation as an append-only log of events, the loop that writes it, and the fold that shows it.
 *
 * - *event*: one line of a log; *log*: the events of a session in order, its only truth.
 * - *turn*: from a person's message to the agent's end of work; *step*: one model call of it, with the calls it asked for.
 * - *call*: one use of a tool: requested, answered exactly once before its turn ends.
 * - *parked*: a turn that waits for a person's answer; it survives a reload.
 * - *state*, *item*: what the views show of a log; an item is one row.
 * - *request*: what one step sent to the model; *part*: a stretch of it with one owner.
 */
export {
  EVENT_STREAM_VERSION,
  PLAYGROUND_SCHEMA,
  type EventData,
  type EventMeta,
  type FileChange,
  type FileEvidence,
  type FinishReason,
  type InputRequest,
  type InputResolution,
  type KnownSessionEvent,
  type PlaygroundStart,
  type ProviderMetadata,
  type RecordedFork,
  type RecordedMount,
  type Served,
  type SessionEvent,
  type SessionEventOf,
  type SessionEventType,
  type ToolCallAction,
  type ToolResult,
  type Usage,
} from "./sessionEvent";
export type { EventOrigin, ImportFidelity, ImportWarning, RecordedSession } from "./importedSession";
export type { OfferedTool } from "./offeredTool";
export type { AssistantItem, CallItem, NoticeItem, ReasoningItem, SessionItem, UserItem } from "./sessionItem";
export { callTool, type CallToolOptions, type ToolOutcome } from "./callTool";
export { continuationToken } from "./continuation";
export { eventStamp, sessionIdFromSeed, sessionIdsAt } from "./eventStamp";
export { interruptTurn } from "./interruptTurn";
export { allowedTools } from "./openTurn";
export { recoverSession } from "./recoverSession";
export { carriedState } from "./carriedState";
export { reduceSession, sessionStateFromEvents } from "./reduceSession";
export { modelRequest } from "./modelRequest";
export { requestDifference, requestParts, type ChangedPart, type RequestPart } from "./requestParts";
export { continueTurn, resumeTurn, runTurn } from "./runTurn";
export { SessionError, type SessionErrorCode } from "./sessionError";
export { startSession } from "./startSession";
export { initialSessionState, type SessionState, type StepState, type TurnState } from "./sessionState";
export { stubText } from "./stubText";
export type { TurnOptions, TurnServices } from "./turnServices";
export { withoutStandingApprovals } from "./withoutStandingApprovals";
