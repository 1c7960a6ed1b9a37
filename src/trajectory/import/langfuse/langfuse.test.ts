import { describe, expect, test } from "vitest";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { hasPublished, importCounts, importOne, importPublished, jsonLines, outline } from "../publishedFile.suite";

const shown = (imported: Awaited<ReturnType<typeof importOne>>) =>
  imported.sessions.map(({ events }) => outline(events).filter((line) => line !== "entry: span"));

describe.skipIf(!hasPublished)("a published export of Langfuse", () => {
  test("has the two generations that are a model's, and not those around them", async () => {
    const imported = await importPublished("langfuse/agentprism_langfuse-2_919KB.json");
    expect(importCounts(imported)).toEqual({
      format: "langfuse",
      sessions: 1,
      turns: 1,
      steps: 2,
      toolCalls: 1,
      toolResults: 1,
      failed: 0,
      usage: { inputTokens: 47_743, outputTokens: 1_655, cacheReadTokens: 0, costUsd: 0.002195 + 0.07403375 },
      warnings: {},
    });
    expect(imported.sessions[0]?.id).toBe("chat_53668515-211a-4a42-b069-554b7e1fcc60");
    expect(shown(imported)[0]?.map((line) => line.slice(0, 40))).toEqual([
      // A greeting the model was given as if it had said it.
      "entry: assistant",
      "turn.started",
      "user: How to use langfuse for N+1 evalua",
      "step.started",
      "model: I’ll look up the Langfuse docs fo",
      "calls: searchLangfuseDocs#call_AOk8le1i4",
      "completed: call_AOk8le1i4tNgzuTtytNcqD5Q",
      "step.completed",
      "step.started",
      "model: # N+1 evaluations in Langfuse\n\nDo",
      "step.completed",
      "turn.completed",
    ]);
  });
});

const observation = (id: string, type: string, second: number, more: object) => ({
  id,
  type,
  traceId: "t",
  name: id,
  startTime: `2026-01-01T00:00:0${second}.000Z`,
  endTime: `2026-01-01T00:00:0${second}.500Z`,
  level: "DEFAULT",
  ...more,
});

describe("an export of Langfuse", () => {
  const observations = [
    observation("gen", "GENERATION", 1, {
      model: "m",
      input: [{ role: "user", content: "go" }],
      output: {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", function: { name: "ls", arguments: "{}" } }],
      },
      usage: { promptTokens: 3, completionTokens: 1 },
    }),
    observation("ls", "TOOL", 2, { input: {}, output: "a", level: "ERROR", statusMessage: "no such place" }),
    observation("late", "GENERATION", 3, { level: "ERROR", statusMessage: "overloaded", input: "go", output: null }),
  ];

  test("is the same as a trace with observations, a list of them or lines; errors are told", async () => {
    const expected = [
      [
        "turn.started",
        "user: go",
        "step.started",
        "calls: ls#c1 {}",
        'failed: c1 "a" (tool-error)',
        "step.completed",
        "step.started",
        "step.failed: model-error",
        "turn.failed: model-error",
      ],
    ];
    const trace = { id: "t", sessionId: "chat" };
    for (const content of [
      { trace, observations },
      { ...trace, observations },
      observations,
      jsonLines(observations),
    ]) {
      const imported = await importOne(content);
      expect(imported.format).toBe("langfuse");
      expect(shown(imported)).toEqual(expected);
      expect(importCounts(imported).usage).toEqual({ inputTokens: 3, outputTokens: 1 });
    }
  });

  test("has the question and the answer from its trace where the observations have none", async () => {
    const bare = [
      observation("outer", "GENERATION", 1, {}),
      observation("inner", "GENERATION", 2, { parentObservationId: "outer", usageDetails: { input: 5, output: 2 } }),
    ];
    const trace = {
      id: "t",
      name: "bot",
      timestamp: "2026-01-01T00:00:00Z",
      input: '"Why?"',
      output: '"So."',
      observations: bare,
    };
    const imported = await importOne({ trace });
    expect(shown(imported)).toEqual([
      ["turn.started", "user: Why?", "step.started", "model: So.", "step.completed", "turn.completed"],
    ]);
    expect(importCounts(imported)).toMatchObject({ usage: { inputTokens: 5, outputTokens: 2 }, warnings: {} });
  });

  test("with anything in it changed for something else ends, and has one result a call", async () => {
    await expectMutationsToBeRead({ trace: { id: "t", sessionId: "chat", input: "go", output: "x" }, observations });
  });

  test("with values of any kind in any place is read as far as it goes", async () => {
    const [gen, tool] = observations;
    for (const value of [null, 0, "x", [], {}, [[null]]]) {
      const odd = ["input", "output", "metadata", "usageDetails", "parentObservationId", "id"].map((name) => ({
        ...gen,
        [name]: value,
      }));
      const imported = await importOne({
        trace: value,
        observations: [...odd, { ...tool, metadata: value, output: value }, value, gen],
      });
      expect(imported.warnings.filter(({ code }) => code === "reader-failed")).toEqual([]);
      expect(imported.sessions.length).toBe(1);
    }
  });
});
