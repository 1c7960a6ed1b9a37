import { AsyncQueue, limits } from "../base";
import type { SessionEvent } from "../session";
import { plannedRuns, type ExperimentPlan, type PlannedRun } from "./experimentPlan";

/**
 * What happens while an experiment runs. `failed` means the run could not be carried out (its events, if any, are kept);
 * a turn that ended badly by itself is a result like any other.
 */
export type ExperimentEvent =
  | { readonly kind: "run.started"; readonly run: PlannedRun }
  | { readonly kind: "run.event"; readonly run: PlannedRun; readonly event: SessionEvent }
  | { readonly kind: "run.settled"; readonly run: PlannedRun }
  | { readonly kind: "run.stopped"; readonly run: PlannedRun }
  | { readonly kind: "run.failed"; readonly run: PlannedRun; readonly message: string };

export interface ExperimentOptions {
  readonly plan: ExperimentPlan;
  /** Those of the plan's runs that are carried out; all of them when left out. */
  readonly only?: (run: PlannedRun) => boolean;
  /** Starts one run on its own fork of the starting tree and yields its session's events; may throw. */
  readonly startRun: (run: PlannedRun, signal: AbortSignal) => AsyncIterable<SessionEvent>;
  readonly signal: AbortSignal;
}

/**
 * Carries out a plan with a bounded number of runs at a time. One run's failure leaves the others as they are; after a
 * stop no further run begins, and what is done stays done.
 */
export async function* runExperiment(options: ExperimentOptions): AsyncGenerator<ExperimentEvent, void, undefined> {
  const waiting = plannedRuns(options.plan).filter((run) => options.only?.(run) ?? true);
  const lanes = Math.min(Math.max(1, options.plan.concurrency), limits.compareConcurrency, waiting.length);
  const queue = new AsyncQueue<ExperimentEvent>();
  const lane = async () => {
    for (let run = waiting.shift(); run !== undefined && !options.signal.aborted; run = waiting.shift()) {
      await carryOut(run, options, queue);
    }
  };
  void Promise.all(Array.from({ length: lanes }, lane)).then(
    () => queue.end(),
    (error: unknown) => queue.fail(error),
  );
  yield* queue;
}

async function carryOut(
  run: PlannedRun,
  options: ExperimentOptions,
  queue: AsyncQueue<ExperimentEvent>,
): Promise<void> {
  queue.push({ kind: "run.started", run });
  try {
    for await (const event of options.startRun(run, options.signal)) queue.push({ kind: "run.event", run, event });
    queue.push({ kind: options.signal.aborted ? "run.stopped" : "run.settled", run });
  } catch (error) {
    if (options.signal.aborted) queue.push({ kind: "run.stopped", run });
    else queue.push({ kind: "run.failed", run, message: error instanceof Error ? error.message : String(error) });
  }
}
