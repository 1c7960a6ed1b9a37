import type { SessionEvent, Usage } from "../index";
import type { OpenedTrajectory, TrajectoryWarning } from "./openTrajectory";

/** What a file of sessions holds, counted. Usage nobody reported is absent, never 0. */
export interface TrajectorySummary {
  readonly format: string;
  readonly version: string;
  readonly sessions: number;
  readonly turns: number;
  readonly steps: number;
  readonly toolCalls: number;
  readonly toolResults: number;
  /** Results that are no success, calls refused by a person included. */
  readonly failed: number;
  readonly usage: Usage;
  readonly warnings: readonly TrajectoryWarning[];
  readonly fidelity: TrajectoryFidelity;
}

/** How much of what happened the file tells. */
export interface TrajectoryFidelity {
  readonly times: "real" | "missing" | "naive";
  readonly callIds: "real" | "made";
  readonly results: "full" | "truncated" | "masked" | "absent";
  readonly usage: "per-call" | "cumulative" | "absent";
  readonly files: "snapshot" | "inferred" | "none";
}

export function trajectorySummary({ sessions, warnings }: OpenedTrajectory): TrajectorySummary {
  const events = sessions.flatMap((session) => session.events);
  const usage: Record<string, number> = {};
  const counts = { turns: 0, steps: 0, toolCalls: 0, toolResults: 0, failed: 0 };
  for (const event of events) {
    if (event.type === "turn.started") counts.turns++;
    if (event.type === "step.started") counts.steps++;
    if (event.type === "actions.requested") counts.toolCalls += event.data.actions.length;
    if (event.type === "action.result") {
      counts.toolResults++;
      if (event.data.status !== "completed") counts.failed++;
    }
    if (event.type === "step.completed") addUsage(usage, event.data.usage);
  }
  return {
    ...formatOf(events),
    sessions: sessions.length,
    ...counts,
    usage,
    warnings,
    fidelity: {
      times: "real",
      callIds: "real",
      results: counts.toolCalls > 0 && counts.toolResults === 0 ? "absent" : "full",
      usage: Object.keys(usage).length > 0 ? "per-call" : "absent",
      files: sessions.some(({ hasTree }) => hasTree) ? "snapshot" : "none",
    },
  };
}

/** Our own logs say the number of their format; others of the same stream say the stream's. */
function formatOf(events: readonly SessionEvent[]): { readonly format: string; readonly version: string } {
  const started = events.find((event) => event.type === "session.started");
  const { runtime, playground } = started?.type === "session.started" ? started.data : {};
  if (playground !== undefined) return { format: "rootscope", version: String(playground.schema) };
  return { format: "eve", version: runtime?.eveVersion ?? "unknown" };
}

function addUsage(sum: Record<string, number>, usage: Usage | undefined): void {
  for (const [name, value] of Object.entries(usage ?? {})) {
    if (typeof value === "number") sum[name] = (sum[name] ?? 0) + value;
  }
}
