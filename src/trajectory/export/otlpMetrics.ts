import type { JsonObject } from "../../base";
import type { ExportedSession, ExportedStep } from "./exportedSession";
import { attribute, milliseconds, nanoseconds } from "./otlpValues";

/** A sum of one metric, by what tells it from the others. */
interface Point {
  readonly attributes: readonly JsonObject[];
  readonly session: ExportedSession;
  sum: number;
}

/** Figures of the model's steps and the kinds of tokens they count. */
const TOKEN_TYPES = [
  ["inputTokens", "input"],
  ["outputTokens", "output"],
  ["cacheReadTokens", "cache_read"],
  ["cacheWriteTokens", "cache_creation"],
] as const;

/**
 * The sums of sessions as OTLP metrics (docs/trajectory.md, section 6): tokens by model and kind, calls by tool and status,
 * cost by model. A figure nobody reported makes no point, and a metric without points is left out.
 */
export function otlpMetrics(sessions: readonly ExportedSession[]): JsonObject[] {
  const tokens = new Points();
  const calls = new Points();
  const costs = new Points();
  for (const session of sessions) {
    for (const step of stepsOf(session)) {
      const model = step.modelId === "" ? [] : [attribute("gen_ai.request.model", step.modelId)];
      for (const [name, kind] of TOKEN_TYPES)
        tokens.add(session, step.usage?.[name], [...model, attribute("gen_ai.token.type", kind)]);
      costs.add(session, step.usage?.costUsd, model);
      for (const { action, result } of step.calls)
        calls.add(session, 1, [
          attribute("gen_ai.tool.name", action.toolName),
          attribute("agent_sdk.status", result?.status ?? "open"),
        ]);
    }
  }
  return [
    ...tokens.metric("cursor.token.usage", "{token}", (sum) => ({ asInt: String(sum) })),
    ...calls.metric("cursor.tool.calls", "{call}", (sum) => ({ asInt: String(sum) })),
    ...costs.metric("cursor.cost.usage", "USD", (sum) => ({ asDouble: sum })),
  ];
}

class Points {
  readonly #points = new Map<string, Point>();

  add(session: ExportedSession, figure: number | undefined, attributes: readonly JsonObject[]): void {
    if (figure === undefined) return;
    const key = JSON.stringify([session.id, attributes]);
    const point = this.#points.get(key);
    if (point === undefined) this.#points.set(key, { attributes, session, sum: figure });
    else point.sum += figure;
  }

  metric(name: string, unit: string, value: (sum: number) => JsonObject): JsonObject[] {
    if (this.#points.size === 0) return [];
    const dataPoints = [...this.#points.values()].map(({ attributes, session, sum }) => ({
      attributes: [
        attribute("agent_sdk.session_id", session.id),
        attribute("cursor.conversation.id", session.id),
        attribute("agent_sdk.agent", session.agentName),
        ...attributes,
      ],
      ...spanOf(session),
      ...value(sum),
    }));
    // Cumulative: each point counts from the session's beginning to its end.
    return [{ name, unit, sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints } }];
  }
}

function stepsOf({ turns }: ExportedSession): ExportedStep[] {
  return turns.flatMap(({ entries }) => entries.filter((entry) => entry.kind === "step"));
}

function spanOf({ turns }: ExportedSession): JsonObject {
  const [first] = turns;
  const last = turns.at(-1);
  const startMs = first === undefined ? 0 : milliseconds(first.startedAt);
  const endMs = last === undefined ? startMs : Math.max(startMs, milliseconds(last.endedAt));
  return { startTimeUnixNano: nanoseconds(startMs), timeUnixNano: nanoseconds(endMs) };
}
