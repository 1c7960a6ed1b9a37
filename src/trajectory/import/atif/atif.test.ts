import { describe, expect, test } from "vitest";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import {
  hasPublished,
  importCounts,
  importOne,
  importPublished,
  jsonLines,
  outline,
  publishedFiles,
} from "../publishedFile.suite";
import { importTrajectory } from "../importTrajectory";

type Row = readonly [file: string, turns: number, steps: number, calls: number, failed: number, usage: object];

/**
 * Counted in the files: turns are steps of the user that are not copied (one more where an agent begins without), steps
 * those of the agent, calls all `tool_calls`, failed those without a result or with one that says so; figures are the sums
 * of `metrics`.
 */
const published: readonly Row[] = [
  ["openagents_x8251x.atif.json", 1, 1, 0, 0, {}],
  ["openagents_x8251x.atif.jsonl", 1, 1, 0, 0, {}],
  // `finish` has no observation.
  ["openhands_hello-world.trajectory.json", 1, 2, 2, 1, { inputTokens: 220, outputTokens: 80, costUsd: 0.00135 }],
  [
    "phoenix_harbor_terminus2_invalid_json.json",
    1,
    4,
    3,
    0,
    { inputTokens: 2417, outputTokens: 200, costUsd: 0.0080425 },
  ],
  ["phoenix_harbor_terminus2_timeout.json", 1, 3, 3, 0, { inputTokens: 882, outputTokens: 115, costUsd: 0.003355 }],
  [
    "phoenix_multi_tool_trajectory.json",
    1,
    3,
    4,
    0,
    { inputTokens: 9150, outputTokens: 635, cacheReadTokens: 5562, costUsd: 0.0074 },
  ],
  ["phoenix_multimodal_trajectory.json", 1, 2, 1, 0, { inputTokens: 2600, outputTokens: 125, costUsd: 0.013 }],
  ["phoenix_parallel_tools_mixed_results.json", 1, 2, 3, 0, { inputTokens: 1200, outputTokens: 105, costUsd: 0.005 }],
  ["phoenix_subagent_trajectories.json", 2, 3, 1, 0, { inputTokens: 2600, outputTokens: 210 }],
  ["qa-runner_login-trace.trajectory.json", 1, 6, 6, 0, { costUsd: 0 }],
  // No step has figures: the totals of the run are all there is. Two results have `success: false`.
  ["tbench_regex-log_trajectory.json", 1, 3, 5, 2, { inputTokens: 70, outputTokens: 15013, costUsd: 0.1268215 }],
  // Four copied steps; the totals of the run count what they cost elsewhere.
  ["terminus2_summarization.cont-1.json", 1, 4, 0, 0, { inputTokens: 4250, outputTokens: 530, costUsd: 0.015925 }],
  ["terminus2_summarization.trajectory.json", 1, 3, 0, 0, { inputTokens: 2252, outputTokens: 160, costUsd: 0.00723 }],
];

describe.skipIf(!hasPublished)("a published trajectory", () => {
  test.each(published)("has its counts: %s", async (file, turns, steps, calls, failed, usage) => {
    const { usage: found, ...counts } = importCounts(await importPublished(`atif/${file}`));
    expect(counts).toEqual({
      format: "atif",
      sessions: file === "phoenix_subagent_trajectories.json" ? 2 : 1,
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

  test("knows the session a subagent worked for, and its call", async () => {
    const { sessions } = await importPublished("atif/phoenix_subagent_trajectories.json");
    expect(sessions.map(({ id, parent }) => ({ id, parent }))).toEqual([
      { id: "sess-parent-001", parent: undefined },
      { id: "sess-child-summary-001", parent: { sessionId: "sess-parent-001", callId: "call_summarize" } },
    ]);
  });

  test("answers calls with results that stand before them", async () => {
    const { sessions } = await importPublished("atif/tbench_regex-log_trajectory.json");
    const results = sessions[0]?.events.flatMap(({ type, data }) =>
      type === "action.result" ? [[data.toolName, data.status]] : [],
    );
    expect(results).toEqual([
      ["Write", "failed"],
      ["Bash", "completed"],
      ["Bash", "failed"],
      ["Bash", "completed"],
      ["Write", "completed"],
    ]);
  });

  test("shows its compaction and what it refers to", async () => {
    const { sessions } = await importPublished("atif/terminus2_summarization.trajectory.json");
    expect(outline(sessions[0]?.events ?? []).filter((line) => !/^(?:user|model)/.test(line))).toEqual([
      "turn.started",
      "step.started",
      "entry: observation",
      "step.completed",
      "step.started",
      "entry: observation",
      "step.completed",
      "step.started",
      "entry: observation",
      "compaction.requested",
      "compaction.completed",
      "entry: subagent",
      "entry: subagent",
      "entry: subagent",
      "entry: subagents",
      "entry: continued-trajectory",
      "step.completed",
      "turn.completed",
    ]);
  });

  test("goes on in the file it names", async () => {
    const [first] = publishedFiles("atif/terminus2_summarization.trajectory.json");
    const [next] = publishedFiles("atif/terminus2_summarization.cont-1.json");
    if (first === undefined || next === undefined) throw new Error("both are published");
    const files = [
      { path: "run/trajectory.json", blob: first.blob },
      { path: "run/trajectory.cont-1.json", blob: next.blob },
    ];
    const { sessions } = await importTrajectory({ files });
    const predecessors = sessions.map(({ events: [started] }) =>
      started?.type === "session.started" ? started.data.predecessor?.sessionId : "",
    );
    expect(predecessors).toEqual([undefined, sessions[0]?.id]);
  });
});

const agent = { name: "agent", version: "1", model_name: "m" };
const trajectory = {
  schema_version: "ATIF-v1.7",
  session_id: "main",
  trajectory_id: "t-main",
  agent: {
    ...agent,
    tool_definitions: [{ type: "function", function: { name: "read", description: "Reads", parameters: {} } }],
  },
  steps: [
    { step_id: 1, source: "system", message: "Help." },
    { step_id: 2, source: "user", message: [{ type: "text", text: "Go" }], timestamp: "2026-01-01T00:00:00Z" },
    {
      step_id: 3,
      source: "agent",
      message: "Both.",
      reasoning_content: "Hm.",
      tool_calls: [
        { tool_call_id: "c1", function_name: "read", arguments: { path: "a" } },
        { tool_call_id: "c2", function_name: "task", arguments: {} },
      ],
      observation: {
        results: [
          { source_call_id: "c2", subagent_trajectory_ref: [{ trajectory_id: "t-child" }] },
          { source_call_id: "c1", content: "a's text" },
        ],
      },
      metrics: { prompt_tokens: 10, completion_tokens: 2, cached_tokens: 4, extra: { cache_creation_input_tokens: 1 } },
    },
  ],
  subagent_trajectories: [
    {
      schema_version: "ATIF-v1.7",
      session_id: "main",
      trajectory_id: "t-child",
      agent: { ...agent, name: "child" },
      steps: [
        { step_id: 1, source: "user", message: "copied", is_copied_context: true },
        { step_id: 2, source: "agent", message: "copied too", is_copied_context: true, metrics: { prompt_tokens: 99 } },
        { step_id: 3, source: "user", message: "the task" },
        { step_id: 4, source: "agent", message: "an answer", metrics: { prompt_tokens: 5, completion_tokens: 1 } },
      ],
    },
  ],
};

describe("a trajectory", () => {
  test("has the subagents it holds as sessions, and counts no copied context", async () => {
    const imported = await importOne(trajectory);
    expect(imported.sessions.map(({ id, parent, events }) => ({ id, parent, log: outline(events) }))).toEqual([
      {
        id: "t-main",
        parent: undefined,
        log: [
          "turn.started",
          "user: Go",
          "step.started",
          "thinks: Hm.",
          "model: Both.",
          'calls: read#c1 {"path":"a"}, task#c2 {}',
          "completed: c2 null",
          'completed: c1 "a\'s text"',
          "step.completed",
          "turn.completed",
        ],
      },
      {
        id: "t-child",
        parent: { sessionId: "t-main", callId: "c2" },
        log: [
          "entry: user",
          "entry: assistant",
          "turn.started",
          "user: the task",
          "step.started",
          "model: an answer",
          "step.completed",
          "turn.completed",
        ],
      },
    ]);
    expect(importCounts(imported).usage).toEqual({
      inputTokens: 15,
      outputTokens: 3,
      cacheReadTokens: 4,
      cacheWriteTokens: 1,
    });
  });

  test("is read line by line, a line that is broken left out", async () => {
    const { steps, subagent_trajectories: _embedded, ...head } = trajectory;
    const lines = jsonLines([{ __header__: true, ...head }, ...steps]).split("\n");
    const imported = await importOne([...lines.slice(0, 3), '{"step_id": 9, "sou', ...lines.slice(3)].join("\n"));
    expect(importCounts(imported)).toMatchObject({
      format: "atif",
      turns: 1,
      steps: 1,
      toolCalls: 2,
      toolResults: 2,
      warnings: { "bad-json": 1 },
    });
  });

  test("of a terminal gives the last call what all that was sent led to", async () => {
    const { sessions } = await importOne({
      schema_version: "ATIF-v1.5",
      session_id: "s",
      agent,
      steps: [
        {
          step_id: 1,
          source: "agent",
          message: "",
          tool_calls: ["a", "b"].map((id) => ({ tool_call_id: id, function_name: "keys", arguments: {} })),
          observation: { results: [{ content: "the screen" }] },
        },
      ],
    });
    expect(outline(sessions[0]?.events ?? [])).toEqual([
      "turn.started",
      "step.started",
      "calls: keys#a {}, keys#b {}",
      "completed: a null",
      'completed: b "the screen"',
      "step.completed",
      "turn.completed",
    ]);
  });

  test("is known without its prefix, and nothing else is taken for one", async () => {
    expect((await importOne({ ...trajectory, schema_version: "1.4" })).format).toBe("atif");
    expect((await importOne([trajectory, trajectory])).sessions).toHaveLength(4);
    await expect(importOne({ steps: [{ source: "agent" }], agent })).rejects.toThrow("Nothing in it is a session");
  });

  test("is read whatever is wrong in it", async () => {
    await expectMutationsToBeRead(trajectory);
  });
});
