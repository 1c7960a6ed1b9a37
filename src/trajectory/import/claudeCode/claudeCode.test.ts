import { describe, expect, test } from "vitest";
import { importTrajectory } from "../importTrajectory";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import {
  hasPublished,
  importCounts,
  importOne,
  importPublished,
  jsonLines,
  outline,
  publishedFiles,
} from "../publishedFile.suite";

type Row = readonly [
  file: string,
  sessions: number,
  turns: number,
  steps: number,
  calls: number,
  failed: number,
  usage: readonly [input: number, output: number, cacheRead?: number, cacheWrite?: number] | undefined,
  warnings: object,
];

/**
 * Counted in the files: turns are `user` entries with text that are neither meta nor the program's own, steps the
 * different ids of messages, calls their `tool_use` blocks, failed those with `is_error` or without a result; figures are
 * the last `usage` of each id, what the cache gave and took beside them.
 */
const published: readonly Row[] = [
  // `ExitPlanMode` has no result.
  ["claude-code/agentcmd_askuserquestion.jsonl", 1, 1, 3, 3, 1, [11, 16, 49_327, 33_531], {}],
  ["claude-code/agentsessions_schema_drift.jsonl", 1, 2, 2, 1, 0, undefined, {}],
  ["claude-code/copilot_30530d66.jsonl", 1, 2, 15, 25, 0, [802_193, 4_756, 0, 0], {}],
  ["claude-code/copilot_4c289ca8.jsonl", 1, 2, 5, 5, 0, [29, 538, 78_476, 7_775], {}],
  ["claude-code/copilot_553dd2b5_small.jsonl", 1, 1, 1, 0, 0, [4, 27, 14_996, 428], {}],
  ["claude-code/copilot_b3a7bd3c.jsonl", 1, 1, 2, 4, 0, [24, 4, 15_973, 16_832], {}],
  // One entry is of another session, which nobody said anything in.
  ["claude-code/edge_cases.jsonl", 2, 6, 4, 3, 3, [488, 435, 0, 0], { "bad-field": 2, "not-an-entry": 4 }],
  ["claude-code/scout_agent-atest01.jsonl", 1, 1, 2, 1, 0, [200, 60], {}],
  ["claude-code/scout_agent_session.jsonl", 1, 1, 2, 1, 0, [300, 80], {}],
  ["claude-code/scout_clear_split_session.jsonl", 2, 2, 2, 0, 0, [110, 27], {}],
  ["claude-code/scout_compaction_session.jsonl", 1, 2, 2, 0, 0, [180, 40], {}],
  ["claude-code/todowrite_examples.jsonl", 1, 2, 6, 3, 0, [883, 328], {}],
  ["claude-code/viewer_fe5e1c67_774KB.jsonl", 6, 7, 170, 167, 23, [818, 51_933, 3_647_854, 137_976], {}],
  ["malformed/bom_crlf.jsonl", 1, 1, 1, 0, 0, undefined, {}],
  ["malformed/cc_lone_surrogate.jsonl", 1, 2, 0, 0, 0, undefined, { "result-without-call": 1 }],
  ["malformed/cc_split_message_usage.jsonl", 1, 1, 1, 2, 0, [2, 311, 15_030, 8_655], {}],
  ["malformed/cc_truncated_line_midfile.jsonl", 1, 2, 0, 0, 0, undefined, { "bad-json": 1 }],
  ["malformed/cc_unknown_entry_types.jsonl", 1, 1, 1, 0, 0, undefined, {}],
];

describe.skipIf(!hasPublished)("a published log", () => {
  test.each(published)("has its counts: %s", async (file, sessions, turns, steps, calls, failed, figures, warnings) => {
    const [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens] = figures ?? [];
    const usage = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
    expect(importCounts(await importPublished(file))).toEqual({
      format: "claude-code",
      sessions,
      turns,
      steps,
      toolCalls: calls,
      toolResults: calls,
      failed,
      usage: Object.fromEntries(Object.entries(usage).filter(([, figure]) => figure !== undefined)),
      warnings,
    });
  });

  test("keeps unknown entries raw, with the bytes they stand at", async () => {
    const { sessions } = await importPublished("malformed/cc_unknown_entry_types.jsonl");
    const events = sessions[0]?.events ?? [];
    expect(outline(events).filter((line) => line.startsWith("entry"))).toHaveLength(10);
    const [mode] = events.filter((event) => event.type === "import.entry" && event.data.kind === "mode");
    const bytes = await publishedFiles("malformed/cc_unknown_entry_types.jsonl")[0]?.blob.arrayBuffer();
    const { byte = 0, length = 0 } = mode?.meta.origin ?? {};
    expect(new TextDecoder().decode(bytes?.slice(byte, byte + length))).toBe(
      '{"type":"mode","mode":"normal","sessionId":"mal-1"}',
    );
  });

  test("finds its subagents: in the log, in files of their own, each under the call it worked for", async () => {
    const inline = await importPublished("claude-code/viewer_fe5e1c67_774KB.jsonl");
    expect(inline.sessions.map(({ parent }) => parent?.callId)).toEqual([
      undefined,
      "toolu_01LS6tcVd796SbQKmZqeVnWY",
      "toolu_014i9ThHMNShCHocf9xMKasf",
      "toolu_01EbxY94wRUAGyMLj5wh699C",
      "toolu_017rjDpjVPeNFmAEXNTkoP55",
      "toolu_01EPom7jESzNbU8coiKjzVGS",
    ]);
    const main = publishedFiles("claude-code/copilot_b3a7bd3c.jsonl");
    const agents = publishedFiles("claude-code/copilot_b3a7bd3c_subagents/").map(({ path, blob }) => ({
      path: `copilot_b3a7bd3c/subagents/${path}`,
      blob,
    }));
    const across = await importTrajectory({ files: [...main, ...agents] });
    expect(across.sessions.map(({ id, parent }) => [id, parent?.callId])).toEqual([
      ["b3a7bd3c-5a10-4e7b-8ff0-7fc0cd6d1093", undefined],
      ["agent-a775a67", "toolu_013bNjaTFag27GsNzFPHgcxj"],
      ["agent-ae52dab", "toolu_01V1mza2UpeLsKrJjzB1ZobG"],
      ["agent-aa9d784", "toolu_018BhXz4XjogjHLbQENTjxPD"],
      ["agent-ac47f8c", "toolu_01JH2YdnQf63jQ5uNFhSnxA1"],
    ]);
    expect(importCounts(across)).toMatchObject({ turns: 5, steps: 10, toolCalls: 8, toolResults: 8, failed: 0 });
  });

  test("tells questions a person was asked, and what a compaction left", async () => {
    const asked = await importPublished("claude-code/agentcmd_askuserquestion.jsonl");
    expect(outline(asked.sessions[0]?.events ?? []).filter((line) => line.startsWith("input "))).toEqual([
      "input answered",
      "input answered",
      "input answered",
    ]);
    const compacted = await importPublished("claude-code/scout_compaction_session.jsonl");
    const found = compacted.sessions[0]?.events.find(({ type }) => type === "compaction.completed");
    expect(found?.data).toMatchObject({ summary: expect.stringMatching(/^Summary of previous conversation/) });
  });
});

let uuids = 0;
const entry = (type: string, fields: object, parent?: string | null) => ({
  type,
  uuid: `u${uuids++}`,
  parentUuid: parent ?? (uuids === 1 ? null : `u${uuids - 2}`),
  sessionId: "s1",
  isSidechain: false,
  timestamp: new Date(Date.UTC(2026, 0, 1) + uuids * 1_000).toISOString(),
  version: "2.1.0",
  cwd: "/work",
  ...fields,
});
const user = (content: unknown, fields: object = {}, parent?: string) =>
  entry("user", { message: { role: "user", content }, ...fields }, parent);
const model = (id: string, block: unknown, fields: object = {}, parent?: string) =>
  entry("assistant", { message: { id, role: "assistant", model: "claude-x", content: [block] }, ...fields }, parent);
const say = (text: string) => ({ type: "text", text });
const uses = (id: string, name: string, input: object = {}) => ({ type: "tool_use", id, name, input });
const result = (id: string, content: unknown, more: object = {}) => [
  { type: "tool_result", tool_use_id: id, content, ...more },
];
const log = (make: () => readonly unknown[]) => {
  uuids = 0;
  return jsonLines(make());
};

describe("a log", () => {
  test("is read along its chain: lines out of order change nothing", async () => {
    const entries = () => [
      user("go"),
      model("m1", uses("c1", "Bash")),
      user(result("c1", "ok")),
      model("m2", say("done")),
    ];
    const inOrder = await importOne(log(entries));
    const shuffled = await importOne(log(() => entries().toReversed()));
    expect(outline(shuffled.sessions[0]?.events ?? [])).toEqual(outline(inOrder.sessions[0]?.events ?? []));
    expect(shuffled.sessions).toHaveLength(1);
  });

  test("shows the newest of its branches and offers the others, counting nothing twice", async () => {
    const forked = await importOne(
      log(() => [
        user("go"),
        model("m1", say("hello")),
        user("first try"),
        model("m2", say("first answer")),
        user("second try", {}, "u1"),
        model("m3", say("second answer")),
      ]),
    );
    expect(forked.sessions.map(({ id, events }) => [id, outline(events)])).toEqual([
      [
        "s1",
        [
          "turn.started",
          "user: go",
          "step.started",
          "model: hello",
          "step.completed",
          "turn.completed",
          "turn.started",
          "user: second try",
          "step.started",
          "model: second answer",
          "step.completed",
          "turn.completed",
        ],
      ],
      [
        "s1-2",
        [
          "entry: branch",
          "turn.started",
          "user: first try",
          "step.started",
          "model: first answer",
          "step.completed",
          "turn.completed",
        ],
      ],
    ]);
    expect(forked.sessions[1]?.events[0]?.data).toMatchObject({ predecessor: { sessionId: "s1" } });
    expect(forked.sessions[1]?.events[1]?.data).toMatchObject({ session: { branch: "Branch 1" } });
  });

  test("has the results of calls made side by side, which hang beside its chain", async () => {
    const parallel = await importOne(
      log(() => [
        user("go"),
        model("m1", uses("a", "Read")),
        model("m1", uses("b", "Read")),
        user(result("a", "A"), {}, "u1"),
        user(result("b", "B"), {}, "u2"),
        model("m2", say("both")),
      ]),
    );
    expect(importCounts(parallel)).toMatchObject({ sessions: 1, turns: 1, steps: 2, toolCalls: 2, failed: 0 });
  });

  test("tells an interrupt, and the call it cut", async () => {
    const interrupted = await importOne(
      log(() => [
        user("go"),
        model("m1", uses("c1", "Bash", { command: "sleep 9" })),
        user([say("[Request interrupted by user for tool use]")]),
        user("something else"),
        model("m2", say("yes")),
      ]),
    );
    expect(outline(interrupted.sessions[0]?.events ?? [])).toEqual([
      "turn.started",
      "user: go",
      "step.started",
      'calls: Bash#c1 {"command":"sleep 9"}',
      'failed: c1 "The recording holds no result of this call." (interrupted)',
      "step.completed",
      "turn.cancelled",
      "entry: interrupt",
      "turn.started",
      "user: something else",
      "step.started",
      "model: yes",
      "step.completed",
      "turn.completed",
    ]);
  });

  test("tells an error of the provider, and keeps what the program says in the model's place raw", async () => {
    const failed = { isApiErrorMessage: true, error: "overloaded" };
    const { sessions } = await importOne(
      log(() => [
        user("go"),
        entry("assistant", {
          message: { id: "m1", model: "<synthetic>", content: [say("API Error: 529")] },
          ...failed,
        }),
        user("again"),
        entry("assistant", { message: { id: "m2", model: "<synthetic>", content: [say("No response requested.")] } }),
      ]),
    );
    expect(outline(sessions[0]?.events ?? [])).toEqual([
      "turn.started",
      "user: go",
      "step.started",
      "model: API Error: 529",
      "step.failed: overloaded",
      "turn.failed: overloaded",
      "turn.started",
      "user: again",
      "entry: synthetic",
      "turn.completed",
    ]);
  });

  test("tells a refusal with the word that came with it", async () => {
    const said =
      "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nuse tabs";
    const { sessions } = await importOne(
      log(() => [
        user("go"),
        model("m1", uses("c1", "Write", { file_path: "/a" })),
        user(result("c1", said, { is_error: true }), { toolUseResult: "User rejected tool use" }),
      ]),
    );
    expect(outline(sessions[0]?.events ?? []).slice(4, 7)).toEqual([
      "input.requested",
      "input denied",
      `rejected: c1 ${JSON.stringify(said)} (denied)`,
    ]);
    const resolved = sessions[0]?.events.find(({ type }) => type === "input.resolved");
    expect(resolved?.data).toMatchObject({ resolutions: [{ response: { optionId: "deny", text: "use tabs" } }] });
  });

  test("shows what was on the disk: files read, and before and after edits", async () => {
    const { sessions, blobs, fidelity } = await importOne(
      log(() => [
        user("go"),
        model("m1", uses("r", "Read", { file_path: "/work/a" })),
        user(result("r", "1\tone"), {
          toolUseResult: {
            type: "text",
            file: { filePath: "/work/a", content: "one", numLines: 1, startLine: 1, totalLines: 1 },
          },
        }),
        model("m2", uses("e", "Edit", { file_path: "/work/a" })),
        user(result("e", "ok"), {
          toolUseResult: {
            filePath: "/work/a",
            oldString: "one",
            newString: "$&",
            originalFile: "one",
            replaceAll: false,
          },
        }),
      ]),
    );
    const evidence = sessions[0]?.events.flatMap((event) =>
      event.type === "action.result" ? (event.data.evidence ?? []) : [],
    );
    expect(evidence?.map(({ path, known, blob }) => [path, known, new TextDecoder().decode(blobs.get(blob))])).toEqual([
      ["/work/a", "full", "one"],
      ["/work/a", "before", "one"],
      ["/work/a", "after", "$&"],
    ]);
    expect(fidelity.files).toBe("inferred");
  });

  test("puts images into the blobs", async () => {
    const source = { type: "base64", media_type: "image/png", data: "AAEC" };
    const { sessions, blobs } = await importOne(log(() => [user([say("look"), { type: "image", source }])]));
    const message = sessions[0]?.events.find(({ type }) => type === "message.received");
    expect(message?.data).toMatchObject({
      message: "look",
      parts: [{ type: "image", mediaType: "image/png", sizeBytes: 3, blob: [...blobs.keys()][0] }],
    });
  });

  test("counts an entry that a second file copies once", async () => {
    const first = log(() => [user("go"), model("m1", say("hello"))]);
    const copied = log(() => [
      user("go", { sessionId: "s2" }),
      model("m1", say("hello"), { sessionId: "s2" }),
      user("more", { sessionId: "s2" }),
      model("m2", say("yes"), { sessionId: "s2" }),
    ]);
    const both = await importTrajectory({
      files: [
        { path: "b.jsonl", blob: new Blob([copied]) },
        { path: "a.jsonl", blob: new Blob([first]) },
      ],
    });
    expect(importCounts(both)).toMatchObject({ sessions: 2, turns: 2, steps: 2 });
  });

  test("of stream-json tells how it ended, what it cost and what was refused", async () => {
    const stream = jsonLines([
      { type: "system", subtype: "init", session_id: "s9", cwd: "/w", model: "claude-x", tools: ["Read", "Task"] },
      {
        type: "assistant",
        session_id: "s9",
        parent_tool_use_id: null,
        message: {
          id: "m1",
          model: "claude-x",
          content: [uses("c1", "Bash"), uses("t1", "Task", { prompt: "look" })],
          usage: { input_tokens: 5, output_tokens: 7 },
        },
      },
      {
        type: "assistant",
        session_id: "s9",
        parent_tool_use_id: "t1",
        message: { id: "m2", content: [say("inside")] },
      },
      {
        type: "user",
        session_id: "s9",
        parent_tool_use_id: null,
        message: {
          role: "user",
          content: [...result("c1", "This command requires approval", { is_error: true }), ...result("t1", "looked")],
        },
      },
      {
        type: "result",
        subtype: "error_max_turns",
        is_error: false,
        session_id: "s9",
        total_cost_usd: 0.25,
        permission_denials: [{ tool_name: "Bash", tool_use_id: "c1" }],
      },
    ]);
    const imported = await importOne(stream);
    expect(importCounts(imported)).toEqual({
      format: "claude-code",
      sessions: 2,
      turns: 2,
      steps: 2,
      toolCalls: 2,
      toolResults: 2,
      failed: 1,
      usage: { inputTokens: 5, outputTokens: 7, costUsd: 0.25 },
      warnings: {},
    });
    const [main, agent] = imported.sessions;
    expect(outline(main?.events ?? []).slice(-7)).toEqual([
      "input.requested",
      "input denied",
      'rejected: c1 "This command requires approval" (denied)',
      'completed: t1 "looked"',
      "step.completed",
      "turn.failed: error_max_turns",
      "entry: result",
    ]);
    expect(agent?.parent).toEqual({ sessionId: "s9", callId: "t1" });
  });

  test("whose responses have no ids of their own has another one after each result of one request", async () => {
    const said = (block: object) =>
      entry("assistant", { requestId: "r1", message: { role: "assistant", model: "claude-x", content: [block] } });
    const imported = await importOne(
      log(() => [
        user("go"),
        said(say("I look")),
        said(uses("c1", "Bash")),
        user(result("c1", "a")),
        said(say("Done")),
      ]),
    );
    expect(importCounts(imported)).toMatchObject({ steps: 2, toolCalls: 1, failed: 0 });
  });

  test("has the calls of its subagents from the files beside their logs", async () => {
    const sidecars = [
      { agentType: "Explore", description: "files", toolUseId: "t2", spawnDepth: 1 },
      { agentType: "Explore", description: "tests", spawnDepth: 1 },
    ];
    const agent = (id: string) => {
      uuids += 100;
      return jsonLines([user("other words", { isSidechain: true, agentId: id, parentUuid: null })]);
    };
    const tasks = [uses("t1", "Agent", { description: "tests" }), uses("t2", "Agent", { description: "tests" })];
    const files = [
      { path: "s1.jsonl", text: log(() => [user("go"), ...tasks.map((task, index) => model(`m${index}`, task))]) },
      { path: "s1/subagents/agent-a.jsonl", text: agent("a") },
      { path: "s1/subagents/agent-a.meta.json", text: JSON.stringify(sidecars[0]) },
      { path: "s1/subagents/agent-b.jsonl", text: agent("b") },
      { path: "s1/subagents/agent-b.meta.json", text: JSON.stringify(sidecars[1]) },
    ].map(({ path, text }) => ({ path, blob: new Blob([text]) }));
    const { sessions, warnings } = await importTrajectory({ files });
    expect(warnings).toEqual([]);
    expect(sessions.map(({ title, parent }) => [title, parent])).toEqual([
      [undefined, undefined],
      ["files", { sessionId: "s1", callId: "t2" }],
      ["tests", { sessionId: "s1", callId: "t1" }],
    ]);
  });

  test("that begins with a command is named by what was typed, unless it has a name: a summary of another one is none", async () => {
    const command = (fields: object = {}) =>
      user(
        "<command-message>plan is running…</command-message>\n<command-name>/plan</command-name>\n<command-args>a list, please</command-args>",
        fields,
      );
    const titleOf = async (make: () => readonly unknown[]) => (await importOne(log(make))).sessions[0]?.title;
    const elsewhere = { type: "summary", summary: "Of another", leafUuid: "elsewhere" };
    expect([
      await titleOf(() => [command(), model("m1", say("Yes")), user("<command-name>/other</command-name>")]),
      await titleOf(() => [elsewhere, command()]),
      await titleOf(() => [{ ...elsewhere, summary: "Its own", leafUuid: "u0" }, command()]),
      await titleOf(() => [entry("custom-title", { customTitle: "Given" }), command()]),
      await titleOf(() => [user("<command-name>/init</command-name>\n<command-args></command-args>")]),
      await titleOf(() => [user("what does <command-name>/plan</command-name> do?")]),
    ]).toEqual(["/plan a list, please", "/plan a list, please", "Its own", "Given", "/init", undefined]);
    // A line that names no session stands before the first that does.
    expect((await importOne(log(() => [elsewhere, command()]))).sessions.map(({ id }) => id)).toEqual(["s1"]);
  });

  test("is read whatever of it is of another type", async () => {
    uuids = 0;
    const noted = {
      filePath: "/a",
      originalFile: "x",
      oldString: "x",
      newString: "y",
      answers: { q: "a" },
      questions: [{ question: "q" }],
    };
    const entries = [
      user([say("go"), { type: "image", source: { type: "base64", media_type: "image/png", data: "AA" } }]),
      model("m1", uses("c1", "Task", { prompt: "look" })),
      user(result("c1", [say("done")], { is_error: true }), { toolUseResult: noted }),
      entry("system", { subtype: "compact_boundary", compactMetadata: { preTokens: 5 } }),
      user("so far", { isCompactSummary: true }),
      user("look", { isSidechain: true, agentId: "1", parentUuid: null }),
      { type: "summary", summary: "A title", leafUuid: "u0" },
    ];
    await expectMutationsToBeRead(entries, (copy) =>
      Array.isArray(copy) ? jsonLines(copy as unknown[]) : JSON.stringify(copy),
    );
  });
});
