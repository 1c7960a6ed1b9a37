import { describe, expect, test } from "vitest";
import { bindAgent, defineAgent } from "../agent";
import type { JsonObject } from "../base";
import { tempFs, unionFs } from "../fs";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { eventLine, sessionFixture, type FixtureOptions } from "../testing/sessionFixture";
import { defineTool, type Tool, type ToolDefinition } from "../tools";
import type { EventData, SessionEvent } from "./sessionEvent";

const DONE = { parts: [...textParts("t", "ok"), finishPart("stop")] };

/** A tool of the author's that notes what it was called with. */
function noted(definition: Partial<ToolDefinition<JsonObject>>): {
  readonly tool: Tool;
  readonly inputs: JsonObject[];
} {
  const inputs: JsonObject[] = [];
  const tool = defineTool({
    name: "act",
    description: "Acts.",
    inputSchema: { type: "object", properties: { since: { type: "string" }, until: { type: "string" } } },
    execute: (input) => {
      inputs.push(input);
      return "done";
    },
    ...definition,
  });
  return { tool, inputs };
}

async function turnWith(calls: readonly (readonly [string, object])[], options: Omit<FixtureOptions, "model">) {
  const parts = calls.flatMap(([name, input], index) => callParts(`c${index}`, name, input));
  const model = scriptedModel([{ parts: [...parts, finishPart("tool-calls")] }, DONE]);
  const session = await sessionFixture({ model, ...options });
  const events = await session.run("go");
  return { session, model, events, results: resultsOf(events) };
}

function resultsOf(events: readonly SessionEvent[]): EventData["action.result"][] {
  return events.flatMap((event) => (event.type === "action.result" ? [event.data] : []));
}

describe("Effects in a dry run", () => {
  test("reads of the natives run, their writes are stubbed, todos always run", async () => {
    const calls = [
      ["Read", { path: "/notes.md" }],
      ["LS", { path: "/" }],
      ["Grep", { pattern: "one" }],
      ["Glob", { globPattern: "*" }],
      ["SemanticSearch", { query: "one" }],
      ["readTodos", {}],
      ["updateTodos", { todos: [] }],
      ["Write", { path: "/a", fileText: "x" }],
      ["StrReplace", { path: "/notes.md", oldText: "one", newText: "1" }],
      ["Delete", { path: "/notes.md" }],
    ] as const;
    const { session, results } = await turnWith(calls, { dryRun: true });
    expect(results.map(({ toolName, stub = false }) => [toolName, stub])).toEqual(
      calls.map(([name]) => [name, ["Write", "StrReplace", "Delete"].includes(name)]),
    );
    expect(results.at(-1)?.result.output).toBe("Operation acknowledged.");
    expect(await session.tree.read("/notes.md")).toBe("one\ntwo\n");
  });

  test.each([
    ["a dry run", { dryRun: true }],
    ["a run that asks before writes", { definition: { approvals: "writes" } }],
  ] as const)("a write where there is no mount fails in %s as it would", async (_title, options) => {
    const tree = unionFs({ "/work": tempFs({ "/a": "a" }) });
    const { results } = await turnWith([["Write", { path: "/elsewhere/a", fileText: "x" }]], { tree, ...options });
    const { results: real } = await turnWith([["Write", { path: "/elsewhere/a", fileText: "x" }]], { tree });
    expect(results.map(({ status, error }) => [status, error])).toEqual([["failed", real[0]?.error]]);
    expect(real[0]?.error?.code).toBe("no-mount");
  });

  test.each([
    ["an author's tool that says nothing is a write", {}, true],
    ["one that says write is stubbed", { effect: "write" }, true],
    ["one that says read runs", { effect: "read" }, false],
    ["one that says always runs", { effect: "always" }, false],
  ] as const)("%s", async (_title, definition, isStubbed) => {
    const { tool, inputs } = noted(definition);
    const { results } = await turnWith([["act", {}]], { dryRun: true, authoredTools: [tool] });
    expect([results[0]?.stub === true, inputs.length]).toEqual([isStubbed, isStubbed ? 0 : 1]);
  });

  test("a stub is the tool's dryRunResult where it has one, and the model is told that it is a stub", async () => {
    const { tool } = noted({ dryRunResult: { id: 7 } });
    const { results, model } = await turnWith([["act", {}]], { dryRun: true, authoredTools: [tool] });
    expect(results[0]).toMatchObject({ status: "completed", stub: true, result: { output: { id: 7 } } });
    expect(JSON.stringify(model.requests[1]?.prompt.at(-1))).toContain(
      "(Dry run: this result is a stub. The call was not carried out and changed nothing.)",
    );
  });

  test("the arguments are checked before a stub stands in", async () => {
    const { results } = await turnWith([["Write", { path: "/a" }]], { dryRun: true });
    expect(results[0]).toMatchObject({ status: "failed", error: { code: "invalid-input" } });
  });

  test("nobody is asked about a call that would be stubbed; a read that asks still asks", async () => {
    const { tool } = noted({ effect: "read", needsApproval: true });
    const options = { dryRun: true, authoredTools: [tool], definition: { approvals: "writes" } } as const;
    const { events } = await turnWith(
      [
        ["Write", { path: "/a", fileText: "x" }],
        ["act", {}],
      ],
      options,
    );
    expect(events.map(eventLine).filter((line) => /^(input|action\.result)/.test(line))).toEqual([
      "input.requested request_c1",
      "action.result c0 completed",
    ]);
  });

  test("a native's effect cannot be relabelled: not by the harness's tools, nor by one of the same name", async () => {
    const root = tempFs();
    const definition = defineAgent({ name: "a", instructions: "b", root });
    const { tool } = noted({ effect: "write" });
    const webFetch = { ...tool, name: "webFetch" };
    const bound = await bindAgent(definition, root, { harnessTools: { webFetch: [webFetch] } });
    expect(bound.tools.find(({ name }) => name === "webFetch")?.effect).toBe("read");
    await expect(
      bindAgent(definition, root, { authoredTools: [{ ...tool, name: "Write", effect: "read" }] }),
    ).rejects.toThrow("tools/Write: An authored tool is named like the native file tool Write.");
    expect(() => noted({ name: "Write", effect: "read" })).toThrow("Write is a native file tool's name.");
  });

  test("a connection's tool tells its own effect", async () => {
    const root = tempFs();
    const definition = defineAgent({ name: "a", instructions: "b", root });
    const mcp = [noted({ name: "mcp__x__look", effect: "read" }).tool, noted({ name: "mcp__x__do" }).tool];
    const bound = await bindAgent(definition, root, { harnessTools: { mcp } });
    expect(bound.tools.slice(-2).map(({ name, effect }) => [name, effect])).toEqual([
      ["mcp__x__look", "read"],
      ["mcp__x__do", "write"],
    ]);
  });
});

describe("The order of the gates", () => {
  test.each([
    ["a tool that asks", "never", { effect: "read", needsApproval: true }, "act", {}],
    ["a write where the person wants to be asked", "writes", {}, "act", {}],
    ["a native write where the person wants to be asked", "writes", {}, "Write", { path: "/a", fileText: "x" }],
  ] as const)("%s parks the turn, and nothing has run", async (_title, approvals, definition, name, input) => {
    const { tool, inputs } = noted(definition);
    const options = { authoredTools: [tool], definition: { approvals } };
    const { events, session } = await turnWith([[name, input]], options);
    expect(events.at(-1)?.type).toBe("turn.waiting");
    expect([inputs, await session.tree.stat("/a")]).toEqual([[], { kind: "missing" }]);
    const asked = events.find((event) => event.type === "input.requested");
    expect(asked?.data).toMatchObject({
      requests: [
        { requestId: "request_c0", kind: "tool-approval", prompt: `Allow ${name}?`, action: { callId: "c0", input } },
      ],
    });
  });

  test.each([
    ["a read", "Read", { path: "/notes.md" }],
    ["what always runs", "updateTodos", { todos: [] }],
  ] as const)("nobody is asked about %s", async (_title, name, input) => {
    const { events } = await turnWith([[name, input]], { definition: { approvals: "writes" } });
    expect(events.at(-1)?.type).toBe("session.waiting");
    expect(events.some((event) => event.type === "input.requested")).toBe(false);
  });

  test("the arguments are checked before a person is asked", async () => {
    const options = { definition: { approvals: "writes" } } as const;
    const { events, results } = await turnWith([["Write", { path: "/a" }]], options);
    expect(results[0]?.error).toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining('Write: the argument "fileText" is missing'),
    });
    expect(events.some((event) => event.type === "input.requested")).toBe(false);
  });

  test("a call is asked about once, even where both the tool and the person want it", async () => {
    const { tool } = noted({ needsApproval: true });
    const { events } = await turnWith([["act", {}]], { authoredTools: [tool], definition: { approvals: "writes" } });
    const asked = events.flatMap((event) => (event.type === "input.requested" ? event.data.requests : []));
    expect(asked).toHaveLength(1);
  });
});

describe("Bounds of time under asOf", () => {
  const AS_OF = "2026-01-02T00:00:00Z";
  const RETRY = `Retry with absolute bounds: ISO-8601 with a zone, not later than ${AS_OF}.`;

  test.each([
    ["an instant before it", { since: "2025-12-01T00:00:00Z", until: "2026-01-01T00:00:00+02:00" }, undefined],
    ["the instant itself", { since: "2026-01-02T01:00:00+01:00", until: AS_OF }, undefined],
    ["a missing one", { since: "2025-12-01T00:00:00Z" }, 'the argument "until" is missing'],
    ["one that is null", { since: "2025-12-01T00:00:00Z", until: null }, 'the argument "until" is missing'],
    [
      "a relative one",
      { since: "-7d", until: AS_OF },
      'the argument "since" is no absolute instant with a zone ("-7d")',
    ],
    [
      "one without a zone",
      { since: "2025-12-01T00:00:00", until: AS_OF },
      'the argument "since" is no absolute instant with a zone ("2025-12-01T00:00:00")',
    ],
    [
      "a day that is none",
      { since: "2025-02-30T00:00:00Z", until: AS_OF },
      'the argument "since" is no absolute instant with a zone ("2025-02-30T00:00:00Z")',
    ],
    [
      "a number",
      { since: 1764547200000, until: AS_OF },
      'the argument "since" is no absolute instant with a zone (1764547200000)',
    ],
    [
      "a later one",
      { since: "2025-12-01T00:00:00Z", until: "2026-01-02T00:00:01Z" },
      'the argument "until" is later than the session\'s now ("2026-01-02T00:00:01Z")',
    ],
    [
      "one that is later by less than a millisecond",
      { since: "2025-12-01T00:00:00Z", until: AS_OF.replace(/(\.000)?Z$/, ".0000001Z") },
      `the argument "until" is later than the session's now ("${AS_OF.replace(/(\.000)?Z$/, ".0000001Z")}")`,
    ],
    [
      "two that do not do",
      { since: "yesterday" },
      'the argument "since" is no absolute instant with a zone ("yesterday"); the argument "until" is missing',
    ],
  ])("%s", async (_title, input, problem) => {
    const { tool, inputs } = noted({ effect: "read", timeArgs: ["since", "until"] });
    const { results } = await turnWith([["act", input]], { asOf: AS_OF, authoredTools: [tool] });
    if (problem === undefined) expect([results[0]?.status, inputs]).toEqual(["completed", [input]]);
    else {
      expect(results[0]?.error).toEqual({ code: "invalid-input", message: `act: ${problem}. ${RETRY}` });
      expect(inputs).toEqual([]);
    }
  });

  test("a session without asOf ignores them", async () => {
    const { tool, inputs } = noted({ effect: "read", timeArgs: ["since", "until"] });
    await turnWith([["act", { since: "-7d" }]], { authoredTools: [tool] });
    expect(inputs).toEqual([{ since: "-7d" }]);
  });

  test("the tool's now is that instant", async () => {
    const times: number[] = [];
    const tool = defineTool({
      name: "act",
      description: "Acts.",
      inputSchema: { type: "object" },
      effect: "read",
      execute: (_input, call) => {
        times.push(call.now());
        return null;
      },
    });
    await turnWith([["act", {}]], { asOf: AS_OF, authoredTools: [tool] });
    expect(times).toEqual([Date.parse(AS_OF)]);
  });
});
