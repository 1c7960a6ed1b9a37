import { planCall, type PlannedCall } from "./checkCalls";
import { inputHash, waitingCallId, type OpenTurn } from "./openTurn";
import type { InputRequest, InputResolution, ToolCallAction } from "./sessionEvent";
import { SessionError } from "./sessionError";
import { taskEvents } from "./taskLog";
import type { TurnRun } from "./turnRun";

/**
 * The answers that something waits for. An approval names the call by its id and the hash of its arguments: what a person
 * was shown is what runs.
 * @throws SessionError `stale-approval` for an approval of other arguments, or one that does not say which
 */
export function acceptedResolutions(
  pending: readonly InputRequest[],
  resolutions: readonly InputResolution[],
): InputResolution[] {
  return resolutions.filter((resolution) => {
    const request = pending.find(({ requestId }) => requestId === resolution.requestId);
    if (request === undefined) return false;
    const isBound = resolution.outcome === "approved" || resolution.inputHash !== undefined;
    if (isBound && request.inputHash !== undefined && request.inputHash !== resolution.inputHash) {
      const { toolName, callId } = request.action;
      throw new SessionError(
        "stale-approval",
        `The answer to ${toolName} (${callId}) was given for other arguments; look at the call again and answer it.`,
      );
    }
    return true;
  });
}

/** What is to be done with the calls a person has answered, in the order they were requested. */
export async function resolvedCalls(
  run: TurnRun,
  open: OpenTurn,
  resolutions: readonly InputResolution[],
): Promise<PlannedCall[]> {
  const calls = open.actions.flatMap((action) => {
    const answered = answersTo(open, action, resolutions);
    const [first] = answered;
    if (first === undefined) return [];
    const { request, resolution } = first;
    return [
      request.task === undefined
        ? resolvedCall(run, action, request, resolution)
        : resumedTask(run, open, action, answered),
    ];
  });
  return await Promise.all(calls);
}

interface Answer {
  readonly request: InputRequest;
  readonly resolution: InputResolution;
}

/** The answers a call waits for: one to the call itself, any number to a subagent that works for it. */
function answersTo(open: OpenTurn, { callId }: ToolCallAction, resolutions: readonly InputResolution[]): Answer[] {
  return open.pending.flatMap((request) => {
    const resolution = resolutions.find(({ requestId }) => requestId === request.requestId);
    return resolution === undefined || waitingCallId(request) !== callId ? [] : [{ request, resolution }];
  });
}

/** A subagent goes on from where it waited, with the answers by its own requests. */
async function resumedTask(
  run: TurnRun,
  open: OpenTurn,
  action: ToolCallAction,
  answers: readonly Answer[],
): Promise<PlannedCall> {
  const events = taskEvents(open.partials.get(action.callId));
  const planned = await planCall(run, action);
  if (planned.kind === "refuse") return planned;
  if (events.length === 0) {
    const error = { code: "task-lost", message: "The subagent's log is gone; give it the task again." };
    return { kind: "refuse", action, status: "failed", error };
  }
  const resolutions = answers.map(({ request, resolution }) => ({
    ...resolution,
    requestId: request.task?.requestId ?? resolution.requestId,
  }));
  return { ...planned, kind: "run", resume: { events, resolutions } };
}

async function resolvedCall(
  run: TurnRun,
  action: ToolCallAction,
  request: InputRequest,
  { outcome, response }: InputResolution,
): Promise<PlannedCall> {
  const reject = (code: string, message: string): PlannedCall => {
    return { kind: "refuse", action, status: "rejected", error: { code, message: run.scrub(message) } };
  };
  if (outcome !== "approved") {
    const word = response?.["text"];
    const said = typeof word === "string" && word !== "" ? ` The person says: ${word}` : "";
    return reject("denied", `A person refused this call.${said}`);
  }
  if (request.inputHash !== undefined && request.inputHash !== inputHash(action.input)) {
    return reject("changed", "The approval was given for other arguments.");
  }
  const edited = response?.["input"];
  const isEdited = typeof edited === "object" && edited !== null && !Array.isArray(edited);
  const planned = await planCall(run, isEdited ? { ...action, input: edited as ToolCallAction["input"] } : action);
  // The person has just been asked.
  return planned.kind === "ask" ? { ...planned, kind: "run" } : planned;
}
