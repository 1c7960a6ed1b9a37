import type { Usage } from "../../session";

/** Figures added up; one that nobody reported is absent. */
export function summedUsage(all: Iterable<Usage>): Usage {
  const sum: Record<string, number> = {};
  for (const usage of all)
    for (const [name, figure] of Object.entries(usage) as [string, number | undefined][])
      if (figure !== undefined) sum[name] = (sum[name] ?? 0) + figure;
  return sum;
}
