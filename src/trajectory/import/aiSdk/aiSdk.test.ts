import { describe, expect, test } from "vitest";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { importCounts, importOne, jsonLines, outline } from "../publishedFile.suite";

const tool = (toolCallId: string, state: string, more: object = {}) => ({
  type: "tool-read",
  toolCallId,
  state,
  input: { path: toolCallId },
  ...more,
});

const chat = [
  { id: "m0", role: "system", parts: [{ type: "text", text: "Help." }] },
  { id: "m1", role: "user", parts: [{ type: "text", text: "Read all" }] },
  {
    id: "m2",
    role: "assistant",
    metadata: { model: "m", usage: { inputTokens: 9, outputTokens: 3, cachedInputTokens: 2 } },
    parts: [
      { type: "step-start" },
      { type: "reasoning", text: "All of them." },
      tool("done", "output-available", { output: { text: "a" } }),
      tool("broken", "output-error", { errorText: "no such file" }),
      { type: "step-start" },
      {
        type: "dynamic-tool",
        toolName: "delete",
        toolCallId: "yes",
        state: "output-available",
        input: {},
        output: "gone",
        approval: { id: "p1", approved: true },
      },
      tool("no", "output-denied", { approval: { id: "p2", approved: false, reason: "not that" } }),
      { type: "step-start" },
      { type: "text", text: "Done.", state: "done" },
      { type: "source-url", sourceId: "s", url: "https://example.com" },
    ],
  },
  { id: "m3", role: "user", parts: [{ type: "text", text: "And these?" }] },
  {
    id: "m4",
    role: "assistant",
    parts: [
      tool("typing", "input-streaming", { input: undefined, rawInput: '{"pa' }),
      tool("running", "input-available"),
      tool("asked", "approval-requested", { approval: { id: "p3" } }),
      tool("refused", "approval-responded", { approval: { id: "p4", approved: false } }),
      { type: "step-start" },
    ],
  },
];

const readChat = [
  "turn.started",
  "user: Read all",
  "step.started",
  "thinks: All of them.",
  'calls: read#done {"path":"done"}',
  'completed: done {"text":"a"}',
  'calls: read#broken {"path":"broken"}',
  'failed: broken "no such file" (tool-error)',
  "step.completed",
  "step.started",
  "calls: delete#yes {}",
  "input.requested",
  "input approved",
  'completed: yes "gone"',
  'calls: read#no {"path":"no"}',
  "input.requested",
  "input denied",
  'rejected: no "not that" (denied)',
  "step.completed",
  "step.started",
  "model: Done.",
  "entry: source-url",
  "step.completed",
  "turn.completed",
  "turn.started",
  "user: And these?",
  "step.started",
];

const readOpen = [
  'failed: typing "The recording holds no result of this call." (interrupted)',
  'failed: running "The recording holds no result of this call." (interrupted)',
  'failed: asked "The recording holds no result of this call." (interrupted)',
  'rejected: refused "A person refused this call." (denied)',
  "step.completed",
  "turn.failed: interrupted",
];

describe("UIMessages", () => {
  test.each([
    ["a list", JSON.stringify(chat)],
    ["a chat", JSON.stringify({ id: "chat", messages: chat })],
    ["lines", jsonLines(chat)],
  ])("of %s are read: a part of a tool is call and result, step-start begins a step", async (_name, content) => {
    const imported = await importOne(content);
    const log = outline(imported.sessions[0]?.events ?? []);
    expect(imported.format).toBe("ai-sdk");
    expect(log.slice(0, readChat.length)).toEqual(readChat);
    expect(log.slice(-readOpen.length)).toEqual(readOpen);
    expect(importCounts(imported)).toEqual({
      format: "ai-sdk",
      sessions: 1,
      turns: 2,
      steps: 4,
      toolCalls: 8,
      toolResults: 8,
      failed: 6,
      usage: { inputTokens: 9, outputTokens: 3, cacheReadTokens: 2 },
      warnings: {},
    });
  });

  test("show what is still asked, and keep the text of a call that was being typed", async () => {
    const { sessions } = await importOne(chat);
    const events = sessions[0]?.events ?? [];
    const typed = events
      .flatMap(({ type, data }) => (type === "actions.requested" ? data.actions : []))
      .find(({ callId }) => callId === "typing");
    expect(typed).toMatchObject({ toolName: "read", input: {}, inputText: '{"pa' });
    expect(outline(events)).toContain("entry: approval-requested");
  });

  test("of the fourth version hold their tools' invocations", async () => {
    const invocation = { state: "result", toolCallId: "c1", toolName: "read", args: { path: "a" }, result: "text" };
    for (const message of [
      { role: "assistant", content: "Done.", toolInvocations: [invocation] },
      {
        role: "assistant",
        content: "Done.",
        parts: [
          { type: "tool-invocation", toolInvocation: invocation },
          { type: "text", text: "Done." },
        ],
      },
    ]) {
      const { format, sessions } = await importOne([
        { role: "user", parts: [{ type: "text", text: "Read" }], content: "Read" },
        message,
      ]);
      expect([format, outline(sessions[0]?.events ?? [])]).toEqual([
        "ai-sdk",
        [
          "turn.started",
          "user: Read",
          "step.started",
          'calls: read#c1 {"path":"a"}',
          'completed: c1 "text"',
          "model: Done.",
          "step.completed",
          "turn.completed",
        ],
      ]);
    }
  });
});

describe("messages of the SDK for models", () => {
  test("link results and approvals by the ids of their parts", async () => {
    const messages = [
      { role: "system", content: "Help." },
      { role: "user", content: [{ type: "text", text: "Go" }] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm." },
          { type: "tool-call", toolCallId: "c1", toolName: "read", input: { path: "a" } },
          { type: "tool-call", toolCallId: "c2", toolName: "delete", input: {} },
          { type: "tool-approval-request", approvalId: "p1", toolCallId: "c2" },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool-approval-response", approvalId: "p1", approved: false, reason: "no" },
          { type: "tool-result", toolCallId: "c1", toolName: "read", output: { type: "error-text", value: "no file" } },
          {
            type: "tool-result",
            toolCallId: "c2",
            toolName: "delete",
            output: { type: "execution-denied", reason: "no" },
          },
        ],
      },
      { role: "assistant", content: "Done." },
    ];
    const imported = await importOne({ messages });
    expect([imported.format, outline(imported.sessions[0]?.events ?? [])]).toEqual([
      "ai-sdk",
      [
        "turn.started",
        "user: Go",
        "step.started",
        "thinks: Hm.",
        'calls: read#c1 {"path":"a"}, delete#c2 {}',
        "input.requested",
        "input denied",
        'failed: c1 "no file" (tool-error)',
        'rejected: c2 "no" (denied)',
        "step.completed",
        "step.started",
        "model: Done.",
        "step.completed",
        "turn.completed",
      ],
    ]);
    await expectMutationsToBeRead(messages);
  });

  test("are read whatever is wrong in them", async () => {
    await expectMutationsToBeRead(chat);
  });
});
