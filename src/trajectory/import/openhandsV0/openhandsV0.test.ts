import { describe, expect, test } from "vitest";
import { importTrajectory } from "../importTrajectory";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { hasPublished, importCounts, importOne, importPublished, jsonLines, outline } from "../publishedFile.suite";

type Row = readonly [file: string, turns: number, steps: number, calls: number, failed: number, usage: object];

/**
 * Counted in the files: turns are messages of the user, steps the responses of the model and the agent's messages, calls
 * the actions of tools. `finish` has no observation; one command says `success: false`.
 */
const published: readonly Row[] = [
  [
    "runtime_basic.json",
    1,
    2,
    2,
    1,
    { inputTokens: 8132, outputTokens: 1312, cacheReadTokens: 3482, cacheWriteTokens: 4640 },
  ],
  [
    "runtime_basic_gui_mode.json",
    1,
    5,
    4,
    1,
    { inputTokens: 17_297, outputTokens: 2024, cacheReadTokens: 11_793, cacheWriteTokens: 5482 },
  ],
  ["runtime_basic_interactions.json", 3, 3, 1, 1, { inputTokens: 2473, outputTokens: 10, cacheReadTokens: 2304 }],
  // Four and twenty-two costs, of which the last of each is a `finish` that was no call of a tool.
  ["resolver_output.jsonl", 2, 26, 24, 0, { costUsd: 1.223646 }],
];

describe.skipIf(!hasPublished)("a published run", () => {
  test.each(published)("has its counts: %s", async (file, turns, steps, calls, failed, usage) => {
    const { usage: found, ...counts } = importCounts(await importPublished(`openhands-v0/${file}`));
    expect(counts).toEqual({
      format: "openhands-v0",
      sessions: file.endsWith(".jsonl") ? 2 : 1,
      turns,
      steps,
      toolCalls: calls,
      toolResults: calls,
      failed,
      warnings: {},
    });
    expect(
      Object.fromEntries(Object.entries(found).map(([name, figure]) => [name, Number(figure.toFixed(9))])),
    ).toEqual(usage);
  });

  test("has times without a zone, and what is known of its files", async () => {
    const { fidelity, sessions } = await importPublished("openhands-v0/runtime_basic.json");
    expect(fidelity).toEqual({
      times: "naive",
      callIds: "real",
      results: "full",
      usage: "per-call",
      files: "inferred",
    });
    const result = sessions[0]?.events.find(({ type }) => type === "action.result");
    expect(result?.data).toMatchObject({
      toolName: "str_replace_editor",
      evidence: [{ path: "/workspace/game_2048.py", known: "after" }],
    });
    expect(sessions[0]?.events.at(-1)?.type).toBe("turn.completed");
  });
});

const response = (id: string, content: string, calls: readonly [id: string, name: string, input: string][]) => ({
  id,
  model: "m",
  choices: [
    {
      message: {
        role: "assistant",
        content,
        tool_calls: calls.map(([callId, name, input]) => ({ id: callId, function: { name, arguments: input } })),
      },
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1 },
});
const metrics = (prompt: number, completion: number) => ({
  accumulated_cost: prompt / 1000,
  accumulated_token_usage: {
    prompt_tokens: prompt,
    completion_tokens: completion,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
  },
});
const both = response("r1", "Both.", [
  ["c1", "execute_bash", '{"command":"ls"}'],
  ["c2", "delegate", "{}"],
]);
const of = (model: object, toolCallId: string, name: string) => ({
  tool_call_metadata: { function_name: name, tool_call_id: toolCallId, model_response: model },
});
const rm = response("r2", "Clean.", [["c3", "execute_bash", '{"command":"rm x"}']]);
const mv = response("r3", "Move.", [["c4", "execute_bash", '{"command":"mv"}']]);

const events = [
  {
    id: 0,
    source: "agent",
    timestamp: "2025-01-01T00:00:00.5",
    action: "system",
    args: { content: "You are.", tools: [], agent_class: "CodeActAgent", openhands_version: "0.50" },
  },
  { id: 1, source: "user", action: "message", args: { content: "Go", image_urls: null } },
  { id: 2, source: "user", action: "recall", args: { query: "Go" } },
  { id: 3, source: "environment", cause: 2, observation: "recall", content: "", extras: {} },
  {
    id: 4,
    source: "agent",
    action: "run",
    args: { command: "ls", thought: "" },
    ...of(both, "c1", "execute_bash"),
    llm_metrics: metrics(100, 10),
  },
  {
    id: 5,
    source: "agent",
    action: "delegate",
    args: { agent: "BrowsingAgent", inputs: {}, thought: "" },
    ...of(both, "c2", "delegate"),
    llm_metrics: metrics(100, 10),
  },
  { id: 6, source: "agent", action: "message", args: { content: "TASK: look" } },
  { id: 7, source: "agent", action: "browse", args: { url: "https://example.com", thought: "Look." } },
  { id: 8, source: "agent", cause: 7, observation: "browse", content: "a page", extras: { error: true } },
  { id: 9, source: "agent", cause: 5, observation: "delegate", content: "", extras: { outputs: { content: "found" } } },
  { id: 10, source: "agent", cause: 4, observation: "run", content: "a.py", extras: { exit_code: 0 }, success: true },
  {
    id: 11,
    source: "agent",
    action: "run",
    args: { command: "rm x", confirmation_state: "awaiting_confirmation" },
    ...of(rm, "c3", "execute_bash"),
    llm_metrics: metrics(250, 15),
  },
  {
    id: 12,
    source: "environment",
    observation: "agent_state_changed",
    content: "",
    extras: { agent_state: "awaiting_user_confirmation" },
  },
  { id: 13, source: "user", cause: 11, observation: "user_rejected", content: "No", extras: {} },
  {
    id: 14,
    source: "agent",
    action: "run",
    args: { command: "mv", confirmation_state: "awaiting_confirmation" },
    ...of(mv, "c4", "execute_bash"),
    llm_metrics: metrics(400, 20),
  },
  {
    id: 15,
    source: "environment",
    observation: "agent_state_changed",
    content: "",
    extras: { agent_state: "user_confirmed" },
  },
  {
    id: 16,
    source: "agent",
    cause: 14,
    observation: "error",
    content: "cannot",
    extras: { error_id: "AGENT_ERROR$X" },
  },
  { id: 17, source: "agent", action: "condensation", args: { forgotten_event_ids: [4], summary: "So far" } },
  { id: 18, source: "agent", cause: 99, observation: "run", content: "whose?", extras: {} },
  {
    id: 19,
    source: "environment",
    observation: "agent_state_changed",
    content: "",
    extras: { agent_state: "stopped" },
  },
];

const readEvents = [
  "turn.started",
  "user: Go",
  "entry: recall",
  "entry: recall",
  "step.started",
  "model: Both.",
  'calls: execute_bash#c1 {"command":"ls"}',
  "calls: delegate#c2 {}",
  'completed: c2 {"content":"found"}',
  'completed: c1 "a.py"',
  "step.completed",
  "step.started",
  "model: Clean.",
  'calls: execute_bash#c3 {"command":"rm x"}',
  "entry: agent_state_changed",
  "input.requested",
  "input denied",
  'rejected: c3 "No" (denied)',
  "step.completed",
  "step.started",
  "model: Move.",
  'calls: execute_bash#c4 {"command":"mv"}',
  "entry: agent_state_changed",
  "input.requested",
  "input approved",
  'failed: c4 "cannot" (AGENT_ERROR$X)',
  "compaction.requested",
  "compaction.completed",
  "entry: tool-result",
  "entry: agent_state_changed",
  "step.completed",
  "turn.cancelled",
];

const readDelegate = [
  "turn.started",
  "user: TASK: look",
  "step.started",
  "model: Look.",
  'calls: browse#call_0 {"url":"https://example.com"}',
  'failed: call_0 "a page" (tool-error)',
  "step.completed",
  "turn.completed",
];

describe("the events of a run", () => {
  test("hold calls of one response, a delegate, approvals, a compaction and a stop", async () => {
    const imported = await importOne(jsonLines(events));
    expect(imported.sessions.map(({ parent, events: log }) => [parent?.callId, ...outline(log)])).toEqual([
      [undefined, ...readEvents],
      ["c2", ...readDelegate],
    ]);
    const { usage, warnings } = importCounts(imported);
    // Totals so far are differenced: what is left is the last of them.
    expect([usage, warnings]).toEqual([
      { inputTokens: 400, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.4 },
      { "result-without-call": 1 },
    ]);
  });

  test.each([
    ["a row of an evaluation", { instance_id: "one", history: events, metrics: {} }],
    ["pairs of actions and observations", { history: [[events[4], events[10]]] }],
    ["an export", { trajectory: events }],
  ])("are read from %s", async (_name, value) => {
    expect((await importOne(value)).format).toBe("openhands-v0");
  });

  test("are read from a folder that holds one a file", async () => {
    const files = events
      .map((event) => ({ path: `s/events/${event.id}.json`, blob: new Blob([JSON.stringify(event)]) }))
      .toReversed();
    const { sessions } = await importTrajectory({ files });
    expect(sessions.map(({ events: log }) => outline(log))).toEqual([readEvents, readDelegate]);
  });

  test("have commands fail that say so, or that ended with another code than 0", async () => {
    const command = { source: "agent", action: "run", args: { command: "x", thought: "" } };
    const ended = { source: "agent", observation: "run", content: "" };
    const { sessions } = await importOne([
      { ...command, id: 1 },
      { ...ended, id: 2, cause: 1, extras: { metadata: { exit_code: 2 } } },
      { ...command, id: 3 },
      { ...ended, id: 4, cause: 3, extras: { exit_code: -1 }, success: true },
    ]);
    const results = sessions[0]?.events.flatMap(({ type, data }) =>
      type === "action.result" ? [[data.status, data.error?.code]] : [],
    );
    expect(results).toEqual([
      ["failed", "exit-code"],
      ["completed", undefined],
    ]);
  });

  test("that ended with an error end their turn with it", async () => {
    const imported = await importOne([
      events[1],
      {
        id: 2,
        source: "environment",
        observation: "agent_state_changed",
        content: "",
        extras: { agent_state: "error", reason: "out of budget" },
      },
    ]);
    expect(imported.sessions[0]?.events.at(-1)?.data).toMatchObject({ code: "error", message: "out of budget" });
  });

  test("are read whatever is wrong in them", async () => {
    await expectMutationsToBeRead(events);
  });
});
