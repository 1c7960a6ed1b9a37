import type { JsonObject } from "../base";
import { normalizeFsPath } from "../fs";
import { normalizeToolInput } from "../tools";
import type { EventDraft } from "./eventStamp";
import { waitingCallId, type OpenTurn } from "./openTurn";
import type { FileChange, InputResolution, SessionEvent, ToolCallAction } from "./sessionEvent";
import { taskEvents, taskFacts } from "./taskLog";
import { failedTurnDrafts, unsuccessfulResult, type StepPlace, type TurnFailure } from "./turnRun";

/**
 * What ends a turn that a log stops in the middle of: every call without a result gets one, the step and the turn their
 * end. `changes` is what the files say has been done, where they were looked at; each is told with the first cut call that
 * can have done it, and left out where none can.
 */
export function closedTurnDrafts(
  log: readonly SessionEvent[],
  open: OpenTurn,
  failure: TurnFailure,
  changes?: readonly FileChange[],
): EventDraft[] {
  const { turnId, sequence } = open;
  const place: StepPlace = { turnId, sequence, stepIndex: open.step?.stepIndex ?? 0 };
  const drafts = answersToAll(place, open, failure, changes);
  if (open.step?.ended === false) drafts.push({ type: "step.failed", data: { ...place, ...failure } });
  return [...drafts, ...failedTurnDrafts(log, open, failure)];
}

/** Ends what waits for a person, then answers every call that has no result. */
export function answersToAll(
  place: StepPlace,
  open: OpenTurn,
  failure: TurnFailure,
  changes?: readonly FileChange[],
): EventDraft[] {
  const answers = cutCallDrafts(place, open, failure, changes);
  return open.pending.length > 0 ? [cancelledDraft(place, open), ...answers] : answers;
}

function cancelledDraft(place: StepPlace, open: OpenTurn): EventDraft {
  const resolutions = open.pending.map(({ requestId, kind }) => ({ requestId, kind, outcome: "cancelled" as const }));
  return { type: "input.resolved", data: { ...place, resolutions } };
}

/** Results for the calls that have none; those that wait for a person are rejected, the others failed. */
export function cutCallDrafts(
  place: StepPlace,
  open: OpenTurn,
  failure: TurnFailure,
  changes: readonly FileChange[] | undefined,
  which: (callId: string) => boolean = () => true,
): EventDraft[] {
  const pending = new Set(open.pending.filter(({ task }) => task === undefined).map(waitingCallId));
  const unanswered = open.actions.filter(({ callId }) => !open.answered.has(callId) && which(callId));
  let left = changes ?? [];
  return unanswered.map((action) => {
    if (pending.has(action.callId)) return unsuccessfulResult(place, action, "rejected", failure);
    const resolution = open.resolved.find(({ request }) => request.action.callId === action.callId)?.resolution;
    const isDenied = resolution?.outcome === "denied";
    const found = isDenied ? [] : left.filter(({ path }) => canWrite(action, resolution, path));
    // Where nobody has looked, what a subagent's log tells is what there is.
    const own = changes === undefined ? taskFacts(taskEvents(open.partials.get(action.callId))).changes : found;
    left = left.filter((change) => !own.includes(change));
    return unsuccessfulResult(place, action, "failed", failure, own.length === 0 ? {} : { changes: own });
  });
}

/** Tools of ours that change no file. */
const FILE_SAFE_TOOLS: ReadonlySet<string> = new Set([
  "Read",
  "LS",
  "Grep",
  "Glob",
  "SemanticSearch",
  "readLints",
  "readTodos",
  "updateTodos",
  "webSearch",
  "webFetch",
]);
/** Tools that change the one file they name. */
const ONE_FILE_TOOLS: ReadonlySet<string> = new Set(["Write", "StrReplace", "Delete"]);

/** Whether a call can have changed the file at a path. Of an author's tool nothing is known but that it may write. */
function canWrite(action: ToolCallAction, resolution: InputResolution | undefined, path: string): boolean {
  const { toolName } = action;
  if (FILE_SAFE_TOOLS.has(toolName)) return false;
  if (!ONE_FILE_TOOLS.has(toolName)) return true;
  const edited = resolution?.response?.["input"];
  const isEdited = typeof edited === "object" && edited !== null && !Array.isArray(edited);
  const target = normalizeToolInput(toolName, isEdited ? (edited as JsonObject) : action.input)["path"];
  if (typeof target !== "string") return false;
  const normal = normalizeFsPath(target);
  // On a host's disk a relative path begins at the session's directory.
  return normal === path || (!target.startsWith("/") && path.endsWith(normal));
}
