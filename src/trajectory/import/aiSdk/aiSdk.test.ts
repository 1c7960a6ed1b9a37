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
    const asked = events.flatMap(({ type, data }) => (type === "input.requested" ? data.requests : []));
    expect(asked.map(({ action }) => action.callId)).toEqual(["yes", "no", "asked", "refused"]);
    const put = events.flatMap(({ type, data }) => (type === "input.resolved" ? data.resolutions : []));
    expect(put.map(({ outcome }) => outcome)).toEqual(["approved", "denied", "cancelled", "denied"]);
  });

  const chunks = [
    { type: "start", messageId: "m1", messageMetadata: { model: "m" } },
    { type: "start-step" },
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-delta", id: "0", delta: "Look " },
    { type: "reasoning-delta", id: "0", delta: "first." },
    { type: "reasoning-end", id: "0" },
    { type: "tool-input-start", toolCallId: "c1", toolName: "read" },
    { type: "tool-input-delta", toolCallId: "c1", inputTextDelta: '{"path":' },
    { type: "tool-input-available", toolCallId: "c1", toolName: "read", input: { path: "a" } },
    { type: "tool-output-available", toolCallId: "c1", output: "text" },
    { type: "tool-input-available", toolCallId: "c2", toolName: "delete", input: {} },
    { type: "tool-approval-request", approvalId: "p", toolCallId: "c2" },
    { type: "tool-output-denied", toolCallId: "c2" },
    { type: "finish-step" },
    { type: "start-step" },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "Do" },
    { type: "text-delta", id: "0", delta: "ne." },
    { type: "text-end", id: "0" },
    { type: "data-weather", data: { sky: "blue" } },
    { type: "finish-step" },
    { type: "finish", messageMetadata: { usage: { inputTokens: 4, outputTokens: 2 } } },
  ];

  test.each([
    ["lines", jsonLines(chunks)],
    ["a list", JSON.stringify(chunks)],
    ["events of a server", `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n`],
  ])("are put together from what was streamed, as %s", async (_name, content) => {
    const imported = await importOne(content);
    expect(imported.format).toBe("ai-sdk");
    expect(outline(imported.sessions[0]?.events ?? [])).toEqual([
      "turn.started",
      "step.started",
      "thinks: Look first.",
      'calls: read#c1 {"path":"a"}',
      'completed: c1 "text"',
      "calls: delete#c2 {}",
      "input.requested",
      "input denied",
      'rejected: c2 "A person refused this call." (denied)',
      "step.completed",
      "step.started",
      "model: Done.",
      "entry: data-weather",
      "step.completed",
      "turn.completed",
    ]);
    expect(importCounts(imported).usage).toEqual({ inputTokens: 4, outputTokens: 2 });
  });

  test("whose stream was cut or stopped are read as far as they came", async () => {
    const cut = jsonLines(chunks.slice(0, 8));
    expect(outline((await importOne(cut)).sessions[0]?.events ?? [])).toEqual([
      "turn.started",
      "step.started",
      "thinks: Look first.",
      'calls: read#c1 {"path":',
      'failed: c1 "The recording holds no result of this call." (interrupted)',
      "step.completed",
      "turn.failed: interrupted",
    ]);
    const stopped = jsonLines([...chunks.slice(14, 18), { type: "abort" }]);
    expect(outline((await importOne(stopped)).sessions[0]?.events ?? [])).toEqual([
      "turn.started",
      "step.started",
      "model: Done.",
      "step.completed",
      "turn.cancelled",
    ]);
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
