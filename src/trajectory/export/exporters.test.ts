import { describe, expect, test } from "vitest";
import { sha256HexSync, type JsonObject, type JsonValue } from "../../base";
import type { EventMeta, SessionEvent } from "../../session";
import { hasPublished, importCounts, importOne, importPublished } from "../import/publishedFile.suite";
import { atifFromSessions } from "./atifFromSessions";
import type { SessionToExport } from "./exportedSession";
import { markdownFromSessions } from "./markdownFromSessions";
import { openAIMessagesFromSessions } from "./openAIMessagesFromSessions";
import { otlpFromSessions } from "./otlpFromSessions";

let second = 0;
const meta = (): EventMeta => ({ id: "evt_1", at: new Date(Date.UTC(2026, 0, 1, 0, 0, second++)).toISOString() });

/** A session with a failed call, a subagent beside it, a refused call, no JSON as arguments, and usage. */
function sessions(): SessionToExport[] {
  second = 0;
  const turn = { turnId: "turn_0", sequence: 0 };
  const step = { ...turn, stepIndex: 0 };
  const event = (type: string, data: object): SessionEvent => ({ type, data, meta: meta() }) as unknown as SessionEvent;
  const call = (callId: string, toolName: string, input: object, more: object = {}) => ({
    kind: "tool-call",
    callId,
    toolName,
    input,
    ...more,
  });
  const result = (callId: string, toolName: string, output: JsonValue, more: object = {}) =>
    event("action.result", {
      ...step,
      status: "completed",
      result: { kind: "tool-result", callId, toolName, output },
      toolName,
      ...more,
    });
  const source = (session: object) =>
    event("import.source", { format: "x", version: "1", sha256: "", warnings: [], fidelity: {}, session });
  const parent: SessionEvent[] = [
    event("session.started", { runtime: { agentId: "writer", agentName: "writer", eveVersion: "26" } }),
    source({ id: "main", agentVersion: "2.0", modelId: "m-1", instructions: "Be *kind*." }),
    event("turn.started", turn),
    event("message.received", { ...turn, message: "Fix `a`\n<script>alert(1)</script>" }),
    event("step.started", { ...step, modelId: "m-1" }),
    event("reasoning.completed", { ...step, reasoning: "Look first." }),
    event("message.completed", { ...step, message: "I look.", finishReason: "tool-calls" }),
    event("actions.requested", {
      ...step,
      actions: [
        call("c1", "Read", { path: "/a" }),
        call("c2", "Agent", { prompt: "look" }),
        call("c3", "Write", {}, { inputText: "no json" }),
      ],
    }),
    result("c1", "Read", "a ``` b"),
    result("c2", "Agent", [{ type: "text", text: "seen" }]),
    result("c3", "Write", "No arguments.", {
      status: "failed",
      error: { code: "invalid-input", message: "No arguments." },
    }),
    event("step.completed", {
      ...step,
      finishReason: "tool-calls",
      usage: { inputTokens: 10, outputTokens: 2, cacheReadTokens: 4, costUsd: 0.5 },
    }),
    event("step.started", { ...step, stepIndex: 1, modelId: "m-1" }),
    event("step.failed", { ...step, stepIndex: 1, code: "server", message: "It broke." }),
    event("turn.failed", { ...turn, code: "server", message: "It broke." }),
  ];
  const child: SessionEvent[] = [
    event("session.started", { runtime: { agentId: "looker", agentName: "looker", eveVersion: "26" } }),
    source({ id: "child", parent: { sessionId: "main", callId: "c2" } }),
    event("turn.started", turn),
    event("message.received", { ...turn, message: "look" }),
    event("step.started", { ...step, modelId: "m-2" }),
    event("actions.requested", { ...step, actions: [call("d1", "LS", { path: "/" })] }),
    result("d1", "LS", { files: 1 }, { durationMs: 250 }),
    event("message.completed", { ...step, message: "seen", finishReason: "stop" }),
    event("step.completed", { ...step, finishReason: "stop" }),
    event("turn.completed", turn),
  ];
  return [
    { id: "main", title: "My # session", events: parent },
    { id: "child", events: child, parent: { sessionId: "main", callId: "c2" } },
  ];
}

test("ATIF: steps, calls with their results, figures, and subagents in it", async () => {
  const document = await atifFromSessions({ sessions: sessions() }, { withLog: false });
  expect(document).toEqual({
    schema_version: "ATIF-v1.7",
    session_id: "main",
    trajectory_id: "main",
    agent: { name: "writer", version: "2.0", model_name: "m-1" },
    steps: [
      { step_id: 1, source: "system", message: "Be *kind*." },
      {
        step_id: 2,
        timestamp: "2026-01-01T00:00:03.000Z",
        source: "user",
        message: "Fix `a`\n<script>alert(1)</script>",
      },
      {
        step_id: 3,
        timestamp: "2026-01-01T00:00:04.000Z",
        source: "agent",
        model_name: "m-1",
        message: "I look.",
        reasoning_content: "Look first.",
        tool_calls: [
          { tool_call_id: "c1", function_name: "Read", arguments: { path: "/a" } },
          { tool_call_id: "c2", function_name: "Agent", arguments: { prompt: "look" } },
          { tool_call_id: "c3", function_name: "Write", arguments: { input: "no json" } },
        ],
        observation: {
          results: [
            { source_call_id: "c1", content: "a ``` b" },
            {
              source_call_id: "c2",
              content: "seen",
              subagent_trajectory_ref: [{ session_id: "child", trajectory_id: "child" }],
            },
            { source_call_id: "c3", content: "No arguments." },
          ],
        },
        metrics: { prompt_tokens: 10, completion_tokens: 2, cached_tokens: 4, cost_usd: 0.5 },
        extra: { failed_calls: ["c3"] },
      },
      {
        step_id: 4,
        timestamp: "2026-01-01T00:00:12.000Z",
        source: "agent",
        model_name: "m-1",
        message: "",
        extra: { error: { code: "server", message: "It broke." } },
      },
    ],
    final_metrics: {
      total_prompt_tokens: 10,
      total_completion_tokens: 2,
      total_cached_tokens: 4,
      total_cost_usd: 0.5,
      total_steps: 2,
    },
    subagent_trajectories: [
      {
        schema_version: "ATIF-v1.7",
        session_id: "child",
        trajectory_id: "child",
        agent: { name: "looker", version: "unknown", model_name: "m-2" },
        steps: [
          { step_id: 1, timestamp: "2026-01-01T00:00:18.000Z", source: "user", message: "look" },
          {
            step_id: 2,
            timestamp: "2026-01-01T00:00:19.000Z",
            source: "agent",
            model_name: "m-2",
            message: "seen",
            tool_calls: [{ tool_call_id: "d1", function_name: "LS", arguments: { path: "/" } }],
            observation: { results: [{ source_call_id: "d1", content: '{"files":1}' }] },
          },
        ],
        final_metrics: { total_steps: 1 },
      },
    ],
  });
});

test("OpenAI messages: every call is answered right behind it", async () => {
  expect(await openAIMessagesFromSessions({ sessions: sessions() }, { withLog: false })).toEqual({
    model: "m-1",
    messages: [
      { role: "system", content: "Be *kind*." },
      { role: "user", content: "Fix `a`\n<script>alert(1)</script>" },
      {
        role: "assistant",
        content: "I look.",
        reasoning_content: "Look first.",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "Read", arguments: '{"path":"/a"}' } },
          { id: "c2", type: "function", function: { name: "Agent", arguments: '{"prompt":"look"}' } },
          { id: "c3", type: "function", function: { name: "Write", arguments: "no json" } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "a ``` b" },
      { role: "tool", tool_call_id: "c2", content: "seen" },
      { role: "tool", tool_call_id: "c3", content: "No arguments." },
    ],
  });
});

describe("OTLP", () => {
  interface Span {
    readonly traceId: string;
    readonly spanId: string;
    readonly parentSpanId?: string;
    readonly name: string;
    readonly startTimeUnixNano: string;
    readonly endTimeUnixNano: string;
    readonly attributes: readonly { readonly key: string; readonly value: JsonObject }[];
    readonly status: JsonObject;
  }
  const spansOf = (document: JsonObject): Span[] =>
    (document as unknown as { resourceSpans: [{ scopeSpans: [{ spans: Span[] }] }] }).resourceSpans[0].scopeSpans[0]
      .spans;
  const plainAttributes = ({ attributes }: Span): JsonObject =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

  test("turns are roots, calls lie below them, a subagent's below its call; texts stay out", async () => {
    const document = await otlpFromSessions({ sessions: sessions() });
    const spans = spansOf(document);
    const traceId = sha256HexSync("main/turn_0").slice(0, 32);
    const id = (name: string) => sha256HexSync(`${traceId}/${name}`).slice(0, 16);
    expect(spans.map((span) => [span.name, span.spanId, span.parentSpanId])).toEqual([
      ["agent_sdk.turn", id("turn"), undefined],
      ["agent_sdk.tool", id("main/c1"), id("turn")],
      ["agent_sdk.subagent", id("main/c2"), id("turn")],
      ["agent_sdk.tool", id("child/d1"), id("main/c2")],
      ["agent_sdk.tool", id("main/c3"), id("turn")],
    ]);
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
    const [turn, , , nested, failed] = spans;
    if (turn === undefined || nested === undefined || failed === undefined) throw new Error("five spans");
    expect(plainAttributes(turn)).toEqual({
      "agent_sdk.session_id": "main",
      "cursor.conversation.id": "main",
      "agent_sdk.agent": "writer",
      "agent_sdk.turn_id": "turn_0",
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "writer",
      "gen_ai.conversation.id": "main",
      "gen_ai.request.model": "m-1",
      "gen_ai.response.finish_reasons": { values: [{ stringValue: "tool-calls" }] },
      "gen_ai.usage.input_tokens": "10",
      "gen_ai.usage.output_tokens": "2",
      "gen_ai.usage.cache_read.input_tokens": "4",
      "cursor.cost.usage": 0.5,
      "error.type": "server",
    });
    expect([turn.startTimeUnixNano, turn.endTimeUnixNano]).toEqual(["1767225602000000000", "1767225614000000000"]);
    expect(BigInt(nested.endTimeUnixNano) - BigInt(nested.startTimeUnixNano)).toBe(250_000_000n);
    expect(plainAttributes(failed)).toEqual({
      "agent_sdk.session_id": "main",
      "cursor.conversation.id": "main",
      "agent_sdk.agent": "writer",
      "agent_sdk.turn_id": "turn_0",
      "agent_sdk.call_id": "c3",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.agent.name": "writer",
      "gen_ai.conversation.id": "main",
      "gen_ai.tool.name": "Write",
      "gen_ai.tool.call.id": "c3",
      "gen_ai.tool.type": "function",
      "agent_sdk.status": "failed",
      "error.type": "invalid-input",
    });
    expect(failed.status).toEqual({ code: 2 });
    const text = JSON.stringify(document);
    for (const secret of ["I look.", "Look first.", "alert(1)", "Be *kind*.", "no json", "It broke."])
      expect(text).not.toContain(secret);
  });

  test("sums are metrics beside the spans: tokens, calls and cost of each session", async () => {
    const { resourceMetrics } = (await otlpFromSessions({ sessions: sessions() })) as unknown as {
      resourceMetrics: [{ scopeMetrics: [{ metrics: Metric[] }] }];
    };
    interface Metric {
      readonly name: string;
      readonly unit: string;
      readonly sum: { readonly dataPoints: readonly (JsonObject & Pick<Span, "attributes">)[] };
    }
    const { metrics } = resourceMetrics[0].scopeMetrics[0];
    const session = (id: string, agent: string) => ({
      "agent_sdk.session_id": id,
      "cursor.conversation.id": id,
      "agent_sdk.agent": agent,
    });
    const times = { startTimeUnixNano: "1767225602000000000", timeUnixNano: "1767225614000000000" };
    const later = { startTimeUnixNano: "1767225617000000000", timeUnixNano: "1767225624000000000" };
    const pointsOf = ({ sum: { dataPoints, ...how } }: Metric) => [
      how,
      dataPoints.map(({ attributes, ...point }) => ({
        ...point,
        ...Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      })),
    ];
    const how = { aggregationTemporality: 2, isMonotonic: true };
    const model = { ...session("main", "writer"), ...times, "gen_ai.request.model": "m-1" };
    const tool = (name: string, status: string) => ({
      asInt: "1",
      "gen_ai.tool.name": name,
      "agent_sdk.status": status,
    });
    expect(metrics.map((metric) => [metric.name, metric.unit, ...pointsOf(metric)])).toEqual([
      [
        "cursor.token.usage",
        "{token}",
        how,
        [
          { ...model, "gen_ai.token.type": "input", asInt: "10" },
          { ...model, "gen_ai.token.type": "output", asInt: "2" },
          { ...model, "gen_ai.token.type": "cache_read", asInt: "4" },
        ],
      ],
      [
        "cursor.tool.calls",
        "{call}",
        how,
        [
          { ...session("main", "writer"), ...times, ...tool("Read", "completed") },
          { ...session("main", "writer"), ...times, ...tool("Agent", "completed") },
          { ...session("main", "writer"), ...times, ...tool("Write", "failed") },
          { ...session("child", "looker"), ...later, ...tool("LS", "completed") },
        ],
      ],
      ["cursor.cost.usage", "USD", how, [{ ...model, asDouble: 0.5 }]],
    ]);
  });

  test("calls made outside of a turn have turns made for them", async () => {
    second = 0;
    const event = (type: string, data: object) => ({ type, data, meta: meta() }) as unknown as SessionEvent;
    const call = (callId: string) => ({ kind: "tool-call", callId, toolName: "Read", input: { path: "/a" } });
    const result = (callId: string) =>
      event("action.result", {
        status: "completed",
        toolName: "Read",
        result: { kind: "tool-result", callId, toolName: "Read", output: "a" },
      });
    const turn = { turnId: "turn_0", sequence: 0 };
    const events = [
      event("actions.requested", { actions: [call("before")] }),
      result("before"),
      event("turn.started", turn),
      event("message.received", { ...turn, message: "go" }),
      result("answers nothing"),
      event("turn.completed", turn),
      result("after"),
    ];
    const spans = spansOf(await otlpFromSessions({ sessions: [{ id: "s", events }] }));
    const [before, , , after] = spans;
    expect(
      spans.map((span) => {
        const {
          "agent_sdk.turn_id": turnId,
          "rootscope.turn": kind,
          "agent_sdk.call_id": callId,
        } = plainAttributes(span);
        return [span.name, span.parentSpanId, turnId, kind, callId];
      }),
    ).toEqual([
      ["agent_sdk.turn", undefined, "outside_0", "synthetic", undefined],
      ["agent_sdk.tool", before?.spanId, "outside_0", undefined, "before"],
      ["agent_sdk.turn", undefined, "turn_0", undefined, undefined],
      ["agent_sdk.turn", undefined, "outside_2", "synthetic", undefined],
      ["agent_sdk.tool", after?.spanId, "outside_2", undefined, "after"],
    ]);
  });

  test("texts, arguments and results go along where they are asked for", async () => {
    const [turn, call] = spansOf(await otlpFromSessions({ sessions: sessions() }, { withContent: true }));
    if (turn === undefined || call === undefined) throw new Error("spans");
    expect(plainAttributes(turn)).toMatchObject({
      "gen_ai.system_instructions": '[{"type":"text","content":"Be *kind*."}]',
      "gen_ai.input.messages": JSON.stringify([
        { role: "user", parts: [{ type: "text", content: "Fix `a`\n<script>alert(1)</script>" }] },
      ]),
      "gen_ai.output.messages": JSON.stringify([
        {
          role: "assistant",
          parts: [
            { type: "reasoning", content: "Look first." },
            { type: "text", content: "I look." },
          ],
          finish_reason: "tool-calls",
        },
      ]),
    });
    expect(plainAttributes(call)).toMatchObject({
      "gen_ai.tool.call.arguments": '{"path":"/a"}',
      "gen_ai.tool.call.result": "a ``` b",
    });
    expect(turn.status).toEqual({ code: 2, message: "It broke." });
  });
});

test("Markdown: nothing of a session ends the block it stands in", async () => {
  expect(await markdownFromSessions({ sessions: sessions() })).toBe(`# My \\# session

- Session: \`main\`
- Agent: writer
- Model: m-1
- Turns: 1

## Instructions

\`\`\`
Be *kind*.
\`\`\`

## Turn 1 · 2026-01-01T00:00:02.000Z

**Person**

> Fix \`a\`
> &lt;script>alert(1)&lt;/script>

**Reasoning**

> Look first.

**Agent**

> I look.

**Tool** \`Read\` · completed

\`\`\`json
{
  "path": "/a"
}
\`\`\`

\`\`\`\`
a \`\`\` b
\`\`\`\`

**Tool** \`Agent\` · completed

\`\`\`json
{
  "prompt": "look"
}
\`\`\`

\`\`\`
seen
\`\`\`

**Tool** \`Write\` · failed

\`\`\`
no json
\`\`\`

\`\`\`
No arguments.
\`\`\`

_10 tokens in · 2 tokens out · $0.5_

**The step failed**: It broke.

**The turn failed**: It broke.

## child

- Session: \`child\`
- Agent: looker
- Model: m-2
- Works for: \`main\`
- Turns: 1

### Turn 1 · 2026-01-01T00:00:17.000Z

**Person**

> look

**Agent**

> seen

**Tool** \`LS\` · completed

\`\`\`json
{
  "path": "/"
}
\`\`\`

\`\`\`
{"files":1}
\`\`\`
`);
});

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

/** What the format's own description demands (ATIF 1.4, section II), as far as it can be asked of a document. */
function atifFaults(document: JsonObject): string[] {
  const faults: string[] = [];
  const steps = document["steps"] as readonly JsonObject[];
  const agent = document["agent"] as JsonObject;
  if (!/^ATIF-v1\.\d$/.test(textOf(document["schema_version"]))) faults.push("schema_version");
  if (typeof document["session_id"] !== "string") faults.push("session_id");
  if (typeof agent["name"] !== "string" || typeof agent["version"] !== "string") faults.push("agent");
  for (const [index, step] of steps.entries()) {
    const isAgent = step["source"] === "agent";
    if (step["step_id"] !== index + 1) faults.push(`step ${index}: step_id`);
    if (!["system", "user", "agent"].includes(textOf(step["source"]))) faults.push(`step ${index}: source`);
    if (typeof step["message"] !== "string") faults.push(`step ${index}: message`);
    if (step["timestamp"] !== undefined && Number.isNaN(Date.parse(textOf(step["timestamp"]))))
      faults.push(`step ${index}: timestamp`);
    for (const name of ["model_name", "reasoning_content", "tool_calls", "metrics"])
      if (!isAgent && name in step) faults.push(`step ${index}: ${name} of no agent`);
    const calls = (step["tool_calls"] ?? []) as readonly JsonObject[];
    for (const call of calls)
      if (typeof call["arguments"] !== "object" || Array.isArray(call["arguments"]))
        faults.push(`step ${index}: arguments`);
    const ids = new Set(calls.map((call) => call["tool_call_id"]));
    const results = ((step["observation"] as JsonObject | undefined)?.["results"] ?? []) as readonly JsonObject[];
    for (const result of results) if (!ids.has(result["source_call_id"])) faults.push(`step ${index}: source_call_id`);
  }
  for (const child of (document["subagent_trajectories"] ?? []) as readonly JsonObject[])
    faults.push(...atifFaults(child));
  return faults;
}

describe.skipIf(!hasPublished)("published recordings as ATIF", () => {
  test.each([
    "claude-code/copilot_30530d66.jsonl",
    "codex/agentcmd_rollout-2025-09-24T19-22-20.jsonl",
    "atif/tbench_regex-log_trajectory.json",
  ])("%s has the same counts and figures without our log in it", async (path) => {
    const found = await importPublished(path);
    const document = await atifFromSessions({ sessions: found.sessions }, { withLog: false });
    const { format: _format, warnings: _warnings, ...counts } = importCounts(found);
    expect(importCounts(await importOne(document))).toMatchObject(counts);
  });

  test.each([
    "claude-code/viewer_fe5e1c67_774KB.jsonl",
    "codex/agentcmd_rollout-2025-09-25T15-12-14.jsonl",
    "atif/phoenix_subagent_trajectories.json",
    "gemini-cli/agentcmd_session-2025-10-27.json",
  ])("%s keeps the format's rules", async (path) => {
    const { sessions: found, blobs } = await importPublished(path);
    const input = { sessions: found, blobs: { get: (hash: string) => Promise.resolve(blobs.get(hash)) } };
    expect(atifFaults(await atifFromSessions(input))).toEqual([]);
  });
});
