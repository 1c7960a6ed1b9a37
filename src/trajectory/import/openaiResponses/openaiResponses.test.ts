import { describe, expect, test } from "vitest";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { hasPublished, importCounts, importOne, importPublished, jsonLines, outline } from "../publishedFile.suite";

describe.skipIf(!hasPublished)("a published response", () => {
  // By hand, from the items of `response.completed` or of the document, and its usage.
  test.each([
    [
      "compaction.1.json",
      { toolCalls: 0, toolResults: 0 },
      { inputTokens: 51097, outputTokens: 2056, cacheReadTokens: 0 },
    ],
    [
      "mcp-tool.1.chunks.txt",
      { toolCalls: 2, toolResults: 2 },
      { inputTokens: 11791, outputTokens: 963, cacheReadTokens: 0 },
    ],
    [
      "shell-skills.1.chunks.txt",
      { toolCalls: 2, toolResults: 2 },
      { inputTokens: 1501, outputTokens: 314, cacheReadTokens: 1024 },
    ],
  ])("is one step: %s", async (name, calls, usage) => {
    const imported = await importPublished(`openai-responses/vercelai_openai-${name}`);
    const counts = { format: "openai-responses", sessions: 1, turns: 1, steps: 1, failed: 0, warnings: {} };
    expect(importCounts(imported)).toEqual({ ...counts, ...calls, usage });
  });

  test("shows its compaction", async () => {
    const { sessions } = await importPublished("openai-responses/vercelai_openai-compaction.1.json");
    expect(sessions[0]?.events.map(({ type }) => type)).toEqual([
      "session.started",
      "import.source",
      "turn.started",
      "step.started",
      "message.completed",
      "compaction.requested",
      "compaction.completed",
      "step.completed",
      "turn.completed",
    ]);
  });

  test("names the tools of a server and what they were given", async () => {
    const { sessions } = await importPublished("openai-responses/vercelai_openai-mcp-tool.1.chunks.txt");
    const actions = sessions[0]?.events.flatMap(({ type, data }) => (type === "actions.requested" ? data.actions : []));
    expect(
      actions?.map(({ callId, toolName, input, providerMetadata }) => ({ callId, toolName, input, providerMetadata })),
    ).toEqual([
      {
        callId: "mcp_0c72b1033351981300690ccf7fa1f0819392a313d0805746c8",
        toolName: "web_search_exa",
        input: { query: "2025 New York City mayoral election results Nov 2025 latest results", numResults: 5 },
        providerMetadata: { openai: { serverLabel: "dmcp" } },
      },
      {
        callId: "mcp_0c72b1033351981300690ccf8bdcd8819383bd64316c8519a2",
        toolName: "web_search_exa",
        input: {
          query: "NYC Board of Elections 2025 mayoral results Zohran Mamdani NYC Board of Elections results 2025 mayor",
          numResults: 5,
        },
        providerMetadata: { openai: { serverLabel: "dmcp" } },
      },
    ]);
  });
});

const items = [
  { role: "user", content: "Read a and b" },
  { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Both." }], encrypted_content: "sealed" },
  { type: "function_call", id: "fc_1", call_id: "call_1", name: "read", arguments: '{"path":"a"}' },
  { type: "custom_tool_call", id: "ctc_1", call_id: "call_2", name: "apply_patch", input: "*** Begin Patch" },
  { type: "function_call_output", call_id: "call_1", output: "a's text" },
  { type: "custom_tool_call_output", call_id: "call_2", output: [{ type: "input_text", text: "patched" }] },
  { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "Done." }] },
];

const readItems = [
  "turn.started",
  "user: Read a and b",
  "step.started",
  "thinks: Both.",
  'calls: read#call_1 {"path":"a"}',
  "calls: apply_patch#call_2 *** Begin Patch",
  'completed: call_1 "a\'s text"',
  'completed: call_2 "patched"',
  "step.completed",
  "step.started",
  "model: Done.",
  "step.completed",
  "turn.completed",
];

describe("items of responses", () => {
  test.each([
    ["a list", JSON.stringify(items)],
    ["lines", jsonLines(items)],
  ])("are read from %s", async (_name, content) => {
    const imported = await importOne(content);
    expect([imported.format, imported.sessions.map(({ events }) => outline(events))]).toEqual([
      "openai-responses",
      [readItems],
    ]);
  });

  test("are read from the input of a request, calls of one record together", async () => {
    const { format, sessions } = await importOne({ model: "m", input: items });
    const [user, text, begun, thinks, , , ...rest] = readItems;
    const calls = 'calls: read#call_1 {"path":"a"}, apply_patch#call_2 *** Begin Patch';
    expect([format, sessions.map(({ events }) => outline(events))]).toEqual([
      "openai-responses",
      [[user, text, begun, thinks, calls, ...rest]],
    ]);
  });

  test("keep a sealed reasoning to be sent back", async () => {
    const { sessions } = await importOne(items);
    const reasoning = sessions[0]?.events.find(({ type }) => type === "reasoning.completed");
    expect(reasoning?.data).toMatchObject({
      reasoning: "Both.",
      providerMetadata: { openai: { itemId: "rs_1", reasoningEncryptedContent: "sealed" } },
    });
  });

  test("of responses that follow each other are one session, told once", async () => {
    const [user, ...rest] = items;
    const usage = { input_tokens: 5, output_tokens: 2, input_tokens_details: { cached_tokens: 1 } };
    const first = {
      id: "resp_1",
      object: "response",
      status: "completed",
      model: "m",
      output: rest.slice(0, 3),
      usage,
    };
    const second = {
      id: "resp_2",
      object: "response",
      previous_response_id: "resp_1",
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      model: "m",
      output: rest.slice(5),
      usage,
    };
    const rows = [
      { request: { model: "m", instructions: "Help.", input: [user] }, response: first },
      { request: { input: items.slice(0, 6), previous_response_id: "resp_1" }, response: second },
    ];
    const [exchange] = rows;
    expect(importCounts(await importOne(exchange))).toMatchObject({
      turns: 1,
      steps: 1,
      toolCalls: 2,
      toolResults: 2,
      failed: 2,
    });
    const imported = await importOne(
      jsonLines([exchange, { ...rows[1], request: { input: items.slice(4, 6), previous_response_id: "resp_1" } }]),
    );
    expect(importCounts(imported)).toEqual({
      format: "openai-responses",
      sessions: 1,
      turns: 1,
      steps: 2,
      toolCalls: 2,
      toolResults: 2,
      failed: 0,
      usage: { inputTokens: 10, outputTokens: 4, cacheReadTokens: 2 },
      warnings: {},
    });
    const ends = imported.sessions[0]?.events.flatMap(({ type, data }) =>
      type === "step.completed" ? [data.finishReason] : [],
    );
    expect(ends).toEqual(["tool-calls", "length"]);
  });

  test("hold a person's approval and refusal of a server's call", async () => {
    const asked = (id: string) => ({
      type: "mcp_approval_request",
      id,
      name: "delete",
      server_label: "s",
      arguments: "{}",
    });
    const imported = await importOne([
      { role: "user", content: "clean up" },
      asked("mcpr_1"),
      asked("mcpr_2"),
      { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: true },
      { type: "mcp_approval_response", approval_request_id: "mcpr_2", approve: false, reason: "not that" },
      {
        type: "mcp_call",
        id: "mcp_1",
        approval_request_id: "mcpr_1",
        name: "delete",
        server_label: "s",
        arguments: "{}",
        output: "gone",
      },
    ]);
    expect(imported.sessions.map(({ events }) => outline(events))).toEqual([
      [
        "turn.started",
        "user: clean up",
        "step.started",
        "calls: delete#mcpr_1 {}",
        "calls: delete#mcpr_2 {}",
        "input.requested",
        "input approved",
        "input.requested",
        "input denied",
        "step.completed",
        "step.started",
        'completed: mcpr_1 "gone"',
        'rejected: mcpr_2 "not that" (denied)',
        "step.completed",
        "turn.completed",
      ],
    ]);
  });

  test("that a server keeps nothing of are told once, though each request repeats them", async () => {
    const strip = (item: object) => Object.fromEntries(Object.entries(item).filter(([name]) => name !== "id"));
    const response = (id: string, output: readonly unknown[]) => ({
      id,
      object: "response",
      status: "completed",
      output,
    });
    const rows = [
      { request: { input: items.slice(0, 1) }, response: response("r1", items.slice(1, 4)) },
      { request: { input: items.slice(0, 6).map(strip) }, response: response("r2", items.slice(6)) },
      { request: { input: [...items.map(strip), { role: "user", content: "More" }] }, response: response("r3", []) },
    ];
    const imported = await importOne(jsonLines(rows));
    const counts = { sessions: 1, turns: 2, steps: 3, toolCalls: 2, toolResults: 2, failed: 0, warnings: {} };
    expect(importCounts(imported)).toMatchObject(counts);
  });

  test("of a shell fail when a command did", async () => {
    const shell = (callId: string, outcome: object) => [
      { type: "shell_call", id: `sh_${callId}`, call_id: callId, action: { commands: ["x"] } },
      { type: "shell_call_output", call_id: callId, output: [{ stdout: "", stderr: "", outcome }] },
    ];
    const { sessions } = await importOne([
      ...shell("a", { type: "exit", exit_code: 0 }),
      ...shell("b", { type: "exit", exit_code: 2 }),
      ...shell("c", { type: "timeout" }),
    ]);
    const results = sessions[0]?.events.flatMap(({ type, data }) =>
      type === "action.result" ? [[data.toolName, data.status, data.error?.code]] : [],
    );
    expect(results).toEqual([
      ["shell", "completed", undefined],
      ["shell", "failed", "exit-code"],
      ["shell", "failed", "timeout"],
    ]);
  });

  test("run programs and search for tools", async () => {
    const { sessions } = await importOne({
      object: "response",
      status: "completed",
      output: [
        { id: "tsc_1", type: "tool_search_call", status: "completed", arguments: { paths: ["a"] }, call_id: null },
        {
          id: "tso_1",
          type: "tool_search_output",
          status: "completed",
          call_id: null,
          tools: [{ type: "function", name: "a" }],
        },
        { id: "cm_1", type: "program", call_id: "call_1", code: "run()" },
        { id: "cmo_1", type: "program_output", call_id: "call_1", output: "ran" },
        { id: "mcpr_1", type: "mcp_approval_request", name: "x", arguments: "{}", server_label: "s" },
        { id: "mcp_1", type: "mcp_call", approval_request_id: "mcpr_1", name: "x", arguments: "{}", output: "ok" },
        { id: "new_1", type: "something_new", value: 1 },
      ],
    });
    expect(outline(sessions[0]?.events ?? []).slice(2, -2)).toEqual([
      'calls: tool_search#tsc_1 {"paths":["a"]}',
      'completed: tsc_1 [{"type":"function","name":"a"}]',
      'calls: program#call_1 {"code":"run()"}',
      'completed: call_1 "ran"',
      "calls: x#mcpr_1 {}",
      "input.requested",
      "input approved",
      'completed: mcpr_1 "ok"',
      "entry: something_new",
    ]);
  });

  test("of a stream that was cut are kept as far as they came, with a warning", async () => {
    const events = [
      {
        type: "response.created",
        response: { id: "resp_1", object: "response", status: "in_progress", model: "m", output: [] },
      },
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { type: "function_call", id: "fc_1", call_id: "call_1", name: "read", arguments: "" },
      },
      { type: "response.function_call_arguments.delta", output_index: 0, item_id: "fc_1", delta: '{"pa' },
      {
        type: "response.output_item.done",
        output_index: 1,
        item: {
          type: "message",
          id: "msg_1",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "So" }],
        },
      },
    ];
    const imported = await importOne(
      events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
    );
    expect([imported.sessions.map(({ events: log }) => outline(log)), importCounts(imported).warnings]).toEqual([
      [
        [
          "turn.started",
          "step.started",
          'calls: read#call_1 {"pa',
          "model: So",
          'failed: call_1 "The recording holds no result of this call." (interrupted)',
          "step.completed",
          "turn.failed: interrupted",
        ],
      ],
      { "stream-cut": 1 },
    ]);
  });

  test("of the provider's own tools are call and result at once", async () => {
    const { sessions } = await importOne({
      object: "response",
      status: "failed",
      error: { code: "server_error", message: "broke" },
      output: [
        { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "q" } },
        {
          type: "code_interpreter_call",
          id: "ci_1",
          status: "completed",
          code: "1+1",
          outputs: [{ type: "logs", logs: "2" }],
        },
        {
          type: "mcp_call",
          id: "mcp_1",
          name: "x",
          arguments: "{}",
          error: { type: "http_error", code: 500, message: "down" },
        },
        {
          type: "image_generation_call",
          id: "ig_1",
          status: "completed",
          result: Buffer.from("a picture of some bytes").toString("base64"),
        },
        { type: "file_search_call", id: "fs_1", status: "in_progress", queries: ["q"] },
      ],
    });
    const events = sessions[0]?.events ?? [];
    const results = events.flatMap(({ type, data }) =>
      type === "action.result" ? [[data.toolName, data.status, data.error?.code ?? ""]] : [],
    );
    expect(results).toEqual([
      ["web_search", "completed", ""],
      ["code_interpreter", "completed", ""],
      ["x", "failed", "tool-error"],
      ["image_generation", "completed", ""],
      ["file_search", "failed", "interrupted"],
    ]);
    expect(events.slice(-3).map(({ type }) => type)).toEqual(["step.failed", "action.result", "turn.failed"]);
  });

  test("are read whatever is wrong in them", async () => {
    await expectMutationsToBeRead(items);
    await expectMutationsToBeRead({
      object: "response",
      id: "r",
      status: "completed",
      output: items.slice(1),
      usage: { input_tokens: 1 },
    });
  });
});
