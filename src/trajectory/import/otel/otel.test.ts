import { describe, expect, test } from "vitest";
import { hasPublished, importCounts, importOne, importPublished, jsonLines, outline } from "../publishedFile.suite";
import { asks, shown, span, tells, traces, user, type Value } from "./traces.suite";

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
});
