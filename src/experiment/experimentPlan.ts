import { seededRandom } from "../base";

/** One side of a comparison: what the person changed, and nothing else. */
export interface Variant {
  readonly id: string;
  readonly label: string;
  readonly instructions: string;
}

/** What is compared, on what, and how often; fixed before the first run. */
export interface ExperimentPlan {
  readonly id: string;
  readonly variants: readonly Variant[];
  readonly prompts: readonly string[];
  /** Runs of each variant on each prompt. */
  readonly repeats: number;
  /** Decides the order of the runs and the seed of each. */
  readonly seed: string;
  /** Runs that go on at the same time, from 1 on. */
  readonly concurrency: number;
}

/** One run of one variant on one prompt. */
export interface PlannedRun {
  readonly id: string;
  readonly variantId: string;
  readonly promptIndex: number;
  readonly repeat: number;
  /** The same for every variant on this prompt and repeat, so that arms differ in their instructions only. */
  readonly seed: string;
}

/**
 * Every run of a plan in the order it is started: by prompt and repeat, the variants of a pair side by side in time and in
 * an order shuffled from the plan's seed.
 */
export function plannedRuns(plan: ExperimentPlan): PlannedRun[] {
  const random = seededRandom(`${plan.seed}/order`);
  const runs: PlannedRun[] = [];
  for (let repeat = 0; repeat < plan.repeats; repeat++) {
    for (const promptIndex of plan.prompts.keys()) {
      for (const variant of shuffled(plan.variants, random)) {
        runs.push({
          id: `${plan.id}/${promptIndex}/${repeat}/${variant.id}`,
          variantId: variant.id,
          promptIndex,
          repeat,
          seed: `${plan.seed}/${promptIndex}/${repeat}`,
        });
      }
    }
  }
  return runs;
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const chosen = Math.floor(random() * (last + 1));
    [result[last], result[chosen]] = [result[chosen] as Item, result[last] as Item];
  }
  return result;
}
