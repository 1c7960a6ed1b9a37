import type { JsonObject, JsonValue } from "../../base";
import type { EventData, FileChange, SessionEvent, ToolCallAction } from "../../session";
import { soundLog } from "../soundEvents";
import type { Placement } from "./foreign/placement";

/** A call of a recording: what was asked, what people said to it, and what it came to. */
export interface RecordedCall {
  readonly kind: "call";
  readonly action: ToolCallAction;
  /** The arguments that ran: the model's, or those a person put in their place. */
  readonly input: JsonObject;
  /** Absent for a call the log ends before. */
  readonly result?: EventData["action.result"];
  readonly turnId: string;
  readonly stepIndex: number;
  /** Of the event that holds the result; of the request where there is none. */
  readonly eventIndex: number;
  /** When the result came, ISO-8601; empty where the recording does not say. */
  readonly at: string;
  readonly answered?: "approved" | "denied";
  /** The call of `task` it was made for. */
  readonly taskCallId?: string;
  /** A call of `task` whose subagent's calls stand before it. */
  readonly isTask?: boolean;
}

/** Files somebody else than a call has changed at this point. */
export interface RecordedChange {
  readonly kind: "change";
  readonly changes: readonly FileChange[];
  readonly eventIndex: number;
  readonly at: string;
}

/** A turn begins: what is a turn's own is new. */
export interface RecordedTurn {
  readonly kind: "turn";
  readonly eventIndex: number;
}

export type RecordedItem = RecordedCall | RecordedChange | RecordedTurn;

/**
 * What a log says was done, in the order it was done: results stand in the log in that order. The calls of a subagent
 * stand before the call of `task` that holds its log. Events marked as copied context (`replay: false`) did nothing.
 */
export function recordedItems(events: readonly SessionEvent[]): RecordedItem[] {
  const fold = new ItemFold(undefined);
  for (const [index, event] of events.entries()) fold.add(event, index);
  return fold.finish();
}

/** What a subagent's log in a call of `task` holds; empty where there is none. */
export function taskLogOf(output: JsonValue | undefined): readonly SessionEvent[] {
  if (typeof output !== "object" || output === null || Array.isArray(output)) return [];
  const { events } = output as JsonObject;
  return Array.isArray(events) ? soundLog(events as readonly JsonValue[]) : [];
}

/** Where a recording's paths lie on a tree that has them as they are: relative ones below its own directory. */
export function recordedPlacement(events: readonly SessionEvent[]): Placement {
  const source = events.find((event) => event.type === "import.source");
  return { cwd: (source?.type === "import.source" ? source.data.session.cwd : undefined) ?? "/" };
}

/** Where they lie on a tree that holds the recording's own directory at `here`, as a mount of today does. */
export function placementAt(events: readonly SessionEvent[], here: string): Placement {
  const { cwd } = recordedPlacement(events);
  return { cwd, root: { recorded: cwd, here } };
}

/** Whether a log comes from another program, so that its tools are not ours, whatever they are called. */
export function isForeignLog(events: readonly SessionEvent[]): boolean {
  const started = events.find((event) => event.type === "session.started");
  if (started?.type === "session.started" && started.data.playground !== undefined) return false;
  return events.some((event) => event.type === "import.source");
}

interface OpenCall {
  readonly action: ToolCallAction;
  readonly index: number;
  readonly place: { readonly turnId: string; readonly stepIndex: number };
}

class ItemFold {
  readonly #items: RecordedItem[] = [];
  readonly #open = new Map<string, OpenCall>();
  readonly #asked = new Map<string, string>();
  readonly #answers = new Map<string, { answered: "approved" | "denied"; input?: JsonObject }>();
  readonly #partials = new Map<string, JsonValue>();
  readonly #task: { readonly callId: string; readonly eventIndex: number } | undefined;

  constructor(task: { readonly callId: string; readonly eventIndex: number } | undefined) {
    this.#task = task;
  }

  add(event: SessionEvent, index: number): void {
    if (event.meta.replay === false) return;
    const eventIndex = this.#task?.eventIndex ?? index;
    switch (event.type) {
      case "turn.started":
        if (this.#task === undefined) this.#items.push({ kind: "turn", eventIndex });
        break;
      case "tree.changed":
        if (event.data.changes.length > 0)
          this.#items.push({ kind: "change", changes: event.data.changes, eventIndex, at: event.meta.at });
        break;
      case "actions.requested":
        for (const action of event.data.actions)
          this.#open.set(action.callId, { action, index: eventIndex, place: event.data });
        break;
      case "input.requested":
        for (const { requestId, action, task } of event.data.requests)
          if (task === undefined) this.#asked.set(requestId, action.callId);
        break;
      case "input.resolved":
        for (const resolution of event.data.resolutions) this.#resolve(resolution);
        break;
      case "action.partial":
        this.#partials.set(event.data.result.callId, event.data.result.output);
        break;
      case "action.result":
        this.#result(event.data, event.meta.at, eventIndex);
        break;
      // Nothing else does anything to a tree.
      default:
    }
  }

  finish(): RecordedItem[] {
    for (const { action, index, place } of this.#open.values())
      this.#items.push(this.#call(action, { ...place, eventIndex: index, at: "" }));
    return this.#items;
  }

  #resolve({ requestId, outcome, response }: EventData["input.resolved"]["resolutions"][number]): void {
    const callId = this.#asked.get(requestId);
    if (callId === undefined) return;
    const input = response?.["input"];
    const isEdited = typeof input === "object" && input !== null && !Array.isArray(input);
    this.#answers.set(callId, {
      answered: outcome === "approved" || outcome === "answered" ? "approved" : "denied",
      ...(isEdited ? { input: input as JsonObject } : {}),
    });
  }

  #result(data: EventData["action.result"], at: string, eventIndex: number): void {
    const { callId, toolName, output } = data.result;
    const open = this.#open.get(callId);
    this.#open.delete(callId);
    const action = open?.action ?? { kind: "tool-call", callId, toolName, input: {} };
    const log = toolName === "task" ? taskLogOrPartial(output, this.#partials.get(callId)) : [];
    if (log.length > 0) this.#items.push(...nestedItems(log, callId, eventIndex));
    const place = { turnId: data.turnId, stepIndex: data.stepIndex, eventIndex, at };
    this.#items.push({
      ...this.#call(action, place),
      result: data,
      ...(log.length > 0 ? { isTask: true } : {}),
    });
  }

  #call(
    action: ToolCallAction,
    { turnId, stepIndex, eventIndex, at }: Pick<RecordedCall, "turnId" | "stepIndex" | "eventIndex" | "at">,
  ): RecordedCall {
    const answer = this.#answers.get(action.callId);
    return {
      kind: "call",
      action,
      input: answer?.input ?? action.input,
      turnId,
      stepIndex,
      eventIndex,
      at,
      ...(answer === undefined ? {} : { answered: answer.answered }),
      ...(this.#task === undefined ? {} : { taskCallId: this.#task.callId }),
    };
  }
}

/** A task that failed has told its log before. */
function taskLogOrPartial(output: JsonValue, partial: JsonValue | undefined): readonly SessionEvent[] {
  const log = taskLogOf(output);
  return log.length > 0 ? log : taskLogOf(partial);
}

function nestedItems(log: readonly SessionEvent[], callId: string, eventIndex: number): RecordedItem[] {
  const fold = new ItemFold({ callId, eventIndex });
  for (const event of log) fold.add(event, eventIndex);
  return fold.finish();
}
