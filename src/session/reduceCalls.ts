import type { JsonObject } from "../base";
import { normalizeToolInput } from "../tools";
import type { EventData, EventMeta, KnownSessionEvent, ToolCallAction } from "./sessionEvent";
import type { CallItem } from "./sessionItem";
import type { SessionState } from "./sessionState";
import { taskEvents } from "./taskLog";

type CallEvent = Extract<
  KnownSessionEvent,
  {
    type:
      | "action.input.appended"
      | "actions.requested"
      | "input.requested"
      | "input.resolved"
      | "action.partial"
      | "action.result";
  }
>;
interface CallPlace {
  readonly turnId: string;
  readonly stepIndex: number;
  readonly at: string;
  /** Milliseconds since 1970 a file says; absent of what was recorded here, where a call's time is measured. */
  readonly importedMs?: number;
  readonly index: number;
}

/** Events about tool calls, folded into the rows of the calls. */
export function reduceCallEvent(state: SessionState, event: CallEvent, index: number): SessionState {
  const { turnId, stepIndex } = event.data;
  const place: CallPlace = { turnId, stepIndex, at: event.meta.at, index, ...importedTime(event.meta) };
  switch (event.type) {
    case "action.input.appended": {
      const { callId, toolName, inputTextDelta } = event.data;
      return withCall(state, callId, toolName, place, (item) =>
        item.state === "writing" ? { ...item, inputText: item.inputText + inputTextDelta } : item,
      );
    }
    case "actions.requested":
      return event.data.actions.reduce((next, action) => withRequested(next, action, place), state);
    case "input.requested":
      return event.data.requests.reduce(
        (next, request) => ({
          ...withCall(next, request.action.callId, request.action.toolName, place, (item) =>
            isSettled(item) ? item : { ...withInput(item, request.action), state: "approval", approval: request },
          ),
          pendingRequests: [...next.pendingRequests, request],
        }),
        state,
      );
    case "input.resolved":
      return withResolved(state, event.data, place);
    case "action.partial": {
      const { callId, toolName, output } = event.data.result;
      return withCall(state, callId, toolName, place, (item) =>
        isSettled(item) ? item : { ...item, state: "running", output },
      );
    }
    case "action.result":
      return withResult(state, event.data, place);
    default:
      return state;
  }
}

function importedTime(meta: EventMeta): { readonly importedMs?: number } {
  const importedMs = meta.origin === undefined || meta.time === "missing" ? Number.NaN : Date.parse(meta.at);
  return Number.isNaN(importedMs) ? {} : { importedMs };
}

function withRequested(state: SessionState, action: ToolCallAction, place: CallPlace): SessionState {
  const known = state.items.get(action.callId);
  const isNew = known?.kind !== "call" || known.state === "writing";
  return withCall(state, action.callId, action.toolName, place, (item) => ({
    ...item,
    toolName: action.toolName,
    ...(action.mcp === undefined ? {} : { mcp: action.mcp }),
    input: normalizeToolInput(action.toolName, action.input),
    inputText: action.inputText ?? (item.inputText === "" ? JSON.stringify(action.input) : item.inputText),
    state: isNew ? "requested" : item.state,
    requestedAt: isNew ? place.at : item.requestedAt,
    ...(isNew && place.importedMs !== undefined ? { importedRequestMs: place.importedMs } : {}),
  }));
}

/** A subagent's call is not requested in this log: what is known of it is what a person is asked. */
function withInput(item: CallItem, { toolName, input }: ToolCallAction): CallItem {
  if (item.input !== undefined) return item;
  return { ...item, input: normalizeToolInput(toolName, input), inputText: JSON.stringify(input) };
}

function withResolved(state: SessionState, data: EventData["input.resolved"], place: CallPlace): SessionState {
  let next = state;
  for (const resolution of data.resolutions) {
    const request = state.pendingRequests.find((pending) => pending.requestId === resolution.requestId);
    if (request === undefined) continue;
    const { callId, toolName } = request.action;
    const edited = resolution.response?.["input"];
    next = withCall(next, callId, toolName, place, (item) => {
      if (isSettled(item) || resolution.outcome !== "approved") return item;
      const input = isObject(edited) ? { input: normalizeToolInput(toolName, edited) } : {};
      return { ...item, ...input, state: "running" };
    });
  }
  const resolved = new Set(data.resolutions.map((resolution) => resolution.requestId));
  return {
    ...next,
    status: "running",
    pendingRequests: state.pendingRequests.filter((request) => !resolved.has(request.requestId)),
    turns: next.turns.withLast(
      (turn) => turn.id === data.turnId,
      (turn) => ({ ...turn, status: "running" }),
    ),
  };
}

function withResult(state: SessionState, data: EventData["action.result"], place: CallPlace): SessionState {
  const { callId } = data.result;
  const known = state.items.get(callId);
  if (known?.kind === "call" && isSettled(known)) return state;
  const next = withCall(state, callId, data.toolName ?? data.result.toolName, place, (item) => ({
    ...item,
    state: data.status,
    output: data.result.output,
    ...(data.error === undefined ? {} : { error: data.error }),
    ...durationOf(item, data.durationMs, place),
    served: data.served ?? [],
    changes: data.changes ?? [],
    ...(data.stub === undefined ? {} : { stub: data.stub }),
  }));
  const done = {
    ...next,
    fold: { ...next.fold, openCalls: next.fold.openCalls.filter((openId) => openId !== callId) },
  };
  return withSubagentCalls(done, data, place);
}

/**
 * What was measured; of an imported call nobody measured, the time from its request to its result. The same time at both
 * is that of the message they stand in, and says nothing of the call.
 */
function durationOf(item: CallItem, measuredMs: number | undefined, { importedMs }: CallPlace) {
  if (measuredMs !== undefined) return { durationMs: measuredMs };
  if (importedMs === undefined || item.importedRequestMs === undefined) return {};
  const durationMs = importedMs - item.importedRequestMs;
  return durationMs > 0 ? { durationMs } : {};
}

/** The rows of what a subagent asked a person are over with the subagent, each as its own log says. */
function withSubagentCalls(state: SessionState, data: EventData["action.result"], place: CallPlace): SessionState {
  const prefix = `${data.result.callId}/`;
  const open = state.fold.openCalls.filter((openId) => openId.startsWith(prefix));
  if (open.length === 0) return state;
  const own = taskEvents(data.result.output).flatMap((event) => (event.type === "action.result" ? [event.data] : []));
  return open.reduce((next, openId) => {
    const found = own.find((each) => each.result.callId === openId.slice(prefix.length)) ?? data;
    return withResult(next, { ...found, result: { ...found.result, callId: openId } }, place);
  }, state);
}

/** Changes the row of a call, made first when there is none. */
function withCall(
  state: SessionState,
  callId: string,
  toolName: string,
  place: CallPlace,
  change: (item: CallItem) => CallItem,
): SessionState {
  const known = state.items.get(callId);
  const before = known?.kind === "call" ? known : newCall(callId, toolName, place);
  const item = { ...change(before), lastEvent: place.index };
  const next = withCallItem(state, item);
  if (known !== undefined) return next;
  return {
    ...next,
    itemIds: state.itemIds.appended(callId),
    steps: state.steps.withLast(
      (step) => step.id === item.stepId,
      (step) => ({ ...step, callIds: [...step.callIds, item.id] }),
    ),
    fold: { ...state.fold, openCalls: [...state.fold.openCalls, callId] },
  };
}

/** The row of a call put in, counted by how the call stands now: every call that has a row counts once. */
export function withCallItem(state: SessionState, item: CallItem): SessionState {
  const known = state.items.get(item.id);
  const before = known?.kind === "call" ? countedAs(known) : undefined;
  const after = countedAs(item);
  const items = state.items.with(item);
  if (before === after) return { ...state, items };
  const counts = { ...state.counts };
  if (before === undefined) counts.calls += 1;
  else counts[before] -= 1;
  counts[after] += 1;
  return { ...state, items, counts };
}

function countedAs({ state, stub }: CallItem): Exclude<keyof SessionState["counts"], "calls"> {
  if (state === "completed") return stub === true ? "stubbed" : "ok";
  return state === "failed" || state === "rejected" ? state : "running";
}

function newCall(callId: string, toolName: string, place: CallPlace): CallItem {
  return {
    kind: "call",
    id: callId,
    turnId: place.turnId,
    stepId: `${place.turnId}/${place.stepIndex}`,
    toolName,
    inputText: "",
    state: "writing",
    requestedAt: place.at,
    served: [],
    changes: [],
    firstEvent: place.index,
    lastEvent: place.index,
  };
}

function isSettled(item: CallItem): boolean {
  return item.state === "completed" || item.state === "failed" || item.state === "rejected";
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
