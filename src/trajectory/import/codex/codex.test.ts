import { describe, expect, test } from "vitest";
import { importTrajectory } from "../importTrajectory";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { hasPublished, importCounts, importOne, importPublished, jsonLines, outline } from "../publishedFile.suite";

type Row = readonly [
  file: string,
  turns: number,
  steps: number,
  calls: number,
  failed: number,
  usage: readonly [input: number, output: number, cached?: number] | undefined,
  warnings: object,
];

/**
 * Counted in the files: turns are `user_message` events, else `user` items that are no context; steps are responses, which
 * end where an output follows; failed are exit codes that are not 0, refusals and missing outputs; figures are the sums of
 * `last_token_usage`, each total once, and equal the last `total_token_usage`.
 */
const published: readonly Row[] = [
  ["codex/agentcmd_rollout-2025-09-24T19-22-20.jsonl", 13, 134, 123, 12, [7_494_343, 99_678, 7_290_112], {}],
  ["codex/agentcmd_rollout-2025-09-25T15-12-14.jsonl", 1, 35, 34, 0, [536_834, 6_654, 472_320], {}],
  // These hold figures and nothing that was said: each is a response all the same.
  ["codex/agentsessions_codex_050_legacy.jsonl", 1, 1, 0, 0, [1_420, 910], {}],
  ["codex/agentsessions_codex_051_usage.jsonl", 2, 2, 0, 0, [2_840, 1_520, 1_420], {}],
  ["codex/agentsessions_codex_052_raw.jsonl", 2, 2, 0, 0, [2_600, 880, 980], {}],
  ["codex/agentsessions_codex_053_rate_limit.jsonl", 1, 1, 0, 0, [12_091, 182, 10_880], {}],
  ["codex/agentsessions_schema_drift.jsonl", 1, 2, 1, 0, undefined, {}],
  ["codex/openagents_codex-rollout.sample.jsonl", 1, 3, 2, 0, [82_056, 340, 44_992], {}],
  ["malformed/codex_inline_image_1.2MB.jsonl", 1, 1, 1, 0, undefined, {}],
  ["malformed/codex_missing_ordinal_tail.jsonl", 1, 1, 0, 0, undefined, { "missing-ordinal": 1 }],
  ["malformed/codex_partial_then_full.jsonl", 1, 1, 0, 0, undefined, { "bad-json": 1 }],
];

describe.skipIf(!hasPublished)("a published rollout", () => {
  test.each(published)("has its counts: %s", async (file, turns, steps, calls, failed, figures, warnings) => {
    const [inputTokens, outputTokens, cacheReadTokens] = figures ?? [];
    const usage = Object.entries({ inputTokens, outputTokens, cacheReadTokens });
    expect(importCounts(await importPublished(file))).toEqual({
      format: "codex",
      sessions: 1,
      turns,
      steps,
      toolCalls: calls,
      toolResults: calls,
      failed,
      usage: Object.fromEntries(usage.filter(([, figure]) => figure !== undefined)),
      warnings,
    });
  });

  test("with every kind of line is read, those that say nothing kept raw", async () => {
    const counts = importCounts(await importPublished("codex/agentsessions_small_146KB.jsonl"));
    expect(counts).toMatchObject({ sessions: 1, toolCalls: 8, toolResults: 8, warnings: { "result-without-call": 1 } });
  });

  test("has its image in the blobs and not in the log", async () => {
    const { sessions, blobs } = await importPublished("malformed/codex_inline_image_1.2MB.jsonl");
    expect([...blobs.values()].map(({ length }) => length)).toEqual([900_000]);
    expect(JSON.stringify(sessions).length).toBeLessThan(10_000);
  });

  test("tells where it was stopped, with what came after that belongs to it", async () => {
    const { sessions } = await importPublished("codex/agentcmd_rollout-2025-09-24T19-22-20.jsonl");
    const lines = outline(sessions[0]?.events ?? []);
    expect(lines.filter((line) => line === "turn.cancelled")).toHaveLength(4);
    const refused = lines.findIndex((line) => line.startsWith("rejected:"));
    expect(lines.slice(refused - 2, refused + 1).map((line) => line.split(":")[0])).toEqual([
      "input.requested",
      "input denied",
      "rejected",
    ]);
  });
});

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const rollout = (...lines: readonly (readonly [type: string, payload: object])[]) =>
  jsonLines([
    { timestamp: at(0), type: "session_meta", payload: { id: "t1", cwd: "/w", cli_version: "0.150.0" } },
    ...lines.map(([type, payload], index) => ({ timestamp: at(index + 1), type, payload })),
  ]);
const item = (payload: object) => ["response_item", payload] as const;
const event = (payload: object) => ["event_msg", payload] as const;
const said = (role: string, text: string) =>
  item({ type: "message", role, content: [{ type: role === "user" ? "input_text" : "output_text", text }] });
const call = (call_id: string, name = "shell", args = "{}") =>
  item({ type: "function_call", name, arguments: args, call_id });
const output = (call_id: string, value: unknown) => item({ type: "function_call_output", call_id, output: value });

const outlineOf = async (text: string) => outline((await importOne(text)).sessions[0]?.events ?? []);

describe("a rollout", () => {
  test("says once what comes as an item and as an event, in either order", async () => {
    const lines = await outlineOf(
      rollout(
        said("user", "<environment_context>\n</environment_context>"),
        said("user", "hi"),
        event({ type: "user_message", message: "hi" }),
        event({ type: "agent_reasoning", text: "think" }),
        event({ type: "agent_message", message: "hello" }),
        item({ type: "reasoning", summary: [{ type: "summary_text", text: "think" }], encrypted_content: "x" }),
        said("assistant", "hello"),
        event({ type: "task_complete" }),
        event({ type: "user_message", message: "again" }),
        said("user", "again"),
        event({ type: "agent_message", message: "only told" }),
      ),
    );
    expect(lines.filter((line) => !line.startsWith("entry"))).toEqual([
      "turn.started",
      "user: hi",
      "step.started",
      "thinks: think",
      "model: hello",
      "step.completed",
      "turn.completed",
      "turn.started",
      "user: again",
      "step.started",
      "model: only told",
      "step.completed",
      "turn.completed",
    ]);
  });

  test("has outputs in all their forms, and knows which of them failed", async () => {
    const lines = await outlineOf(
      rollout(
        said("user", "go"),
        ...["a", "b", "c", "d", "e", "f"].map((id) => call(id)),
        output("a", "plain"),
        output("b", JSON.stringify({ output: "no", metadata: { exit_code: 2, duration_seconds: 0.5 } })),
        output("c", [{ type: "input_text", text: "Exit code: 0\nWall time: 1.5 seconds\nOutput:\nok" }]),
        output("d", { content: "tool said no", success: false }),
        output("e", "aborted by user after 3.1s"),
      ),
    );
    expect(lines.filter((line) => /^(completed|failed)/.test(line))).toEqual([
      'completed: a "plain"',
      'failed: b "no" (exit-code)',
      'completed: c "Exit code: 0\\nWall time: 1.5 seconds\\nOutput:\\nok"',
      'failed: d "tool said no" (tool-failed)',
      'failed: e "aborted by user after 3.1s" (interrupted)',
      'failed: f "The recording holds no result of this call." (interrupted)',
    ]);
  });

  test("has calls of every kind: patches as they were written, searches whose results nobody wrote down", async () => {
    const lines = await outlineOf(
      rollout(
        said("user", "go"),
        item({ type: "custom_tool_call", call_id: "p", name: "apply_patch", input: "*** Begin Patch" }),
        item({
          type: "local_shell_call",
          call_id: "l",
          status: "completed",
          action: { type: "exec", command: ["ls"] },
        }),
        item({ type: "web_search_call", id: "w", status: "completed", action: { type: "search", query: "q" } }),
        item({ type: "custom_tool_call_output", call_id: "p", output: "Success" }),
        output("l", "a.txt"),
      ),
    );
    expect(lines.filter((line) => /^(calls|completed)/.test(line))).toEqual([
      "calls: apply_patch#p *** Begin Patch",
      'calls: local_shell#l {"type":"exec","command":["ls"]}',
      'calls: web_search#w {"type":"search","query":"q"}',
      "completed: w null",
      'completed: p "Success"',
      'completed: l "a.txt"',
    ]);
  });

  test("counts figures once: told before the items or after, told again, or as totals only", async () => {
    const tokens = (total: number, last?: number) =>
      event({
        type: "token_count",
        info: {
          total_token_usage: { input_tokens: total, output_tokens: total },
          ...(last === undefined ? {} : { last_token_usage: { input_tokens: last, output_tokens: last } }),
        },
      });
    const before = rollout(
      said("user", "go"),
      tokens(5, 5),
      call("a"),
      output("a", "x"),
      tokens(12, 7),
      said("assistant", "ok"),
    );
    const after = rollout(
      said("user", "go"),
      call("a"),
      tokens(5),
      output("a", "x"),
      said("assistant", "ok"),
      tokens(12),
      tokens(12),
      event({ type: "token_count", info: null }),
    );
    for (const text of [before, after]) {
      const { sessions } = await importOne(text);
      const usage = sessions[0]?.events.flatMap((one) =>
        one.type === "step.completed" ? [one.data.usage?.inputTokens] : [],
      );
      expect(usage).toEqual([5, 7]);
    }
  });

  test("of the first versions has no envelope", async () => {
    const old = jsonLines([
      { id: "old-1", timestamp: at(0), instructions: "Be brief.", git: {} },
      { record_type: "state" },
      { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
      { type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "c" },
      { type: "function_call_output", call_id: "c", output: '{"output":"a","metadata":{"exit_code":0}}' },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "one file" }] },
    ]);
    const imported = await importOne(old);
    expect(importCounts(imported)).toMatchObject({
      format: "codex",
      turns: 1,
      steps: 2,
      toolCalls: 1,
      failed: 0,
      warnings: {},
    });
    expect(imported.sessions[0]?.events[1]?.data).toMatchObject({
      session: { id: "old-1", instructions: "Be brief." },
    });
    expect(imported.fidelity.times).toBe("missing");
  });

  test("tells compactions, questions and errors", async () => {
    const questions = JSON.stringify({ questions: [{ id: "q1", question: "Which?" }] });
    const lines = await outlineOf(
      rollout(
        said("user", "go"),
        call("q", "request_user_input", questions),
        output("q", JSON.stringify({ answers: { q1: { answers: ["this"] } } })),
        ["compacted", { message: "so far" }],
        event({ type: "context_compacted" }),
        event({ type: "error", message: "quota exceeded", codex_error_info: "usage_limit_exceeded" }),
      ),
    );
    expect(lines.filter((line) => !line.startsWith("entry"))).toEqual([
      "turn.started",
      "user: go",
      "step.started",
      `calls: request_user_input#q ${questions}`,
      "input.requested",
      "input answered",
      'completed: q "{\\"answers\\":{\\"q1\\":{\\"answers\\":[\\"this\\"]}}}"',
      "compaction.requested",
      "compaction.completed",
      "step.completed",
      "turn.failed: usage_limit_exceeded",
    ]);
  });

  test("finds the subagents of a thread in their files", async () => {
    const parent = rollout(said("user", "go"), call("spawn", "spawn_agent"), output("spawn", '{"agent_id":"t2"}'));
    const child = jsonLines([
      {
        timestamp: at(3),
        type: "session_meta",
        payload: { id: "t2", source: { subagent: { thread_spawn: { parent_thread_id: "t1", depth: 1 } } } },
      },
      { timestamp: at(4), type: "response_item", payload: { type: "message", role: "user", content: "look" } },
    ]);
    const { sessions } = await importTrajectory({
      files: [
        { path: "rollout-2.jsonl", blob: new Blob([child]) },
        { path: "rollout-1.jsonl", blob: new Blob([parent]) },
      ],
    });
    expect(sessions.map(({ id, parent: of }) => [id, of])).toEqual([
      ["t1", undefined],
      ["t2", { sessionId: "t1", callId: "spawn" }],
    ]);
  });

  test("that was forked shows what it copied and counts it in the thread it comes from only", async () => {
    const own = [said("user", "go"), said("assistant", "done")];
    const forked = jsonLines([
      { timestamp: at(9), type: "session_meta", payload: { id: "t2", forked_from_id: "t1" } },
      ...[...own, said("user", "and now"), said("assistant", "that too")].map(([type, payload]) => ({
        timestamp: at(9),
        type,
        payload,
      })),
    ]);
    const imported = await importTrajectory({
      files: [
        { path: "1.jsonl", blob: new Blob([rollout(...own)]) },
        { path: "2.jsonl", blob: new Blob([forked]) },
      ],
    });
    expect(importCounts(imported)).toMatchObject({ sessions: 2, turns: 2, steps: 2 });
    expect(outline(imported.sessions[1]?.events ?? []).slice(0, 4)).toEqual([
      "entry: session_meta",
      "entry: message",
      "entry: message",
      "turn.started",
    ]);
    expect(imported.sessions[1]?.events[0]?.data).toMatchObject({ predecessor: { sessionId: "t1" } });
  });

  test("of exec --json is told by its items", async () => {
    const exec = jsonLines([
      { type: "thread.started", thread_id: "e1" },
      { type: "turn.started" },
      { type: "item.started", item: { id: "i0", type: "command_execution", command: "ls", status: "in_progress" } },
      {
        type: "item.completed",
        item: {
          id: "i0",
          type: "command_execution",
          command: "ls",
          aggregated_output: "no",
          exit_code: 1,
          status: "failed",
        },
      },
      { type: "item.completed", item: { id: "i1", type: "agent_message", text: "It failed." } },
      { type: "turn.completed", usage: { input_tokens: 10, cached_input_tokens: 4, output_tokens: 2 } },
    ]);
    const imported = await importOne(exec);
    expect(outline(imported.sessions[0]?.events ?? [])).toEqual([
      "turn.started",
      "step.started",
      'calls: shell#i0 {"command":"ls"}',
      'failed: i0 "no" (exit-code)',
      "step.completed",
      "step.started",
      "model: It failed.",
      "step.completed",
      "turn.completed",
    ]);
    expect(importCounts(imported).usage).toEqual({ inputTokens: 10, outputTokens: 2, cacheReadTokens: 4 });
  });

  test("is read whatever of it is of another type", async () => {
    const info = { total_token_usage: { input_tokens: 5 }, last_token_usage: { input_tokens: 5, output_tokens: 1 } };
    const lines = rollout(
      said("user", "go"),
      item({ type: "reasoning", summary: [{ type: "summary_text", text: "t" }], encrypted_content: "e" }),
      call("a", "request_user_input", '{"questions":[{"id":"q","question":"?"}]}'),
      output("a", [{ type: "input_image", image_url: "data:image/png;base64,AA" }]),
      item({ type: "web_search_call", id: "w", status: "failed", action: { type: "search" } }),
      event({ type: "token_count", info }),
      ["compacted", { message: "so far" }],
      event({ type: "task_complete", error: { message: "m", codex_error_info: "c" } }),
    );
    const records = lines
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    await expectMutationsToBeRead(records, (copy) =>
      Array.isArray(copy) ? jsonLines(copy as unknown[]) : JSON.stringify(copy),
    );
  });

  test("whose turn shows no word of the model has the one its end tells, once", async () => {
    const written = (type: string, payload: object) => ({ timestamp: "2026-01-01T00:00:00.000Z", type, payload });
    const meta = written("session_meta", { id: "s" });
    const asked = (message: string) => written("event_msg", { type: "user_message", message });
    const end = (last_agent_message: string | null) =>
      written("event_msg", { type: "task_complete", last_agent_message });
    const answer = written("response_item", {
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: "B" }],
    });
    const { sessions } = await importOne(
      jsonLines([
        meta,
        asked("a"),
        end("A"),
        asked("b"),
        answer,
        end("B"),
        asked("c"),
        end("B"),
        answer,
        asked("d"),
        end(null),
      ]),
    );
    const words = outline(sessions[0]?.events ?? []).filter((line) => /^(user|model)/.test(line));
    expect(words).toEqual(["user: a", "model: A", "user: b", "model: B", "user: c", "model: B", "user: d"]);
  });

  test("of another writer has calls and results by their order, and a failed one by its exit code", async () => {
    const itemLine = (payload: object) => ({ timestamp: "2026-01-01T00:00:00.000Z", type: "response_item", payload });
    const { sessions } = await importOne(
      jsonLines([
        { timestamp: "2026-01-01T00:00:00.000Z", type: "session_meta", payload: { id: "s" } },
        itemLine({ type: "message", role: "user", content: [{ type: "input_text", text: "Go" }] }),
        itemLine({ type: "tool_call", function: { name: "run" }, arguments: { command: "ls" } }),
        itemLine({ type: "tool_result", name: "run", result: { stdout: "", stderr: "no", exitCode: 2 } }),
      ]),
    );
    const log = outline(sessions[0]?.events ?? []).map((line) => line.replaceAll(/call_\w+/g, "id"));
    expect(log.slice(3, 6)).toEqual([
      "step.started",
      'calls: run#id {"command":"ls"}',
      'failed: id {"stdout":"","stderr":"no","exitCode":2} (exit-code)',
    ]);
  });
});
