import { agentChangedText } from "./agentChangedText";
import { entryText } from "./entryText";
import { reduceCallEvent, withCallItem } from "./reduceCalls";
import type { EventData, KnownSessionEvent, SessionEvent, Usage } from "./sessionEvent";
import type { NoticeItem, SessionItem } from "./sessionItem";
import {
  initialSessionState,
  type FoldMemory,
  type SessionState,
  type StepState,
  type TurnState,
} from "./sessionState";
import { StateList } from "./stateList";
import { mergedMountsChange, treeChangedText } from "./treeChangedText";

/**
 * One event folded in; `index` is its place in the log. Never throws: an event that is not what its type promises, as an
 * imported log may hold, becomes a notice.
 */
export function reduceSession(state: SessionState, told: SessionEvent, index: number): SessionState {
  const event = atCrash(state, told);
  let next: SessionState;
  try {
    next = reduceKnown(state, event, index);
  } catch {
    next = withNotice(state, index, {
      tone: "warn",
      text: `An event could not be read: ${event.type}`,
      code: "unreadable",
    });
  }
  return { ...withTime(state, next, event), eventCount: index + 1 };
}

export function sessionStateFromEvents(events: Iterable<SessionEvent>): SessionState {
  let state = initialSessionState;
  let index = 0;
  for (const event of events) state = reduceSession(state, event, index++);
  return state;
}

function reduceKnown(state: SessionState, event: KnownSessionEvent, index: number): SessionState {
  switch (event.type) {
    case "session.started": {
      const sessionId = event.data.playground?.sessionId ?? state.sessionId;
      return { ...state, started: event.data, sessionId };
    }
    case "ab.assigned":
      return { ...state, assigned: event.data };
    case "tree.changed":
      return treeChanged(state, event.data, index);
    case "agent.changed":
      return agentChanged(state, event.data, index);
    case "turn.started":
      return turnStarted(state, event.data.turnId, event.meta.at);
    case "message.received":
      return withItem(state, {
        kind: "user",
        id: freeId(state, `${event.data.turnId}/message`),
        turnId: event.data.turnId,
        text: event.data.message,
        ...(event.data.parts === undefined ? {} : { parts: event.data.parts }),
        at: event.meta.at,
      });
    case "step.started":
      return stepStarted(state, event.data, event.meta.at, index);
    case "step.retried":
      return withNotice(
        withStep(state, event.data, (step) => ({ ...step, retries: step.retries + 1 })),
        index,
        {
          turnId: event.data.turnId,
          tone: "warn",
          text: `The model call failed (${event.data.reason}); tried again after ${secondsText(event.data.delayMs)}.`,
          code: event.data.code,
        },
      );
    case "reasoning.appended":
    case "reasoning.completed":
    case "message.appended":
    case "message.completed":
      return withBlock(state, event);
    case "action.input.appended":
    case "actions.requested":
    case "input.requested":
    case "input.resolved":
    case "action.partial":
    case "action.result":
      return reduceCallEvent(state, event, index);
    case "step.completed":
    case "step.failed":
      return stepEnded(state, event);
    case "turn.waiting":
      return withTurn({ ...state, status: "input" }, event.data.turnId, (turn) => ({ ...turn, status: "waiting" }));
    case "turn.completed":
    case "turn.failed":
    case "turn.cancelled":
      return turnEnded(state, event, index);
    case "session.waiting":
      return { ...state, status: "ready", continuationToken: event.data.continuationToken };
    case "session.completed":
      return { ...state, status: "ended" };
    case "session.failed":
      return withNotice({ ...state, status: "ended" }, index, {
        tone: "bad",
        text: event.data.message,
        code: event.data.code,
      });
    case "import.source":
      return { ...state, sessionId: event.data.session?.id ?? state.sessionId };
    case "import.entry":
      return withNotice(state, index, { tone: "info", text: entryText(event.data), code: "import-entry" });
    case "compaction.requested":
      return state;
    case "compaction.completed":
      return withNotice(state, index, { tone: "info", text: "The context was compacted.", code: "compaction" });
    case "log.damaged":
      return logDamaged(state, event.data.lostCount, index);
    default:
      return withNotice(state, index, {
        tone: "info",
        text: `Event of another version: ${(event as SessionEvent).type}`,
        code: "unknown-event",
      });
  }
}

function logDamaged(state: SessionState, lostCount: number, index: number): SessionState {
  if (lostCount === 0) return state;
  const events = lostCount === 1 ? "1 event" : `${lostCount} events`;
  const text = `${events} of this session cannot be read: what is stored is not what was written.`;
  return withNotice(state, index, { tone: "bad", text, code: "log-damaged" });
}

/** Changes of mounts right after one another are one row, which says what they come to. */
function treeChanged(state: SessionState, data: EventData["tree.changed"], index: number): SessionState {
  if (data.reason !== "mounts")
    return withNotice(state, index, { tone: "info", text: treeChangedText(data), code: data.reason });
  const told = state.fold.mounts ?? state.started?.playground?.mounts;
  const last = state.fold.mountsNote;
  const goesOn = last !== undefined && last.id === state.itemIds.last;
  const before = goesOn ? last.before : told;
  const change = goesOn ? mergedMountsChange(last.change, data) : data;
  const id = goesOn ? last.id : `event_${index}`;
  const item = { tone: "info", text: treeChangedText(change, before), code: data.reason, eventIndex: index } as const;
  const mounts = data.mounts ?? told;
  const mountsNote = { id, change, ...(before === undefined ? {} : { before }) };
  const fold = { ...state.fold, mountsNote, ...(mounts === undefined ? {} : { mounts }) };
  return withItem({ ...state, fold }, { kind: "notice", id, ...item });
}

function agentChanged(state: SessionState, { definition }: EventData["agent.changed"], index: number): SessionState {
  const text = agentChangedText(state.fold.definition ?? state.started?.playground?.definition, definition);
  const next = definition === undefined ? state : { ...state, fold: { ...state.fold, definition } };
  return withNotice(next, index, { tone: "info", text, code: "agent-changed" });
}

function turnStarted(state: SessionState, turnId: string, at: string): SessionState {
  const turn: TurnState = { id: turnId, startedAt: at, status: "running", stepIds: StateList.empty };
  return { ...state, status: "running", turns: state.turns.appended(turn) };
}

function stepStarted(state: SessionState, data: EventData["step.started"], at: string, index: number): SessionState {
  const step: StepState = {
    id: stepIdOf(data),
    turnId: data.turnId,
    stepIndex: data.stepIndex,
    modelId: data.modelId,
    ...(data.request === undefined ? {} : { request: data.request }),
    startedAt: at,
    callIds: [],
    retries: 0,
    firstEvent: index,
  };
  const next = { ...state, steps: state.steps.appended(step), fold: closedBlocks(state.fold) };
  return withTurn(next, data.turnId, (turn) => ({ ...turn, stepIds: turn.stepIds.appended(step.id) }));
}

type BlockEvent = Extract<KnownSessionEvent, { type: `${"message" | "reasoning"}.${"appended" | "completed"}` }>;

/**
 * A piece or the end of a text or reasoning block. The end carries the whole text, which wins over the pieces: a step may
 * hold several blocks, and pieces do not say which they belong to.
 */
function withBlock(state: SessionState, event: BlockEvent): SessionState {
  const isText = event.type === "message.appended" || event.type === "message.completed";
  const openId = isText ? state.fold.openText : state.fold.openReasoning;
  const open = openId === undefined ? undefined : state.items.get(openId);
  const before = open?.kind === "assistant" || open?.kind === "reasoning" ? open.text : "";
  const stepId = stepIdOf(event.data);
  const id = openId ?? freeId(state, `${stepId}/${isText ? "text" : "reasoning"}`);
  const done = event.type === "message.completed" || event.type === "reasoning.completed";
  const base = { id, turnId: event.data.turnId, stepId, done, at: open && "at" in open ? open.at : event.meta.at };
  const openNow = done ? undefined : id;
  const next = { ...state, fold: withOpenBlock(state.fold, isText ? "openText" : "openReasoning", openNow) };
  switch (event.type) {
    case "message.appended":
      return withItem(next, { ...base, kind: "assistant", text: before + event.data.messageDelta });
    case "message.completed":
      return withItem(next, {
        ...base,
        kind: "assistant",
        text: event.data.message,
        finishReason: event.data.finishReason,
      });
    case "reasoning.appended":
      return withItem(next, { ...base, kind: "reasoning", text: before + event.data.reasoningDelta });
    case "reasoning.completed":
      return withItem(next, { ...base, kind: "reasoning", text: event.data.reasoning });
    default:
      return state;
  }
}

function stepEnded(
  state: SessionState,
  event: Extract<KnownSessionEvent, { type: "step.completed" | "step.failed" }>,
): SessionState {
  const endedAt = event.meta.at;
  const usage = event.type === "step.completed" ? event.data.usage : undefined;
  const next = withStep(withClosedBlocks(state), event.data, (step) =>
    event.type === "step.completed"
      ? { ...step, endedAt, finishReason: event.data.finishReason, ...(usage === undefined ? {} : { usage }) }
      : { ...step, endedAt, failed: { code: event.data.code, message: event.data.message } },
  );
  const closedSteps = state.fold.closedSteps + 1;
  return {
    ...failedCalls(next, (item) => item.state === "writing", {
      code: "not-requested",
      message: "The model did not finish this call.",
    }),
    usage: state.fold.closedSteps === 0 ? (usage ?? {}) : summedUsage(state.usage, usage ?? {}),
    fold: { ...closedBlocks(next.fold), closedSteps },
  };
}

function turnEnded(
  state: SessionState,
  event: Extract<KnownSessionEvent, { type: "turn.completed" | "turn.failed" | "turn.cancelled" }>,
  index: number,
): SessionState {
  const status = event.type.slice("turn.".length) as "completed" | "failed" | "cancelled";
  const why = event.type === "turn.failed" ? { code: event.data.code, message: event.data.message } : {};
  const settled = failedCalls(withClosedBlocks(state), (item) => item.turnId === event.data.turnId, {
    code: "no-result",
    message: "The log holds no result of this call.",
  });
  const next = withTurn({ ...settled, status: "ready", pendingRequests: [] }, event.data.turnId, (turn) => ({
    ...turn,
    status,
    endedAt: event.meta.at,
    ...why,
  }));
  if (event.type !== "turn.failed") return next;
  const tone = event.data.code === "interrupted" ? "warn" : "bad";
  return withNotice(next, index, { turnId: event.data.turnId, tone, text: event.data.message, code: event.data.code });
}

/** Calls without a result that nothing can answer any more. */
function failedCalls(
  state: SessionState,
  which: (item: Extract<SessionItem, { kind: "call" }>) => boolean,
  error: { readonly code: string; readonly message: string },
): SessionState {
  let next = state;
  const open: string[] = [];
  for (const callId of state.fold.openCalls) {
    const item = next.items.get(callId);
    if (item?.kind !== "call" || !which(item)) {
      open.push(callId);
      continue;
    }
    next = withCallItem(next, { ...item, state: "failed", error });
  }
  return open.length === state.fold.openCalls.length ? state : { ...next, fold: { ...next.fold, openCalls: open } };
}

/** Blocks that got no end of their own are over when their step is. */
function withClosedBlocks(state: SessionState): SessionState {
  let items = state.items;
  for (const id of [state.fold.openText, state.fold.openReasoning]) {
    const item = id === undefined ? undefined : items.get(id);
    if (item?.kind === "assistant" || item?.kind === "reasoning") items = items.with({ ...item, done: true });
  }
  return items === state.items ? state : { ...state, items, fold: closedBlocks(state.fold) };
}

function closedBlocks(fold: FoldMemory): FoldMemory {
  return withOpenBlock(withOpenBlock(fold, "openText", undefined), "openReasoning", undefined);
}

function withOpenBlock(fold: FoldMemory, key: "openText" | "openReasoning", id: string | undefined): FoldMemory {
  if (fold[key] === id) return fold;
  if (id !== undefined) return { ...fold, [key]: id };
  const { [key]: _closed, ...rest } = fold;
  return rest;
}

function withNotice(
  state: SessionState,
  index: number,
  notice: Pick<NoticeItem, "tone" | "text"> & Partial<Pick<NoticeItem, "turnId" | "code">>,
): SessionState {
  return withItem(state, { kind: "notice", id: `event_${index}`, ...notice, eventIndex: index });
}

function withItem(state: SessionState, item: SessionItem): SessionState {
  const known = state.items.get(item.id) !== undefined;
  return {
    ...state,
    items: state.items.with(item),
    itemIds: known ? state.itemIds : state.itemIds.appended(item.id),
  };
}

function withTurn(state: SessionState, turnId: string, change: (turn: TurnState) => TurnState): SessionState {
  return { ...state, turns: state.turns.withLast((turn) => turn.id === turnId, change) };
}

function withStep(
  state: SessionState,
  data: { readonly turnId: string; readonly stepIndex: number },
  change: (step: StepState) => StepState,
): SessionState {
  const id = stepIdOf(data);
  return { ...state, steps: state.steps.withLast((step) => step.id === id, change) };
}

/** Adds the time that went by since the event before, when a turn ran all that time. */
/**
 * What was lost with its page is told when somebody opens the session again, but was over when the page was: with the
 * last event that came before.
 */
function atCrash(state: SessionState, event: SessionEvent): SessionEvent {
  const { ranUntil } = state.fold;
  const data = event.data as { readonly code?: string; readonly error?: { readonly code?: string } } | undefined;
  if (ranUntil === undefined || (data?.code ?? data?.error?.code) !== "host-lost") return event;
  return { ...event, meta: { ...event.meta, at: new Date(ranUntil).toISOString() } };
}

function withTime(before: SessionState, after: SessionState, event: SessionEvent): SessionState {
  // A person's doing, at any time: also long after a crash.
  if (event.type === "tree.changed") return after;
  const { ranUntil, ...fold } = after.fold;
  const at = Date.parse(event.meta?.at);
  const passed = before.status === "running" && ranUntil !== undefined && at > ranUntil ? at - ranUntil : 0;
  const running = after.status === "running" && !Number.isNaN(at);
  if (passed === 0 && (running ? ranUntil === at : ranUntil === undefined)) return after;
  return { ...after, wallTimeMs: after.wallTimeMs + passed, fold: running ? { ...fold, ranUntil: at } : fold };
}

const USAGE_KEYS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "costUsd"] as const;

/** Figures both sides know; what one side does not know is unknown in the sum. */
export function summedUsage(a: Usage, b: Usage): Usage {
  const sum: Record<string, number> = {};
  for (const key of USAGE_KEYS) {
    const left = a[key];
    const right = b[key];
    if (left !== undefined && right !== undefined) sum[key] = left + right;
  }
  return sum;
}

export function stepIdOf(data: { readonly turnId: string; readonly stepIndex: number }): string {
  return `${data.turnId}/${data.stepIndex}`;
}

/**
 * `base`, or `base/2`, `base/3`, … when rows of that name are there. Their numbers have no gaps, so the first free one is
 * closed in on instead of counted up to.
 */
function freeId(state: SessionState, base: string): string {
  const idOf = (number: number) => (number === 1 ? base : `${base}/${number}`);
  const isTaken = (number: number) => state.items.get(idOf(number)) !== undefined;
  let free = 1;
  while (isTaken(free)) free *= 2;
  for (let taken = Math.floor(free / 2); free - taken > 1;) {
    const middle = Math.floor((taken + free) / 2);
    if (isTaken(middle)) taken = middle;
    else free = middle;
  }
  return idOf(free);
}

function secondsText(delayMs: number): string {
  return `${Math.round(delayMs / 100) / 10} s`;
}
