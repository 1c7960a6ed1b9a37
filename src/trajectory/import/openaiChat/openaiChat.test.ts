import { describe, expect, test } from "vitest";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { hasPublished, importCounts, importOne, importPublished, jsonLines, outline } from "../publishedFile.suite";

const call = (id: string, name: string, input: unknown) => ({
  id,
  type: "function",
  function: { name, arguments: typeof input === "string" ? input : JSON.stringify(input) },
});

const conversation = [
  { role: "system", content: "You help." },
  { role: "user", content: "Read a and b" },
  {
    role: "assistant",
    content: null,
    reasoning_content: "Both at once.",
    tool_calls: [call("c1", "read", { path: "a" }), call("c2", "read", "{not json")],
  },
  { role: "tool", tool_call_id: "c2", content: "b's text" },
  { role: "tool", tool_call_id: "c1", content: [{ type: "text", text: "a's text" }] },
  { role: "assistant", content: "Done." },
  { role: "user", content: "Thanks" },
];

const readConversation = [
  "turn.started",
  "user: Read a and b",
  "step.started",
  "thinks: Both at once.",
  'calls: read#c1 {"path":"a"}, read#c2 {not json',
  'completed: c2 "b\'s text"',
  'completed: c1 "a\'s text"',
  "step.completed",
  "step.started",
  "model: Done.",
  "step.completed",
  "turn.completed",
  "turn.started",
  "user: Thanks",
  "turn.completed",
];

describe.skipIf(!hasPublished)("the published chat", () => {
  // By hand: a system prompt, one message, five answers that call and their results, and the answer of the response.
  test("is a proxy's log, whose response is the last step", async () => {
    const imported = await importPublished("openai-chat/litellm_claude_fncall_1757015046.json");
    expect(importCounts(imported)).toEqual({
      format: "openai-chat",
      sessions: 1,
      turns: 1,
      steps: 6,
      toolCalls: 6,
      toolResults: 6,
      failed: 1,
      usage: { inputTokens: 6729, outputTokens: 199, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.023172 },
      warnings: {},
    });
    expect(imported.fidelity).toEqual({
      times: "real",
      callIds: "real",
      results: "full",
      usage: "per-call",
      files: "none",
    });
    const source = imported.sessions[0]?.events.find(({ type }) => type === "import.source");
    const session = source?.type === "import.source" ? source.data.session : undefined;
    expect(session?.tools?.map(({ name }) => name)).toEqual(["terminal", "str_replace_editor", "finish"]);
    expect(session?.modelId).toBe("litellm_proxy/claude-sonnet-4-20250514");
  });
});

describe("a chat", () => {
  test.each([
    ["a list of messages", conversation],
    ["an object that holds them", { messages: conversation }],
    ["a request", { request: { model: "m", messages: conversation } }],
    [
      "the input of a batch",
      { custom_id: "one", method: "POST", url: "/v1/chat/completions", body: { messages: conversation } },
    ],
  ])("is read from %s", async (_name, value) => {
    const imported = await importOne(value);
    expect(imported.format).toBe("openai-chat");
    expect(imported.sessions.map(({ events }) => outline(events))).toEqual([readConversation]);
    expect(imported.warnings).toEqual([]);
  });

  test("is read from messages a line each", async () => {
    const imported = await importOne(jsonLines(conversation));
    expect(imported.sessions.map(({ events }) => outline(events))).toEqual([readConversation]);
  });

  test("of each row to train on is a session of its own", async () => {
    const rows = [0, 1, 2].map((number) => ({
      messages: [
        { role: "user", content: `Question ${number}` },
        { role: "assistant", content: "Answer" },
      ],
    }));
    expect(importCounts(await importOne(jsonLines(rows)))).toMatchObject({
      sessions: 3,
      turns: 3,
      steps: 3,
      warnings: {},
    });
  });

  test("goes on over the requests that repeat it", async () => {
    const asked = conversation.slice(0, 2);
    const answer = { role: "assistant", content: "Reading", tool_calls: [call("c1", "read", {})] };
    const result = { role: "tool", tool_call_id: "c1", content: "text" };
    const usage = { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } };
    const rows = [
      {
        messages: asked,
        response: { id: "r1", model: "m", choices: [{ message: answer, finish_reason: "tool_calls" }], usage },
      },
      {
        messages: [...asked, answer, result],
        response: {
          id: "r2",
          model: "m",
          choices: [{ message: { role: "assistant", content: "Done" }, finish_reason: "length" }],
          usage,
        },
      },
    ];
    const imported = await importOne(jsonLines(rows));
    expect(importCounts(imported)).toEqual({
      format: "openai-chat",
      sessions: 1,
      turns: 1,
      steps: 2,
      toolCalls: 1,
      toolResults: 1,
      failed: 0,
      usage: { inputTokens: 20, outputTokens: 4, cacheReadTokens: 8 },
      warnings: {},
    });
    const ends = imported.sessions[0]?.events.flatMap(({ type, data }) =>
      type === "step.completed" ? [data.finishReason] : [],
    );
    expect(ends).toEqual(["tool-calls", "length"]);
  });

  test("is put together from streamed chunks, as lines and as server-sent events", async () => {
    const chunk = (delta: unknown, more: object = {}) => ({
      id: "x",
      object: "chat.completion.chunk",
      created: 1_700_000_000,
      model: "m",
      choices: [{ index: 0, delta, ...more }],
    });
    const chunks = [
      chunk({ role: "assistant", content: "Let me " }),
      chunk({ content: "look." }),
      chunk({ tool_calls: [{ index: 0, id: "c1", function: { name: "read", arguments: '{"pa' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: 'th":"a"}' } }] }),
      { ...chunk({}, { finish_reason: "tool_calls" }), usage: { prompt_tokens: 3, completion_tokens: 2 } },
    ];
    const events = `${chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join("")}data: [DONE]\n`;
    for (const content of [jsonLines(chunks), events]) {
      const imported = await importOne(content);
      expect(imported.sessions.map(({ events: log }) => outline(log))).toEqual([
        [
          "turn.started",
          "step.started",
          "model: Let me look.",
          'calls: read#c1 {"path":"a"}',
          'failed: c1 "The recording holds no result of this call." (interrupted)',
          "step.completed",
          "turn.failed: interrupted",
        ],
      ]);
      expect(importCounts(imported).usage).toEqual({ inputTokens: 3, outputTokens: 2 });
    }
  });

  test("puts images into blobs, and keeps the address of those elsewhere", async () => {
    const data = Buffer.from("an image of some bytes").toString("base64");
    const imported = await importOne([
      { role: "system", content: "See." },
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } },
          { type: "image_url", image_url: { url: "https://example.com/a.png" } },
        ],
      },
    ]);
    const received = imported.sessions[0]?.events.find(({ type }) => type === "message.received");
    const [hash] = imported.blobs.keys();
    expect(received?.data).toMatchObject({
      message: "What is this?",
      parts: [
        { type: "text", text: "What is this?" },
        { type: "image", mediaType: "image/png", blob: hash },
        { type: "image", url: "https://example.com/a.png" },
      ],
    });
    expect(imported.blobs.size).toBe(1);
  });

  test("with ids that repeat, are missing or are nobody's keeps one result a call", async () => {
    const imported = await importOne([
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: "",
        tool_calls: [call("same", "a", {}), { function: { name: "b" } }, null, "no call"],
      },
      { role: "tool", tool_call_id: "same", content: "1" },
      { role: "tool", content: "2" },
      { role: "assistant", content: "", tool_calls: [call("same", "a", {})] },
      { role: "tool", tool_call_id: "same", content: "3" },
      { role: "tool", tool_call_id: "nobody's", content: "4" },
      { role: "narrator", content: "meanwhile" },
    ]);
    expect(imported.sessions.map(({ events }) => outline(events))).toEqual([
      [
        "turn.started",
        "user: go",
        "step.started",
        "calls: a#same {}, b#call_0 {}",
        "entry: tool-call",
        "entry: tool-call",
        'completed: same "1"',
        'completed: call_0 "2"',
        "step.completed",
        "step.started",
        "calls: a#same/2 {}",
        'completed: same/2 "3"',
        "entry: tool-result",
        "entry: message:narrator",
        "step.completed",
        "turn.completed",
      ],
    ]);
    expect(importCounts(imported).warnings).toEqual({ "result-without-call": 1, "unknown-record": 1 });
  });

  test("is read whatever is wrong in it", async () => {
    await expectMutationsToBeRead({
      messages: conversation,
      response: { choices: [{ message: conversation[5], finish_reason: "stop" }], usage: {} },
    });
    await expectMutationsToBeRead(conversation);
  });
});

describe("a file that was cut", () => {
  test("keeps what of its one document can be read", async () => {
    const whole = JSON.stringify({ messages: conversation }, null, 2);
    const imported = await importOne(whole.slice(0, whole.indexOf('"Done."')));
    expect([imported.format, importCounts(imported).toolResults, importCounts(imported).warnings]).toEqual([
      "openai-chat",
      2,
      { cut: 1 },
    ]);
  });

  test("keeps the documents before it, where there are several", async () => {
    const row = JSON.stringify({ messages: conversation }, null, 2);
    const imported = await importOne(`${row}\n${row}\n${row.slice(0, -20)}`);
    expect([imported.sessions.length, importCounts(imported).warnings]).toEqual([2, { cut: 1 }]);
  });

  test("keeps the lines after one that is broken", async () => {
    const lines = jsonLines(conversation).split("\n");
    const imported = await importOne(['{"role": "system", "cont', ...lines.slice(1)].join("\n"));
    expect([importCounts(imported).turns, importCounts(imported).warnings]).toEqual([2, { "bad-json": 1 }]);
  });
});

describe("rows to train on", () => {
  test("of the ShareGPT kind are sessions, with calls and results in their texts", async () => {
    const line = (from: string, value: string) => ({ from, value });
    const called = (input: object) => `<tool_call>\n${JSON.stringify({ name: "f", arguments: input })}\n</tool_call>`;
    const rows = [
      {
        system: "You help.",
        conversations: [
          line("human", "Both"),
          line("gpt", `I call.\n${called({ a: 1 })}\n${called({ a: 2 })}`),
          line("tool", "<tool_response>\none\n</tool_response>\n<tool_response>\ntwo\n</tool_response>"),
          line("gpt", "Done."),
        ],
      },
      {
        conversations: [
          line("human", "One"),
          line("function_call", '{"name":"g","arguments":{}}'),
          line("observation", "42"),
          line("gpt", "It is 42, <tool_call>not a call</tool_call>"),
        ],
      },
    ];
    const { sessions, format } = await importOne(jsonLines(rows));
    expect(format).toBe("openai-chat");
    expect(sessions.map(({ events }) => outline(events))).toEqual([
      [
        "turn.started",
        "user: Both",
        "step.started",
        "model: I call.",
        expect.stringMatching(/^calls: f#\S+ {"a":1}, f#\S+ {"a":2}$/),
        expect.stringMatching(/^completed: \S+ "one"$/),
        expect.stringMatching(/^completed: \S+ "two"$/),
        "step.completed",
        "step.started",
        "model: Done.",
        "step.completed",
        "turn.completed",
      ],
      [
        "turn.started",
        "user: One",
        "step.started",
        expect.stringMatching(/^calls: g#\S+ {}$/),
        expect.stringMatching(/^completed: \S+ "42"$/),
        "step.completed",
        "step.started",
        "model: It is 42, <tool_call>not a call</tool_call>",
        "step.completed",
        "turn.completed",
      ],
    ]);
    expect(sessions[0]?.events[1]?.data).toMatchObject({ session: { instructions: "You help." } });
  });
});

describe("roles alone", () => {
  const user = { role: "user" };
  test.each([
    [
      "Gemini's contents",
      [
        { ...user, parts: [{ text: "hi" }] },
        { role: "model", parts: [{ text: "yes" }] },
      ],
    ],
    ["messages of traces", [{ ...user, parts: [{ type: "text", content: "hi" }] }]],
    ["a person's record", { role: "admin", name: "Ann" }],
    ["roles without content", [user, user]],
    ["messages of another kind", { messages: [{ type: "user", text: "hi" }] }],
  ])("make no chat: %s", async (_name, value) => {
    const found = await importOne(value).then(
      ({ format }) => format,
      () => "none",
    );
    expect(["openai-chat", "openai-responses", "anthropic", "ai-sdk", "mini-swe-agent"]).not.toContain(found);
  });

  test.each([
    ["ai-sdk", [{ ...user, id: "1", parts: [{ type: "text", text: "hi" }] }]],
    ["anthropic", [{ ...user, content: [{ type: "tool_result", tool_use_id: "t", content: "x" }] }]],
    ["openai-responses", [{ ...user, content: [{ type: "input_text", text: "hi" }] }]],
    ["mini-swe-agent", [{ role: "assistant", content: "```mswea_bash_command\nls\n```" }]],
    ["swe-agent", { history: [{ ...user, content: "hi", agent: "main" }] }],
    ["tau-bench", [{ task_id: 0, reward: 0, traj: [{ ...user, content: "hi" }] }]],
    ["openai-chat", [{ ...user, content: "hi" }]],
  ])("are told apart by what stands beside them: %s", async (format, value) => {
    expect((await importOne(value)).format).toBe(format);
  });
});
