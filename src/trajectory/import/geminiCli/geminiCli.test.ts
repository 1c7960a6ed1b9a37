import { describe, expect, test } from "vitest";
import { importTrajectory } from "../importTrajectory";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { hasPublished, importCounts, importOne, importPublished, jsonLines, outline } from "../publishedFile.suite";

/** Turns, steps, calls, results, failed, input, output and cached tokens: counted in the files with other means. */
const published: readonly [string, readonly number[]][] = [
  ["gemini-cli/agentcmd_session-2025-10-27.json", [3, 15, 13, 13, 2, 102_805, 1_551, 45_385]],
  ["gemini-cli/agentcmd_session-2025-10-29.json", [1, 4, 3, 3, 0, 21_694, 77, 4_029]],
  ["gemini-cli/agentsessions_schema_drift.json", [1, 1, 0, 0, 0, 0, 0, 0]],
  ["gemini-cli/replay_persistent-session.responses", [1, 26, 25, 25, 25, 256_070, 803, 209_234]],
  ["malformed/gemini_legacy_no_startTime.json", [1, 1, 1, 1, 1, 0, 0, 0]],
];

const shown = (imported: Awaited<ReturnType<typeof importOne>>) =>
  imported.sessions.map(({ events }) => outline(events));

describe.skipIf(!hasPublished)("published sessions of the Gemini CLI", () => {
  test.each(published)("%s", async (name, expected) => {
    const { format, sessions, usage, warnings, ...counts } = importCounts(await importPublished(name));
    const { turns, steps, toolCalls, toolResults, failed } = counts;
    const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0 } = usage;
    expect([turns, steps, toolCalls, toolResults, failed, inputTokens, outputTokens, cacheReadTokens]).toEqual(
      expected,
    );
    expect([format, sessions, warnings]).toEqual(["gemini-cli", 1, {}]);
  });

  test("an empty file is refused in a sentence", async () => {
    await expect(importPublished("malformed/gemini_empty.jsonl")).rejects.toMatchObject({
      code: "not-a-session",
      message: "The file is empty.",
    });
  });

  test("a session without times shows none, and a cancelled call that it was", async () => {
    const imported = await importPublished("malformed/gemini_legacy_no_startTime.json");
    expect(shown(imported)).toEqual([
      [
        "turn.started",
        "user: hello",
        "step.started",
        "model: hi",
        'calls: read_file#c1 {"path":"a"}',
        "failed: c1 null (cancelled)",
        "step.completed",
        "turn.cancelled",
      ],
    ]);
    expect(imported.fidelity).toMatchObject({ times: "missing", usage: "absent" });
  });
});

const header = { sessionId: "s", projectHash: "h", startTime: "2026-01-01T00:00:00Z" };
const user = (id: string, content: unknown) => ({ id, type: "user", content, timestamp: "2026-01-01T00:00:00Z" });
const gemini = (id: string, content: string, more: object = {}) => ({ id, type: "gemini", content, ...more });
const call = (id: string, status: string, more: object = {}) => ({
  id,
  name: "replace",
  args: { file_path: "a" },
  status,
  ...more,
});
const answered = (response: object) => ({ result: [{ functionResponse: { id: "x", name: "replace", response } }] });

describe("a log of the Gemini CLI", () => {
  test("is replayed: a message written again replaces, a rewind makes a branch, fields are set", async () => {
    const imported = await importOne(
      jsonLines([
        header,
        user("1", "one"),
        gemini("2", "", { tokens: { input: 5, output: 1, cached: 2 } }),
        gemini("2", "first", { tokens: { input: 7, output: 3, cached: 2 } }),
        user("3", [{ text: "two" }]),
        gemini("4", "second"),
        { $rewindTo: "3" },
        user("5", "three"),
        gemini("6", "third"),
        { $set: { summary: "A title" } },
      ]),
    );
    expect(shown(imported)).toEqual([
      [
        "turn.started",
        "user: one",
        "step.started",
        "model: first",
        "step.completed",
        "turn.completed",
        "turn.started",
        "user: three",
        "step.started",
        "model: third",
        "step.completed",
        "turn.completed",
      ],
      [
        "entry: user",
        "entry: assistant",
        "turn.started",
        "user: two",
        "step.started",
        "model: second",
        "step.completed",
        "turn.completed",
      ],
    ]);
    expect(importCounts(imported)).toEqual({
      format: "gemini-cli",
      sessions: 2,
      turns: 3,
      steps: 3,
      toolCalls: 0,
      toolResults: 0,
      failed: 0,
      usage: { inputTokens: 7, outputTokens: 3, cacheReadTokens: 2 },
      warnings: {},
    });
    const [main, branch] = imported.sessions;
    expect([main?.id, main?.title, branch?.id]).toEqual(["s", "A title", "s#1"]);
    expect(branch?.events[0]?.data).toMatchObject({ predecessor: { sessionId: "s" } });
  });

  test("that goes back to a message that is not there, or has its messages set, goes on as the program does", async () => {
    const lost = await importOne(jsonLines([header, user("1", "one"), { $rewindTo: "9" }, user("2", "two")]));
    expect(shown(lost).map((lines) => lines[1])).toEqual(["user: two", "user: one"]);
    expect(lost.warnings.map(({ code, line }) => [code, line])).toEqual([["rewind-target-missing", 3]]);
    const set = await importOne(
      jsonLines([header, user("1", "one"), { $set: { messages: [user("7", "kept")] } }, user("8", "next")]),
    );
    expect(shown(set)[0]?.filter((line) => line.startsWith("user"))).toEqual(["user: kept", "user: next"]);
  });

  test("tells how calls ended: refused, cancelled, failed, still running; and what they knew of files", async () => {
    const calls = [
      call("a", "success", { ...answered({ output: "ok" }), resultDisplay: { originalContent: "x", newContent: "y" } }),
      call("b", "error", answered({ error: "bad" })),
      call("c", "cancelled", answered({ error: "[Operation Cancelled] Reason: User did not allow tool call" })),
      call("d", "cancelled", { result: null }),
      call("e", "executing"),
    ];
    const thoughts = [{ subject: "Plan", description: "Do it" }];
    const imported = await importOne(
      jsonLines([header, user("1", "go"), gemini("2", "", { toolCalls: calls, thoughts })]),
    );
    expect(shown(imported)[0]?.filter((line) => !line.startsWith("calls"))).toEqual([
      "turn.started",
      "user: go",
      "step.started",
      "thinks: Plan\nDo it",
      'completed: a "ok"',
      'failed: b "bad" (tool-error)',
      "input.requested",
      "input denied",
      'rejected: c "[Operation Cancelled] Reason: User did not allow tool call" (denied)',
      "failed: d null (cancelled)",
      'failed: e "The recording holds no result of this call." (interrupted)',
      "step.completed",
      "turn.cancelled",
    ]);
    const result = imported.sessions[0]?.events.find(({ type }) => type === "action.result");
    expect(result?.data).toMatchObject({
      evidence: [
        { path: "a", known: "before" },
        { path: "a", known: "after" },
      ],
    });
  });

  test("has the sessions of its subagents where they lie beside it", async () => {
    const file = (path: string, values: unknown[]) => ({ path, blob: new Blob([jsonLines(values)]) });
    const imported = await importTrajectory({
      files: [
        file("chats/s/child.jsonl", [
          { ...header, sessionId: "child", kind: "subagent" },
          user("1", "help"),
          gemini("2", "helped"),
        ]),
        file("chats/session.jsonl", [
          header,
          user("1", "go"),
          gemini("2", "", { toolCalls: [call("t", "success", { ...answered({ output: "x" }), agentId: "child" })] }),
        ]),
      ],
    });
    expect(imported.sessions.map(({ id, parent }) => [id, parent])).toEqual([
      ["s", undefined],
      ["child", { sessionId: "s", callId: "t" }],
    ]);
  });

  test("a saved chat has its calls answered by the next content", async () => {
    const history = [
      { role: "user", parts: [{ text: "go" }] },
      { role: "model", parts: [{ text: "hm", thought: true }, { functionCall: { name: "ls", args: {} } }] },
      { role: "user", parts: [{ functionResponse: { name: "ls", response: { output: "a" } } }] },
      { role: "model", parts: [{ text: "done" }] },
    ];
    for (const content of [history, { history }]) {
      expect(shown(await importOne(content))).toEqual([
        [
          "turn.started",
          "user: go",
          "step.started",
          "thinks: hm",
          "calls: ls#call_0 {}",
          'completed: call_0 "a"',
          "step.completed",
          "step.started",
          "model: done",
          "step.completed",
          "turn.completed",
        ],
      ]);
    }
  });

  test("says of a stopped request that its turn was, and reads parts where there is no content", async () => {
    const stopped = { id: "i", type: "info", content: "Request cancelled." };
    const late = { id: "l", type: "model", parts: [{ text: "late" }] };
    const turns = async (messages: object[]) =>
      shown(await importOne({ ...header, messages })).map((lines) =>
        lines.filter((line) => /^(turn|user|model)/.test(line)),
      );
    expect(await turns([user("1", "go"), gemini("2", "I"), stopped, user("3", "on")])).toEqual([
      ["turn.started", "user: go", "model: I", "turn.cancelled", "turn.started", "user: on", "turn.completed"],
    ]);
    expect(await turns([user("1", "go"), stopped, late])).toEqual([
      ["turn.started", "user: go", "model: late", "turn.completed"],
    ]);
  });

  test("with anything in it changed for something else ends, and has one result a call", async () => {
    const calls = [
      call("a", "success", answered({ output: "ok" })),
      call("b", "cancelled", answered({ error: "User did not allow" })),
    ];
    const lines = [
      header,
      user("1", [{ text: "go" }]),
      gemini("2", "", { toolCalls: calls, tokens: { input: 1 } }),
      { $rewindTo: "2" },
      { $set: { summary: "x" } },
      user("3", "on"),
    ];
    await expectMutationsToBeRead(lines, (copy) => jsonLines(Array.isArray(copy) ? copy : [copy]));
    await expectMutationsToBeRead({ ...header, messages: lines.slice(1, 3) });
  });

  test("with values of any kind in any place is read as far as it goes", async () => {
    for (const value of [null, 0, "x", [], {}, [[null]]]) {
      const odd = ["content", "toolCalls", "thoughts", "tokens", "timestamp", "model"].map((name, index) => ({
        ...gemini(`o${index}`, ""),
        [name]: value,
      }));
      const calls = ["id", "name", "args", "result", "status", "resultDisplay"].map((name) => ({
        ...call("c", "success"),
        [name]: value,
      }));
      const lines = [
        header,
        value,
        { $set: value },
        { $rewindTo: value },
        user("u", value),
        ...odd,
        gemini("g", "", { toolCalls: [value, ...calls] }),
        user("v", "end"),
      ];
      const imported = await importOne(jsonLines(lines));
      expect(imported.warnings.filter(({ code }) => code === "reader-failed")).toEqual([]);
      expect(shown(imported)[0]).toContain("user: end");
    }
  });

  test("printed by a run has steps that end with the results of their calls, and the figures of all of it", async () => {
    const event = (type: string, more: object) => ({ type, timestamp: "2026-01-01T00:00:00.000Z", ...more });
    const said = (content: string) => event("message", { role: "assistant", content, delta: true });
    const stats = { total_tokens: 30, input_tokens: 20, output_tokens: 10, cached: 5, input: 15 };
    const imported = await importOne(
      jsonLines([
        event("init", { session_id: "s1", model: "gemini-x" }),
        event("message", { role: "user", content: "List" }),
        said("I "),
        said("look"),
        event("tool_use", { tool_name: "run_shell_command", tool_id: "b1", parameters: { command: "ls" } }),
        event("tool_use", { tool_name: "read_file", tool_id: "r1", parameters: { file_path: "x" } }),
        event("tool_result", { tool_id: "b1", status: "success", output: "a" }),
        event("tool_result", { tool_id: "r1", status: "error", error: { type: "NOT_FOUND", message: "No x" } }),
        event("error", { severity: "warning", message: "Slow" }),
        said("Done."),
        event("result", { status: "success", stats }),
      ]),
    );
    expect(shown(imported)).toEqual([
      [
        "entry: init",
        "turn.started",
        "user: List",
        "step.started",
        "model: I look",
        'calls: run_shell_command#b1 {"command":"ls"}',
        'calls: read_file#r1 {"file_path":"x"}',
        'completed: b1 "a"',
        'failed: r1 "No x" (NOT_FOUND)',
        "entry: error",
        "step.completed",
        "step.started",
        "model: Done.",
        "entry: result",
        "step.completed",
        "turn.completed",
      ],
    ]);
    expect(imported.format).toBe("gemini-cli");
    expect(importCounts(imported).usage).toEqual({ inputTokens: 20, outputTokens: 10, cacheReadTokens: 5 });
    expect(imported.fidelity.usage).toBe("cumulative");
  });
});
