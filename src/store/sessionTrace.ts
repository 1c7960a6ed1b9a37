import type { CallItem, SessionState, StepState, TurnState } from "../session";
import { callLook } from "./callLook";
import { callName } from "./callName";
import { sessionCallSummary } from "./sessionCallSummary";

/** One line of the waterfall. */
export interface TraceRow {
  readonly id: string;
  /** A `gap` is the time between two turns in which nothing ran. */
  readonly kind: "turn" | "step" | "call" | "gap";
  readonly label: string;
  readonly about?: string;
  readonly sign: string;
  /** Colour of the sign, by the theme's names. */
  readonly tone: string;
  /** Kind of bar when it is not the usual one. */
  readonly bar: "" | "failed" | "running" | "waiting" | "stub";
  /** The state as a word. */
  readonly word: string;
  /** On the scale: since the first turn began, without the gaps. */
  readonly startMs: number;
  /** On the scale; absent while it goes on. */
  readonly lengthMs?: number;
  /** Absent while it goes on, and where nobody measured it. */
  readonly durationMs?: number;
}

export interface Trace {
  readonly rows: readonly TraceRow[];
  /** Of the scale: from the first turn's beginning to the last thing known to have happened, without the gaps. */
  readonly spanMs: number;
  readonly steps: number;
  readonly calls: number;
  /** Of the calls, those a dry run stood in for. */
  readonly stubbed: number;
}

/** Shorter waits between two turns, in ms, are told by nothing. */
const TOLD_GAP_MS = 1_000;

/** The waterfall of a session: every turn, its steps, their calls, in order of time. */
export function traceRows(state: SessionState): Trace {
  const firstTurn = state.turns.get(0);
  if (firstTurn === undefined) return { rows: [], spanMs: 0, steps: 0, calls: 0, stubbed: 0 };
  const steps = new Map([...state.steps].map((step) => [step.id, step]));
  const rows: TraceRow[] = [];
  // What the scale begins with; each gap moves it on, so that the time in which something ran is all there is to see.
  let origin = Date.parse(firstTurn.startedAt);
  let endedAt: string | undefined;
  for (const [index, turn] of [...state.turns].entries()) {
    const gapMs = endedAt === undefined ? 0 : sinceOrigin(turn.startedAt, Date.parse(endedAt));
    origin += gapMs;
    if (gapMs >= TOLD_GAP_MS) rows.push(gapRow(turn, gapMs, origin));
    endedAt = turn.endedAt;
    rows.push(turnRow(turn, index, origin));
    for (const stepId of turn.stepIds) {
      const step = steps.get(stepId);
      if (step === undefined) continue;
      rows.push(stepRow(step, origin));
      for (const callId of step.callIds) {
        const item = state.items.get(callId);
        if (item?.kind !== "call") continue;
        rows.push(callRow(item, step.endedAt, origin));
      }
    }
  }
  const spanMs = rows.reduce((end, row) => Math.max(end, row.startMs + (row.lengthMs ?? 0)), 1);
  return { rows, spanMs, steps: state.steps.length, calls: state.counts.calls, stubbed: state.counts.stubbed };
}

function gapRow(turn: TurnState, durationMs: number, origin: number): TraceRow {
  const startMs = sinceOrigin(turn.startedAt, origin);
  const looks = { label: "waited", sign: "", tone: "", bar: "", word: "waited" } as const;
  return { id: `gap:${turn.id}`, kind: "gap", ...looks, startMs, lengthMs: 0, durationMs };
}

function turnRow(turn: TurnState, index: number, origin: number): TraceRow {
  const word = turn.status === "failed" ? (turn.code ?? "failed") : turn.status;
  const running = turn.status === "running" || turn.status === "waiting";
  return {
    id: turn.id,
    kind: "turn",
    label: `Turn ${index + 1}`,
    sign: running ? "●" : turn.status === "completed" ? "✓" : "✕",
    tone: running ? "" : turn.status === "completed" ? "ok" : "bad",
    bar: "",
    word,
    ...span(turn.startedAt, turn.endedAt, origin),
  };
}

function stepRow(step: StepState, origin: number): TraceRow {
  const over = step.endedAt !== undefined;
  return {
    id: step.id,
    kind: "step",
    label: `Step ${step.stepIndex + 1}`,
    about: step.retries > 0 ? `${step.modelId}, ${step.retries} sent again` : step.modelId,
    sign: step.failed ? "✕" : over ? "✓" : "●",
    tone: step.failed ? "bad" : over ? "ok" : "",
    bar: step.failed ? "failed" : over ? "" : "running",
    word: step.failed ? step.failed.code : over ? "ok" : "running",
    ...span(step.startedAt, step.endedAt, origin),
  };
}

const CALL_BARS: { readonly [State in CallItem["state"]]: TraceRow["bar"] } = {
  writing: "running",
  requested: "running",
  running: "running",
  approval: "waiting",
  completed: "",
  failed: "failed",
  rejected: "failed",
};

function callRow(item: CallItem, stepEndedAt: string | undefined, origin: number): TraceRow {
  const { about } = sessionCallSummary(item);
  const { state, durationMs, requestedAt } = item;
  const isOver = state === "completed" || state === "failed" || state === "rejected";
  // A call that was cut has no time of its own: it was over when its step was.
  const cutMs = isOver ? sinceOrigin(stepEndedAt ?? requestedAt, Date.parse(requestedAt)) : undefined;
  const lengthMs = durationMs ?? (item.stub === true ? 0 : cutMs);
  return {
    id: item.id,
    kind: "call",
    label: callName(item),
    ...(about === "" ? {} : { about }),
    ...callLook(item),
    bar: item.stub === true ? "stub" : CALL_BARS[state],
    startMs: sinceOrigin(requestedAt, origin),
    ...(lengthMs === undefined ? {} : { lengthMs }),
    ...(durationMs === undefined ? {} : { durationMs }),
  };
}

function span(
  startedAt: string,
  endedAt: string | undefined,
  origin: number,
): Pick<TraceRow, "startMs" | "lengthMs" | "durationMs"> {
  const startMs = sinceOrigin(startedAt, origin);
  if (endedAt === undefined) return { startMs };
  const durationMs = Math.max(0, sinceOrigin(endedAt, origin) - startMs);
  return { startMs, lengthMs: durationMs, durationMs };
}

function sinceOrigin(at: string, origin: number): number {
  const time = Date.parse(at);
  return Number.isNaN(time) ? 0 : Math.max(0, time - origin);
}
