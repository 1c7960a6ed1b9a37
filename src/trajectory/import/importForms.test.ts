import { describe, expect, test } from "vitest";
import { zipFromEntries } from "../../archive";
import { limits } from "../../base";
import { importCounts, jsonLines, type ImportCounts } from "./publishedFile.suite";
import { importTrajectory } from "./importTrajectory";

const at = "2026-01-01T00:00:00.000Z";
const said = (text: string) => ({ type: "text", text });
const chat = (role: string, content: string) => ({ role, content });
const gemini = (type: string, more: object) => ({ type, timestamp: at, ...more });
const otlp = (spanId: string, seconds: number) => ({
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: [
            {
              traceId: "t",
              spanId,
              name: "chat",
              startTimeUnixNano: `${1_767_225_600 + seconds}000000000`,
              attributes: [
                { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
                { key: "gen_ai.completion.0.role", value: { stringValue: "assistant" } },
                { key: "gen_ai.completion.0.content", value: { stringValue: spanId } },
              ],
            },
          ],
        },
      ],
    },
  ],
});

/** One small log of each format that is written as lines, with its turns and steps. */
const logs: readonly [format: string, turns: number, steps: number, values: readonly object[]][] = [
  [
    "claude-code",
    1,
    1,
    [
      { type: "user", uuid: "u", parentUuid: null, sessionId: "s", timestamp: at, message: chat("user", "go") },
      {
        type: "assistant",
        uuid: "a",
        parentUuid: "u",
        sessionId: "s",
        timestamp: at,
        message: { id: "m", role: "assistant", content: [said("a {b} }{")] },
      },
    ],
  ],
  [
    "codex",
    1,
    1,
    [
      { timestamp: at, type: "session_meta", payload: { id: "s" } },
      { timestamp: at, type: "event_msg", payload: { type: "user_message", message: "go" } },
      { timestamp: at, type: "event_msg", payload: { type: "agent_message", message: "done" } },
    ],
  ],
  [
    "gemini-cli",
    1,
    1,
    [
      { sessionId: "s", projectHash: "p", startTime: at },
      gemini("user", { id: "1", content: "go" }),
      gemini("gemini", { id: "2", content: "done" }),
    ],
  ],
  [
    "gemini-cli",
    1,
    1,
    [
      gemini("init", { session_id: "s", model: "m" }),
      gemini("message", { role: "user", content: "go" }),
      gemini("message", { role: "assistant", content: "done" }),
    ],
  ],
  [
    "cursor",
    1,
    1,
    [
      { role: "user", message: { content: [said("go")] } },
      { role: "assistant", message: { content: [said("done")] } },
    ],
  ],
  [
    "pi",
    1,
    1,
    [
      { type: "session", id: "s", cwd: "/w", timestamp: at },
      { type: "message", timestamp: at, message: chat("user", "go") },
      { type: "message", timestamp: at, message: { ...chat("assistant", "done"), api: "x" } },
    ],
  ],
  [
    "copilot-cli",
    1,
    1,
    [
      { type: "session.start", id: "1", data: { sessionId: "s" } },
      { type: "user.message", id: "2", data: { content: "go" } },
      { type: "assistant.message", id: "3", data: { content: "done" } },
    ],
  ],
  [
    "opencode",
    1,
    2,
    ["m1", "m2"].map((messageID) => ({ type: "text", sessionID: "s", part: { ...said("done"), messageID } })),
  ],
  [
    "openhands-v1",
    1,
    1,
    ["user", "agent"].map((source) => ({
      kind: "MessageEvent",
      id: source,
      source,
      llm_message: { role: source === "user" ? "user" : "assistant", content: [said("words")] },
    })),
  ],
  ["otel", 1, 2, [otlp("one", 1), otlp("two", 2)]],
  ["openai-chat", 2, 2, ["a", "b"].map((text) => ({ messages: [chat("user", text), chat("assistant", text)] }))],
  [
    "ai-sdk",
    1,
    1,
    [
      { id: "1", role: "user", parts: [said("go")] },
      { id: "2", role: "assistant", parts: [said("done")] },
    ],
  ],
  [
    "anthropic",
    1,
    1,
    [
      { type: "message_start", message: { id: "m", role: "assistant", content: [] } },
      { type: "content_block_start", index: 0, content_block: said("") },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "done" } },
      { type: "message_stop" },
    ],
  ],
];

const forms: readonly [string, (values: readonly object[]) => string][] = [
  ["lines", jsonLines],
  ["lines without the last end", (values) => jsonLines(values).trimEnd()],
  ["lines with a BOM and Windows' ends", (values) => `\ufeff${jsonLines(values).replaceAll("\n", "\r\n")}`],
  [
    "lines with blank ones and runs of NUL",
    (values) => `\0\0\n\n${jsonLines(values).replaceAll("\n", "\n\0\0\0\n\n")}`,
  ],
  ["a list", (values) => JSON.stringify(values)],
  ["a list of several lines", (values) => JSON.stringify(values, null, 2)],
  ["values one behind the other", (values) => values.map((value) => JSON.stringify(value)).join("")],
  ["values of several lines", (values) => values.map((value) => JSON.stringify(value, null, 2)).join("\n")],
];

describe.each(logs)("a log of %s with %d turns and %d steps", (format, turns, steps, values) => {
  const expected: Partial<ImportCounts> = { format, turns, steps, warnings: {} };

  test.each(forms)("is the same as %s", async (_name, write) => {
    const imported = await importTrajectory({ files: [{ path: "log", blob: new Blob([write(values)]) }] });
    expect(importCounts(imported)).toMatchObject(expected);
  });

  test("is the same in an archive", async () => {
    const blob = await zipFromEntries([{ path: "log", bytes: new TextEncoder().encode(jsonLines(values)) }]);
    expect(importCounts(await importTrajectory({ files: [{ path: "log.zip", blob }] }))).toMatchObject(expected);
  });

  test("goes on behind a line that breaks off", async () => {
    const [first = "", ...rest] = values.map((value) => JSON.stringify(value));
    const text = `${[first, first.slice(0, -2), ...rest].join("\n")}\n`;
    const imported = await importTrajectory({ files: [{ path: "log", blob: new Blob([text]) }] });
    expect(importCounts(imported)).toMatchObject({ ...expected, warnings: { "bad-json": 1 } });
    expect(imported.warnings[0]).toMatchObject({ line: 2, byteOffset: new TextEncoder().encode(first).length + 1 });
  });
});

test("a list of which not even the first element is whole is read as far as it goes", async () => {
  const rows = JSON.stringify([{ messages: [chat("user", "go"), chat("assistant", "done"), chat("user", "more")] }]);
  const cut = rows.slice(0, rows.indexOf("more"));
  const imported = await importTrajectory({ files: [{ path: "log", blob: new Blob([cut]) }] });
  expect(importCounts(imported)).toMatchObject({ format: "openai-chat", turns: 2, steps: 1, warnings: { cut: 1 } });
});

test("a document with a text longer than a line may be is read whole", async () => {
  const long = "x".repeat(limits.logLineBytes + 1);
  const document = { messages: [chat("user", long), chat("assistant", "done")] };
  const imported = await importTrajectory({ files: [{ path: "log", blob: new Blob([JSON.stringify(document)]) }] });
  expect(importCounts(imported)).toMatchObject({ format: "openai-chat", turns: 1, steps: 1, warnings: {} });
});
