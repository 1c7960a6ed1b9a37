import { describe, expect, test } from "vitest";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { importCounts, importOne } from "../publishedFile.suite";
import { asks, shown, span, tells, traces, user, type Value } from "./traces.suite";

describe("a trace", () => {
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

  test("with a call that two instrumentations recorded, and ids that begin anew with each response", async () => {
    const chat = (id: string, input: object[]) =>
      span(id, "", {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": input,
        "gen_ai.output.messages": [asks],
      });
    const tool = (id: string, parent: string, result: string) =>
      span(id, parent, {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "ls",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.call.result": result,
      });
    const imported = await importOne(
      traces(
        chat("a", [user]),
        tool("t", "", "one"),
        tool("u", "t", "one"),
        chat("b", [user, asks, tells]),
        tool("v", "", "two"),
      ),
    );
    expect(shown(imported).map((lines) => lines.filter((line) => /^(calls|completed)/.test(line)))).toEqual([
      ['calls: ls#c1 {"path":"."}', 'completed: c1 "one"', 'calls: ls#c1/1 {"path":"."}', 'completed: c1/1 "two"'],
    ]);
    expect(imported.warnings).toEqual([]);
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

  test("whose span of a tool names a type of error has a failed call, whatever its status says", async () => {
    const imported = await importOne(
      traces(
        span("chat", "", {
          "gen_ai.operation.name": "chat",
          "gen_ai.input.messages": [user],
          "gen_ai.output.messages": [asks],
        }),
        span("tool", "", {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "ls",
          "gen_ai.tool.call.id": "c1",
          "gen_ai.tool.call.result": "gone",
          "error.type": "timeout",
        }),
      ),
    );
    expect(shown(imported)[0]).toContain('failed: c1 "gone" (tool-error)');
  });
});
