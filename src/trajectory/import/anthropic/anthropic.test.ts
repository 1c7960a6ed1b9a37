import { describe, expect, test } from "vitest";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { hasPublished, importCounts, importOne, importPublished, jsonLines, outline } from "../publishedFile.suite";

describe.skipIf(!hasPublished)("the published message", () => {
  // By hand: twelve blocks, of which two call the server's search and two are its results.
  test("is one step with the server's calls and results in it", async () => {
    const imported = await importPublished("anthropic/vercelai_anthropic-web-search-tool.1.json");
    expect(importCounts(imported)).toEqual({
      format: "anthropic",
      sessions: 1,
      turns: 1,
      steps: 1,
      toolCalls: 2,
      toolResults: 2,
      failed: 0,
      usage: { inputTokens: 27118, outputTokens: 600, cacheReadTokens: 0, cacheWriteTokens: 0 },
      warnings: {},
    });
    const log = outline(imported.sessions[0]?.events ?? []);
    expect(log.map((line) => line.replace(/[:#].*/s, ""))).toEqual([
      "turn.started",
      "step.started",
      "calls",
      "completed",
      "model",
      "calls",
      "completed",
      ...Array.from({ length: 7 }, () => "model"),
      "step.completed",
      "turn.completed",
    ]);
  });
});

const messages = [
  { role: "user", content: "Read a and b" },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Both.", signature: "signed" },
      { type: "text", text: "Reading." },
      { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a" } },
      { type: "tool_use", id: "toolu_2", name: "read", input: { path: "b" } },
    ],
  },
  {
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "toolu_2", content: "no such file", is_error: true },
      { type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "text", text: "a's text" }] },
      { type: "text", text: "And now?" },
    ],
  },
  { role: "assistant", content: "Done." },
];

const readMessages = [
  "turn.started",
  "user: Read a and b",
  "step.started",
  "thinks: Both.",
  "model: Reading.",
  'calls: read#toolu_1 {"path":"a"}, read#toolu_2 {"path":"b"}',
  'failed: toolu_2 "no such file" (tool-error)',
  'completed: toolu_1 "a\'s text"',
  "step.completed",
  "turn.completed",
  "turn.started",
  "user: And now?",
  "step.started",
  "model: Done.",
  "step.completed",
  "turn.completed",
];

describe("Anthropic's messages", () => {
  test.each([
    ["a request", JSON.stringify({ model: "claude", system: "Help.", messages })],
    ["a list", JSON.stringify(messages)],
    ["lines", jsonLines(messages)],
    ["the request of a batch", JSON.stringify({ custom_id: "one", params: { messages } })],
  ])("are read from %s", async (_name, content) => {
    const imported = await importOne(content);
    expect([imported.format, imported.sessions.map(({ events }) => outline(events))]).toEqual([
      "anthropic",
      [readMessages],
    ]);
  });

  test("keep the system prompt, the tools and what is signed", async () => {
    const tools = [{ name: "read", description: "Reads", input_schema: { type: "object" } }];
    const { sessions } = await importOne({
      model: "claude",
      system: [{ type: "text", text: "Help." }],
      tools,
      messages,
    });
    const events = sessions[0]?.events ?? [];
    const source = events.find(({ type }) => type === "import.source");
    expect(source?.data).toMatchObject({
      session: {
        modelId: "claude",
        instructions: "Help.",
        tools: [{ name: "read", description: "Reads", inputSchema: { type: "object" } }],
      },
    });
    expect(events.find(({ type }) => type === "reasoning.completed")?.data).toMatchObject({
      providerMetadata: { anthropic: { signature: "signed" } },
    });
  });

  test("count each response once, what a cache had beside it", async () => {
    const response = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude",
      content: [{ type: "text", text: "Hello" }],
      stop_reason: "max_tokens",
      usage: { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 3 },
    };
    const asked = { messages: [{ role: "user", content: "Hi" }] };
    const again = {
      messages: [
        ...asked.messages,
        { role: "assistant", content: response.content },
        { role: "user", content: "More" },
      ],
    };
    const imported = await importOne(
      jsonLines([
        { request: asked, response },
        { request: again, response: { ...response, id: "msg_2" } },
      ]),
    );
    expect(importCounts(imported)).toEqual({
      format: "anthropic",
      sessions: 1,
      turns: 2,
      steps: 2,
      toolCalls: 0,
      toolResults: 0,
      failed: 0,
      usage: { inputTokens: 20, outputTokens: 6, cacheReadTokens: 200, cacheWriteTokens: 40 },
      warnings: {},
    });
  });

  test("compact the context with a block, and follow each other in the steps of a loop", async () => {
    const body = (id: string, content: readonly unknown[]) => ({ id, type: "message", role: "assistant", content });
    const { format, sessions } = await importOne({
      steps: [
        {
          step: 1,
          body: body("m1", [
            { type: "compaction", content: "So far" },
            { type: "tool_use", id: "t1", name: "roll", input: {} },
          ]),
        },
        { step: 2, body: body("m2", [{ type: "text", text: "Done" }]) },
      ],
    });
    expect([format, outline(sessions[0]?.events ?? [])]).toEqual([
      "anthropic",
      [
        "turn.started",
        "step.started",
        "compaction.requested",
        "compaction.completed",
        "calls: roll#t1 {}",
        "step.completed",
        "step.started",
        "model: Done",
        'failed: t1 "The recording holds no result of this call." (interrupted)',
        "step.completed",
        "turn.failed: interrupted",
      ],
    ]);
  });

  test("show the error of a server's tool", async () => {
    const { sessions } = await importOne({
      type: "message",
      role: "assistant",
      content: [
        { type: "server_tool_use", id: "s1", name: "web_search", input: {} },
        {
          type: "web_search_tool_result",
          tool_use_id: "s1",
          content: { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" },
        },
        { type: "mcp_tool_use", id: "m1", name: "list", server_name: "srv", input: {} },
        { type: "mcp_tool_result", tool_use_id: "m1", is_error: false, content: [{ type: "text", text: "[]" }] },
      ],
    });
    expect(outline(sessions[0]?.events ?? []).slice(2, -2)).toEqual([
      "calls: web_search#s1 {}",
      'failed: s1 {"type":"web_search_tool_result_error","error_code":"max_uses_exceeded"} (max_uses_exceeded)',
      "calls: list#m1 {}",
      'completed: m1 "[]"',
    ]);
  });

  test("are put together from streamed events, as lines and as server-sent events", async () => {
    const events = [
      {
        type: "message_start",
        message: {
          id: "msg_1",
          type: "message",
          role: "assistant",
          model: "claude",
          content: [],
          usage: { input_tokens: 5, output_tokens: 1 },
        },
      },
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
      { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "sig" } },
      { type: "ping" },
      { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "t1", name: "read", input: {} } },
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"path":' } },
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '"a"}' } },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 9 } },
      { type: "message_stop" },
    ];
    const sse = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
    for (const content of [jsonLines(events), sse]) {
      const imported = await importOne(content);
      expect(outline(imported.sessions[0]?.events ?? []).slice(0, 4)).toEqual([
        "turn.started",
        "step.started",
        "thinks: Hm.",
        'calls: read#t1 {"path":"a"}',
      ]);
      expect([importCounts(imported).usage, imported.warnings]).toEqual([{ inputTokens: 5, outputTokens: 9 }, []]);
    }
    const cut = await importOne(jsonLines(events.slice(0, 7)));
    expect([importCounts(cut).toolCalls, importCounts(cut).warnings]).toEqual([1, { "stream-cut": 1 }]);
  });

  test("are read whatever is wrong in them", async () => {
    await expectMutationsToBeRead({ system: "s", messages });
    await expectMutationsToBeRead(messages);
  });
});
