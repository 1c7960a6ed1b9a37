import { describe, expect, test } from "vitest";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { hasPublished, importCounts, importOne, importPublished, jsonLines, outline } from "../publishedFile.suite";

const shown = (imported: Awaited<ReturnType<typeof importOne>>) =>
  imported.sessions.map(({ events }) => outline(events));

describe.skipIf(!hasPublished)("a published session of Pi", () => {
  test("has every message, and the calls whose results are not in it as interrupted", async () => {
    const imported = await importPublished("pi/before-compaction_2.3MB.jsonl");
    // Of 454 calls 448 have a result, 12 of them an error; 6 have none.
    expect(importCounts(imported)).toEqual({
      format: "pi",
      sessions: 1,
      turns: 55,
      steps: 484,
      toolCalls: 454,
      toolResults: 454,
      failed: 18,
      usage: {
        inputTokens: 3_689,
        outputTokens: 187_895,
        cacheReadTokens: 54_693_675,
        cacheWriteTokens: 1_685_320,
        costUsd: expect.closeTo(42.5959, 4) as number,
      },
      warnings: {},
    });
    const kinds = imported.sessions[0]?.events.map(({ type }) => type) ?? [];
    expect(kinds.filter((type) => type === "compaction.completed").length).toBe(2);
    expect(kinds.filter((type) => type === "turn.cancelled").length).toBe(18);
  });
});

const header = {
  type: "session",
  version: 3,
  id: "s",
  timestamp: "2026-01-01T00:00:00Z",
  cwd: "/w",
  parentSession: "/x/2026_d97339c6-6c10-4827-846b-9ff1d9c3dc37.jsonl",
};
const entry = (id: string, parentId: string | null, message: object, type = "message") => ({
  type,
  id,
  parentId,
  timestamp: "2026-01-01T00:00:01Z",
  ...(type === "message" ? { message } : message),
});
const user = (content: unknown) => ({ role: "user", content });
const says = (content: object[], more: object = {}) => ({
  role: "assistant",
  api: "a",
  model: "m",
  content,
  stopReason: "stop",
  ...more,
});
const text = (words: string) => ({ type: "text", text: words });

describe("a session of Pi", () => {
  test("shows the newest way through its tree, and what was left as branches", async () => {
    const imported = await importOne(
      jsonLines([
        header,
        entry("1", null, user("go")),
        entry("2", "1", says([text("left")])),
        entry(
          "3",
          "1",
          says([{ type: "thinking", thinking: "hm" }, text("right")], { usage: { input: 3, output: 1 } }),
        ),
        entry("4", "3", { summary: "So far", tokensBefore: 9 }, "compaction"),
        entry("i", "4", { name: "A title" }, "session_info"),
        entry("5", "i", user([text("look"), { type: "image", data: "aGk=", mimeType: "image/png" }])),
      ]),
    );
    expect(shown(imported)).toEqual([
      [
        "turn.started",
        "user: go",
        "step.started",
        "thinks: hm",
        "model: right",
        "compaction.requested",
        "compaction.completed",
        "entry: session_info",
        "step.completed",
        "turn.completed",
        "turn.started",
        "user: look",
        "turn.completed",
      ],
      ["entry: user", "turn.started", "step.started", "model: left", "step.completed", "turn.completed"],
    ]);
    expect([imported.version, imported.sessions[0]?.title, imported.blobs.size, importCounts(imported).usage]).toEqual([
      "3",
      "A title",
      1,
      { inputTokens: 3, outputTokens: 1 },
    ]);
    const [main, branch] = imported.sessions.map(({ events }) => events[0]?.data);
    expect(main).toMatchObject({ predecessor: { sessionId: "d97339c6-6c10-4827-846b-9ff1d9c3dc37" } });
    expect(branch).toMatchObject({ predecessor: { sessionId: "s" } });
  });

  test("tells of calls that failed, of answers that broke off, and of what a person ran", async () => {
    const call = { type: "toolCall", id: "c", name: "bash", arguments: { command: "x" } };
    const imported = await importOne(
      jsonLines([
        header,
        entry("1", null, user("go")),
        entry("2", "1", says([call], { stopReason: "toolUse" })),
        entry("3", "2", {
          role: "toolResult",
          toolCallId: "c",
          toolName: "bash",
          content: [text("no")],
          isError: true,
        }),
        entry("4", "3", says([], { stopReason: "error", errorMessage: "overloaded" })),
        entry("5", "4", { role: "bashExecution", command: "ls", output: "a" }),
        entry("6", "5", says([text("I")], { stopReason: "aborted" })),
      ]),
    );
    expect(shown(imported)).toEqual([
      [
        "turn.started",
        "user: go",
        "step.started",
        'calls: bash#c {"command":"x"}',
        'failed: c "no" (tool-error)',
        "step.completed",
        "step.started",
        "step.failed: model-error",
        "entry: bashExecution",
        "step.started",
        "model: I",
        "step.completed",
        "turn.cancelled",
      ],
    ]);
  });

  test("with anything in it changed for something else ends, and has one result a call", async () => {
    const call = { type: "toolCall", id: "c", name: "bash", arguments: { command: "x" } };
    const result = { role: "toolResult", toolCallId: "c", toolName: "bash", content: [text("no")], isError: true };
    const lines = [
      header,
      entry("1", null, user("go")),
      entry("2", "1", says([call])),
      entry("3", "2", result),
      entry("4", "1", user("on")),
    ];
    await expectMutationsToBeRead(lines, (copy) => jsonLines(Array.isArray(copy) ? copy : [copy]));
  });

  test("with values of any kind in any place is read as far as it goes", async () => {
    for (const value of [null, 0, "x", [], {}, [[null]]]) {
      const odd = ["role", "content", "usage", "stopReason", "toolCallId", "timestamp"].map((name, index) =>
        entry(`o${index}`, null, { ...says([text("a")]), [name]: value }),
      );
      const places = ["id", "parentId", "type", "message", "timestamp"].map((name) => ({
        ...entry("x", "1", user("b")),
        [name]: value,
      }));
      const imported = await importOne(
        jsonLines([header, entry("1", null, user("go")), value, ...odd, ...places, entry("z", null, user("end"))]),
      );
      expect(imported.warnings.filter(({ code }) => code === "reader-failed")).toEqual([]);
      expect(shown(imported)[0]).toContain("user: end");
    }
  });

  test("as a run prints it has each message once, and one it broke off in as far as it came", async () => {
    const said = (role: string, words: string, more: object = {}) => ({
      role,
      content: [text(words)],
      ...more,
    });
    const imported = await importOne(
      jsonLines([
        { type: "session", version: 3, id: "s1", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/w" },
        { type: "message_start", message: said("user", "hi") },
        { type: "message_end", message: said("user", "hi") },
        { type: "message_start", message: said("assistant", "") },
        { type: "message_update", message: said("assistant", "He") },
        { type: "message_end", message: said("assistant", "Hello", { usage: { input: 2, output: 1 } }) },
        { type: "message_start", message: said("assistant", "") },
        { type: "message_update", message: said("assistant", "And th") },
      ]),
    );
    expect(outline(imported.sessions[0]?.events ?? [])).toEqual([
      "turn.started",
      "user: hi",
      "step.started",
      "model: Hello",
      "step.completed",
      "step.started",
      "model: And th",
      "step.completed",
      "turn.completed",
    ]);
    expect(importCounts(imported).usage).toEqual({ inputTokens: 2, outputTokens: 1 });
  });
});
