import { describe, expect, test } from "vitest";
import { importTrajectory } from "../importTrajectory";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { hasPublished, importCounts, importOne, importPublished, jsonLines, outline } from "../publishedFile.suite";

const shown = (imported: Awaited<ReturnType<typeof importOne>>) =>
  imported.sessions.map(({ events }) => outline(events));

describe.skipIf(!hasPublished)("published sessions of opencode", () => {
  test("in the folder of the first version", async () => {
    const imported = await importPublished("opencode/storage_legacy/");
    expect(importCounts(imported)).toEqual({
      format: "opencode",
      sessions: 1,
      turns: 1,
      steps: 1,
      toolCalls: 1,
      toolResults: 1,
      failed: 0,
      usage: {},
      warnings: {},
    });
    expect(shown(imported)).toEqual([
      [
        "turn.started",
        // The message has no parts: what it said is in its summary.
        "user: Open README",
        "step.started",
        'calls: bash#call_legacy_1 {"command":"cat README.md","cwd":"/tmp/drift"}',
        'completed: call_legacy_1 "# Title\\n\\nBody\\n"',
        "model: Read README and extracted the title.",
        "step.completed",
        "turn.completed",
      ],
    ]);
  });

  test("in the folder of the second: parts by their folder, figures once, a compaction, an abort", async () => {
    const imported = await importPublished("opencode/storage_v2/");
    expect(importCounts(imported)).toEqual({
      format: "opencode",
      sessions: 2,
      turns: 3,
      steps: 3,
      toolCalls: 2,
      toolResults: 2,
      failed: 0,
      usage: { inputTokens: 120, outputTokens: 16, costUsd: 0.0011 },
      warnings: {},
    });
    expect(imported.version).toBe("1.3.17");
    expect(shown(imported)).toEqual([
      [
        "turn.started",
        "user: Step 1",
        "step.started",
        'calls: bash#call_large_1 {"command":"ls /non-existent-directory","cwd":"/tmp/large"}',
        'completed: call_large_1 "ls: /non-existent-directory: No such file or directory\\n"',
        "model: Command failed with exit code 1.",
        "entry: file",
        "thinks: Investigating failing command.",
        "compaction.requested",
        "compaction.completed",
        "entry: patch",
        "step.completed",
        "turn.cancelled",
        "turn.started",
        "user: Step 2",
        "step.started",
        "model: Ok",
        "step.completed",
        "turn.completed",
      ],
      [
        "turn.started",
        "user: Hello",
        "step.started",
        'calls: bash#call_1 {"command":"ls","cwd":"/tmp/repo"}',
        'completed: call_1 "a.txt\\nb.txt\\n"',
        "model: Found 2 files.",
        "step.completed",
        "turn.completed",
      ],
    ]);
  });

  test("both folders at once", async () => {
    const { format, sessions, turns, steps, toolCalls } = importCounts(await importPublished("opencode/"));
    expect([format, sessions, turns, steps, toolCalls]).toEqual(["opencode", 3, 4, 4, 3]);
  });

  test("an export with a tool that failed without a word", async () => {
    const imported = await importPublished("malformed/opencode_export_v1_legacy_diffs.json");
    expect([importCounts(imported), imported.version]).toEqual([
      {
        format: "opencode",
        sessions: 1,
        turns: 1,
        steps: 1,
        toolCalls: 1,
        toolResults: 1,
        failed: 1,
        usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0 },
        warnings: {},
      },
      "1.4.3",
    ]);
    expect(shown(imported)).toEqual([
      [
        "turn.started",
        "user: hi",
        "entry: diffs",
        "step.started",
        'calls: bash#c1 {"command":"false"}',
        'failed: c1 "The tool failed" (tool-error)',
        "step.completed",
        "turn.completed",
      ],
    ]);
  });
});

const user = (id: string, parts: object[]) => ({
  info: { id, role: "user", time: { created: 1_767_225_600_000 } },
  parts,
});
const assistant = (id: string, parts: object[], more: object = {}) => ({
  info: { id, role: "assistant", time: { created: 1_767_225_601_000 }, modelID: "m", ...more },
  parts,
});
const text = (content: string) => ({ type: "text", text: content });
const tool = (callID: string, state: object, name = "edit") => ({
  type: "tool",
  callID,
  tool: name,
  state: { input: {}, ...state },
});
const exported = (messages: unknown[]) => ({ info: { id: "ses_1", directory: "/w", version: "1.5.0" }, messages });

describe("a session of opencode", () => {
  test("tells how calls ended: refused, aborted, running, given up to make room", async () => {
    const parts = [
      tool("a", { status: "completed", output: "ok", metadata: { filediff: { file: "f", before: "x", after: "y" } } }),
      tool("b", { status: "error", error: "The user rejected permission to use this specific tool call." }),
      tool("c", { status: "error", error: "Tool execution aborted" }),
      tool("d", { status: "running" }),
      tool("e", { status: "completed", output: "[old]", time: { start: 1, end: 3, compacted: 9 } }),
    ];
    const imported = await importOne(exported([user("1", [text("go")]), assistant("2", parts)]));
    expect(shown(imported)[0]?.filter((line) => !line.startsWith("calls"))).toEqual([
      "turn.started",
      "user: go",
      "step.started",
      'completed: a "ok"',
      "input.requested",
      "input denied",
      'rejected: b "The user rejected permission to use this specific tool call." (denied)',
      'failed: c "Tool execution aborted" (aborted)',
      'completed: e "[old]"',
      'failed: d "The recording holds no result of this call." (interrupted)',
      "step.completed",
      "turn.failed: interrupted",
    ]);
    expect(imported.fidelity).toMatchObject({ results: "truncated", files: "inferred" });
  });

  test("counts a message of several steps by them, and the figures of each once", async () => {
    const step = (input: number) => [
      { type: "step-start" },
      text(`${input}`),
      {
        type: "step-finish",
        reason: "stop",
        cost: 0.5,
        tokens: { input, output: 1, reasoning: 7, cache: { read: 2, write: 3 } },
      },
    ];
    const tokens = { input: 2, output: 1, cache: { read: 2, write: 3 } };
    const imported = await importOne(
      exported([user("1", [text("go")]), assistant("2", [...step(1), ...step(2)], { tokens, cost: 1 })]),
    );
    expect(importCounts(imported)).toMatchObject({
      steps: 2,
      usage: { inputTokens: 3, outputTokens: 2, cacheReadTokens: 4, cacheWriteTokens: 6, costUsd: 1 },
    });
  });

  test("has its compaction with the summary the model wrote, and a failed answer ends its turn", async () => {
    const imported = await importOne(
      exported([
        user("1", [text("go")]),
        user("2", [{ type: "compaction", auto: true }]),
        assistant("3", [text("So far")], { summary: true }),
        user("4", [text("on")]),
        assistant("5", [], { error: { name: "APIError", data: { message: "overloaded" } } }),
      ]),
    );
    expect(shown(imported)).toEqual([
      [
        "turn.started",
        "user: go",
        "step.started",
        "model: So far",
        "compaction.requested",
        "compaction.completed",
        "step.completed",
        "turn.completed",
        "turn.started",
        "user: on",
        "step.started",
        "step.completed",
        "turn.failed: APIError",
      ],
    ]);
    expect(imported.sessions[0]?.events.find(({ type }) => type === "compaction.completed")?.data).toMatchObject({
      summary: "So far",
    });
  });

  test("has what a person took back as a branch", async () => {
    const messages = [user("1", [text("go")]), user("2", [text("undone")]), assistant("3", [text("too")])];
    const imported = await importOne({
      ...exported(messages),
      info: { id: "ses_1", directory: "/w", revert: { messageID: "2" } },
    });
    expect(shown(imported)).toEqual([
      ["turn.started", "user: go", "turn.completed"],
      ["turn.started", "user: undone", "step.started", "model: too", "step.completed", "turn.completed"],
    ]);
    expect(imported.sessions[1]?.events[0]?.data).toMatchObject({ predecessor: { sessionId: "ses_1" } });
  });

  test("has subagents after it, each with the call it answers", async () => {
    const file = (path: string, value: unknown) => ({ path, blob: new Blob([JSON.stringify(value)]) });
    const task = tool("t", { status: "completed", output: "ok", metadata: { sessionId: "child" } }, "task");
    const imported = await importTrajectory({
      files: [
        file("session/p/child.json", { id: "child", parentID: "main" }),
        file("session/p/main.json", { id: "main" }),
        file("message/child/1.json", { id: "c1", role: "user" }),
        file("message/main/1.json", { id: "m1", role: "assistant" }),
        file("part/m1/1.json", { id: "p1", ...task }),
        file("part/gone/1.json", { id: "p2", ...text("lost") }),
      ],
    });
    expect(imported.sessions.map(({ id, parent }) => [id, parent])).toEqual([
      ["main", undefined],
      ["child", { sessionId: "main", callId: "t" }],
    ]);
    expect(imported.warnings.map(({ code, file: path }) => [code, path])).toEqual([
      ["part-without-message", "part/gone/1.json"],
    ]);
  });

  test("with anything in it changed for something else ends, and has one result a call", async () => {
    const parts = [
      { type: "step-start" },
      tool("a", { status: "completed", output: "ok" }),
      tool("b", { status: "error", error: "rejected permission" }),
      { type: "step-finish", tokens: { input: 1 } },
    ];
    await expectMutationsToBeRead(
      exported([user("1", [text("go")]), assistant("2", parts, { error: { name: "MessageAbortedError" } })]),
    );
  });

  test("with values of any kind in any place is read as far as it goes", async () => {
    for (const value of [null, 0, "x", [], {}, [[null]]]) {
      const parts = ["type", "tool", "callID", "state", "text"].map((name) => ({
        ...tool("c", { status: "completed" }),
        [name]: value,
      }));
      const states = ["status", "input", "output", "time", "metadata", "attachments", "error"].map((name) =>
        tool("s", { status: "error", [name]: value }),
      );
      const infos = ["time", "tokens", "cost", "error", "model", "finish"].map((name) =>
        assistant("a", [], { [name]: value }),
      );
      const messages = [
        user("1", [text("start")]),
        value,
        { info: value, parts: value },
        ...infos,
        assistant("z", [value as object, ...parts, ...states]),
        user("9", [text("end")]),
      ];
      const imported = await importOne(exported(messages));
      expect(imported.warnings.filter(({ code }) => code === "reader-failed")).toEqual([]);
      expect(shown(imported)[0]).toContain("user: end");
    }
  });

  test("as a run prints it has a step a message, and an error ends it", async () => {
    const event = (type: string, messageID: string, part: object) => ({
      type,
      timestamp: 1_767_036_061_199,
      sessionID: "ses_1",
      part: { id: `${messageID}${type}`, sessionID: "ses_1", messageID, ...part },
    });
    const tokens = { input: 5, output: 2, reasoning: 1, cache: { read: 3, write: 0 } };
    const state = { status: "completed", input: { command: "ls" }, output: "a", time: { start: 1, end: 2 } };
    const imported = await importOne(
      jsonLines([
        event("step_start", "m1", { type: "step-start" }),
        event("tool_use", "m1", { type: "tool", callID: "c1", tool: "bash", state }),
        event("step_finish", "m1", { type: "step-finish", reason: "tool-calls", cost: 0.5, tokens }),
        event("step_start", "m2", { type: "step-start" }),
        event("text", "m2", { type: "text", text: "Done" }),
        {
          type: "error",
          timestamp: 1_767_036_061_300,
          sessionID: "ses_1",
          error: { name: "APIError", data: { message: "No" } },
        },
      ]),
    );
    expect(imported.format).toBe("opencode");
    expect(imported.sessions.map(({ id, events }) => [id, ...outline(events)])).toEqual([
      [
        "ses_1",
        "turn.started",
        "step.started",
        'calls: bash#c1 {"command":"ls"}',
        'completed: c1 "a"',
        "step.completed",
        "step.started",
        "model: Done",
        "step.completed",
        "turn.failed: APIError",
      ],
    ]);
    expect(importCounts(imported).usage).toEqual({
      inputTokens: 5,
      outputTokens: 2,
      cacheReadTokens: 3,
      cacheWriteTokens: 0,
      costUsd: 0.5,
    });
  });
});
