import type { CallItem, SessionState, StepState, TurnState } from "../session";
import { callLook } from "./callLook";
import { sessionCallSummary } from "./sessionCallSummary";

/** One bar of the waterfall. */
export interface TraceRow {
  readonly id: string;
  readonly kind: "turn" | "step" | "call";
  readonly label: string;
  readonly about?: string;
  readonly sign: string;
  /** Colour of the sign, by the theme's names. */
  readonly tone: string;
  /** Kind of bar when it is not the usual one. */
  readonly bar: "" | "failed" | "running" | "waiting" | "stub";
  /** The state as a word. */
  readonly word: string;
  /** Since the first turn began. */
  readonly startMs: number;
  /** Absent while it goes on, and where nobody measured it. */
  readonly durationMs?: number;
}

export interface Trace {
  readonly rows: readonly TraceRow[];
  /** From the first turn's beginning to the last thing known to have happened. */
  readonly spanMs: number;
  readonly steps: number;
  readonly calls: number;
}

/** The waterfall of a session: every turn, its steps, their calls, in order of time. */
export function traceRows(state: SessionState): Trace {
  const firstTurn = state.turns.get(0);
  if (firstTurn === undefined) return { rows: [], spanMs: 0, steps: 0, calls: 0 };
  const origin = Date.parse(firstTurn.startedAt);
  const steps = new Map([...state.steps].map((step) => [step.id, step]));
  const rows: TraceRow[] = [];
  for (const [index, turn] of [...state.turns].entries()) {
    rows.push(turnRow(turn, index, origin));
    for (const stepId of turn.stepIds) {
      const step = steps.get(stepId);
      if (step === undefined) continue;
      rows.push(stepRow(step, origin));
      for (const callId of step.callIds) {
        const item = state.items.get(callId);
        if (item?.kind !== "call") continue;
        rows.push(callRow(item, origin));
      }
    }
  }
  const spanMs = rows.reduce((end, row) => Math.max(end, row.startMs + (row.durationMs ?? 0)), 1);
  return { rows, spanMs, steps: state.steps.length, calls: state.counts.calls };
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

function callRow(item: CallItem, origin: number): TraceRow {
  const { about } = sessionCallSummary(item);
  return {
    id: item.id,
    kind: "call",
    label: item.toolName,
    ...(about === "" ? {} : { about }),
    ...callLook(item),
    bar: item.stub === true ? "stub" : CALL_BARS[item.state],
    startMs: sinceOrigin(item.requestedAt, origin),
    ...(item.durationMs === undefined ? {} : { durationMs: item.durationMs }),
  };
}

function span(
  startedAt: string,
  endedAt: string | undefined,
  origin: number,
): Pick<TraceRow, "startMs" | "durationMs"> {
  const startMs = sinceOrigin(startedAt, origin);
  return {
    startMs,
    ...(endedAt === undefined ? {} : { durationMs: Math.max(0, sinceOrigin(endedAt, origin) - startMs) }),
  };
}

function sinceOrigin(at: string, origin: number): number {
  const time = Date.parse(at);
  return Number.isNaN(time) ? 0 : Math.max(0, time - origin);
}
