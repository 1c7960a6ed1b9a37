import { isResult, leftSameFiles, metricTable, plannedRuns, type MetricRow } from "../experiment";
import type { CompareRecord } from "./projectDocument";
import type { ArmSide, ComparePair, CompareRun } from "./compareState";

/** The pairs of a comparison before anything is known of its runs. */
export function pairsOfRecord(record: CompareRecord): readonly ComparePair[] {
  const runs = plannedRuns(record.plan).map((planned): CompareRun => {
    const sessionId = record.sessions[planned.id];
    const side: ArmSide = planned.variantId === record.plan.variants[0]?.id ? "a" : "b";
    return { planned, side, sessionId, state: sessionId === undefined ? "waiting" : "reading" };
  });
  const { prompts, repeats } = record.plan;
  return prompts.flatMap((_, promptIndex) =>
    Array.from({ length: repeats }, (__, repeat) => {
      const of = (side: ArmSide) =>
        runs.find(
          ({ planned, side: own }) => own === side && planned.promptIndex === promptIndex && planned.repeat === repeat,
        ) as CompareRun;
      return { promptIndex, repeat, a: of("a"), b: of("b") };
    }),
  );
}

export function withRun(
  pairs: readonly ComparePair[],
  runId: string,
  patch: Partial<CompareRun>,
): readonly ComparePair[] {
  return pairs.map((pair) => {
    if (pair.a.planned.id === runId) return { ...pair, a: { ...pair.a, ...patch } };
    return pair.b.planned.id === runId ? { ...pair, b: { ...pair.b, ...patch } } : pair;
  });
}

export function runsOf(pairs: readonly ComparePair[]): readonly CompareRun[] {
  return pairs.flatMap(({ a, b }) => [a, b]);
}

/** Whether both runs of a pair are results: only such pairs are counted. */
export function isWholePair({ a, b }: ComparePair): boolean {
  return [a, b].every(({ state, metrics }) => metrics !== undefined && isResult(state));
}

/** Whether both arms ended with the same files: only then is a smaller count less work for the same result. */
export function endedAlike({ a, b }: ComparePair): boolean {
  return a.metrics !== undefined && b.metrics !== undefined && leftSameFiles(a.metrics, b.metrics);
}

/** Each arm's figures over these pairs, means where there are several. */
export function pairMetrics(pairs: readonly ComparePair[]): readonly MetricRow[] {
  const of = (side: ArmSide) => pairs.flatMap((pair) => pair[side].metrics ?? []);
  return metricTable([of("a"), of("b")]);
}
