import type { RunMetrics } from "./runMetrics";

/** A number told of every run, and which way is better, where one is. */
export interface Metric {
  readonly id: string;
  readonly label: string;
  readonly unit?: "ms" | "USD" | "%";
  readonly better?: "lower" | "higher";
  /** `undefined` where the run does not tell: unknown. */
  readonly value: (metrics: RunMetrics) => number | undefined;
}

export const metrics: readonly Metric[] = [
  { id: "succeeded", label: "Turn completed", unit: "%", better: "higher", value: (run) => (run.succeeded ? 100 : 0) },
  { id: "steps", label: "Steps", better: "lower", value: (run) => run.steps },
  { id: "toolCalls", label: "Tool calls", better: "lower", value: (run) => run.toolCalls },
  { id: "failedCalls", label: "Failed calls", better: "lower", value: (run) => run.failedCalls },
  { id: "filesRead", label: "Files read", better: "lower", value: (run) => run.filesRead.length },
  { id: "filesChanged", label: "Files changed", value: (run) => run.filesChanged.length },
  { id: "inputTokens", label: "Tokens in", better: "lower", value: (run) => run.inputTokens },
  { id: "outputTokens", label: "Tokens out", better: "lower", value: (run) => run.outputTokens },
  { id: "costUsd", label: "Cost", unit: "USD", better: "lower", value: (run) => run.costUsd },
  { id: "wallTimeMs", label: "Wall time", unit: "ms", better: "lower", value: (run) => run.wallTimeMs },
  { id: "replyCharacters", label: "Reply length, characters", value: (run) => run.replyCharacters },
];

export interface MetricRow {
  readonly metric: Metric;
  /** Mean over each arm's finished runs; `undefined` is unknown. */
  readonly means: readonly (number | undefined)[];
}

/** Means per arm over the runs that finished; one run that does not tell makes its arm's mean unknown. */
export function metricTable(arms: readonly (readonly RunMetrics[])[]): MetricRow[] {
  return metrics.map((metric) => ({ metric, means: arms.map((runs) => mean(runs.map(metric.value))) }));
}

function mean(values: readonly (number | undefined)[]): number | undefined {
  if (values.length === 0 || values.includes(undefined)) return undefined;
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / values.length;
}
