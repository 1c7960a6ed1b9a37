import type { JsonObject, JsonValue } from "../base";
import type { BoundAgent } from "../agent";
import { continuationTokenAt, eventStamp, type EventDraft } from "./eventStamp";
import { keylessDraft } from "./keylessDraft";
import { summedUsage } from "./reduceSession";
import type {
  EventData,
  FileChange,
  InputRequest,
  InputResolution,
  Served,
  SessionEvent,
  ToolCallAction,
  Usage,
} from "./sessionEvent";
import type { TurnOptions } from "./turnServices";

/** The coordinates every event of a step carries. */
export interface StepPlace {
  readonly turnId: string;
  readonly sequence: number;
  readonly stepIndex: number;
}

/** Why a step and its turn end before their time. */
export interface TurnFailure {
  readonly code: string;
  readonly message: string;
}

export const INTERRUPTED: TurnFailure = { code: "interrupted", message: "turn interrupted" };

/** One turn while it runs, its agent bound. */
export interface TurnRun extends TurnFrame {
  readonly bound: BoundAgent;
  /** Runs a subagent; handed in, as a subagent's turn is one like this. */
  readonly task: (call: TaskCall) => TaskWork;
}

/** A call of the task tool. */
export interface TaskCall {
  readonly action: ToolCallAction;
  readonly input: JsonObject;
  /** Where the subagent waited for a person: its log by then, and the answers by its own requests. */
  readonly resume?: TaskResume;
  readonly report: (partial: JsonValue) => void;
}

export interface TaskResume {
  readonly events: readonly SessionEvent[];
  readonly resolutions: readonly InputResolution[];
}

/** A subagent is done, or waits for a person; then `value` is what it has done so far. */
export type TaskEnd =
  | { readonly kind: "done"; readonly value: JsonValue }
  | { readonly kind: "parked"; readonly value: JsonValue; readonly requests: readonly InputRequest[] };

/** A subagent at work: what it comes to, and what it has done so far. */
export interface TaskWork {
  /** Rejects where the subagent's turn fails. */
  readonly output: Promise<TaskEnd>;
  /** Who served its calls, and what they changed, each file once. */
  facts(): { readonly served: readonly Served[]; readonly changes: readonly FileChange[] };
}

/** One turn before its agent is bound: the log as it grows, and what its parts share. */
export interface TurnFrame {
  readonly options: TurnOptions;
  readonly turnId: string;
  readonly sequence: number;
  readonly sessionId: string;
  readonly asOf?: string;
  readonly dryRun: boolean;
  /** The log so far; `emit` adds to it. */
  readonly log: readonly SessionEvent[];
  /** Fires on stop and when the driver leaves the iteration. */
  readonly signal: AbortSignal;
  /** Stamps an event and adds it to the log; the caller yields it at once. */
  readonly emit: (draft: EventDraft) => SessionEvent;
  /** Takes keys out of a text. */
  readonly scrub: (text: string) => string;
  /** Ends what still runs. */
  readonly leave: () => void;
}

export function turnFrame(options: TurnOptions, turn: { turnId: string; sequence: number }): TurnFrame {
  const log = [...options.events];
  const stamp = eventStamp(options.services.ids, options.services.clock);
  const left = new AbortController();
  const start = playgroundStart(log);
  const scrub = (text: string): string => options.services.scrub?.(text) ?? text;
  const asOf = start?.asOf;
  return {
    options,
    ...turn,
    sessionId: start?.sessionId ?? "",
    ...(asOf === undefined ? {} : { asOf }),
    dryRun: options.dryRun ?? start?.dryRun ?? false,
    log,
    signal: AbortSignal.any([options.signal, left.signal]),
    emit(draft) {
      const event = stamp(keylessDraft(draft, scrub));
      log.push(event);
      return event;
    },
    scrub,
    leave: () => left.abort(),
  };
}

export function playgroundStart(log: readonly SessionEvent[]): EventData["session.started"]["playground"] {
  const started = log.find((event) => event.type === "session.started");
  return started?.type === "session.started" ? started.data.playground : undefined;
}

/** The end of a turn's log: the session waits for the next message. */
export function waitingDraft(log: readonly SessionEvent[], sequence: number): EventDraft {
  const usage = usageFromEvents(log);
  const isKnown = usage.inputTokens !== undefined || usage.outputTokens !== undefined;
  return {
    type: "session.waiting",
    data: {
      continuationToken: continuationTokenAt(playgroundStart(log)?.seed ?? "", sequence),
      wait: "next-user-message",
      ...(isKnown ? { usage } : {}),
    },
  };
}

/** The drafts that end a turn which cannot go on. */
export function failedTurnDrafts(
  log: readonly SessionEvent[],
  turn: { readonly turnId: string; readonly sequence: number },
  failure: TurnFailure,
): EventDraft[] {
  return [
    { type: "turn.failed", data: { turnId: turn.turnId, sequence: turn.sequence, ...failure, terminal: false } },
    waitingDraft(log, turn.sequence),
  ];
}

/** An answer to a call that was not run, or did not work out. */
export function unsuccessfulResult(
  place: StepPlace,
  call: { readonly callId: string; readonly toolName: string },
  status: "failed" | "rejected",
  error: TurnFailure,
  more: Pick<EventData["action.result"], "durationMs" | "served" | "changes"> = {},
): EventDraft {
  const { turnId, sequence, stepIndex } = place;
  const { callId, toolName } = call;
  return {
    type: "action.result",
    data: {
      turnId,
      sequence,
      stepIndex,
      status,
      error: { code: error.code, message: error.message },
      result: { kind: "tool-result", callId, toolName, output: error.message, isError: true },
      toolName,
      ...more,
    },
  };
}

/** Any thrown thing as a code and a message without keys. */
export function failureFromError(error: unknown, scrub: (text: string) => string, code = "unknown"): TurnFailure {
  const fields: JsonObject = typeof error === "object" && error !== null ? (error as JsonObject) : {};
  const ownCode = fields["code"];
  const message = error instanceof Error ? error.message : String(error);
  return { code: typeof ownCode === "string" ? ownCode : code, message: scrub(message) };
}

function usageFromEvents(log: readonly SessionEvent[]): Usage {
  let usage: Usage | undefined;
  for (const event of log) {
    if (event.type === "step.completed") {
      const own = event.data.usage ?? {};
      usage = usage === undefined ? own : summedUsage(usage, own);
    } else if (event.type === "step.failed") usage = {};
  }
  return usage ?? {};
}
