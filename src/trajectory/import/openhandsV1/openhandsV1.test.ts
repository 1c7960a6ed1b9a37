import { describe, expect, test } from "vitest";
import { importTrajectory } from "../importTrajectory";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { hasPublished, importCounts, importOne, importPublished, jsonLines, outline } from "../publishedFile.suite";

describe.skipIf(!hasPublished)("a published conversation", () => {
  // By hand: two actions of two responses, three observations of which one is of an action the file does not have; the
  // last figures told are the totals.
  test("has its counts", async () => {
    const imported = await importPublished("openhands-v1/goal_events.jsonl");
    expect(importCounts(imported)).toEqual({
      format: "openhands-v1",
      sessions: 1,
      turns: 1,
      steps: 2,
      toolCalls: 2,
      toolResults: 2,
      failed: 1,
      usage: { inputTokens: 107_458, outputTokens: 1347, cacheReadTokens: 68_193, cacheWriteTokens: 0, costUsd: 0 },
      warnings: { "result-without-call": 1 },
    });
    // One output has a hidden secret in it.
    expect(imported.fidelity).toEqual({
      times: "naive",
      callIds: "real",
      results: "masked",
      usage: "cumulative",
      files: "none",
    });
    const steps = imported.sessions[0]?.events.flatMap(({ type, data }) =>
      type === "step.completed" ? [data.usage?.inputTokens] : [],
    );
    expect(steps).toEqual([35_895, 71_563]);
  });

  test("is a state without events, and says so", async () => {
    const imported = await importPublished("openhands-v1/base_state.json");
    expect(importCounts(imported)).toMatchObject({
      format: "openhands-v1",
      sessions: 1,
      turns: 0,
      warnings: { "no-events": 1 },
    });
    expect(imported.sessions[0]?.id).toBe("11111111-2222-3333-4444-555555555555");
  });
});

const action = (id: string, responseId: string, callId: string, more: object = {}) => ({
  kind: "ActionEvent",
  id,
  source: "agent",
  timestamp: "2026-01-01T00:00:00",
  thought: [],
  action: { kind: "TerminalAction", command: "ls" },
  tool_name: "terminal",
  tool_call_id: callId,
  tool_call: { id: callId, name: "terminal", arguments: '{"command":"ls"}' },
  llm_response_id: responseId,
  ...more,
});
const observation = (id: string, actionId: string, callId: string, content: string) => ({
  kind: "ObservationEvent",
  id,
  source: "environment",
  tool_name: "terminal",
  tool_call_id: callId,
  action_id: actionId,
  observation: { kind: "TerminalObservation", content: [{ type: "text", text: content }], is_error: false },
});
const state = (key: string, value: unknown) => ({
  kind: "ConversationStateUpdateEvent",
  id: `${key} ${String(value)}`,
  source: "environment",
  key,
  value,
});
const message = (id: string, source: string, content: string, more: object = {}) => ({
  kind: "MessageEvent",
  id,
  source,
  llm_message: { role: source === "user" ? "user" : "assistant", content: [{ type: "text", text: content }] },
  ...more,
});

const events = [
  {
    kind: "SystemPromptEvent",
    id: "e0",
    source: "agent",
    system_prompt: { type: "text", text: "You are." },
    tools: [{ title: "terminal", description: "Runs" }],
  },
  message("e1", "user", "Go"),
  action("e2", "r1", "c1", { thought: [{ type: "text", text: "Both." }], reasoning_content: "Hm." }),
  action("e3", "r1", "c2"),
  observation("e4", "e3", "c2", "second"),
  observation("e5", "e2", "c1", "first"),
  action("e6", "r2", "c3"),
  state("execution_status", "waiting_for_confirmation"),
  {
    kind: "UserRejectObservation",
    id: "e7",
    source: "environment",
    tool_name: "terminal",
    tool_call_id: "c3",
    action_id: "e6",
    rejection_reason: "not that",
  },
  action("e8", "r3", "c4"),
  state("execution_status", "waiting_for_confirmation"),
  state("execution_status", "running"),
  { kind: "PauseEvent", id: "e9", source: "user" },
  observation("e10", "e8", "c4", "after all"),
  message("e11", "user", "Go on"),
  {
    kind: "Condensation",
    id: "e12",
    source: "environment",
    forgotten_event_ids: ["e2"],
    summary: "So far",
    llm_response_id: "r4",
  },
  action("e13", "r5", "c5", { action: null }),
  {
    kind: "AgentErrorEvent",
    id: "e14",
    source: "agent",
    tool_name: "terminal",
    tool_call_id: "c5",
    error: "no such tool",
  },
  action("e15", "r6", "c6"),
  { kind: "InterruptEvent", id: "e16", source: "user", reason: "User requested interrupt" },
];

const log = [
  "turn.started",
  "user: Go",
  "step.started",
  "thinks: Hm.",
  "model: Both.",
  'calls: terminal#c1 {"command":"ls"}',
  'calls: terminal#c2 {"command":"ls"}',
  'completed: c2 "second"',
  'completed: c1 "first"',
  "step.completed",
  "step.started",
  'calls: terminal#c3 {"command":"ls"}',
  "entry: state:execution_status",
  "input.requested",
  "input denied",
  'rejected: c3 "not that" (denied)',
  "step.completed",
  "step.started",
  'calls: terminal#c4 {"command":"ls"}',
  "entry: state:execution_status",
  "entry: state:execution_status",
  "input.requested",
  "input approved",
  'completed: c4 "after all"',
  "step.completed",
  "turn.cancelled",
  "turn.started",
  "user: Go on",
  "compaction.requested",
  "compaction.completed",
  "step.started",
  'calls: terminal#c5 {"command":"ls"}',
  'failed: c5 "no such tool" (agent-error)',
  "step.completed",
  "step.started",
  'calls: terminal#c6 {"command":"ls"}',
  'failed: c6 "The recording holds no result of this call." (interrupted)',
  "step.completed",
  "turn.cancelled",
];

/** A conversation as it is stored. */
const stored = (
  folder: string,
  list: readonly { readonly id: string }[],
  base: object = { agent: {}, workspace: {}, execution_status: "idle" },
) => [
  { path: `${folder}base_state.json`, blob: new Blob([JSON.stringify(base)]) },
  ...list
    .map((event, index) => ({
      path: `${folder}events/event-${String(index).padStart(5, "0")}-${event.id}.json`,
      blob: new Blob([JSON.stringify(event)]),
    }))
    // Files come in no order.
    .toReversed(),
];

describe("a conversation", () => {
  test.each([
    ["lines", jsonLines(events)],
    ["a list", JSON.stringify(events)],
  ])("is read from %s: parallel calls, refusals, approvals, a pause, an interrupt", async (_name, content) => {
    const imported = await importOne(content);
    expect([imported.format, imported.sessions.map(({ events: read }) => outline(read)), imported.warnings]).toEqual([
      "openhands-v1",
      [log],
      [],
    ]);
  });

  test("is read from a page of a server", async () => {
    const imported = await importOne({ items: events, next_page_id: null });
    const counts = { sessions: 1, turns: 2, steps: 5, toolCalls: 6, toolResults: 6, failed: 3, warnings: {} };
    expect(importCounts(imported)).toEqual({ format: "openhands-v1", ...counts, usage: {} });
  });

  test("is read from its folder, with the one of a subagent within it", async () => {
    const stats = {
      usage_to_metrics: {
        default: { accumulated_cost: 0.5, accumulated_token_usage: { prompt_tokens: 9, completion_tokens: 1 } },
      },
    };
    const base = {
      id: "main",
      agent: { llm: { model: "m" } },
      workspace: { working_dir: "/w" },
      execution_status: "idle",
      stats,
    };
    const files = [
      ...stored("conversations/main/", events, base),
      ...stored("conversations/main/subagents/one/", [
        message("s1", "user", "the task"),
        message("s2", "agent", "an answer", { llm_response_id: "q" }),
      ]),
    ];
    const imported = await importTrajectory({ files });
    expect(imported.sessions.map(({ parent, events: read }) => [parent?.sessionId, ...outline(read)])).toEqual([
      [undefined, "entry: base_state", ...log],
      [
        "main",
        "entry: base_state",
        "turn.started",
        "user: the task",
        "step.started",
        "model: an answer",
        "step.completed",
        "turn.completed",
      ],
    ]);
    expect(importCounts(imported).usage).toEqual({ inputTokens: 9, outputTokens: 1, costUsd: 0.5 });
    expect(imported.sessions[0]?.events[1]?.data).toMatchObject({ session: { id: "main", modelId: "m", cwd: "/w" } });
  });

  test("is read with the calls its subagents worked for, found by what they were asked", async () => {
    const call = (id: string, given: object) => ({
      id,
      kind: "ActionEvent",
      source: "agent",
      thought: [],
      action: given,
      tool_name: "delegate",
      tool_call_id: `call-${id}`,
      llm_response_id: id,
    });
    const base = { id: "main", agent: { llm: {} }, workspace: {}, execution_status: "idle" };
    const files = [
      ...stored(
        "main/",
        [message("m1", "user", "Go"), call("a", { prompt: "look" }), call("b", { tasks: { x: "test", y: "write" } })],
        base,
      ),
      ...stored("main/subagents/one/", [message("s1", "user", "write")]),
      ...stored("main/subagents/three/", [message("s3", "user", "nobody asked this")]),
      ...stored("main/subagents/two/", [message("s2", "user", "look")]),
    ];
    const { sessions } = await importTrajectory({ files });
    expect(sessions.map(({ parent }) => parent)).toEqual([
      undefined,
      { sessionId: "main", callId: "call-b" },
      { sessionId: "main" },
      { sessionId: "main", callId: "call-a" },
    ]);
  });

  test("that was gone back on shows its newest line, and the other as a branch of it", async () => {
    const lines = [
      message("e1", "user", "Go"),
      message("e2", "agent", "one way", { parent_id: "e1", llm_response_id: "r1" }),
      message("e3", "agent", "another way", { parent_id: "e1", llm_response_id: "r2" }),
    ];
    const { sessions } = await importOne(jsonLines(lines));
    expect(sessions.map(({ events: read }) => outline(read))).toEqual([
      ["turn.started", "user: Go", "step.started", "model: another way", "step.completed", "turn.completed"],
      ["turn.started", "step.started", "model: one way", "step.completed", "turn.completed"],
    ]);
    expect(sessions[1]?.events[0]?.data).toMatchObject({ predecessor: { sessionId: sessions[0]?.id } });
    expect(sessions[1]?.events[1]?.data).toMatchObject({ session: { branch: "branch 1 from e1" } });
  });

  test("of which every event names the one before is one line, whatever else stands between", async () => {
    const chain = [
      message("e1", "user", "Go"),
      action("e2", "r1", "c1", { parent_id: "e1" }),
      state("execution_status", "running"),
      { ...observation("e3", "e2", "c1", "done"), parent_id: "e2" },
      state("execution_status", "finished"),
    ];
    const { sessions } = await importOne(jsonLines(chain));
    expect(sessions.map(({ events: read }) => outline(read))).toEqual([
      [
        "turn.started",
        "user: Go",
        "step.started",
        'calls: terminal#c1 {"command":"ls"}',
        "entry: state:execution_status",
        'completed: c1 "done"',
        "entry: state:execution_status",
        "step.completed",
        "turn.completed",
      ],
    ]);
  });

  test("goes on with the line its state names", async () => {
    const lines = [
      message("e1", "user", "Go"),
      message("e2", "agent", "one way", { parent_id: "e1", llm_response_id: "r1" }),
      message("e3", "agent", "another way", { parent_id: "e1", llm_response_id: "r2" }),
    ];
    const files = stored("c/", lines, { agent: {}, workspace: {}, execution_status: "idle", leaf_event_id: "e2" });
    const { sessions } = await importTrajectory({ files });
    expect(sessions.map(({ events: read }) => outline(read).filter((line) => line.startsWith("model")))).toEqual([
      ["model: one way"],
      ["model: another way"],
    ]);
  });

  test("shows an answered question, an agent driven from outside, and an error", async () => {
    const { sessions } = await importOne([
      message("e1", "user", "Go"),
      action("e2", "r1", "c1", { tool_name: "ask_user" }),
      {
        kind: "AskUserRequestEvent",
        id: "e3",
        source: "agent",
        request_id: "q",
        questions: [{ question: "Which?" }],
        action_id: "e2",
        tool_call_id: "c1",
      },
      {
        kind: "AskUserResponseEvent",
        id: "e4",
        source: "user",
        request_id: "q",
        action: "accept",
        answers: { a: "this" },
      },
      observation("e5", "e2", "c1", "this"),
      {
        kind: "ACPToolCallEvent",
        id: "e6",
        source: "agent",
        tool_call_id: "x",
        title: "Read a",
        tool_kind: "read",
        status: "in_progress",
        raw_input: { path: "a" },
      },
      {
        kind: "ACPToolCallEvent",
        id: "e7",
        source: "agent",
        tool_call_id: "x",
        title: "Read a",
        tool_kind: "read",
        status: "completed",
        raw_output: "text",
      },
      { kind: "ConversationErrorEvent", id: "e8", source: "environment", code: "LLMError", detail: "gone" },
    ]);
    expect(outline(sessions[0]?.events ?? []).slice(2)).toEqual([
      "step.started",
      'calls: ask_user#c1 {"command":"ls"}',
      "entry: AskUserRequestEvent",
      "input.requested",
      "input answered",
      'completed: c1 "this"',
      'calls: read#x {"path":"a"}',
      'completed: x "text"',
      "step.completed",
      "turn.failed: LLMError",
    ]);
  });

  test("is read whatever is wrong in it", async () => {
    await expectMutationsToBeRead(events);
  });
});
