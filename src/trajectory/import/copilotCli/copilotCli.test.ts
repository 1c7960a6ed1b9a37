import { describe, expect, test } from "vitest";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { hasPublished, importCounts, importOne, importPublished, jsonLines, outline } from "../publishedFile.suite";

const shown = (imported: Awaited<ReturnType<typeof importOne>>) =>
  imported.sessions.map(({ events }) => outline(events));

describe.skipIf(!hasPublished)("a published log of the Copilot CLI", () => {
  test("is a session and one of a subagent; its second half has one word for every text and id", async () => {
    const imported = await importPublished("copilot-cli/agentsessions_small.jsonl");
    expect(importCounts(imported)).toMatchObject({
      format: "copilot-cli",
      sessions: 2,
      warnings: { "result-without-call": 1 },
    });
    expect(imported.version).toBe("1.0.77");
    expect(shown(imported)[0]?.slice(0, 17)).toEqual([
      "entry: session.start",
      "entry: session.model_change",
      "entry: session.info",
      "entry: session.error",
      "entry: hook.start",
      "turn.started",
      "user: List the files",
      "entry: assistant.turn_start",
      "step.started",
      "model: Listing the files.",
      'calls: shell#call-1 {"command":"ls"}',
      'completed: call-1 "a.txt\\nb.txt\\n"',
      "step.completed",
      "step.started",
      "model: Done",
      "entry: assistant.turn_end",
      "entry: session.auto_mode_resolved",
    ]);
    expect(importCounts(imported).usage).toEqual({ outputTokens: 15 });
  });
});

let count = 0;
const event = (type: string, data: unknown) => ({
  type,
  data,
  id: `e${++count}`,
  parentId: null,
  timestamp: "2026-01-01T00:00:00Z",
});
const asked = (messageId: string, toolCallId: string, more: object = {}) =>
  event("assistant.message", {
    messageId,
    content: "",
    toolRequests: [{ toolCallId, name: "shell", arguments: '{"command":"ls"}' }],
    ...more,
  });
const ended = (toolCallId: string, more: object) =>
  event("tool.execution_complete", { toolCallId, success: true, ...more });

describe("a log of the Copilot CLI", () => {
  test("has refusals, failures, subagents, compactions and an abort", async () => {
    const imported = await importOne(
      jsonLines([
        event("session.start", { sessionId: "s", copilotVersion: "1.1", context: { cwd: "/w" } }),
        event("user.message", { content: "go" }),
        asked("m1", "a"),
        event("permission.requested", { requestId: "r", permissionRequest: { kind: "shell", toolCallId: "a" } }),
        event("permission.completed", { requestId: "r", result: { kind: "denied-interactively-by-user" } }),
        ended("a", { success: false, error: { code: "denied", message: "No" } }),
        asked("m2", "b"),
        ended("b", { success: false, error: { code: "failure", message: "broke" } }),
        asked("m3", "t"),
        event("subagent.started", { toolCallId: "t", agentName: "scout" }),
        event("assistant.message", { messageId: "m4", parentToolCallId: "t", content: "found", outputTokens: 4 }),
        ended("t", { result: { content: "ok" } }),
        event("session.compaction_complete", { preCompactionTokens: 9, summaryContent: "So far" }),
        asked("m5", "u"),
        event("abort", { reason: "user" }),
      ]),
    );
    expect(shown(imported).map((lines) => lines.filter((line) => !line.startsWith("entry")))).toEqual([
      [
        "turn.started",
        "user: go",
        "step.started",
        'calls: shell#a {"command":"ls"}',
        "input.requested",
        "input denied",
        'rejected: a "No" (denied)',
        "step.completed",
        "step.started",
        'calls: shell#b {"command":"ls"}',
        'failed: b "broke" (failure)',
        "step.completed",
        "step.started",
        'calls: shell#t {"command":"ls"}',
        'completed: t "ok"',
        "compaction.requested",
        "compaction.completed",
        "step.completed",
        "step.started",
        'calls: shell#u {"command":"ls"}',
        'failed: u "The recording holds no result of this call." (interrupted)',
        "step.completed",
        "turn.cancelled",
      ],
      ["turn.started", "step.started", "model: found", "step.completed", "turn.completed"],
    ]);
    expect(imported.sessions[1]?.parent).toEqual({ sessionId: "s", callId: "t" });
  });

  test("a tool that began before the message that asks for it is one call of one step", async () => {
    const start = event("tool.execution_start", { toolCallId: "a", toolName: "shell", arguments: { command: "ls" } });
    const imported = await importOne(
      jsonLines([
        event("user.message", { content: "go" }),
        start,
        asked("m1", "a"),
        ended("a", { result: { content: "x" } }),
        asked("m2", "b"),
        event("tool.execution_start", { toolCallId: "b", toolName: "shell" }),
        ended("b", {}),
      ]),
    );
    expect(shown(imported)).toEqual([
      [
        "turn.started",
        "user: go",
        "step.started",
        'calls: shell#a {"command":"ls"}',
        'completed: a "x"',
        "step.completed",
        "step.started",
        'calls: shell#b {"command":"ls"}',
        "completed: b null",
        "step.completed",
        "turn.completed",
      ],
    ]);
  });

  test("with anything in it changed for something else ends, and has one result a call", async () => {
    const start = event("tool.execution_start", { toolCallId: "b", toolName: "shell", arguments: {} });
    const lines = [
      event("user.message", { content: "go" }),
      asked("m", "a"),
      start,
      ended("a", { success: false, error: { code: "denied" } }),
      ended("b", {}),
      event("abort", {}),
    ];
    await expectMutationsToBeRead(lines, (copy) => jsonLines(Array.isArray(copy) ? copy : [copy]));
  });

  test("with values of any kind in any place is read as far as it goes", async () => {
    const types = [
      "session.start",
      "user.message",
      "assistant.message",
      "tool.execution_start",
      "tool.execution_complete",
      "permission.completed",
      "subagent.started",
      "abort",
    ];
    for (const value of [null, 0, "x", [], {}, [[null]]]) {
      const odd = types.flatMap((type) => [
        event(type, value),
        event(type, {
          toolCallId: value,
          content: value,
          toolRequests: value,
          result: value,
          error: value,
          parentToolCallId: value,
        }),
      ]);
      const imported = await importOne(
        jsonLines([
          event("user.message", { content: "start" }),
          ...odd,
          value,
          event("user.message", { content: "end" }),
        ]),
      );
      expect(imported.warnings.filter(({ code }) => code === "reader-failed")).toEqual([]);
      expect(shown(imported)[0]).toContain("user: end");
    }
  });
});
