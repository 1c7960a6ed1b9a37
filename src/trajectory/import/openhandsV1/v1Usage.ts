import type { Usage } from "../../../session";
import { tokenUsage } from "../openhandsV0/v0Event";
import { field, isRecord, number, record } from "../jsonAccess";
import { present } from "../present";

/** The totals so far of all that a conversation calls models for, its condenser too. */
export function statsUsage(stats: unknown): Usage | undefined {
  const sums: Record<string, number> = {};
  for (const metrics of Object.values(record(field(stats, "usage_to_metrics")))) {
    const figures = present({
      ...tokenUsage(record(field(metrics, "accumulated_token_usage"))),
      costUsd: number(field(metrics, "accumulated_cost")),
    });
    for (const [name, figure] of Object.entries(figures)) sums[name] = (sums[name] ?? 0) + figure;
  }
  return Object.keys(sums).length > 0 ? sums : undefined;
}

/** The model's name among the figures. */
export function statsModel(stats: unknown): unknown {
  const metrics = record(field(stats, "usage_to_metrics"));
  const main = isRecord(metrics.default) ? metrics.default : Object.values(metrics)[0];
  return field(main, "model_name");
}
