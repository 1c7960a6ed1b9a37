import type { BoundAgent } from "../agent";
import type { Clock, Ids, JsonObject, JsonValue } from "../base";
import type { FileSystem } from "../fs";
import { textFromResult, type ModelContent } from "../tools";
import { planCall } from "./checkCalls";
import { assertTakesCall } from "./continuation";
import { executeToolCalls } from "./executeToolCalls";
import type { EventData, Served, SessionEvent, ToolCallAction } from "./sessionEvent";
import { stubText } from "./stubText";
import { playgroundStart, turnFrame, type TurnRun } from "./turnRun";
import type { TurnOptions } from "./turnServices";

export interface CallToolOptions {
  /** Bound for this call alone, by the invocation's id, where the call is in no session; nothing of it is kept. */
  readonly bound: BoundAgent;
  readonly toolName: string;
  /** By published names or their aliases. */
  readonly input: JsonObject;
  /** What a model wrote in place of arguments, where that was no JSON object; `input` is then empty. */
  readonly inputText?: string;
  /** Tells this call from others; the session's id too where there is none. */
  readonly invocationId: string;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The log of the session the call is made in; the call itself is no part of it. */
  readonly session?: readonly SessionEvent[];
  readonly dryRun?: boolean;
  readonly asOf?: string;
  readonly treeForCall?: (observe: (served: Served) => void) => FileSystem;
  /** What the call has come to so far, each time it says so; the last one wins. */
  readonly report?: (partial: JsonValue) => void;
  /** Takes keys out of what the call comes to. */
  readonly scrub?: (text: string) => string;
}

/** What a call came to: the value a log would hold, and what a model would read of it. */
export interface ToolOutcome {
  readonly result: EventData["action.result"];
  readonly text: string | readonly ModelContent[];
}

/**
 * Calls a tool as a turn would, without a model: arguments are checked, a dry run stubs writes, the tool's errors are its
 * result. Nobody is asked: whoever calls is the person. A subagent (`task`) needs a turn.
 *
 * @throws SessionError 409: `session-busy` while a turn of the session has not ended, `task-session`
 */
export async function callTool(options: CallToolOptions): Promise<ToolOutcome> {
  const { bound, toolName, input, invocationId, session = [] } = options;
  assertTakesCall(session);
  const run = callRun(options);
  const place = { turnId: invocationId, sequence: 0, stepIndex: 0 };
  const { inputText } = options;
  const written = inputText === undefined ? {} : { inputText };
  const action: ToolCallAction = { kind: "tool-call", callId: invocationId, toolName, input, ...written };
  const planned = await planCall(run, action);
  let result: EventData["action.result"] | undefined;
  try {
    for await (const event of executeToolCalls(run, place, [
      planned.kind === "ask" ? { ...planned, kind: "run" } : planned,
    ])) {
      if (event.type === "action.result") result = event.data;
      else if (event.type === "action.partial") options.report?.(event.data.result.output);
    }
  } finally {
    run.leave();
  }
  if (result === undefined) throw new Error("A call ended without a result.");
  return { result, text: textOf(result, bound, input) };
}

function callRun(options: CallToolOptions): TurnRun {
  const { bound, invocationId, ids, clock, signal, session = [], treeForCall, scrub } = options;
  const start = playgroundStart(session);
  const turn: TurnOptions = {
    bound,
    events: session,
    signal,
    dryRun: options.dryRun ?? start?.dryRun ?? false,
    approvals: "never",
    ...(treeForCall === undefined ? {} : { treeForCall }),
    services: { ids, clock, ...NO_MODEL, ...(scrub === undefined ? {} : { scrub }) },
  };
  const frame = turnFrame(turn, { turnId: invocationId, sequence: 0 });
  const asOf = options.asOf ?? frame.asOf;
  return {
    ...frame,
    sessionId: frame.sessionId === "" ? invocationId : frame.sessionId,
    ...(asOf === undefined ? {} : { asOf }),
    bound,
    task: () => ({
      output: Promise.reject(new Error("A subagent runs only in a turn of a session.")),
      facts: () => ({ served: [], changes: [] }),
    }),
  };
}

/** A call asks no model, waits for no retry, and is kept nowhere. */
const NO_MODEL: Pick<TurnOptions["services"], "model" | "random" | "blobs" | "durable" | "keep"> = {
  model: {
    specificationVersion: "v4",
    provider: "none",
    modelId: "none",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("There is no model here.")),
    doStream: () => Promise.reject(new Error("There is no model here.")),
  },
  random: () => 0,
  blobs: { put: () => Promise.reject(new Error("Nothing is kept here.")) },
  durable: () => Promise.resolve(),
  keep: () => Promise.resolve(),
};

function textOf(
  { status, error, stub, result }: EventData["action.result"],
  bound: BoundAgent,
  input: JsonObject,
): ToolOutcome["text"] {
  if (status !== "completed") return error?.message ?? "";
  if (stub === true) return stubText(result.output);
  const tool = bound.tools.find(({ name }) => name === result.toolName);
  return tool === undefined
    ? textFromResult(result.toolName, result.output, input)
    : tool.modelText(result.output, input);
}
