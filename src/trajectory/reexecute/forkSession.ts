import { canonicalJson, sha256HexSync, type JsonObject, type JsonValue } from "../../base";
import { bytesFromContents } from "../../fs";
import {
  EVENT_STREAM_VERSION,
  sessionIdFromSeed,
  type EventData,
  type FileChange,
  type PlaygroundStart,
  type SessionEvent,
  type SessionEventOf,
  withoutStandingApprovals,
} from "../../session";
import { soundEvents } from "../soundEvents";

/** What a fork does otherwise than the session it comes from. */
export type ForkEdit =
  | { readonly kind: "none" }
  /** The agent's instructions, from the next model call on. */
  | { readonly kind: "instructions"; readonly instructions: string }
  /** A person's message, or what the model said. */
  | { readonly kind: "message"; readonly message: string }
  | { readonly kind: "tool-result"; readonly output: JsonValue; readonly status?: "completed" | "failed" }
  /** `contents` absent: the file is deleted. `before`: the hash of what it holds now. */
  | {
      readonly kind: "file";
      readonly path: string;
      readonly contents?: string | Uint8Array;
      readonly before?: string;
    };

export interface ForkOptions {
  /** Of the new session: its id, and the ids it gives out, come from it. */
  readonly seed: string;
  /** What the new session runs with, where the old log does not say, as imports do not. */
  readonly playground?: Omit<PlaygroundStart, "schema" | "sessionId" | "seed">;
}

/** A new session as far as it is the old one, and how it goes on. */
export interface SessionFork {
  /** Its log; the tree it begins with is the old session's own. */
  readonly events: readonly SessionEvent[];
  /** `send`: run a turn with the message · `continue`: `continueTurn` · `wait`: the session waits for a message. */
  readonly next: { readonly kind: "send"; readonly message: string } | { readonly kind: "continue" | "wait" };
  /** The last event of the old log whose tree the fork stands on; -1 for the tree it began with. */
  readonly treeIndex: number;
  /** Of the old log: the event from which `recordedThenLive` plays on. */
  readonly playFrom: number;
  /** What is to be written into that tree before it goes on; its `tree.changed` is in the log. */
  readonly file?: { readonly path: string; readonly contents?: Uint8Array };
}

/**
 * A new session that is the old one up to a step and does one thing otherwise. `at` is the event that is edited, or one of
 * the step before which (`none`, `instructions`) or after which (`file`) it goes on by itself. Nothing runs by this; what
 * was allowed for the whole old session is not allowed in the new one.
 *
 * @throws RangeError when there is no such event, or it is none that the edit can be about
 */
export function forkSession(
  log: readonly SessionEvent[],
  at: number,
  edit: ForkEdit,
  options: ForkOptions,
): SessionFork {
  const events = soundEvents(log);
  const event = events[at];
  if (event === undefined) throw new RangeError(`The log has no event ${at}.`);
  const cut = cutFor(events, at, event, edit);
  const kept = events.slice(0, cut.end).map((each, index) => (index === at ? editedEvent(each, edit) : each));
  const copied = kept
    .filter(({ type }) => type !== "session.started" && type !== "import.source")
    .map(withoutStandingApprovals);
  const started = startedEvent(events, edit, options);
  const changed = edit.kind === "file" ? [fileEvent(edit, events[cut.end - 1] ?? event)] : [];
  return {
    events: [started, ...copied, ...changed],
    next: cut.next,
    treeIndex: cut.end - 1,
    playFrom: cut.end,
    ...(edit.kind === "file" ? { file: fileOf(edit) } : {}),
  };
}

interface Cut {
  /** How many events of the old log are kept. */
  readonly end: number;
  readonly next: SessionFork["next"];
}

function cutFor(events: readonly SessionEvent[], at: number, event: SessionEvent, edit: ForkEdit): Cut {
  if (edit.kind === "message" && event.type === "message.received") {
    return { end: turnStart(events, at), next: { kind: "send", message: edit.message } };
  }
  if (edit.kind === "message" && event.type !== "message.completed") {
    throw new RangeError(`Event ${at} (${event.type}) is no message.`);
  }
  if (edit.kind === "tool-result" && event.type !== "action.result") {
    throw new RangeError(`Event ${at} (${event.type}) is no result of a tool.`);
  }
  const goesBefore = edit.kind === "none" || edit.kind === "instructions" || event.type === "step.started";
  const end = goesBefore
    ? beforeOpenCalls(events, stepStart(events, at))
    : stepEnd(events, at, edit.kind === "tool-result");
  return { end, next: { kind: isInTurn(events, end) ? "continue" : "wait" } };
}

function turnStart(events: readonly SessionEvent[], at: number): number {
  return Math.max(
    0,
    events.findLastIndex(({ type }, index) => index <= at && type === "turn.started"),
  );
}

/** Where the step of an event begins; for what stands in no step, the event itself. */
function stepStart(events: readonly SessionEvent[], at: number): number {
  const event = events[at];
  if (event === undefined || !("stepIndex" in event.data)) return at;
  const { turnId, stepIndex } = event.data;
  const found = events.findLastIndex(
    (each, index) =>
      index <= at && each.type === "step.started" && each.data.turnId === turnId && each.data.stepIndex === stepIndex,
  );
  return found < 0 ? at : found;
}

/** Where every call has its result: a model is asked next there only. Before the step that asked for one that has none. */
function beforeOpenCalls(events: readonly SessionEvent[], end: number): number {
  const open = new Map<string, number>();
  let step = end;
  for (let index = 0; index < end; index++) {
    const event = events[index];
    if (event?.type === "turn.started") open.clear();
    else if (event?.type === "step.started") step = index;
    else if (event?.type === "actions.requested") for (const { callId } of event.data.actions) open.set(callId, step);
    else if (event?.type === "action.result") open.delete(event.data.result.callId);
  }
  return Math.min(end, ...open.values());
}

/** Where the next model call, or the end of the turn, comes after an event: every call before it has its result. */
function stepEnd(events: readonly SessionEvent[], at: number, asksNext: boolean): number {
  for (let index = at + 1; index < events.length; index++) {
    const type = events[index]?.type;
    if (type === "step.started" || type === "turn.started") return index;
    // A turn that ended right after a result was cut off: with another result the model is asked after all.
    if (asksNext && (type === "turn.completed" || type === "turn.failed" || type === "turn.cancelled")) return index;
    // A turn that is over is taken along with its end, and with the word that the session waits.
    if (type === "session.waiting") return index + 1;
  }
  return events.length;
}

function isInTurn(events: readonly SessionEvent[], end: number): boolean {
  for (let index = end - 1; index >= 0; index--) {
    const type = events[index]?.type;
    if (type === "turn.started") return true;
    if (type === "turn.completed" || type === "turn.failed" || type === "turn.cancelled") return false;
  }
  return false;
}

function editedEvent(event: SessionEvent, edit: ForkEdit): SessionEvent {
  if (edit.kind === "message" && event.type === "message.completed") {
    return { ...event, data: { ...event.data, message: edit.message } };
  }
  if (edit.kind === "tool-result" && event.type === "action.result") return editedResult(event, edit);
  return event;
}

function editedResult(
  event: SessionEventOf<"action.result">,
  {
    output,
    status = event.data.status === "failed" ? "failed" : "completed",
  }: Extract<ForkEdit, { kind: "tool-result" }>,
): SessionEvent {
  const { error: _error, stub: _stub, truncated: _truncated, absent: _absent, ...data } = event.data;
  const { isError: _isError, ...result } = data.result;
  if (status === "completed") return { ...event, data: { ...data, status, result: { ...result, output } } };
  const message = typeof output === "string" ? output : canonicalJson(output);
  const error = { code: event.data.error?.code ?? "tool-failed", message };
  return { ...event, data: { ...data, status, error, result: { ...result, output: message, isError: true } } };
}

function startedEvent(
  events: readonly SessionEvent[],
  edit: ForkEdit,
  { seed, playground }: ForkOptions,
): SessionEvent {
  const old = events.find((event) => event.type === "session.started");
  const recorded = old?.type === "session.started" ? old.data : undefined;
  const known = recorded?.playground ?? playground;
  const sessionId = sessionIdFromSeed(seed);
  const start = known === undefined ? undefined : startWith(known, edit, { seed, sessionId });
  const data: EventData["session.started"] = {
    ...recorded,
    runtime: recorded?.runtime ?? { agentId: "agent", eveVersion: EVENT_STREAM_VERSION },
    predecessor: { sessionId: predecessorOf(events) },
    ...(start === undefined ? {} : { playground: start }),
  };
  return { type: "session.started", data, meta: old?.meta ?? { id: "", at: "" } };
}

function startWith(
  known: Omit<PlaygroundStart, "schema" | "sessionId" | "seed"> & { readonly schema?: number },
  edit: ForkEdit,
  own: { readonly seed: string; readonly sessionId: string },
): PlaygroundStart {
  const { task: _task, ...start } = known;
  if (edit.kind !== "instructions") return { schema: 1, ...start, ...own };
  const definition: JsonObject = { ...start.definition, instructions: edit.instructions };
  return { schema: 1, ...start, ...own, definition, definitionHash: sha256HexSync(canonicalJson(definition)) };
}

function predecessorOf(events: readonly SessionEvent[]): string {
  for (const event of events) {
    if (event.type === "session.started" && event.data.playground !== undefined) return event.data.playground.sessionId;
    if (event.type === "import.source") return event.data.session.id;
  }
  return "";
}

function fileOf({ path, contents }: Extract<ForkEdit, { kind: "file" }>): NonNullable<SessionFork["file"]> {
  return contents === undefined ? { path } : { path, contents: bytesFromContents(contents) };
}

function fileEvent(edit: Extract<ForkEdit, { kind: "file" }>, after: SessionEvent): SessionEvent {
  const { contents } = fileOf(edit);
  const change: FileChange = {
    path: edit.path,
    ...(edit.before === undefined ? {} : { before: edit.before }),
    ...(contents === undefined ? {} : { after: sha256HexSync(contents), sizeBytes: contents.length }),
  };
  return {
    type: "tree.changed",
    data: { reason: "edit", changes: [change] },
    // No ULID of its own would be the same twice: it is named by what it does.
    meta: { id: `evt_${sha256HexSync(canonicalJson(change)).slice(0, 26).toUpperCase()}`, at: after.meta.at },
  };
}
