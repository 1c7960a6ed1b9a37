import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, defaultMessageReducer } from "eve/client";
import { afterEach, expect, test } from "vitest";
import { EVENT_STREAM_VERSION, type SessionEvent } from "../session";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { sessionFixture } from "../testing/sessionFixture";
import { ndjsonFromEvents } from "./ndjsonFromEvents";

let server: Server | undefined;
afterEach(() => server?.close());

/** Serves a saved log as an eve server streams a session. */
async function served(events: readonly SessionEvent[]): Promise<string> {
  const lines: string[] = [];
  for await (const line of ndjsonFromEvents(events)) lines.push(line);
  server = createServer((request, response) => {
    if (!request.url?.startsWith("/eve/v1/session/session_1/stream")) {
      response.writeHead(500).end();
      return;
    }
    response.writeHead(200, {
      "content-type": "application/x-ndjson; charset=utf-8",
      "x-eve-stream-version": EVENT_STREAM_VERSION,
      "x-eve-stream-tail-index": String(events.length - 1),
    });
    response.end(lines.join(""));
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("an exported log is read by eve's own client: texts, calls and results come out right", async () => {
  const session = await sessionFixture({
    model: scriptedModel([
      {
        parts: [
          { type: "reasoning-start", id: "r" },
          { type: "reasoning-delta", id: "r", delta: "Look first." },
          { type: "reasoning-end", id: "r" },
          ...textParts("t", "I will ", "read.\u2028"),
          ...callParts("c1", "Read", { path: "/notes.md" }),
          ...callParts("c2", "Read", { path: "/none" }),
          ...callParts("c3", "Write", { path: "/new.md", fileText: "x" }),
          finishPart("tool-calls"),
        ],
      },
      { parts: [...textParts("t", "Done."), finishPart("stop")] },
    ]),
  });
  await session.run("go");
  const host = await served(session.events);
  const snapshot = await new Client({ host }).sessions.attach("session_1").snapshot();
  expect(snapshot.events).toEqual(JSON.parse(JSON.stringify(session.events)));
  const reducer = defaultMessageReducer();
  const { messages } = snapshot.events.reduce((data, event) => reducer.reduce(data, event), reducer.initial());
  expect(messages).toMatchObject([
    { role: "user", parts: [{ type: "text", text: "go" }] },
    {
      role: "assistant",
      metadata: { status: "complete" },
      parts: [
        { type: "step-start" },
        { type: "reasoning", text: "Look first.", state: "done" },
        { type: "text", text: "I will read.\u2028", state: "done" },
        {
          type: "dynamic-tool",
          toolCallId: "c1",
          toolName: "Read",
          state: "output-available",
          input: { path: "/notes.md" },
          output: { content: "one\ntwo\n" },
        },
        { toolCallId: "c2", state: "output-error", errorText: "not found: /none" },
        { toolCallId: "c3", state: "output-available", output: { path: "/new.md", linesCreated: 1, fileSize: 1 } },
        { type: "step-start" },
        { type: "text", text: "Done.", state: "done" },
      ],
    },
  ]);
});

test("a stopped turn is over for eve's client too", async () => {
  const controller = new AbortController();
  const session = await sessionFixture({
    model: scriptedModel([{ parts: textParts("t", "half").slice(0, 2), hang: true }]),
  });
  const turn = session.run("go", { signal: controller.signal });
  setTimeout(() => controller.abort(), 10);
  await turn;
  const host = await served(session.events);
  const { events } = await new Client({ host }).sessions.attach("session_1").snapshot();
  const reducer = defaultMessageReducer();
  const { messages } = events.reduce((data, event) => reducer.reduce(data, event), reducer.initial());
  expect(messages.at(-1)).toMatchObject({
    metadata: { status: "complete" },
    parts: [{ type: "step-start" }, { type: "text", text: "half", state: "done" }],
  });
});
