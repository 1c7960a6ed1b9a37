import { describe, expect, test } from "vitest";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { hasPublished, importCounts, importOne, importPublished, jsonLines, outline } from "../publishedFile.suite";

describe.skipIf(!hasPublished)("published traces", () => {
  test("one call to a model that two instrumentations recorded is one step, and its tools have their results once", async () => {
    const imported = await importPublished("otel/agentprism_test_data_1_2.5MB.json");
    // Six spans of models are in it: three of the framework, and the same three of the client within them.
    expect(importCounts(imported)).toEqual({
      format: "otel",
      sessions: 1,
      turns: 1,
      steps: 3,
      toolCalls: 2,
      toolResults: 2,
      failed: 0,
      usage: {},
      warnings: {},
    });
    const lines = imported.sessions.flatMap(({ events }) =>
      outline(events).filter((line) => !line.startsWith("entry")),
    );
    expect(lines.map((line) => line.slice(0, 50))).toEqual([
      "turn.started",
      "user: What are the latest AI trends in 2024?",
      "step.started",
      "calls: anonymized_search#call_kW83onhuRFzCvfhqM524",
      'completed: call_kW83onhuRFzCvfhqM524IExy {"query":',
      "step.completed",
      "step.started",
      "calls: anonymized_extract#call_fhSEK1V9vr9BNAe9wcb",
      'completed: call_fhSEK1V9vr9BNAe9wcbyVHDt {"results',
      "step.completed",
      "step.started",
      "model: In 2024, several key trends have emerged in",
      "step.completed",
      "turn.completed",
    ]);
  });

  test("a chain around one call to a model", async () => {
    const imported = await importPublished("otel/agentprism_rag_earnings_agent.json");
    expect(importCounts(imported)).toEqual({
      format: "otel",
      sessions: 1,
      turns: 1,
      steps: 1,
      toolCalls: 0,
      toolResults: 0,
      failed: 0,
      usage: { inputTokens: 629, outputTokens: 19, cacheReadTokens: 0 },
      warnings: {},
    });
  });

  test("a message with a text and with parts is one, numbers may be texts, an end may be missing, a status a name", async () => {
    const imported = await importPublished("malformed/otel_openinference_flat_and_parts.json");
    expect(importCounts(imported)).toEqual({
      format: "otel",
      sessions: 1,
      turns: 1,
      steps: 1,
      toolCalls: 0,
      toolResults: 0,
      failed: 0,
      usage: { inputTokens: 12 },
      warnings: {},
    });
    const { events = [] } = imported.sessions[0] ?? {};
    expect(outline(events)).toEqual([
      "turn.started",
      "user: [image: image/png, 190000 base64 bytes]",
      "step.started",
      "step.completed",
      "turn.failed: model-error",
    ]);
    expect(events[3]?.data).toMatchObject({ parts: [{ type: "image", url: "[masked]" }] });
    expect(events.find(({ type }) => type === "step.completed")?.data).toMatchObject({ finishReason: "error" });
    expect(imported.fidelity).toMatchObject({ results: "masked", times: "real" });
  });
});

type Value = string | number | boolean | object;

function anyValue(value: Value): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "number") return { intValue: `${value}` };
  if (typeof value === "boolean") return { boolValue: value };
  return { stringValue: JSON.stringify(value) };
}

let clock = 0;

/** A span that begins a second after the one before and lasts ten. */
function span(id: string, parentSpanId: string, attributes: Record<string, Value>, more: object = {}): object {
  clock++;
  return {
    traceId: "t1",
    spanId: id,
    parentSpanId,
    name: id,
    startTimeUnixNano: `${1_767_225_600 + clock}000000000`,
    endTimeUnixNano: `${1_767_225_610 + clock}000000000`,
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) })),
    ...more,
  };
}

const traces = (...spans: object[]) => ({
  resourceSpans: [{ resource: {}, scopeSpans: [{ scope: { name: "s" }, spans }] }],
});

const shown = (imported: Awaited<ReturnType<typeof importOne>>) =>
  imported.sessions.map(({ events }) => outline(events).filter((line) => !line.startsWith("entry: span")));

const user = { role: "user", parts: [{ type: "text", content: "go" }] };
const asks = {
  role: "assistant",
  parts: [
    { type: "reasoning", content: "hm" },
    { type: "tool_call", id: "c1", name: "ls", arguments: { path: "." } },
  ],
  finish_reason: "tool_call",
};
const tells = { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: "a b" }] };

/** What the three ways of writing the same conversation have in common. */
const CONVERSATION = [
  "turn.started",
  "user: go",
  "step.started",
  'calls: ls#c1 {"path":"."}',
  'completed: c1 "a b"',
  "step.completed",
  "step.started",
  "model: a and b",
  "step.completed",
  "turn.completed",
];

describe("a trace", () => {
  test("of the semantic conventions: histories once, tools by their ids, usage of models only", async () => {
    const imported = await importOne(
      traces(
        span("agent", "", {
          "gen_ai.operation.name": "invoke_agent",
          "gen_ai.agent.name": "main",
          "gen_ai.conversation.id": "conv",
          "gen_ai.usage.input_tokens": 99,
        }),
        span("chat1", "agent", {
          "gen_ai.operation.name": "chat",
          "gen_ai.request.model": "m",
          "gen_ai.system_instructions": [{ type: "text", content: "Be brief" }],
          "gen_ai.input.messages": [user],
          "gen_ai.output.messages": [asks],
          "gen_ai.usage.input_tokens": 3,
          "gen_ai.usage.output_tokens": 2,
        }),
        span("tool1", "agent", {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "ls",
          "gen_ai.tool.call.id": "c1",
          "gen_ai.tool.call.arguments": { path: "." },
          "gen_ai.tool.call.result": "a b",
        }),
        span("chat2", "agent", {
          "gen_ai.operation.name": "chat",
          "gen_ai.input.messages": [user, asks, tells],
          "gen_ai.output.messages": [{ role: "assistant", parts: [{ type: "text", content: "a and b" }] }],
          "gen_ai.usage.input_tokens": 5,
          "gen_ai.usage.output_tokens": 4,
        }),
      ),
    );
    expect(shown(imported)).toEqual([CONVERSATION.toSpliced(3, 0, "thinks: hm")]);
    expect(importCounts(imported)).toMatchObject({
      sessions: 1,
      usage: { inputTokens: 8, outputTokens: 6 },
      warnings: {},
    });
    expect(imported.sessions[0]?.id).toBe("conv");
    expect(imported.fidelity).toEqual({
      times: "real",
      callIds: "real",
      results: "full",
      usage: "per-call",
      files: "none",
    });
  });

  test("of Traceloop, of OpenInference and of the AI SDK is the same conversation", async () => {
    const traceloop = traces(
      span("a", "", {
        "llm.request.type": "chat",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "go",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.finish_reason": "tool_calls",
        "gen_ai.completion.0.tool_calls.0.id": "c1",
        "gen_ai.completion.0.tool_calls.0.name": "ls",
        "gen_ai.completion.0.tool_calls.0.arguments": '{"path":"."}',
      }),
      span("b", "", {
        "llm.request.type": "chat",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "go",
        "gen_ai.prompt.1.role": "assistant",
        "gen_ai.prompt.1.tool_calls.0.id": "c1",
        "gen_ai.prompt.1.tool_calls.0.name": "ls",
        "gen_ai.prompt.1.tool_calls.0.arguments": '{"path":"."}',
        "gen_ai.prompt.2.role": "tool",
        "gen_ai.prompt.2.tool_call_id": "c1",
        "gen_ai.prompt.2.content": "a b",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": "a and b",
      }),
    );
    const flat = (side: string, index: number, fields: Record<string, Value>) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [`llm.${side}_messages.${index}.message.${name}`, value]),
      );
    const call = {
      role: "assistant",
      "tool_calls.0.tool_call.id": "c1",
      "tool_calls.0.tool_call.function.name": "ls",
      "tool_calls.0.tool_call.function.arguments": '{"path":"."}',
    };
    const openInference = traces(
      span("a", "", {
        "openinference.span.kind": "LLM",
        ...flat("input", 0, {
          role: "user",
          "contents.0.message_content.type": "text",
          "contents.0.message_content.text": "go",
        }),
        ...flat("output", 0, call),
      }),
      span("t", "", {
        "openinference.span.kind": "TOOL",
        "tool.name": "ls",
        "input.value": "{'path': '.'}",
        "output.value": "a b",
      }),
      span("b", "", {
        "openinference.span.kind": "LLM",
        ...flat("input", 0, { role: "user", content: "go" }),
        ...flat("input", 1, call),
        ...flat("input", 2, { role: "tool", tool_call_id: "c1", content: "a b" }),
        ...flat("output", 0, { role: "assistant", content: "a and b" }),
      }),
    );
    const prompt = [{ role: "user", content: [{ type: "text", text: "go" }] }];
    const history = [
      ...prompt,
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c1", toolName: "ls", input: { path: "." } }] },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "c1", toolName: "ls", output: { type: "text", value: "a b" } }],
      },
    ];
    const aiSdk = traces(
      span("outer", "", { "ai.operationId": "ai.generateText", "ai.prompt": { prompt: "go" } }),
      span("a", "outer", {
        "ai.operationId": "ai.generateText.doGenerate",
        "ai.prompt.messages": prompt,
        "ai.response.toolCalls": [{ toolCallId: "c1", toolName: "ls", input: '{"path":"."}' }],
      }),
      span("t", "outer", {
        "ai.operationId": "ai.toolCall",
        "ai.toolCall.name": "ls",
        "ai.toolCall.id": "c1",
        "ai.toolCall.args": '{"path":"."}',
        "ai.toolCall.result": '"a b"',
      }),
      span("b", "outer", {
        "ai.operationId": "ai.generateText.doGenerate",
        "ai.prompt.messages": history,
        "ai.response.text": "a and b",
      }),
    );
    for (const document of [traceloop, openInference, aiSdk, [aiSdk], jsonLines([aiSdk])]) {
      expect(shown(await importOne(document))).toEqual([CONVERSATION]);
    }
  });

  test("that leaves contents out says so, and has the calls its tools tell of", async () => {
    const imported = await importOne(
      traces(
        span("chat1", "", {
          "gen_ai.operation.name": "chat",
          "gen_ai.request.model": "m",
          "gen_ai.usage.input_tokens": 3,
        }),
        span("tool1", "", {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "ls",
          "gen_ai.tool.call.id": "c1",
        }),
        span(
          "tool2",
          "",
          { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "rm" },
          { status: { code: 2, message: "denied" } },
        ),
      ),
    );
    expect(shown(imported)).toEqual([
      [
        "turn.started",
        "step.started",
        "calls: ls#c1 {}",
        "completed: c1 null",
        "calls: rm#call_0 {}",
        'failed: call_0 "denied" (tool-error)',
        "step.completed",
        "turn.completed",
      ],
    ]);
    expect(imported.warnings.map(({ code }) => code)).toEqual(["content-absent"]);
    expect(imported.fidelity.results).toBe("absent");
  });

  test("has an agent that a tool or another agent called as a session of its own", async () => {
    const chat = (id: string, parent: string, said: string, more: Record<string, Value> = {}) =>
      span(id, parent, {
        "gen_ai.operation.name": "chat",
        "gen_ai.output.messages": [{ role: "assistant", parts: [{ type: "text", content: said }] }],
        ...more,
      });
    const agent = (id: string, parent: string, name: string, more: Record<string, Value> = {}) =>
      span(id, parent, { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name, ...more });
    const imported = await importOne(
      traces(
        agent("main", "", "boss"),
        chat("a", "main", "I ask", { "gen_ai.input.messages": [user], "gen_ai.output.messages": [asks] }),
        span("tool", "main", {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "ls",
          "gen_ai.tool.call.id": "c1",
          "gen_ai.tool.call.result": "ok",
        }),
        agent("sub", "tool", "boss", {
          "gen_ai.input.messages": [{ role: "user", parts: [{ type: "text", content: "do" }] }],
        }),
        chat("b", "sub", "did"),
        agent("other", "main", "clerk"),
        chat("c", "other", "filed"),
        chat("d", "main", "done"),
      ),
    );
    expect(shown(imported).map((lines) => lines.filter((line) => /^(user|model|calls)/.test(line)))).toEqual([
      ["user: go", 'calls: ls#c1 {"path":"."}', "model: done"],
      ["user: do", "model: did"],
      ["model: filed"],
    ]);
    const [main, sub, other] = imported.sessions;
    expect([sub?.parent, other?.parent]).toEqual([{ sessionId: main?.id, callId: "c1" }, { sessionId: main?.id }]);
  });

  test("goes on in the next trace of a conversation, and what came before the first question is context", async () => {
    const past = [user, { role: "assistant", parts: [{ type: "text", content: "gone" }] }];
    const next = { role: "user", parts: [{ type: "text", content: "again" }] };
    const last = { role: "user", parts: [{ type: "text", content: "again" }] };
    const reply = { role: "assistant", parts: [{ type: "text", content: "yes" }] };
    const chat = (id: string, traceId: string, input: object[]) =>
      span(
        id,
        "",
        {
          "gen_ai.operation.name": "chat",
          "gen_ai.conversation.id": "c",
          "gen_ai.input.messages": input,
          "gen_ai.output.messages": [reply],
        },
        { traceId },
      );
    const imported = await importOne(
      traces(chat("a", "t1", [...past, next]), chat("b", "t2", [...past, next, reply, last])),
    );
    expect(shown(imported)).toEqual([
      [
        "entry: user",
        "entry: assistant",
        "turn.started",
        "user: again",
        "step.started",
        "model: yes",
        "step.completed",
        "turn.completed",
        "turn.started",
        "user: again",
        "step.started",
        "model: yes",
        "step.completed",
        "turn.completed",
      ],
    ]);
  });

  test("of an agent SDK is a turn a span, its tools and subagents within, whether it has contents or not", async () => {
    const sdk = (id: string, parent: string, name: string, attributes: Record<string, Value>, more: object = {}) =>
      span(id, parent, { "agent_sdk.session_id": "s", ...attributes }, { name: `agent_sdk.${name}`, ...more });
    const tool = (id: string, result: string): Record<string, Value> => ({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": id,
      "gen_ai.tool.call.id": id,
      "gen_ai.tool.call.result": result,
    });
    const imported = await importOne(
      traces(
        sdk("turn", "", "turn", {
          "gen_ai.operation.name": "invoke_agent",
          "gen_ai.input.messages": [user],
          "gen_ai.output.messages": [{ role: "assistant", parts: [{ type: "text", content: "done" }] }],
          "gen_ai.usage.input_tokens": 7,
        }),
        sdk("ls", "turn", "tool", tool("ls", "a")),
        sdk("task", "turn", "subagent", tool("task", "ok")),
        sdk("rm", "task", "tool", tool("rm", "gone")),
        sdk("next", "", "turn", { "gen_ai.usage.input_tokens": 1 }, { status: { code: 2, message: "stopped" } }),
      ),
    );
    expect(shown(imported)).toEqual([
      [
        "turn.started",
        "user: go",
        "step.started",
        "calls: ls#ls {}",
        'completed: ls "a"',
        "calls: task#task {}",
        'completed: task "ok"',
        "model: done",
        "step.completed",
        "turn.completed",
        "turn.started",
        "step.started",
        "step.completed",
        "turn.failed: failed",
      ],
      ["turn.started", "step.started", "calls: rm#rm {}", 'completed: rm "gone"', "step.completed", "turn.completed"],
    ]);
    expect(imported.sessions[1]?.parent).toEqual({ sessionId: "s", callId: "task" });
    expect(importCounts(imported).usage).toEqual({ inputTokens: 8 });
  });

  test("that is of something else is no session", async () => {
    await expect(importOne(traces(span("GET /", "", { "http.method": "GET" })))).rejects.toMatchObject({
      code: "not-a-session",
    });
  });

  test("with anything in it changed for something else ends, and has one result a call", async () => {
    const chat = span("a", "t", {
      "gen_ai.operation.name": "chat",
      "gen_ai.input.messages": [user],
      "gen_ai.output.messages": [asks],
    });
    const tool = span("t", "", {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "ls",
      "gen_ai.tool.call.id": "c1",
    });
    await expectMutationsToBeRead(traces(chat, tool));
    for (const messages of [[user, asks, tells], asks, tells]) {
      await expectMutationsToBeRead(messages, (copy) =>
        JSON.stringify(
          traces(chat, span("b", "", { "gen_ai.operation.name": "chat", "gen_ai.input.messages": { messages: copy } })),
        ),
      );
    }
  });

  test("with values of any kind in any place is read as far as it goes", async () => {
    const good = span("ok", "", { "gen_ai.operation.name": "chat", "gen_ai.input.messages": [user] });
    let deep: unknown = "x";
    for (let level = 0; level < 1_000; level++) deep = { arrayValue: { values: [deep] } };
    const name = `llm.input_messages.${"0.".repeat(50_000)}role`;
    for (const value of [null, 0, "x", [], {}, [[]], { values: 1 }, deep]) {
      const spans: object[] = ["attributes", "status", "events", "parentSpanId", "startTimeUnixNano", "spanId"].map(
        (key) => ({ ...good, [key]: value }),
      );
      const odd = {
        ...good,
        spanId: "odd",
        attributes: [
          { key: name, value: { stringValue: "x" } },
          { key: "gen_ai.input.messages", value },
        ],
      };
      const imported = await importOne(traces(...spans, odd, good));
      expect(imported.warnings.filter(({ code }) => code === "reader-failed")).toEqual([]);
      expect(imported.sessions.length).toBeGreaterThan(0);
    }
  });
});
