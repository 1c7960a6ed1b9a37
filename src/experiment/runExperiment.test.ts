import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../session";
import { plannedRuns, type ExperimentPlan } from "./experimentPlan";
import { leftSameFiles, metricsFromEvents } from "./runMetrics";
import { metricTable } from "./metricTable";
import { runExperiment, type ExperimentEvent } from "./runExperiment";

const plan: ExperimentPlan = {
  id: "exp",
  variants: [
    { id: "a", label: "A", instructions: "one" },
    { id: "b", label: "B", instructions: "two" },
  ],
  prompts: ["p0", "p1", "p2"],
  repeats: 2,
  seed: "41",
  concurrency: 2,
};
const at = (milliseconds: number) => ({ id: `evt_${milliseconds}`, at: new Date(milliseconds).toISOString() });
const turn = { turnId: "turn_0", sequence: 0 };
const step = { ...turn, stepIndex: 0 };

async function collect(events: AsyncIterable<ExperimentEvent>): Promise<string[]> {
  const seen: string[] = [];
  for await (const event of events) seen.push(`${event.kind} ${event.run.id}`);
  return seen;
}

describe("plannedRuns", () => {
  test("has every variant on every prompt and repeat once, pairs side by side, arms sharing the seed of their pair", () => {
    const runs = plannedRuns(plan);
    expect(new Set(runs.map((run) => run.id)).size).toBe(12);
    for (let pair = 0; pair < runs.length; pair += 2) {
      const [first, second] = runs.slice(pair, pair + 2);
      expect(new Set([first?.variantId, second?.variantId])).toEqual(new Set(["a", "b"]));
      expect(first?.seed).toBe(second?.seed);
    }
    expect(new Set(runs.map((run) => run.seed)).size).toBe(6);
  });

  test("the seed alone decides the order", () => {
    const order = (seed: string) => plannedRuns({ ...plan, seed }).map((run) => run.id);
    expect(order("41")).toEqual(order("41"));
    expect(order("41")).not.toEqual(order("42"));
  });
});

describe("runExperiment", () => {
  test("never has more runs under way than the plan allows, and settles every one", async () => {
    let running = 0;
    let most = 0;
    const seen = await collect(
      runExperiment({
        plan,
        signal: new AbortController().signal,
        async *startRun() {
          most = Math.max(most, ++running);
          await new Promise((resolve) => setTimeout(resolve, 1));
          running--;
          yield { type: "turn.completed", data: turn, meta: at(1) } satisfies SessionEvent;
        },
      }),
    );
    expect(most).toBe(2);
    expect(seen.filter((line) => line.startsWith("run.settled"))).toHaveLength(12);
  });

  test("a run that cannot be carried out leaves the others as they are", async () => {
    const seen: ExperimentEvent[] = [];
    const events = runExperiment({
      plan: { ...plan, prompts: ["p0"], repeats: 1 },
      signal: new AbortController().signal,
      async *startRun(run) {
        if (run.variantId === "a") throw new Error("no network");
      },
    });
    for await (const event of events) if (event.kind !== "run.started") seen.push(event);
    const outcomes = seen.map((event) => [event.run.variantId, [event.kind, "message" in event ? event.message : ""]]);
    expect(Object.fromEntries(outcomes)).toEqual({ a: ["run.failed", "no network"], b: ["run.settled", ""] });
  });

  test("after a stop no further run begins and what is done stays", async () => {
    const stop = new AbortController();
    const seen = await collect(
      runExperiment({
        plan: { ...plan, concurrency: 1 },
        signal: stop.signal,
        async *startRun(run) {
          if (run.promptIndex === 1) stop.abort();
          yield { type: "turn.completed", data: turn, meta: at(1) } satisfies SessionEvent;
        },
      }),
    );
    expect(seen.filter((line) => line.startsWith("run.settled"))).toHaveLength(2);
    expect(seen.filter((line) => line.startsWith("run.stopped"))).toHaveLength(1);
    expect(seen.filter((line) => line.startsWith("run.started"))).toHaveLength(3);
  });
});

describe("metrics", () => {
  const events: SessionEvent[] = [
    { type: "turn.started", data: turn, meta: at(1_000) },
    { type: "step.started", data: { ...step, modelId: "m" }, meta: at(1_010) },
    {
      type: "actions.requested",
      data: {
        ...step,
        actions: [
          { kind: "tool-call", callId: "c1", toolName: "Read", input: { path: "/a" } },
          { kind: "tool-call", callId: "c2", toolName: "Write", input: { path: "/b", fileText: "x" } },
        ],
      },
      meta: at(1_020),
    },
    {
      type: "action.result",
      data: {
        ...step,
        status: "completed",
        toolName: "Read",
        result: { kind: "tool-result", callId: "c1", toolName: "Read", output: {} },
        served: [{ mount: "/", path: "/a", verb: "read" }],
      },
      meta: at(1_030),
    },
    {
      type: "action.result",
      data: {
        ...step,
        status: "failed",
        toolName: "Write",
        error: { code: "read-only-mount", message: "read-only mount: /b" },
        result: { kind: "tool-result", callId: "c2", toolName: "Write", output: "read-only mount: /b", isError: true },
      },
      meta: at(1_040),
    },
    {
      type: "step.completed",
      data: { ...step, finishReason: "tool-calls", usage: { inputTokens: 7 } },
      meta: at(1_050),
    },
    { type: "message.completed", data: { ...step, message: "done", finishReason: "stop" }, meta: at(1_400) },
    { type: "turn.completed", data: turn, meta: at(1_500) },
  ];

  test("are counted from the log; what nobody reported is unknown", () => {
    expect(metricsFromEvents(events)).toEqual({
      succeeded: true,
      steps: 1,
      toolCalls: 2,
      callsByTool: new Map([
        ["Read", 1],
        ["Write", 1],
      ]),
      failedCalls: 1,
      filesRead: ["/a"],
      filesChanged: [],
      filesLeft: new Map(),
      inputTokens: 7,
      outputTokens: undefined,
      costUsd: undefined,
      wallTimeMs: 500,
      replyCharacters: 4,
    });
  });

  test("tell whether two runs ended with the same files, however they came there", () => {
    const write = (path: string, before: string | undefined, after: string | undefined): SessionEvent => ({
      type: "action.result",
      data: {
        ...step,
        status: "completed",
        toolName: "Write",
        result: { kind: "tool-result", callId: "c", toolName: "Write", output: "" },
        changes: [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }],
      },
      meta: at(1),
    });
    const none = metricsFromEvents([]);
    const atOnce = metricsFromEvents([write("/b", "1", "2")]);
    const byWay = metricsFromEvents([write("/b", "1", "3"), write("/t", undefined, "9"), write("/b", "3", "2")]);
    const tidied = metricsFromEvents([write("/b", "1", "2"), write("/t", undefined, "9"), write("/t", "9", undefined)]);
    const gone = metricsFromEvents([write("/b", "1", undefined)]);
    expect(tidied.filesLeft).toEqual(new Map([["/b", "2"]]));
    expect([none, byWay, tidied, gone].map((run) => leftSameFiles(atOnce, run))).toEqual([false, false, true, false]);
    expect([leftSameFiles(none, none), leftSameFiles(gone, none)]).toEqual([true, false]);
  });

  test("an arm's mean is unknown when one of its runs does not tell", () => {
    const told = metricsFromEvents(events);
    const untold = { ...told, inputTokens: undefined, toolCalls: 4 };
    const rows = metricTable([[told, untold], [told], []]);
    expect(rows.filter((row) => ["toolCalls", "inputTokens"].includes(row.metric.id)).map((row) => row.means)).toEqual([
      [3, 2, undefined],
      [undefined, 7, undefined],
    ]);
  });
});
