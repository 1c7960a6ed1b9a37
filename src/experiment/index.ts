/**
 * Comparing instruction texts.
 *
 * - *variant*, *arm*: one of the texts compared, and all runs of it.
 * - *plan*: variants, prompts, repeats and seed, fixed before the first run.
 * - *run*: one variant on one prompt, on its own fork of the starting tree; a session like any other.
 * - *outcome*: how a run ended; only a *result* is counted.
 * - *aligned row*: a call of one run beside the same call of the other, or beside nothing.
 */
export { alignCalls, type AlignedRow } from "./alignCalls";
export { plannedRuns, type ExperimentPlan, type PlannedRun } from "./experimentPlan";
export { metricTable, type MetricRow } from "./metricTable";
export { runExperiment } from "./runExperiment";
export { leftSameFiles, metricsFromEvents, type RunMetrics } from "./runMetrics";
export { isResult, outcomeOfFailure, runOutcome, type RunOutcome } from "./runOutcome";
