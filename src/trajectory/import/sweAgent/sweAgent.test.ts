import { describe, expect, test } from "vitest";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { hasPublished, importCounts, importOne, importPublished, outline, publishedText } from "../publishedFile.suite";

interface RawEntry {
  readonly role: string;
  readonly is_demo?: boolean;
  readonly tool_calls?: readonly unknown[];
}

interface RawRun {
  readonly history: readonly RawEntry[];
  readonly trajectory?: readonly unknown[];
}

describe.skipIf(!hasPublished)("a published run", () => {
  // The number of responses, by hand; each has one call and its observation, the last one's in its step.
  test.each([
    ["function_calling_simple.traj", 5, {}],
    ["marshmallow-1867.default_from_source_v0.7.traj", 14, {}],
    ["marshmallow-1867.function_calling.traj", 11, {}],
    ["marshmallow-1867.function_calling_replace_from_source.traj", 13, {}],
    ["pydicom-1458.gpt4.traj", 12, { inputTokens: 122_612, outputTokens: 1_369, costUsd: 1.26719 }],
  ])("has its counts: %s", async (file, count, usage) => {
    const raw = JSON.parse(publishedText(`swe-agent/${file}`)) as RawRun;
    const responses = raw.history.filter(({ role, is_demo: isDemo }) => role === "assistant" && isDemo !== true);
    expect([responses.length, raw.trajectory?.length ?? count]).toEqual([count, count]);
    expect(importCounts(await importPublished(`swe-agent/${file}`))).toEqual({
      format: "swe-agent",
      sessions: 1,
      turns: 1,
      steps: count,
      toolCalls: count,
      toolResults: count,
      failed: 0,
      usage,
      warnings: {},
    });
  });

  test("shows its demonstration and does not count it", async () => {
    const { sessions, fidelity } = await importPublished("swe-agent/pydicom-1458.gpt4.traj");
    expect(
      outline(sessions[0]?.events ?? [])
        .map((line) => line.slice(0, 30))
        .slice(0, 6),
    ).toEqual([
      "entry: user",
      "turn.started",
      "user: We're currently solving ",
      "step.started",
      "model: First, I'll create a ne",
      'calls: bash#call_0 {"command":',
    ]);
    expect(fidelity).toEqual({
      times: "missing",
      callIds: "made",
      results: "full",
      usage: "cumulative",
      files: "none",
    });
  });

  test("has calls whose ids repeat answered one by one", async () => {
    const { sessions } = await importPublished("swe-agent/marshmallow-1867.function_calling.traj");
    const events = sessions[0]?.events ?? [];
    const called = events.flatMap(({ type, data }) =>
      type === "actions.requested" ? data.actions.map(({ callId }) => callId) : [],
    );
    const answered = events.flatMap(({ type, data }) => (type === "action.result" ? [data.result.callId] : []));
    expect(new Set(called).size).toBe(11);
    expect(answered).toEqual(called);
  });
});

const toolRun = {
  history: [
    { role: "system", content: "You are.", agent: "main", message_type: "system_prompt" },
    { role: "user", content: "demo", agent: "main", is_demo: true, message_type: "demonstration" },
    { role: "user", content: "Fix it", agent: "main", message_type: "observation" },
    {
      role: "assistant",
      content: "Look.",
      thought: "Look.",
      action: "ls",
      agent: "main",
      message_type: "action",
      tool_calls: [{ id: "c1", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } }],
    },
    { role: "tool", content: "a.py", agent: "main", message_type: "observation", tool_call_ids: ["c1"] },
    { role: "assistant", content: "Nothing to do.", agent: "main", message_type: "action", action: "" },
  ],
  info: { exit_status: "exit_cost", model_stats: { instance_cost: 1, tokens_sent: 20, tokens_received: 3 } },
};

const stepsRun = {
  trajectory: [
    {
      action: "ls\n",
      observation: "a.py\n",
      response: "Look.\n```\nls\n```",
      thought: "Look.",
      state: '{"working_dir": "/repo"}',
      execution_time: 0.25,
      query: [
        { role: "system", content: "You are." },
        { role: "user", content: "Fix it" },
      ],
    },
    { action: "", observation: "", response: "Stuck.", thought: "Stuck.", state: "{}" },
  ],
  history: [],
  info: {},
};

describe("a run", () => {
  test("of a history alone is read", async () => {
    const imported = await importOne(toolRun);
    expect([imported.format, outline(imported.sessions[0]?.events ?? [])]).toEqual([
      "swe-agent",
      [
        "entry: user",
        "turn.started",
        "user: Fix it",
        "step.started",
        "model: Look.",
        'calls: bash#c1 {"command":"ls"}',
        'completed: c1 "a.py"',
        "step.completed",
        "step.started",
        "model: Nothing to do.",
        "entry: info",
        "step.completed",
        "turn.failed: exit_cost",
      ],
    ]);
    expect(importCounts(imported).usage).toEqual({ inputTokens: 20, outputTokens: 3, costUsd: 1 });
  });

  test("of steps alone is read, with what the first one was asked", async () => {
    const { sessions, format } = await importOne(stepsRun);
    const events = sessions[0]?.events ?? [];
    expect([format, outline(events)]).toEqual([
      "swe-agent",
      [
        "turn.started",
        "user: Fix it",
        "step.started",
        "model: Look.\n```\nls\n```",
        'calls: bash#call_0 {"command":"ls\\n"}',
        'completed: call_0 "a.py\\n"',
        "step.completed",
        "step.started",
        "model: Stuck.",
        "step.completed",
        "turn.completed",
      ],
    ]);
    const result = events.find(({ type }) => type === "action.result");
    expect(result?.data).toMatchObject({ durationMs: 250 });
    expect(events.find(({ type }) => type === "import.source")?.data).toMatchObject({
      session: { cwd: "/repo", instructions: "You are." },
    });
  });

  test("is read whatever is wrong in it", async () => {
    await expectMutationsToBeRead(toolRun);
    await expectMutationsToBeRead(stepsRun);
  });
});
