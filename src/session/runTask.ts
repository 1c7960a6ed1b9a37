import { childAgent, definitionHash, definitionJson } from "../agent";
import { seededRandom, type JsonObject, type JsonValue } from "../base";
import { checkToolInput, normalizeToolInput, subagentOf } from "../tools";
import { sessionIdFromSeed, sessionIdsAt } from "./eventStamp";
import { allowedTools } from "./openTurn";
import type { EventData, FileChange, SessionEvent, ToolCallAction } from "./sessionEvent";
import { startSession } from "./startSession";
import { playgroundStart, type TaskCall, type TaskWork, type TurnRun } from "./turnRun";
import type { RunTurnOptions } from "./turnServices";

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
 * is part of the call's value. It cannot ask a person; a call that would is refused, and its parent may make it.
 */
export function runTask(
  turn: (options: RunTurnOptions) => AsyncIterable<SessionEvent>,
  run: TurnRun,
  { action, input, report }: TaskCall,
): TaskWork {
  const events: SessionEvent[] = [];
  const output = async (): Promise<JsonValue> => {
    const tool = run.bound.tools.find(({ name }) => name === "task");
    if (tool !== undefined) await checkToolInput(tool, input);
    const options = taskOptions(run, action, normalizeToolInput("task", input));
    events.push(...options.events);
    for await (const event of turn(options)) {
      events.push(event);
      if (event.type === "action.result") report(progressOf(events));
    }
    const failed = events.find((event) => event.type === "turn.failed");
    if (failed?.type !== "turn.failed") return valueOf(events);
    // A failed call's value is its error, so what the subagent did is told before.
    report(valueOf(events));
    throw new TaskError(failed.data);
  };
  return { output: output(), facts: () => factsOf(events) };
}

function taskOptions(run: TurnRun, { callId }: ToolCallAction, input: JsonObject): RunTurnOptions {
  const { approvals, callSettings, dryRun, services, stallMs, treeForCall } = run.options;
  const bound = childAgent(run.bound, subagentOf(input, run.bound.subagents));
  const { prompt = "" } = input as { readonly prompt?: string };
  const start = playgroundStart(run.log);
  const seed = `${start?.seed ?? run.sessionId}/task/${callId}`;
  const ids = sessionIdsAt(seed, 0, services.clock);
  const events = startSession({
    seed,
    ids,
    clock: services.clock,
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
  });
  return {
    ...(approvals === undefined ? {} : { approvals }),
    ...(callSettings === undefined ? {} : { callSettings }),
    ...(dryRun === undefined ? {} : { dryRun }),
    ...(stallMs === undefined ? {} : { stallMs }),
    ...(treeForCall === undefined ? {} : { treeForCall }),
    bound,
    events,
    message: prompt,
    signal: run.signal,
    services: { ...services, ids, random: seededRandom(`${seed}/retries`) },
    allowedTools: allowedTools(run.log),
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

function factsOf(events: readonly SessionEvent[]): ReturnType<TaskWork["facts"]> {
  const results = events.flatMap((event) => (event.type === "action.result" ? [event.data] : []));
  const served = new Map(
    results.flatMap((data) => data.served ?? []).map((one) => [`${one.verb} ${one.mount} ${one.path}`, one]),
  );
  return { served: [...served.values()], changes: mergedChanges(results) };
}

/** What all calls together changed: of each file what it held before the first of them and after the last. */
function mergedChanges(results: readonly EventData["action.result"][]): FileChange[] {
  const merged = new Map<string, FileChange>();
  for (const change of results.flatMap(({ changes = [] }) => changes)) {
    const { before: _before, ...after } = change;
    const first = merged.has(change.path) ? merged.get(change.path)?.before : change.before;
    merged.set(change.path, { ...after, ...(first === undefined ? {} : { before: first }) });
  }
  return [...merged.values()]
    .filter(({ before, after }) => before !== after)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
