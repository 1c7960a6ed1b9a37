import type { Usage } from "../index";
import type { ImportedTrajectory } from "../trajectory";

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
  readonly warnings: ImportedTrajectory["warnings"];
  readonly fidelity: ImportedTrajectory["fidelity"];
}

export function trajectorySummary(trajectory: ImportedTrajectory): TrajectorySummary {
  const { format, version, sessions, warnings, fidelity } = trajectory;
  const usage: Record<string, number> = {};
  const counts = { turns: 0, steps: 0, toolCalls: 0, toolResults: 0, failed: 0 };
  for (const { events } of sessions) {
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
  }
  return { format, version, sessions: sessions.length, ...counts, usage, warnings, fidelity };
}

function addUsage(sum: Record<string, number>, usage: Usage | undefined): void {
  for (const [name, value] of Object.entries(usage ?? {})) {
    // Dollars are sums of small fractions: what binary numbers add to them is cut off.
    if (typeof value === "number") sum[name] = Number(((sum[name] ?? 0) + value).toFixed(10));
  }
}
