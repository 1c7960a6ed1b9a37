/** What was measured under one name, in its unit. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** In the order they were taken. */
  readonly runs: readonly number[];
}

export function figureFromRuns(name: string, unit: string, runs: readonly number[]): Figure {
  const sorted = runs.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const median =
    sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
  return { name, unit, median, min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0, runs };
}

/** Milliseconds one piece of work takes. */
export async function timedMs(work: () => unknown): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** Runs each of the works in turn, so that a change of the machine's mood meets all alike; the first round only warms up. */
export async function alternatedMs(
  works: Readonly<Record<string, (run: number) => unknown>>,
  runCount: number,
): Promise<Figure[]> {
  const runs = new Map(Object.keys(works).map((name) => [name, [] as number[]]));
  for (const work of Object.values(works)) await work(runCount);
  for (let run = 0; run < runCount; run++) {
    for (const [name, work] of Object.entries(works)) runs.get(name)?.push(await timedMs(() => work(run)));
  }
  return [...runs].map(([name, taken]) => figureFromRuns(name, "ms", taken));
}

/** As `alternatedMs`, for works that time a part of what they do and answer its milliseconds. */
export async function alternatedParts(
  works: Readonly<Record<string, (run: number) => Promise<number>>>,
  runCount: number,
): Promise<Figure[]> {
  const runs = new Map(Object.keys(works).map((name) => [name, [] as number[]]));
  for (let run = 0; run < runCount; run++) {
    for (const [name, work] of Object.entries(works)) runs.get(name)?.push(await work(run));
  }
  return [...runs].map(([name, taken]) => figureFromRuns(name, "ms", taken));
}

export async function count(source: AsyncIterable<unknown>): Promise<number> {
  let items = 0;
  for await (const _item of source) items++;
  return items;
}
