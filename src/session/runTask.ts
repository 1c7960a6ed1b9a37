import { childAgent, definitionHash, definitionJson } from "../agent";
import { seededRandom, type JsonObject, type JsonValue } from "../base";
import { checkToolInput, normalizeToolInput, subagentOf } from "../tools";
import { sessionIdFromSeed, sessionIdsAt } from "./eventStamp";
import { allowedTools, openTurn } from "./openTurn";
import type { InputRequest, SessionEvent } from "./sessionEvent";
import { startSession } from "./startSession";
import { taskFacts } from "./taskLog";
import { playgroundStart, type TaskCall, type TaskEnd, type TaskWork, type TurnRun } from "./turnRun";
import type { ResumeTurnOptions, RunTurnOptions, TurnOptions } from "./turnServices";

/** The two ways into a turn; handed in, as a subagent's turns are turns like its parent's. */
export interface Turns {
  run(options: RunTurnOptions): AsyncIterable<SessionEvent>;
  resume(options: ResumeTurnOptions): AsyncIterable<SessionEvent>;
}

/** A subagent whose turn failed. */
class TaskError extends Error {
  readonly code: string;

  constructor({ code, message }: { readonly code: string; readonly message: string }) {
    super(`The subagent's turn failed: ${message}`);
    this.code = code;
  }
}

/**
 * Runs a subagent as a session of its own on its parent's tree, with its parent's gates: one message, one turn. Its log
 * is part of the call's value. Where a call of it needs a person, the parent's turn waits with it.
 */
export function runTask(turns: Turns, run: TurnRun, call: TaskCall): TaskWork {
  const events: SessionEvent[] = [];
  const output = async (): Promise<TaskEnd> => {
    const tool = run.bound.tools.find(({ name }) => name === "task");
    if (tool !== undefined) await checkToolInput(tool, call.input);
    for await (const event of taskTurn(turns, run, call, events)) {
      events.push(event);
      if (event.type === "action.result") call.report(progressOf(events));
    }
    const value = valueOf(events);
    const requests = (openTurn(events)?.pending ?? []).map((request) => requestOf(call, request));
    if (requests.length > 0) return { kind: "parked", value, requests };
    const failed = events.find((event) => event.type === "turn.failed");
    if (failed?.type !== "turn.failed") return { kind: "done", value };
    // A failed call's value is its error, so what the subagent did is told before.
    call.report(value);
    throw new TaskError(failed.data);
  };
  return { output: output(), facts: () => taskFacts(events) };
}

/** The subagent's turn from its beginning, or from where it waited; what its log holds by then is put into `events`. */
function taskTurn(
  turns: Turns,
  run: TurnRun,
  { action: { callId }, input, resume }: TaskCall,
  events: SessionEvent[],
): AsyncIterable<SessionEvent> {
  const start = playgroundStart(run.log);
  const seed = `${start?.seed ?? run.sessionId}/task/${callId}`;
  const meant = normalizeToolInput("task", input) as JsonObject & { readonly prompt: string };
  const bound = childAgent(run.bound, subagentOf(meant, run.bound.subagents));
  const position = resume?.events.length ?? 0;
  const ids = sessionIdsAt(seed, position, run.options.services.clock);
  const options = (): TurnOptions => ({
    ...gatesOf(run),
    bound,
    events: [...events],
    services: { ...run.options.services, ids, random: seededRandom(`${seed}/retries/${position}`) },
  });
  if (resume !== undefined) {
    events.push(...resume.events);
    return turns.resume({ ...options(), resolutions: resume.resolutions });
  }
  events.push(
    ...startSession({
      seed,
      ids,
      clock: run.options.services.clock,
      agentId: bound.definition.name,
      agentName: bound.definition.name,
      definition: definitionJson(bound.definition),
      definitionHash: definitionHash(bound.definition),
      model: start?.model ?? {},
      tools: bound.tools,
      mounts: start?.mounts ?? [],
      snapshot: start?.snapshot ?? "",
      task: { sessionId: run.sessionId, callId },
      ...(start?.startedAt === undefined ? {} : { startedAt: start.startedAt }),
      ...(run.dryRun ? { dryRun: true } : {}),
      ...(run.asOf === undefined ? {} : { asOf: run.asOf }),
    }),
  );
  return turns.run({ ...options(), message: meant.prompt });
}

/** What holds for the parent's calls and so for the subagent's; what a person changes is told between the parent's own. */
function gatesOf(run: TurnRun): Omit<TurnOptions, "bound" | "events" | "services"> {
  const { approvals, callSettings, stallMs, treeForCall } = run.options;
  return {
    signal: run.signal,
    dryRun: run.dryRun,
    allowedTools: allowedTools(run.log),
    ...(approvals === undefined ? {} : { approvals }),
    ...(callSettings === undefined ? {} : { callSettings }),
    ...(stallMs === undefined ? {} : { stallMs }),
    ...(treeForCall === undefined ? {} : { treeForCall }),
  };
}

/** The subagent's request as its parent's log has it: ids of both, since each counts for itself. */
function requestOf({ action: { callId } }: TaskCall, request: InputRequest): InputRequest {
  const { action, requestId } = request;
  const prompt = `Allow a subagent ${action.toolName}?`;
  const task = { callId, requestId };
  return {
    ...request,
    requestId: `request_${callId}/${action.callId}`,
    prompt,
    action: { ...action, callId: `${callId}/${action.callId}` },
    task,
  };
}

/** What the call comes to: the last message, and the whole log of how it came to it. */
function valueOf(events: readonly SessionEvent[]): JsonObject {
  return { ...progressOf(events), events: JSON.parse(JSON.stringify(events)) as JsonValue };
}

function progressOf(events: readonly SessionEvent[]): JsonObject {
  const said = events.findLast((event) => event.type === "message.completed");
  const calls = events.flatMap((event) => (event.type === "actions.requested" ? event.data.actions : []));
  return {
    sessionId: sessionIdFromSeed(playgroundStart(events)?.seed ?? ""),
    message: said?.type === "message.completed" ? said.data.message : "",
    calls: calls.length,
  };
}
