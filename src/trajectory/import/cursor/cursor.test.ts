import { describe, expect, test } from "vitest";
import { importTrajectory } from "../importTrajectory";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { hasPublished, importCounts, importOne, importPublished, jsonLines, outline } from "../publishedFile.suite";

const shown = (imported: Awaited<ReturnType<typeof importOne>>) =>
  imported.sessions.map(({ events }) => outline(events));

const LOST = '"The recording holds no result of this call." (interrupted)';

describe.skipIf(!hasPublished)("published transcripts of Cursor", () => {
  test("hold calls and no results", async () => {
    const imported = await importPublished("cursor/agentsessions_test-session.jsonl");
    expect(importCounts(imported)).toEqual({
      format: "cursor",
      sessions: 1,
      turns: 2,
      steps: 4,
      toolCalls: 2,
      toolResults: 2,
      failed: 2,
      usage: {},
      warnings: {},
    });
    expect(shown(imported)[0]?.slice(0, 7)).toEqual([
      "turn.started",
      "user: run ls command",
      "step.started",
      "model: Running the ls command for you.",
      'calls: Shell#call_0 {"command":"ls -la /tmp","description":"List directory contents"}',
      "step.completed",
      "step.started",
    ]);
    expect(imported.fidelity).toEqual({
      times: "missing",
      callIds: "made",
      results: "absent",
      usage: "absent",
      files: "none",
    });
    const child = importCounts(await importPublished("cursor/agentsessions_subagent-session.jsonl"));
    expect([child.turns, child.steps, child.toolCalls, child.failed]).toEqual([1, 2, 1, 1]);
  });

  test("of another version hold results by the name of their tool", async () => {
    const imported = await importPublished("cursor/agentsessions_schema_drift.jsonl");
    expect(shown(imported)).toEqual([
      [
        "turn.started",
        "user: Use the repo context and explain the latest build issue.",
        "step.started",
        "thinks: I should inspect the build log before answering.",
        'calls: read_file#call_0 {"path":"build.log"}',
        "entry: custom_block",
        'completed: call_0 "Compile failed in Example.swift:42"',
        "step.completed",
        "step.started",
        "model: The build issue is in Example.swift:42.",
        "step.completed",
        "turn.completed",
      ],
    ]);
  });
});

describe("a transcript of Cursor", () => {
  test("has results by ids that calls were written without, the oldest call first, and by ids they have", async () => {
    const line = (role: string, ...content: object[]) => ({ role, message: { content } });
    const uses = (name: string, more: object = {}) => ({ type: "tool_use", name, input: {}, ...more });
    const gives = (tool_use_id: string, content: string) => ({ type: "tool_result", tool_use_id, content });
    const imported = await importOne(
      jsonLines([
        line("user", { type: "text", text: "go" }),
        line("assistant", uses("one"), uses("two", { id: "t2" })),
        line("user", gives("t1", "first"), gives("t2", "second")),
      ]),
    );
    expect(shown(imported)).toEqual([
      [
        "turn.started",
        "user: go",
        "step.started",
        "calls: one#call_0 {}, two#t2 {}",
        'completed: call_0 "first"',
        'completed: t2 "second"',
        "step.completed",
        "turn.completed",
      ],
    ]);
  });
});

test("transcripts of subagents beside one are its own", async () => {
  const said = jsonLines([{ role: "user", message: { content: [{ type: "text", text: "go" }] } }]);
  const files = ["s/parent.jsonl", "s/subagents/child.jsonl", "other.jsonl"].map((path) => ({
    path,
    blob: new Blob([said]),
  }));
  const { sessions, format } = await importTrajectory({ files });
  expect([format, sessions.map(({ parent }) => parent?.sessionId)]).toEqual([
    "cursor",
    [undefined, sessions[0]?.id, undefined],
  ]);
});

test("transcripts of subagents name the call that asked what they began with, else the only one left", async () => {
  const line = (role: string, ...content: object[]) => ({ role, message: { content } });
  const said = (text: string) => line("user", { type: "text", text });
  const task = (id: string, prompt?: string) => ({ type: "tool_use", id, name: "Task", input: { prompt } });
  const files = [
    { path: "s.jsonl", lines: [said("go"), line("assistant", task("t1", "look"), task("t2", "test"))] },
    { path: "s/subagents/b.jsonl", lines: [said("test")] },
    { path: "s/subagents/c.jsonl", lines: [said("something else")] },
  ].map(({ path, lines }) => ({ path, blob: new Blob([jsonLines(lines)]) }));
  const { sessions } = await importTrajectory({ files });
  const id = sessions[0]?.id;
  expect(sessions.map(({ parent }) => parent)).toEqual([
    undefined,
    { sessionId: id, callId: "t2" },
    { sessionId: id, callId: "t1" },
  ]);
});

const run = { agent_id: "agent-1", run_id: "run-1" };
const call = (call_id: string, status: string, more: object = {}) => ({
  type: "tool_call",
  ...run,
  call_id,
  name: "shell",
  args: { command: "ls" },
  status,
  ...more,
});
const said = (type: string, words: string) => ({
  type,
  ...run,
  message: { role: type, content: [{ type: "text", text: words }] },
});

describe("messages of the Cursor SDK", () => {
  test("tell of a call when it begins and when it ended; what was cut is told", async () => {
    const imported = await importOne(
      jsonLines([
        { type: "system", ...run, subtype: "init", model: { id: "m" }, tools: ["shell"] },
        said("user", "go"),
        { type: "thinking", ...run, text: "hm" },
        said("assistant", "I look"),
        call("a", "running"),
        call("b", "running"),
        call("b", "completed", { result: { status: "error", error: { message: "no" } } }),
        call("a", "completed", { result: { status: "success", value: "x" }, truncated: { result: true } }),
        call("a", "completed", { result: { status: "success", value: "x" } }),
        call("c", "running"),
        call("c", "error", { result: "boom" }),
        { type: "usage", ...run, usage: { inputTokens: 5, outputTokens: 2, cacheReadTokens: 1, cacheWriteTokens: 0 } },
        { type: "status", ...run, status: "CANCELLED" },
      ]),
    );
    expect(shown(imported)).toEqual([
      [
        "entry: system",
        "turn.started",
        "user: go",
        "step.started",
        "thinks: hm",
        "model: I look",
        'calls: shell#a {"command":"ls"}',
        'calls: shell#b {"command":"ls"}',
        'failed: b {"message":"no"} (tool-error)',
        'completed: a "x"',
        "step.completed",
        "step.started",
        'calls: shell#c {"command":"ls"}',
        'failed: c "boom" (tool-error)',
        "entry: status",
        "step.completed",
        "turn.cancelled",
      ],
    ]);
    expect(importCounts(imported)).toMatchObject({
      format: "cursor",
      usage: { inputTokens: 5, outputTokens: 2, cacheReadTokens: 1, cacheWriteTokens: 0 },
      warnings: {},
    });
    expect([imported.sessions[0]?.id, imported.fidelity.results]).toEqual(["agent-1", "truncated"]);
  });

  test("of the command line name the tool in the call", async () => {
    const init = {
      type: "system",
      subtype: "init",
      apiKeySource: "env",
      cwd: "/w",
      session_id: "s",
      model: "m",
      permissionMode: "default",
    };
    const tool = (subtype: string, result?: object) => ({
      type: "tool_call",
      subtype,
      call_id: "c",
      tool_call: { readToolCall: { args: { path: "a" }, ...(result && { result }) } },
      session_id: "s",
    });
    const rejected = (subtype: string, result?: object) => ({ ...tool(subtype, result), call_id: "d" });
    const imported = await importOne(
      jsonLines([
        init,
        said("user", "go"),
        tool("started"),
        tool("completed", { success: { content: "x" } }),
        rejected("started"),
        rejected("completed", { rejected: { reason: "No" } }),
        said("assistant", "done"),
        { type: "result", subtype: "success", is_error: false, result: "done", session_id: "s" },
      ]),
    );
    expect(shown(imported)).toEqual([
      [
        "entry: system",
        "turn.started",
        "user: go",
        "step.started",
        'calls: read#c {"path":"a"}',
        'completed: c {"content":"x"}',
        "step.completed",
        "step.started",
        'calls: read#d {"path":"a"}',
        'rejected: d {"reason":"No"} (rejected)',
        "step.completed",
        "step.started",
        "model: done",
        "entry: result",
        "step.completed",
        "turn.completed",
      ],
    ]);
  });

  test("that end in the middle of a call have it as interrupted", async () => {
    const imported = await importOne(jsonLines([said("user", "go"), call("a", "running")]));
    expect(shown(imported)[0]).toContain(`failed: a ${LOST}`);
  });

  test("with anything in them changed for something else end, and have one result a call", async () => {
    const lines = [
      said("user", "go"),
      call("a", "running"),
      call("a", "completed", { result: { status: "error", error: { message: "no" } } }),
      said("assistant", "so"),
    ];
    await expectMutationsToBeRead(lines, (copy) => jsonLines(Array.isArray(copy) ? copy : [copy]));
  });

  test("with values of any kind in any place are read as far as they go", async () => {
    for (const value of [null, 0, "x", [], {}, [[null]]]) {
      const odd = ["call_id", "name", "args", "result", "status", "truncated", "tool_call"].map((name) => ({
        ...call("o", "completed"),
        [name]: value,
      }));
      const types = ["system", "user", "assistant", "thinking", "status", "usage", "result"].map((type) => ({
        type,
        message: value,
        text: value,
        status: value,
        usage: value,
        model: value,
      }));
      const lines = jsonLines([call("a", "running"), value, ...odd, ...types, said("user", "end")]);
      const transcript = jsonLines([
        { role: "user", message: { content: [{ type: "text", text: "start" }] } },
        {
          role: "assistant",
          message: {
            content: [
              { type: "tool_use", name: "x", input: {} },
              { type: "tool_call", name: value, input: value, result: value },
            ],
          },
        },
        {
          role: "user",
          message: {
            content: [
              { type: "tool-result", name: "x", content: "y" },
              { type: "text", text: "end" },
            ],
          },
        },
      ]);
      for (const content of [lines, transcript]) {
        const imported = await importOne(content);
        expect(imported.warnings.filter(({ code }) => code === "reader-failed")).toEqual([]);
        expect(shown(imported)[0]).toContain("user: end");
      }
    }
  });
});
