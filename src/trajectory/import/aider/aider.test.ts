import { describe, expect, test } from "vitest";
import { hasPublished, importCounts, importOne, importPublished, jsonLines, outline } from "../publishedFile.suite";

const shown = (imported: Awaited<ReturnType<typeof importOne>>) =>
  imported.sessions.map(({ events }) => outline(events));

describe.skipIf(!hasPublished)("published files of aider", () => {
  test("a chat of years, counted line by line with other means", async () => {
    const imported = await importPublished("aider/chat-history_4.1MB.md");
    const { usage, ...counts } = importCounts(imported);
    // 1133 headings and what stands before the first; 1776 messages of a person, and 66 chats that begin without one; 664
    // whole SEARCH/REPLACE blocks, of which the program says of 462 that they were applied.
    expect(counts).toEqual({
      format: "aider",
      sessions: 1_134,
      turns: 1_842,
      steps: 1_214,
      toolCalls: 664,
      toolResults: 664,
      failed: 202,
      warnings: {},
    });
    expect(Object.keys(usage).toSorted()).toEqual([
      "cacheReadTokens",
      "cacheWriteTokens",
      "costUsd",
      "inputTokens",
      "outputTokens",
    ]);
  });

  test("a log of what it counts: 140 launches and what was before, 156 messages, 107 answers", async () => {
    const imported = await importPublished("aider/sample-analytics.jsonl");
    expect(importCounts(imported)).toEqual({
      format: "aider",
      sessions: 141,
      turns: 156,
      steps: 107,
      toolCalls: 0,
      toolResults: 0,
      failed: 0,
      usage: { inputTokens: 2_484_349, outputTokens: 45_772, costUsd: expect.closeTo(5.305332, 6) as number },
      warnings: { "content-absent": 1 },
    });
    // Nobody's words name them: model and time do.
    const titles = imported.sessions.map(({ title }) => title);
    expect([titles[0], titles.find((title) => title?.startsWith("gemini/"))]).toEqual([
      "aider · 2025-08-13 15:44:40 UTC",
      "gemini/gemini-2.5-pro · 2025-08-13 15:52:07 UTC",
    ]);
    expect(titles.filter((title) => title === undefined)).toEqual([]);
  });
});

const chat = `
# aider chat started at 2026-01-02 03:04:05

> /bin/aider a.py  
> Aider v0.80.1  
> Main model: some/model with diff edit format  

#### Change the greeting  
#### to hello  

I change it:

a.py
\`\`\`python
<<<<<<< SEARCH
hi
=======
hello
>>>>>>> REPLACE
\`\`\`

> Tokens: 1.2k sent, 3k cache hit, 345 received. Cost: $0.01 message, $0.02 session.  
> Applied edit to a.py  

#### /exit  
# aider chat started at 2026-01-02 04:00:00

#### again
Ja – größer.
`;

describe("a chat of aider", () => {
  test("is a session a heading, a turn a person's lines, a step the model's", async () => {
    const imported = await importOne(chat, ".aider.chat.history.md");
    const answer = chat.slice(chat.indexOf("I change it"), chat.indexOf("\n\n> Tokens"));
    expect(shown(imported)).toEqual([
      [
        "entry: chat-started",
        "entry: aider",
        "turn.started",
        "user: Change the greeting\nto hello",
        "step.started",
        `model: ${answer}`,
        expect.stringMatching(/^calls: search_replace#\S+ \{"path":"a.py","search":"hi","replace":"hello"\}$/),
        expect.stringMatching(/^completed: \S+ "Applied edit to a.py"$/),
        "entry: aider",
        "step.completed",
        "turn.completed",
        "turn.started",
        "user: /exit",
        "turn.completed",
      ],
      [
        "entry: chat-started",
        "turn.started",
        "user: again",
        "step.started",
        "model: Ja – größer.",
        "step.completed",
        "turn.completed",
      ],
    ]);
    expect(importCounts(imported).usage).toEqual({
      inputTokens: 1_200,
      outputTokens: 345,
      cacheReadTokens: 3_000,
      costUsd: 0.01,
    });
    expect([imported.version, imported.sessions[0]?.title]).toEqual(["0.80.1", "Chat of 2026-01-02 03:04:05"]);
  });

  test("says where each message stands, in bytes", async () => {
    const imported = await importOne(chat);
    const [origin] = (imported.sessions[1]?.events ?? []).flatMap(({ type, meta }) =>
      type === "message.completed" ? [meta.origin] : [],
    );
    const bytes = new TextEncoder().encode(chat);
    const { byte = 0, length = 0, line } = origin ?? {};
    expect([line, new TextDecoder().decode(bytes.slice(byte, byte + length))]).toEqual([
      chat.slice(0, chat.indexOf("Ja")).split("\n").length,
      "Ja – größer.",
    ]);
  });

  test("with Windows line ends is the same, and a log of counts with broken lines goes on", async () => {
    const windows = await importOne(chat.replaceAll("\n", "\r\n"));
    expect(shown(windows)[1]).toEqual(shown(await importOne(chat))[1]);
    const sent = {
      event: "message_send",
      properties: { prompt_tokens: 3, completion_tokens: 1 },
      user_id: "u",
      time: 1_767_225_600,
    };
    const imported = await importOne(
      `${jsonLines([sent])}{"event": "mess\n${jsonLines([{ ...sent, properties: { prompt_tokens: "x" } }])}`,
    );
    expect(importCounts(imported)).toMatchObject({
      steps: 2,
      usage: { inputTokens: 3, outputTokens: 1 },
      warnings: { "bad-json": 1, "content-absent": 1 },
    });
  });

  test("has a call for each whole block, and what the program said became of it", async () => {
    const block = (path: string, search: string) =>
      `${path}\n\`\`\`\n<<<<<<< SEARCH\n${search}\n=======\nnew\n>>>>>>> REPLACE\n\`\`\`\n`;
    const text = [
      "# aider chat started at 2026-01-02 03:04:05\n",
      "#### Change them\n",
      `Three:\n\n${block("a.py", "one")}\n${block("b.py", "two")}\n${block("b.py", "three")}`,
      "> # 1 SEARCH/REPLACE block failed to match!",
      "> ## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in b.py  ",
      "> # The other 2 SEARCH/REPLACE blocks were applied successfully.\n",
      `Again:\n\n${block("b.py", "two!")}\n<<<<<<< SEARCH\ncut off\n`,
      "> ^C again to exit\n",
    ].join("\n");
    const { sessions } = await importOne(text);
    const events = sessions[0]?.events ?? [];
    const blocks = new Map(
      events.flatMap(({ type, data }) =>
        type === "actions.requested" ? data.actions.map(({ callId, input }) => [callId, input["search"]] as const) : [],
      ),
    );
    const ends = events.flatMap(({ type, data }) =>
      type === "action.result" ? [[blocks.get(data.result.callId), data.status, data.error?.code]] : [],
    );
    expect(ends).toEqual([
      ["two", "failed", "no-match"],
      ["one", "completed", undefined],
      ["three", "completed", undefined],
      ["two!", "failed", "interrupted"],
    ]);
  });
});
