import type { SessionEvent } from "../session";

/** What one run did, counted from its log. A figure nobody reported is `undefined`: unknown, never 0. */
export interface RunMetrics {
  /** The last turn completed; a run still going on has not succeeded yet. */
  readonly succeeded: boolean;
  readonly steps: number;
  readonly toolCalls: number;
  /** By tool name, in the order first called. */
  readonly callsByTool: ReadonlyMap<string, number>;
  readonly failedCalls: number;
  /** Paths whose contents the model was shown, sorted. */
  readonly filesRead: readonly string[];
  /** Paths that were added, modified or deleted, sorted. */
  readonly filesChanged: readonly string[];
  /** What it left different from its start: content hash by path, `undefined` for a file that is gone. */
  readonly filesLeft: ReadonlyMap<string, string | undefined>;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly costUsd: number | undefined;
  /** From the first turn's start to the last event. */
  readonly wallTimeMs: number;
  /** Characters of the last message. */
  readonly replyCharacters: number;
}

/** Counts a run from its events; the same for a live, a stored and an imported log. */
export function metricsFromEvents(events: readonly SessionEvent[]): RunMetrics {
  const callsByTool = new Map<string, number>();
  const filesRead = new Set<string>();
  const changed = new Map<string, { readonly before: string | undefined; readonly after: string | undefined }>();
  const counts = { steps: 0, toolCalls: 0, failedCalls: 0 };
  let succeeded = false;
  let startedAt: number | undefined;
  let reply = "";
  const usage = usageTotals();
  for (const event of events) {
    switch (event.type) {
      case "turn.started":
        startedAt ??= Date.parse(event.meta.at);
        succeeded = false;
        break;
      case "turn.completed":
        succeeded = true;
        break;
      case "step.started":
        counts.steps++;
        break;
      case "step.completed":
        usage.add(event.data.usage);
        break;
      case "message.completed":
        reply = event.data.message;
        break;
      case "actions.requested":
        for (const { toolName } of event.data.actions) {
          counts.toolCalls++;
          callsByTool.set(toolName, (callsByTool.get(toolName) ?? 0) + 1);
        }
        break;
      case "action.result":
        if (event.data.status !== "completed") counts.failedCalls++;
        for (const { path, verb } of event.data.served ?? []) if (verb === "read") filesRead.add(path);
        for (const { path, before, after } of event.data.changes ?? [])
          changed.set(path, { before: (changed.get(path) ?? { before }).before, after });
        break;
      default:
        break;
    }
  }
  const endedAt = events.length === 0 ? Number.NaN : Date.parse(events.at(-1)?.meta.at ?? "");
  return {
    succeeded,
    ...counts,
    callsByTool,
    filesRead: [...filesRead].toSorted(),
    filesChanged: [...changed.keys()].toSorted(),
    filesLeft: new Map(
      [...changed].flatMap(([path, { before, after }]) => (before === after ? [] : [[path, after] as const])),
    ),
    ...usage.totals(),
    wallTimeMs: startedAt === undefined ? 0 : Math.max(0, endedAt - startedAt),
    replyCharacters: reply.length,
  };
}

/** Whether two runs on the same start ended with the same files. */
export function leftSameFiles({ filesLeft: a }: RunMetrics, { filesLeft: b }: RunMetrics): boolean {
  return a.size === b.size && [...a].every(([path, hash]) => b.has(path) && b.get(path) === hash);
}

type Tokens = "inputTokens" | "outputTokens" | "costUsd";

/** Sums that stay unknown as soon as one step does not report its part. */
function usageTotals() {
  const sums: Record<Tokens, number | undefined> = {
    inputTokens: undefined,
    outputTokens: undefined,
    costUsd: undefined,
  };
  let steps = 0;
  return {
    add(usage: Partial<Record<Tokens, number>> | undefined): void {
      for (const key of ["inputTokens", "outputTokens", "costUsd"] as const) {
        const value = usage?.[key];
        const before = steps === 0 ? 0 : sums[key];
        sums[key] = value === undefined || before === undefined ? undefined : before + value;
      }
      steps++;
    },
    totals: () => sums,
  };
}
