import { describe, expect, test } from "vitest";
import { zipFromEntries } from "../../../archive";
import { importTrajectory } from "../importTrajectory";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { hasPublished, importCounts, importOne, importPublished, outline } from "../publishedFile.suite";

/** Sessions, turns, steps, calls, results, failed, input and output tokens: counted in the files with other means. */
const published: readonly [string, readonly number[]][] = [
  ["2025-05-12_browser.json", [1, 1, 5, 4, 4, 0, 15_235, 281]],
  ["docent_sample_log.eval", [15, 50, 147, 121, 121, 6, 395_844, 30_038]],
  ["log_formats.eval", [1, 1, 1, 0, 0, 0, 66, 2]],
  ["log_images_tc.json", [1, 1, 1, 0, 0, 0, 323, 5]],
  ["log_streaming.eval", [4, 4, 4, 0, 0, 0, 252, 6]],
  ["popularity_2025-02-11.eval", [10, 10, 10, 0, 0, 0, 620, 20]],
  ["vivaria_simple_inspect_eval.json", [1, 1, 1, 0, 0, 0, 0, 0]],
];

describe.skipIf(!hasPublished)("published logs of Inspect", () => {
  test.each(published)("%s", async (name, expected) => {
    const imported = await importPublished(`inspect/${name}`);
    const { format, usage, warnings, ...counts } = importCounts(imported);
    const { sessions, turns, steps, toolCalls, toolResults, failed } = counts;
    const { inputTokens = 0, outputTokens = 0 } = usage;
    expect(format).toBe("inspect");
    expect([sessions, turns, steps, toolCalls, toolResults, failed, inputTokens, outputTokens]).toEqual(expected);
    expect(warnings).toEqual({});
  });

  test("keeps results whose calls are not in the log, and says so of each", async () => {
    const imported = await importPublished("inspect/log_tool_call_error.json");
    expect(importCounts(imported)).toEqual({
      format: "inspect",
      sessions: 1,
      turns: 1,
      steps: 0,
      toolCalls: 0,
      toolResults: 0,
      failed: 0,
      usage: {},
      warnings: { "result-without-call": 11 },
    });
  });

  test("puts attachments back and images into blobs", async () => {
    const browser = await importPublished("inspect/2025-05-12_browser.json");
    const images = await importPublished("inspect/log_images_tc.json");
    const said = browser.sessions[0]?.events.filter(({ type }) => /^(message|action)/.test(type));
    expect(said?.length).toBe(10);
    expect(JSON.stringify(said)).not.toContain("attachment://");
    const parts = images.sessions[0]?.events.flatMap(({ type, data }) =>
      type === "message.received" ? (data.parts ?? []) : [],
    );
    const [image] = parts ?? [];
    expect(image).toMatchObject({ type: "image", mediaType: "image/png" });
    expect([...images.blobs.keys()]).toContain(image?.["blob"]);
  });
});

const user = { id: "m1", role: "user", content: "attachment://aa" };
const assistant = {
  id: "m2",
  role: "assistant",
  content: [
    { type: "reasoning", reasoning: "Look first" },
    { type: "text", text: "I look" },
  ],
  tool_calls: [
    { id: "c1", function: "bash", arguments: { cmd: "ls" } },
    { id: "c2", function: "task", arguments: { goal: "help" } },
  ],
};
const model = (id: string, extra: object) => ({
  event: "model",
  timestamp: "2026-01-01T00:00:01+00:00",
  model: "m/one",
  span_id: id,
  input: [user],
  tools: [{ name: "bash", description: "Runs", parameters: { type: "object" } }],
  output: { choices: [] },
  ...extra,
});
const answer = (message: object, stop_reason = "stop", usage = { input_tokens: 10, output_tokens: 1 }) => ({
  output: { choices: [{ message, stop_reason }], usage },
});

const log = (sample: object, header: object = {}) => ({
  version: 2,
  status: "success",
  eval: { task: "t", model: "m/one" },
  ...header,
  samples: [{ id: 1, epoch: 1, input: "go", target: "", ...sample }],
});

describe("a log of Inspect", () => {
  test("has approvals, an agent called by a tool as a session of its own, and the result of what it did", async () => {
    const events = [
      { event: "span_begin", id: "main", type: "agent", name: "react" },
      model("main", answer(assistant, "tool_calls")),
      {
        event: "approval",
        span_id: "main",
        call: { id: "c1" },
        message: "May I?",
        approver: "human",
        decision: "reject",
        explanation: "No",
      },
      {
        event: "tool",
        span_id: "main",
        id: "c1",
        function: "bash",
        arguments: { cmd: "ls" },
        result: "",
        error: { type: "approval", message: "No" },
      },
      {
        event: "tool",
        span_id: "main",
        id: "c2",
        function: "task",
        arguments: {},
        agent_span_id: "sub",
        result: "done",
        working_time: 1.5,
      },
      { event: "span_begin", id: "tool", parent_id: "main", type: "tool", name: "task" },
      { event: "span_begin", id: "sub", span_id: "sub", parent_id: "tool", type: "agent", name: "helper" },
      model("sub", {
        input: [{ id: "s1", role: "user", content: "help" }],
        ...answer({ id: "s2", role: "assistant", content: "helped" }),
      }),
      { event: "compaction", span_id: "main", tokens_before: 100, tokens_after: 10 },
      model("main", {
        input_refs: [[0, 3]],
        input: [],
        cache: "read",
        ...answer({ id: "m4", role: "assistant", content: "fin" }),
      }),
    ];
    const message_pool = [user, assistant, { id: "m3", role: "tool", tool_call_id: "c2", content: "done" }];
    const imported = await importOne(log({ events, message_pool, attachments: { aa: "find it" }, messages: [] }));
    expect(imported.sessions.map(({ events: all }) => outline(all))).toEqual([
      [
        "entry: span_begin",
        "turn.started",
        "user: find it",
        "step.started",
        "thinks: Look first",
        "model: I look",
        'calls: bash#c1 {"cmd":"ls"}, task#c2 {"goal":"help"}',
        "input.requested",
        "input denied",
        'rejected: c1 "No" (approval)',
        'completed: c2 "done"',
        "entry: span_begin",
        "compaction.requested",
        "compaction.completed",
        "step.completed",
        "step.started",
        "model: fin",
        "step.completed",
        "turn.completed",
      ],
      [
        "entry: span_begin",
        "turn.started",
        "user: help",
        "step.started",
        "model: helped",
        "step.completed",
        "turn.completed",
      ],
    ]);
    const [main, child] = imported.sessions;
    expect(child?.parent).toEqual({ sessionId: main?.id, callId: "c2" });
    // What came from the cache was not used again.
    expect(importCounts(imported).usage).toEqual({ inputTokens: 20, outputTokens: 2 });
    expect(imported.warnings).toEqual([]);
  });

  test("ends a sample as it ended: by an error, a limit, an operator, a call cancelled or never answered", async () => {
    const call = { ...assistant, tool_calls: [assistant.tool_calls[0]] };
    const asked = [model("", answer(call, "tool_calls"))];
    const cancelled = {
      event: "tool",
      id: "c1",
      function: "bash",
      arguments: {},
      failed: true,
      error: { type: "cancelled", message: "stop" },
    };
    const ends = async (sample: object) => {
      const imported = await importOne(log({ messages: [], attachments: { aa: "go" }, ...sample }));
      return outline(imported.sessions[0]?.events ?? []).filter((line) =>
        /^(completed|failed|rejected|turn\.|step\.f)/.test(line),
      );
    };
    expect(await ends({ events: asked, error: { message: "boom" } })).toEqual([
      "turn.started",
      'failed: c1 "The recording holds no result of this call." (interrupted)',
      "turn.failed: sample-error",
    ]);
    expect(await ends({ events: [...asked, cancelled], limit: { type: "message", limit: 5 } })).toEqual([
      "turn.started",
      'failed: c1 "stop" (cancelled)',
      "turn.failed: limit",
    ]);
    expect(await ends({ events: [...asked, cancelled], limit: { type: "operator", limit: 1 } })).toEqual([
      "turn.started",
      'failed: c1 "stop" (cancelled)',
      "turn.cancelled",
    ]);
    expect(await ends({ events: [model("", { error: "overloaded", output: null })] })).toEqual([
      "turn.started",
      "step.failed: model-error",
      "turn.completed",
    ]);
  });

  test("leaves the models that score out of the conversation, by span and by step", async () => {
    const said = answer({ id: "m2", role: "assistant", content: "42" });
    const judged = answer({ id: "j", role: "assistant", content: "C" });
    const bySpan = [
      model("main", said),
      { event: "span_begin", id: "s", type: "scorers", name: "scorers" },
      { event: "span_begin", id: "s1", parent_id: "s", type: "scorer", name: "judge" },
      model("s1", judged),
    ];
    const step = (action: string) => ({ event: "step", action, type: "scorer", name: "judge" });
    const byStep = [model("", said), step("begin"), model("", judged), step("end")];
    for (const events of [bySpan, byStep]) {
      const imported = await importOne(log({ events, messages: [], attachments: { aa: "?" } }));
      expect(importCounts(imported)).toMatchObject({ turns: 1, steps: 1, usage: { inputTokens: 10, outputTokens: 1 } });
    }
  });

  test("reads what happened within a tool where the first logs kept it, and a list of messages without events", async () => {
    const call = { ...assistant, tool_calls: [assistant.tool_calls[1]] };
    const inner = model("", {
      input: [{ role: "user", content: "sub" }],
      ...answer({ role: "assistant", content: "deep" }),
    });
    const tool = { event: "tool", id: "c2", function: "task", arguments: {}, result: "ok", events: [inner] };
    const nested = await importOne(
      log({ events: [model("", answer(call, "tool_calls")), tool], messages: [], attachments: { aa: "go" } }),
    );
    expect(nested.sessions.map(({ parent }) => parent?.callId)).toEqual([undefined, "c2"]);
    const messages = [
      { role: "system", content: "Be brief" },
      { role: "user", content: "hi" },
      { role: "assistant", content: "", tool_calls: [{ id: "a", function: "f", arguments: {} }] },
      { role: "tool", tool_call_id: "a", function: "f", content: [{ type: "text", text: "r" }], error: null },
      { role: "user", content: "hi" },
      { role: "assistant", content: "bye" },
    ];
    const model_usage = { one: { input_tokens: 5, output_tokens: 2 }, two: { input_tokens: 1, output_tokens: 1 } };
    const listed = await importOne(log({ messages, model_usage, events: null, store: null, attachments: null }));
    expect(importCounts(listed)).toEqual({
      format: "inspect",
      sessions: 1,
      turns: 2,
      steps: 2,
      toolCalls: 1,
      toolResults: 1,
      failed: 0,
      usage: { inputTokens: 6, outputTokens: 3 },
      warnings: {},
    });
    expect(listed.fidelity).toMatchObject({ usage: "cumulative", times: "missing" });
  });

  test("is read sample by sample from an archive: a broken one costs itself, a missing one is named", async () => {
    const json = (value: unknown) =>
      new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
    const sample = (epoch: number) => ({
      id: "a",
      epoch,
      input: "go",
      target: "",
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: `${epoch}` },
      ],
    });
    const zip = await zipFromEntries([
      { path: "_journal/start.json", bytes: json({ version: 2, eval: { task: "t", model: "m" } }) },
      { path: "samples/a_epoch_2.json", bytes: json(sample(2)) },
      { path: "samples/a_epoch_1.json", bytes: json(sample(1)) },
      { path: "samples/b_epoch_1.json", bytes: json("no JSON") },
      { path: "_journal/summaries/1.json", bytes: json(["a", "b", "c"].map((id) => ({ id, epoch: 1 }))) },
    ]);
    const imported = await importTrajectory({ files: [{ path: "x.eval", blob: zip }] });
    expect(imported.sessions.map(({ title }) => title)).toEqual(["t · sample a, epoch 1", "t · sample a, epoch 2"]);
    expect(imported.warnings.map(({ code, message }) => [code, message])).toEqual([
      ["bad-json", "The file is not valid JSON."],
      ["sample-missing", "Sample c, epoch 1, is listed and not in the archive"],
    ]);
  });

  test("is read from a sample laid out in chunks, each event where it stands", async () => {
    const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
    const call = { ...assistant, tool_calls: [assistant.tool_calls[0]] };
    const folder = "samples/a_epoch_1";
    const long = "attachment://1";
    const zip = await zipFromEntries([
      { path: "header.json", bytes: json({ version: 3, eval: { task: "t", model: "m" } }) },
      {
        path: `${folder}/sample.json`,
        bytes: json({ id: "a", epoch: 1, input: long, target: "", message_refs: [[0, 2]] }),
      },
      { path: `${folder}/skeleton.json`, bytes: json({ version: 1 }) },
      { path: `${folder}/messages/0.json`, bytes: json([{ role: "user", content: long }]) },
      { path: `${folder}/messages/1.json`, bytes: json([{ role: "assistant", content: "bye" }]) },
      {
        path: `${folder}/events/0.json`,
        bytes: json([model("s", { input: [], input_refs: [[0, 1]], ...answer(call, "tool_calls") })]),
      },
      {
        path: `${folder}/events/1.json`,
        bytes: json([{ event: "tool", id: "c1", function: "bash", arguments: {}, result: "attachment://0" }]),
      },
      { path: `${folder}/events/stats.json`, bytes: json({ chunks: [] }) },
      { path: `${folder}/attachments/0.json`, bytes: json(["a listing", "the long question"]) },
      { path: "summaries.json", bytes: json([{ id: "a", epoch: 1 }]) },
    ]);
    const imported = await importTrajectory({ files: [{ path: "x.eval", blob: zip }] });
    expect(importCounts(imported)).toEqual({
      format: "inspect",
      sessions: 1,
      turns: 1,
      steps: 2,
      toolCalls: 1,
      toolResults: 1,
      failed: 0,
      usage: { inputTokens: 10, outputTokens: 1 },
      warnings: {},
    });
    const events = imported.sessions[0]?.events ?? [];
    expect(events.find(({ type }) => type === "message.received")?.data).toMatchObject({
      message: "the long question",
    });
    const result = events.find(({ type }) => type === "action.result");
    expect(result?.data).toMatchObject({ result: { output: "a listing" } });
    expect(result?.meta.origin).toMatchObject({ file: `${folder}/events/1.json`, pointer: "/0" });
  });

  test("with a branch has what is new in it as a session, and what was run again to get there counted nowhere", async () => {
    const span = (id: string) => ({ event: "span_begin", id, type: "trajectory", name: id });
    const said = (id: string, words: string) => model(id, answer({ role: "assistant", content: words }));
    const imported = await importOne(
      log({
        attachments: { aa: "go" },
        events: [
          span("one"),
          said("one", "first"),
          said("one", "second"),
          span("two"),
          said("two", "first"),
          { event: "branch", span_id: "two", from_span: "one", from_anchor: "a1" },
          said("two", "another way"),
        ],
      }),
    );
    expect(importCounts(imported)).toMatchObject({
      sessions: 2,
      steps: 3,
      usage: { inputTokens: 30, outputTokens: 3 },
    });
    const [main, branch] = imported.sessions;
    const started = branch?.events[0];
    expect(started?.type === "session.started" && started.data.predecessor).toEqual({ sessionId: main?.id });
    const source = branch?.events[1];
    expect(source?.type === "import.source" && source.data.session?.branch).toBe("two");
    expect(branch?.events.filter(({ meta }) => meta.replay === false).length).toBe(1);
  });

  test("with anything in it changed for something else ends, and has one result a call", async () => {
    const tool = { event: "tool", id: "c1", function: "bash", arguments: {}, result: "x", error: null };
    const call = { ...assistant, tool_calls: [assistant.tool_calls[0]] };
    const events = [{ event: "span_begin", id: "s", type: "agent" }, model("s", answer(call)), tool];
    await expectMutationsToBeRead(log({ events, messages: [call], attachments: { aa: "go" }, limit: null }));
  });

  test("with values of any kind in any place is read as far as it goes", async () => {
    const strange = [null, 0, "x", [], {}, { __proto__: null, event: 5 }, [[[]]]];
    for (const value of strange) {
      const samples = [
        log({
          events: [value, { event: "model", input: value, output: value }, { event: "tool", id: value }],
          messages: value,
        }),
      ];
      for (const document of [
        ...samples,
        { ...samples[0], samples: [value, { id: value, messages: [value], output: value }] },
      ]) {
        const imported = await importOne(document).catch((error: unknown) => error);
        if (imported instanceof Error) expect(imported.name).toBe("TrajectoryError");
        else expect(imported).toMatchObject({ format: "inspect" });
      }
    }
  });
});
