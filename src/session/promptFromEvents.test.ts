import { describe, expect, test } from "vitest";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { sessionFixture, type SessionFixture } from "../testing/sessionFixture";
import type { Tool } from "../tools";
import { promptFromEvents } from "./promptFromEvents";
import type { SessionEvent } from "./sessionEvent";

const DONE = { parts: [...textParts("t", "ok"), finishPart("stop")] };

function withoutSystem(session: SessionFixture, length = session.events.length) {
  return promptFromEvents(session.bound, session.events.slice(0, length)).slice(1);
}

describe("the prompt of a log", () => {
  test("answers calls that a crash has cut off, wherever the log ends", async () => {
    const session = await sessionFixture({
      model: scriptedModel([
        {
          parts: [
            ...callParts("c1", "LS", { path: "/" }),
            ...callParts("c2", "Read", { path: "/notes.md" }),
            finishPart("tool-calls"),
          ],
        },
        DONE,
      ]),
    });
    await session.run("go");
    for (let length = 1; length <= session.events.length; length++) {
      const prompt = promptFromEvents(session.bound, session.events.slice(0, length));
      const ids = (type: string) =>
        prompt.flatMap((message) =>
          typeof message.content === "string"
            ? []
            : message.content.flatMap((part) => (part.type === type && "toolCallId" in part ? [part.toolCallId] : [])),
        );
      expect(ids("tool-result")).toEqual(ids("tool-call"));
    }
    const requested = session.events.findIndex((event) => event.type === "actions.requested");
    expect(withoutSystem(session, requested + 1).at(-1)).toEqual({
      role: "tool",
      content: ["c1", "c2"].map((toolCallId, index) => ({
        type: "tool-result",
        toolCallId,
        toolName: ["LS", "Read"][index],
        output: { type: "error-text", value: "The call was interrupted; it is not known how far it came." },
      })),
    });
  });

  test("keeps what a stopped answer had said, and no reasoning that led to nothing", async () => {
    const session = await sessionFixture({
      model: scriptedModel([
        { parts: textParts("t", "half an ", "answer").slice(0, 3) },
        {
          parts: [
            { type: "reasoning-start", id: "r" },
            { type: "reasoning-delta", id: "r", delta: "Hm." },
            { type: "reasoning-end", id: "r" },
          ],
        },
        DONE,
      ]),
    });
    for (const message of ["one", "two", "three"]) await session.run(message);
    expect(withoutSystem(session).map((message) => [message.role, message.content])).toEqual([
      ["user", [{ type: "text", text: expect.stringMatching(/one$/) }]],
      ["assistant", [{ type: "text", text: "half an answer" }]],
      ["user", [{ type: "text", text: "two" }]],
      ["user", [{ type: "text", text: "three" }]],
      ["assistant", [{ type: "text", text: "ok" }]],
    ]);
  });

  test("keeps the blocks of a step in their order, each with its provider's own data", async () => {
    const session = await sessionFixture({
      model: scriptedModel([
        {
          parts: [
            { type: "reasoning-start", id: "1" },
            { type: "reasoning-delta", id: "1", delta: "a" },
            { type: "reasoning-end", id: "1", providerMetadata: { p: { signature: "s1" } } },
            { type: "text-start", id: "2", providerMetadata: { p: { id: "m1" } } },
            { type: "text-delta", id: "2", delta: "b" },
            { type: "text-end", id: "2", providerMetadata: { p: { more: 1 } } },
            { type: "reasoning-start", id: "3", providerMetadata: { p: { redacted: "xx" } } },
            { type: "reasoning-end", id: "3" },
            ...textParts("4", "c"),
            finishPart("stop"),
          ],
        },
      ]),
    });
    await session.run("go");
    expect(withoutSystem(session).at(-1)?.content).toEqual([
      { type: "reasoning", text: "a", providerOptions: { p: { signature: "s1" } } },
      { type: "text", text: "b", providerOptions: { p: { id: "m1", more: 1 } } },
      { type: "reasoning", text: "", providerOptions: { p: { redacted: "xx" } } },
      { type: "text", text: "c" },
    ]);
  });

  test("shows an image as one", async () => {
    const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const session = await sessionFixture({
      files: { "/a.png": png },
      model: scriptedModel([
        { parts: [...callParts("c1", "Read", { path: "/a.png" }), finishPart("tool-calls")] },
        DONE,
      ]),
    });
    await session.run("go");
    expect(withoutSystem(session)[2]).toMatchObject({
      role: "tool",
      content: [
        {
          output: {
            type: "content",
            value: expect.arrayContaining([
              { type: "file", data: { type: "data", data: btoa(String.fromCharCode(...png)) }, mediaType: "image/png" },
            ]),
          },
        },
      ],
    });
  });

  test("holds no half of a character", async () => {
    const session = await sessionFixture({
      model: scriptedModel([{ parts: [...textParts("t", "\ud83d", "\ude00 and \ud83d"), finishPart("stop")] }]),
    });
    const events = await session.run("half \ud83d");
    expect(events.flatMap((event) => (event.type === "message.appended" ? [event.data.messageDelta] : []))).toEqual([
      "😀 and ",
      "\ufffd",
    ]);
    expect(JSON.stringify(withoutSystem(session))).not.toMatch(/\\ud[89a-f]/i);
  });
});

describe("the context before the first message", () => {
  const DONE_TWICE = () => scriptedModel([DONE, DONE]);
  const started = (session: SessionFixture, more: object) => {
    const [first] = session.events;
    if (first?.type !== "session.started" || first.data.playground === undefined) throw new Error("no start");
    session.events[0] = { ...first, data: { ...first.data, playground: { ...first.data.playground, ...more } } };
    return first.data.playground.sessionId;
  };
  const userTexts = (session: SessionFixture) =>
    withoutSystem(session).flatMap(({ role, content }) => (role === "user" ? [content] : []));

  test.each([
    ["the time the session began", { startedAt: "2026-01-02T03:04:05.000Z" }, "time: 2026-01-02T03:04:05.000Z\n"],
    [
      "its frozen instant",
      { startedAt: "2026-01-02T03:04:05.000Z", asOf: "2025-01-31T12:00:00Z" },
      "time: 2025-01-31T12:00:00Z\n",
    ],
    ["no time where the log has none", {}, ""],
  ])("names the session, the channel and %s, once", async (_what, more, time) => {
    const session = await sessionFixture({ model: DONE_TWICE() });
    const sessionId = started(session, more);
    await session.run("go");
    await session.run("again");
    const context = `<agentkit_context>\nsession: ${sessionId}\nchannel: playground\n${time}</agentkit_context>`;
    expect(userTexts(session)).toEqual([
      [{ type: "text", text: `${context}\n\ngo` }],
      [{ type: "text", text: "again" }],
    ]);
  });

  test("is the same when a session is recorded again with its start, whatever the clock says", async () => {
    const record = async (startMs: number) => {
      let now = startMs;
      const session = await sessionFixture({ model: DONE_TWICE(), clock: () => (now += 7) });
      started(session, { startedAt: "2026-01-02T03:04:05.000Z" });
      await session.run("go");
      return session.events.map(({ type, data }) => ({ type, data }));
    };
    expect(await record(1_000)).toEqual(await record(999_000_000));
  });

  test("is nothing in a log from elsewhere", async () => {
    const session = await sessionFixture({ model: DONE_TWICE() });
    session.events[0] = { ...session.events[0], data: { runtime: {} } } as unknown as SessionEvent;
    await session.run("go");
    expect(userTexts(session)).toEqual([[{ type: "text", text: "go" }]]);
  });
});

test("a frozen instant is what tools are told, and bounds after it are refused", async () => {
  const told: number[] = [];
  const query: Tool = {
    name: "Query",
    description: "",
    inputSchema: { type: "object" },
    effect: "read",
    native: false,
    timeArgs: ["until"],
    execute: (_input, call) => {
      told.push(call.now());
      return Promise.resolve("rows");
    },
    modelText: String,
  };
  const session = await sessionFixture({
    authoredTools: [query],
    model: scriptedModel([
      {
        parts: [
          ...callParts("c1", "Query", { until: "2026-01-01T00:00:00Z" }),
          ...callParts("c2", "Query", { until: "2026-01-03T00:00:00Z" }),
          ...callParts("c3", "Query", { until: "yesterday" }),
          ...callParts("c4", "Query", {}),
          finishPart("tool-calls"),
        ],
      },
      DONE,
    ]),
  });
  const [started] = session.events;
  if (started?.type !== "session.started" || started.data.playground === undefined) throw new Error("no start");
  const playground = { ...started.data.playground, asOf: "2026-01-02T00:00:00Z" };
  session.events[0] = { ...started, data: { ...started.data, playground } };
  const events = await session.run("go");
  expect(events.flatMap((event) => (event.type === "action.result" ? [event.data.status] : []))).toEqual([
    "completed",
    "failed",
    "failed",
    "failed",
  ]);
  expect(told).toEqual([Date.parse("2026-01-02T00:00:00Z")]);
});
