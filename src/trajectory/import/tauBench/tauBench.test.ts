import { describe, expect, test } from "vitest";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { importCounts, importOne, outline } from "../publishedFile.suite";

const runs = [
  {
    task_id: 7,
    reward: 1,
    trial: 0,
    info: { reward_info: {} },
    traj: [
      { role: "system", content: "The policy." },
      { role: "user", content: "Cancel my order" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "cancel", arguments: '{"id":1}' } }],
      },
      { role: "tool", tool_call_id: "c1", name: "cancel", content: "done" },
      { role: "assistant", content: "It is cancelled." },
      { role: "user", content: "###STOP###" },
    ],
  },
  { task_id: 8, reward: 0, trial: 0, info: {}, traj: [{ role: "user", content: "Hello" }] },
];

const simulations = {
  info: { agent_info: { llm: "m" }, environment_info: { policy: "The policy." } },
  tasks: [],
  simulations: [
    {
      id: "sim-1",
      task_id: "a",
      termination_reason: "max_steps",
      reward_info: { reward: 0 },
      messages: [
        {
          role: "assistant",
          content: "Hi! How can I help?",
          turn_idx: 0,
          timestamp: "2026-01-01T00:00:00.000001",
          cost: 0.1,
          usage: { prompt_tokens: 4, completion_tokens: 1 },
        },
        { role: "user", content: "My phone", tool_calls: null, turn_idx: 1 },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", name: "look", arguments: { id: 1 }, requestor: "assistant" }],
        },
        { id: "c1", role: "tool", content: "Error: none", requestor: "assistant", error: true },
        { role: "assistant", content: "Please toggle it" },
        { role: "user", content: null, tool_calls: [{ id: "u1", name: "toggle", arguments: {}, requestor: "user" }] },
        { id: "u1", role: "tool", content: "on", requestor: "user", error: false },
      ],
    },
  ],
};

describe("runs of the benches", () => {
  test("of τ-bench are a session each", async () => {
    const imported = await importOne(runs);
    expect([imported.format, imported.sessions.map(({ title, events }) => [title, ...outline(events)])]).toEqual([
      "tau-bench",
      [
        [
          "Task 7, trial 0",
          "turn.started",
          "user: Cancel my order",
          "step.started",
          'calls: cancel#c1 {"id":1}',
          'completed: c1 "done"',
          "step.completed",
          "step.started",
          "model: It is cancelled.",
          "step.completed",
          "turn.completed",
          "turn.started",
          "user: ###STOP###",
          "entry: outcome",
          "turn.completed",
        ],
        ["Task 8, trial 0", "turn.started", "user: Hello", "entry: outcome", "turn.completed"],
      ],
    ]);
  });

  test("of τ²-bench keep what the person does apart from the agent's calls", async () => {
    const imported = await importOne(simulations);
    expect([imported.format, imported.sessions.map(({ id, events }) => [id, ...outline(events)])]).toEqual([
      "tau-bench",
      [
        [
          "sim-1",
          "turn.started",
          "step.started",
          "model: Hi! How can I help?",
          "step.completed",
          "turn.completed",
          "turn.started",
          "user: My phone",
          "step.started",
          'calls: look#c1 {"id":1}',
          'failed: c1 "Error: none" (tool-error)',
          "step.completed",
          "step.started",
          "model: Please toggle it",
          "entry: user-tool",
          "entry: user-tool",
          "entry: outcome",
          "step.completed",
          "turn.failed: max_steps",
        ],
      ],
    ]);
    expect(importCounts(imported).usage).toEqual({ inputTokens: 4, outputTokens: 1, costUsd: 0.1 });
  });

  test("are read whatever is wrong in them", async () => {
    await expectMutationsToBeRead(runs);
    await expectMutationsToBeRead(simulations);
  });
});
