import { describe, expect, test } from "vitest";
import { agentSession, defineAgent, type AgentSessionOptions } from "../agent";
import { seededRandom, sessionIds } from "../base";
import { tempFs, type FileSystem } from "../fs";
import { defineTool } from "../tools";
import { callTool, type CallToolOptions } from "./callTool";

const base = { name: "tester", instructions: "Do as told." };

async function called(
  toolName: string,
  input: CallToolOptions["input"],
  extra: Readonly<Record<string, unknown>> = {},
  { invocationId = "call_1", ...options }: Partial<CallToolOptions & AgentSessionOptions> = {},
) {
  const definition = defineAgent({ ...base, root: tempFs({ "/a": "one\ntwo\n" }), ...extra });
  const { authoredTools = [], harnessTools = {}, ...more } = options;
  const bound = await agentSession(definition, { sessionId: invocationId, authoredTools, harnessTools }).beginTurn();
  const signal = new AbortController().signal;
  const ids = sessionIds(() => 0, seededRandom("ids"));
  return callTool({ bound, toolName, input, invocationId, ids, clock: () => 0, signal, ...more });
}

describe("A tool called outside a turn", () => {
  test("comes to the value a log would hold and the text a model would read", async () => {
    const { result, text } = await called("Read", { target_file: "a", offset: 2 });
    expect(result).toMatchObject({ status: "completed", toolName: "Read", result: { output: { content: "two\n" } } });
    expect(text).toBe("     2|two");
  });

  test("is checked as a model's call is, and its error is its result", async () => {
    expect((await called("Read", {})).result.error?.code).toBe("invalid-input");
    expect((await called("Read", { path: "/none" })).text).toBe("not found: /none");
    expect((await called("Reed", {})).text).toMatch(/^There is no tool named Reed\. The tools are: Read, LS, /);
  });

  test("tells what it changed, and asks nobody", async () => {
    const { result } = await called("Write", { path: "/b", fileText: "x" }, { approvals: "writes" });
    expect([result.status, result.changes?.map(({ path }) => path)]).toEqual(["completed", ["/b"]]);
  });

  test("is stubbed in a dry run", async () => {
    const { result, text } = await called("Write", { path: "/b", fileText: "x" }, {}, { dryRun: true });
    expect([result.stub, result.result.output]).toEqual([true, "Operation acknowledged."]);
    expect(text).toMatch(/^Operation acknowledged\.\n\(Dry run: /);
  });

  test("keeps to a frozen instant", async () => {
    const query = defineTool({
      name: "query",
      description: "Queries.",
      inputSchema: { type: "object", properties: { until: { type: "string" } } },
      effect: "read",
      timeArgs: ["until"],
      execute: (_input, call) => call.now(),
    });
    const options = { authoredTools: [query], asOf: "2026-01-02T00:00:00Z" };
    expect((await called("query", { until: "2026-01-03T00:00:00Z" }, {}, options)).text).toContain(
      "Retry with absolute bounds",
    );
    expect((await called("query", { until: "2026-01-01T00:00:00Z" }, {}, options)).result.result.output).toBe(
      Date.parse("2026-01-02T00:00:00Z"),
    );
  });

  test("has its root asked by the invocation's id, and nothing is kept between two", async () => {
    const ids: string[] = [];
    const root = ({ sessionId }: { readonly sessionId: string }): FileSystem => {
      ids.push(sessionId);
      return tempFs({ "/a": `of ${sessionId}` });
    };
    const texts = [
      await called("Read", { path: "/a" }, { root }, { invocationId: "call_1" }),
      await called("Read", { path: "/a" }, { root }, { invocationId: "call_2" }),
    ].map(({ text }) => text);
    expect([ids, texts]).toEqual([
      ["call_1", "call_2"],
      ["     1|of call_1", "     1|of call_2"],
    ]);
  });

  test("is told the invocation's id where it is in no session", async () => {
    const who = defineTool({
      name: "who",
      description: "Says whose call it is.",
      inputSchema: { type: "object" },
      effect: "read",
      execute: (_input, { sessionId, callId }) => ({ sessionId, callId }),
    });
    const { result } = await called("who", {}, {}, { authoredTools: [who] });
    expect(result.result.output).toEqual({ sessionId: "call_1", callId: "call_1" });
  });
});
