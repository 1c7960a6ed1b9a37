import { describe, expect, test } from "vitest";
import { expectMutationsToBeRead } from "../mutatedCopies.suite";
import { hasPublished, importCounts, importOne, importPublished, outline } from "../publishedFile.suite";

describe.skipIf(!hasPublished)("the published run", () => {
  // By hand: a system prompt, the issue, and ten commands with what each led to, two of them with `<returncode>1`.
  test("has a step and a call for each command", async () => {
    const imported = await importPublished("mini-swe-agent/github_issue.traj.json");
    expect(importCounts(imported)).toEqual({
      format: "mini-swe-agent",
      sessions: 1,
      turns: 1,
      steps: 10,
      toolCalls: 10,
      toolResults: 10,
      failed: 2,
      usage: {},
      warnings: {},
    });
    const last = imported.sessions[0]?.events.filter(({ type }) => type === "actions.requested").at(-1);
    expect(last?.data).toMatchObject({
      actions: [
        {
          toolName: "bash",
          input: { command: "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git add -A && git diff --cached" },
        },
      ],
    });
  });
});

const command = (text: string) => `Next.\n\n\`\`\`mswea_bash_command\n${text}\n\`\`\``;

const run = {
  info: {
    model_stats: { instance_cost: 0.5, api_calls: 4 },
    config: { model: { model_name: "m" }, environment: { cwd: "/repo" } },
    mini_version: "2.0.0",
    exit_status: "LimitsExceeded",
  },
  messages: [
    { role: "system", content: "You are." },
    { role: "user", content: "Fix it" },
    {
      role: "assistant",
      content: command("ls"),
      extra: {
        actions: [{ command: "ls" }],
        cost: 0.1,
        response: { model: "m", usage: { prompt_tokens: 9, completion_tokens: 2 } },
        timestamp: 1_760_000_000,
      },
    },
    {
      role: "user",
      content: "<returncode>0</returncode>\n<output>\na.py\n</output>",
      extra: { returncode: 0, timestamp: 1_760_000_001 },
    },
    { role: "assistant", content: command("rm -rf .") },
    {
      role: "user",
      content: "Command not executed. The user rejected your command with the following message:\nNo!",
      extra: { interrupt_type: "UserRejection" },
    },
    {
      role: "assistant",
      content: "",
      tool_calls: [{ id: "c1", function: { name: "bash", arguments: '{"command":"pwd"}' } }],
    },
    {
      role: "tool",
      tool_call_id: "c1",
      content: "<returncode>-1</returncode>",
      extra: { exception_info: "timed out" },
    },
    { role: "assistant", content: `${command("a")}\n${command("b")}` },
    { role: "user", content: "Please give one command." },
    { role: "exit", content: "LimitsExceeded", extra: {} },
  ],
  trajectory_format: "mini-swe-agent-1.1",
};

const log = [
  "turn.started",
  "user: Fix it",
  "step.started",
  `model: ${command("ls")}`,
  'calls: bash#call_0 {"command":"ls"}',
  'completed: call_0 "<returncode>0</returncode>\\n<output>\\na.py\\n</output>"',
  "step.completed",
  "step.started",
  `model: ${command("rm -rf .")}`,
  'calls: bash#call_1 {"command":"rm -rf ."}',
  "input.requested",
  "input denied",
  'rejected: call_1 "Command not executed. The user rejected your command with the following message:\\nNo!" (denied)',
  "step.completed",
  "step.started",
  'calls: bash#c1 {"command":"pwd"}',
  'failed: c1 "<returncode>-1</returncode>" (exception)',
  "step.completed",
  "step.started",
  `model: ${command("a")}\n${command("b")}`,
  "step.completed",
  "turn.completed",
  "turn.started",
  "user: Please give one command.",
  "entry: exit",
];

describe("a run of mini-SWE-agent", () => {
  test("is read with its rejections, failures and figures", async () => {
    const imported = await importOne(run);
    expect([imported.format, imported.version, outline(imported.sessions[0]?.events ?? [])]).toEqual([
      "mini-swe-agent",
      "mini-swe-agent-1.1",
      [...log, "entry: info", "turn.failed: LimitsExceeded"],
    ]);
    expect(importCounts(imported).usage).toEqual({ inputTokens: 9, outputTokens: 2, costUsd: 0.1 });
  });

  test("as bare messages is no other chat", async () => {
    const { format, sessions } = await importOne(run.messages);
    expect([format, outline(sessions[0]?.events ?? [])]).toEqual(["mini-swe-agent", [...log, "turn.completed"]]);
  });

  test("of the first version has its commands in plain fences", async () => {
    const old = (text: string) => `Now this:\n\n\`\`\`bash\n${text}\n\`\`\``;
    const { format, sessions } = await importOne([
      { role: "system", content: "You are." },
      { role: "user", content: "Fix it" },
      { role: "assistant", content: old("ls") },
      { role: "user", content: "<returncode>0</returncode>\n<output>\na.py\n</output>" },
      { role: "assistant", content: old("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT") },
      { role: "user", content: "" },
    ]);
    expect([format, outline(sessions[0]?.events ?? []).filter((line) => !line.startsWith("model"))]).toEqual([
      "mini-swe-agent",
      [
        "turn.started",
        "user: Fix it",
        "step.started",
        'calls: bash#call_0 {"command":"ls"}',
        'completed: call_0 "<returncode>0</returncode>\\n<output>\\na.py\\n</output>"',
        "step.completed",
        "step.started",
        'calls: bash#call_1 {"command":"echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}',
        'completed: call_1 ""',
        "step.completed",
        "turn.completed",
      ],
    ]);
  });

  test("ends with what the command that submitted it gave", async () => {
    const called = (id: string) => ({ id, function: { name: "bash", arguments: '{"command":"submit"}' } });
    const messages = (...ids: string[]) => [
      { role: "user", content: "Fix it" },
      { role: "assistant", content: "", tool_calls: ids.map(called) },
      { role: "exit", content: "the patch", extra: { exit_status: "Submitted" } },
    ];
    const results = async (...ids: string[]) => {
      const submitted = { info: {}, messages: messages(...ids), trajectory_format: "mini-swe-agent-1.1" };
      const lines = outline((await importOne(submitted)).sessions[0]?.events ?? []);
      return lines.filter((line) => /^(completed|failed)/.test(line));
    };
    expect(await results("c1")).toEqual(['completed: c1 "the patch"']);
    expect((await results("c1", "c2")).map((line) => line.slice(0, 10))).toEqual(["failed: c1", "failed: c2"]);
  });

  test("is read whatever is wrong in it", async () => {
    await expectMutationsToBeRead(run);
  });
});
