import { describe, expect, test } from "vitest";
import { canonicalJson, sha256HexSync } from "../base";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { eventLine, sessionFixture } from "../testing/sessionFixture";
import { runTurn } from "./runTurn";

describe("a turn", () => {
  test("is told event by event, from the message to the next wait", async () => {
    const model = scriptedModel([
      {
        parts: [
          { type: "stream-start", warnings: [] },
          { type: "reasoning-start", id: "r" },
          { type: "reasoning-delta", id: "r", delta: "Look " },
          { type: "reasoning-delta", id: "r", delta: "first." },
          { type: "reasoning-end", id: "r", providerMetadata: { test: { signature: "s1" } } },
          ...textParts("t", "I will ", "read."),
          ...callParts("c1", "Read", { path: "/notes.md" }),
          ...callParts("c2", "Write", { path: "/new.md", fileText: "x" }),
          finishPart("tool-calls", { input: 10, output: 5 }),
        ],
      },
      { parts: [...textParts("t", "Done."), finishPart("stop", { input: 20, output: 2 })] },
    ]);
    const session = await sessionFixture({ model });
    const events = await session.run("go");
    expect(events.map(eventLine)).toEqual([
      "turn.started",
      'message.received "go"',
      "step.started",
      'reasoning.appended "Look "',
      'reasoning.appended "first."',
      'reasoning.completed "Look first."',
      'message.appended "I will "',
      'message.appended "read."',
      'action.input.appended c1 Read {"path":"/notes.md"}',
      'action.input.appended c2 Write {"path":"/new.md","fileText":"x"}',
      'message.completed "I will read." tool-calls',
      "actions.requested c1 Read, c2 Write",
      "action.result c1 completed",
      "action.result c2 completed",
      "step.completed tool-calls",
      "step.started",
      'message.appended "Done."',
      'message.completed "Done." stop',
      "step.completed stop",
      "turn.completed",
      "session.waiting",
    ]);
    expect(events.map((event) => event.data)).toMatchObject([
      { turnId: "turn_0", sequence: 0 },
      { turnId: "turn_0", sequence: 0, message: "go" },
      { turnId: "turn_0", sequence: 0, stepIndex: 0, modelId: "scripted" },
      ...Array.from({ length: 12 }, () => ({ turnId: "turn_0", sequence: 0, stepIndex: 0 })),
      ...Array.from({ length: 4 }, () => ({ turnId: "turn_0", sequence: 0, stepIndex: 1 })),
      { turnId: "turn_0", sequence: 0 },
      { wait: "next-user-message", usage: { inputTokens: 30, outputTokens: 7 } },
    ]);
    const write = events[13];
    expect(write?.type === "action.result" && write.data).toEqual({
      turnId: "turn_0",
      sequence: 0,
      stepIndex: 0,
      status: "completed",
      result: {
        kind: "tool-result",
        callId: "c2",
        toolName: "Write",
        output: { path: "/new.md", linesCreated: 1, fileSize: 1 },
      },
      toolName: "Write",
      durationMs: 3000,
      changes: [{ path: "/new.md", after: sha256HexSync("x"), sizeBytes: 1 }],
    });
    expect(session.kept.map((tree) => tree.file("/new.md")?.hash)).toEqual([sha256HexSync("x")]);
    // The request to run the calls was on disk before the first of them ran: nothing after it was yielded by then.
    expect(session.durableAt).toEqual([1 + 12]);
  });

  test("sends the log back as a prompt, provider metadata verbatim, and stores each exact request", async () => {
    const model = scriptedModel([
      {
        parts: [
          { type: "reasoning-start", id: "r" },
          { type: "reasoning-delta", id: "r", delta: "Hm.", providerMetadata: { test: { signature: "s1" } } },
          { type: "reasoning-end", id: "r" },
          ...textParts("t", "Reading."),
          {
            type: "tool-call",
            toolCallId: "c1",
            toolName: "Read",
            input: '{"path":"/notes.md"}',
            providerMetadata: { test: { n: 1 } },
          },
          finishPart("tool-calls"),
        ],
      },
      { parts: [...textParts("t", "Done."), finishPart("stop")] },
    ]);
    const session = await sessionFixture({ model });
    const events = await session.run("go");
    expect(model.requests[1]?.prompt.slice(1)).toEqual([
      { role: "user", content: [{ type: "text", text: expect.stringMatching(/go$/) }] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm.", providerOptions: { test: { signature: "s1" } } },
          { type: "text", text: "Reading." },
          {
            type: "tool-call",
            toolCallId: "c1",
            toolName: "Read",
            input: { path: "/notes.md" },
            providerOptions: { test: { n: 1 } },
          },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "c1",
            toolName: "Read",
            output: { type: "text", value: "     1|one\n     2|two" },
          },
        ],
      },
    ]);
    const requests = events.flatMap((event) => (event.type === "step.started" ? [event.data.request] : []));
    expect(requests.map((request) => JSON.parse(session.blobs.get(request?.blob ?? "") ?? "") as unknown)).toEqual(
      model.requests,
    );
    expect(requests.map((request) => request?.hash)).toEqual(
      model.requests.map((request) => sha256HexSync(canonicalJson(request))),
    );
  });

  test("answers a missing tool and arguments that are no JSON object with the tools there are", async () => {
    const model = scriptedModel([
      {
        parts: [
          ...callParts("c1", "Fly", {}),
          ...callParts("c2", "Read", '{"path":'),
          ...callParts("c3", "Read", {}),
          finishPart("tool-calls"),
        ],
      },
      { parts: [...textParts("t", "Sorry."), finishPart("stop")] },
    ]);
    const session = await sessionFixture({ model, definition: { tools: ["read", "ls"] } });
    const events = await session.run("go");
    expect(events.map(eventLine).filter((line) => line.startsWith("action"))).toEqual([
      "action.input.appended c1 Fly {}",
      'action.input.appended c2 Read {"path":',
      "action.input.appended c3 Read {}",
      "actions.requested c1 Fly, c2 Read, c3 Read",
      "action.result c1 failed unknown-tool: There is no tool named Fly. The tools are: Read, LS.",
      "action.result c2 failed invalid-input: The arguments of Read are not a JSON object; send one. The tools are: Read, LS.",
      expect.stringMatching(/^action\.result c3 failed invalid-input: Read: .*path/),
    ]);
    expect(events.at(-1)?.type).toBe("session.waiting");
  });

  test("goes on after a tool's error, which the model reads", async () => {
    const model = scriptedModel([
      { parts: [...callParts("c1", "Read", { path: "/none" }), finishPart("tool-calls")] },
      { parts: [...textParts("t", "Not there."), finishPart("stop")] },
    ]);
    const session = await sessionFixture({ model });
    const events = await session.run("go");
    expect(events.map(eventLine)).toContain("action.result c1 failed not-found: not found: /none");
    expect(model.requests[1]?.prompt.at(-1)).toEqual({
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "c1",
          toolName: "Read",
          output: { type: "error-text", value: "not found: /none" },
        },
      ],
    });
  });

  test("gives a call a new id when a server counts from zero in every answer", async () => {
    const step = { parts: [...callParts("call_0", "LS", { path: "/" }), finishPart("tool-calls")] };
    const model = scriptedModel([step, step, { parts: [...textParts("t", "ok"), finishPart("stop")] }]);
    const session = await sessionFixture({ model });
    const events = await session.run("go");
    expect(events.map(eventLine).filter((line) => line.startsWith("action.result"))).toEqual([
      "action.result call_0 completed",
      "action.result call_0_0_1 completed",
    ]);
  });

  test("lets no key into an event or into the request that is kept", async () => {
    const session = await sessionFixture({
      model: scriptedModel([
        { parts: [...callParts("c", "Read", { path: "/secret.md" }), finishPart("tool-calls")] },
        { parts: [...textParts("t", "It holds sk-secret."), finishPart("stop")] },
      ]),
      files: { "/secret.md": "the key is sk-secret\n" },
      services: { scrub: (text) => text.replaceAll("sk-secret", "[key]") },
    });
    const events = await session.run("what is sk-secret for?");
    expect(JSON.stringify(events)).not.toContain("sk-secret");
    expect(JSON.stringify(events)).toContain("the key is [key]");
    expect([...session.blobs.values()].join("\n")).not.toContain("sk-secret");
  });

  test("ends at its step limit", async () => {
    const step = { parts: [...callParts("c", "LS", { path: "/" }), finishPart("tool-calls")] };
    const session = await sessionFixture({ model: scriptedModel([step, step, step]), definition: { maxSteps: 2 } });
    const events = await session.run("go");
    expect(events.slice(-2).map(eventLine)).toEqual([
      "turn.failed step-limit: The turn reached its limit of 2 steps.",
      "session.waiting",
    ]);
  });

  test("continues with another token after every message, the same for the same seed", async () => {
    const steps = [1, 2].map(() => ({ parts: [...textParts("t", "ok"), finishPart("stop")] }));
    const tokens = async (): Promise<string[]> => {
      const session = await sessionFixture({ model: scriptedModel(steps) });
      const events = [...(await session.run("a")), ...(await session.run("b"))];
      return events.flatMap((event) => (event.type === "session.waiting" ? [event.data.continuationToken] : []));
    };
    const first = await tokens();
    expect(new Set(first).size).toBe(2);
    expect(await tokens()).toEqual(first);
  });

  test("refuses a token that is not the last one", async () => {
    const steps = [1, 2, 3].map(() => ({ parts: [...textParts("t", "ok"), finishPart("stop")] }));
    const session = await sessionFixture({ model: scriptedModel(steps) });
    const [first, second] = [await session.run("a"), await session.run("b")].map((events) => events.at(-1));
    const send = async (event: typeof first) => {
      const continuationToken = event?.type === "session.waiting" ? event.data.continuationToken : "";
      return await session.take(runTurn({ ...session.options(), message: "c", continuationToken }));
    };
    await expect(send(first)).rejects.toMatchObject({ code: "stale-token" });
    expect((await send(second)).at(-1)?.type).toBe("session.waiting");
  });

  test("is recorded again line by line, but for times and ids", async () => {
    const record = async (clockStart: number) => {
      const model = scriptedModel([
        { throws: Object.assign(new Error("busy"), { statusCode: 503 }) },
        { parts: [...callParts("c1", "Write", { path: "/a", fileText: "b" }), finishPart("tool-calls")] },
        { parts: [...textParts("t", "ok"), finishPart("stop")] },
      ]);
      let now = clockStart;
      const session = await sessionFixture({ model, clock: () => (now += 7) });
      await session.run("go");
      return session.events.map(({ type, data }) => JSON.stringify({ type, data }).replace(/"durationMs":\d+/, ""));
    };
    expect(await record(1_000)).toEqual(await record(999_000_000));
  });
});

describe("a model that fails", () => {
  test("is called again while nothing of an answer was seen, each time in the log", async () => {
    const busy = { throws: Object.assign(new Error("busy sk-secret"), { statusCode: 503 }) };
    const model = scriptedModel([busy, busy, { parts: [...textParts("t", "ok"), finishPart("stop")] }]);
    const session = await sessionFixture({
      model,
      services: { scrub: (text) => text.replaceAll("sk-secret", "[key]") },
    });
    const events = await session.run("go");
    expect(events.map(eventLine)).toEqual([
      "turn.started",
      'message.received "go"',
      "step.started",
      "step.retried 1 server",
      "step.retried 2 server",
      'message.appended "ok"',
      'message.completed "ok" stop',
      "step.completed stop",
      "turn.completed",
      "session.waiting",
    ]);
    expect(JSON.stringify(events)).not.toContain("sk-secret");
  });

  test("ends the turn with one end each of step and turn, and the session goes on", async () => {
    const model = scriptedModel([
      { throws: new Error("no such key sk-secret") },
      { parts: [...textParts("t", "ok"), finishPart("stop")] },
    ]);
    const session = await sessionFixture({
      model,
      services: { scrub: (text) => text.replaceAll("sk-secret", "[key]") },
    });
    expect((await session.run("go")).map(eventLine)).toEqual([
      "turn.started",
      'message.received "go"',
      "step.started",
      "step.failed unknown: no such key [key]",
      "turn.failed unknown: no such key [key]",
      "session.waiting",
    ]);
    expect((await session.run("again")).at(-2)?.type).toBe("turn.completed");
  });

  test("that is cut, stalls or is stopped ends in three different ways, what it said kept", async () => {
    const said = textParts("t", "half").slice(0, 2);
    const ends = async (step: { parts: typeof said; hang?: boolean }, stop?: boolean): Promise<string[]> => {
      const controller = new AbortController();
      const session = await sessionFixture({ model: scriptedModel([step]) });
      const turn = session.run("go", { signal: controller.signal, stallMs: stop ? 10_000 : 30 });
      if (stop) setTimeout(() => controller.abort(), 20);
      return (await turn).map(eventLine).slice(3);
    };
    const lines = (failure: string) => [
      'message.appended "half"',
      `step.failed ${failure}`,
      `turn.failed ${failure}`,
      "session.waiting",
    ];
    expect(await ends({ parts: said })).toEqual(lines("cut: The model's stream ended before the model was done."));
    expect(await ends({ parts: said, hang: true })).toEqual(lines("stall: The model sent nothing for 0 s."));
    expect(await ends({ parts: said, hang: true }, true)).toEqual(lines("interrupted: turn interrupted"));
  });
});

describe("storage that fails", () => {
  test("fails the turn before a call runs", async () => {
    const model = scriptedModel([
      { parts: [...callParts("c1", "Write", { path: "/a", fileText: "b" }), finishPart("tool-calls")] },
    ]);
    const durable = () => Promise.reject(Object.assign(new Error("disk full"), { code: "quota" }));
    const session = await sessionFixture({ model, services: { durable } });
    expect((await session.run("go")).map(eventLine).slice(4)).toEqual([
      "actions.requested c1 Write",
      "action.result c1 failed quota: disk full",
      "step.failed quota: disk full",
      "turn.failed quota: disk full",
      "session.waiting",
    ]);
    expect(await session.tree.stat("/a")).toEqual({ kind: "missing" });
  });
});
