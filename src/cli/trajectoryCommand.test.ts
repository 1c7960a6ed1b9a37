import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { zipFromEntries } from "../archive";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { sessionFixture } from "../testing/sessionFixture";
import { ndjsonFromEvents, sessionZip } from "../trajectory";
import { agent, agentProcess, directoryWith } from "./commandLine.suite";

const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());

describe("trajectory", () => {
  it("says what a log of a run holds, as JSON and in words", async () => {
    const root = await directoryWith({ "a.txt": "one\n" });
    const run = await agent(["run", "--root", root, "--message", "Append two to /a.txt", "--json"]);
    const dir = await directoryWith({ "run.ndjson": run.stdout });
    const file = join(dir, "run.ndjson");
    const { code, stdout, stderr } = await agentProcess(["trajectory", file, "--json"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual({
      format: "rootscope",
      version: "1",
      sessions: 1,
      turns: 1,
      steps: 3,
      toolCalls: 2,
      toolResults: 2,
      failed: 0,
      usage: {},
      warnings: [],
      fidelity: { times: "real", callIds: "real", results: "full", usage: "absent", files: "none" },
    });
    const text = (await agent(["trajectory", file])).stdout;
    expect(text.replaceAll(/session_\w+|\d{4}-\d\d-\d\dT\S+/g, "…")).toBe(
      [
        "format      rootscope 1",
        "sessions    1",
        "turns       1",
        "steps       3",
        "tool calls  2, 2 with results, 0 of them failed",
        "usage       not reported",
        "fidelity    times real, callIds real, results full, usage absent, files none",
        "",
        "session …",
        "  turn 1  …",
        "  > Append two to /a.txt",
        "    step 1 demo-planner",
        "      * Read /a.txt",
        "      -> one",
        "    step 2 demo-planner",
        "      * StrReplace /a.txt",
        "      -> @@ -1,1 +1,2 @@",
        "         one",
        "        +two",
        "    step 3 demo-planner",
        "      I added 1 line to /a.txt.",
        "",
      ].join("\n"),
    );
  });

  it("counts usage, failures and what of a cut file was lost", async () => {
    const model = scriptedModel([
      { parts: [...callParts("c1", "Read", { path: "/none" }), finishPart("tool-calls", { input: 10, output: 2 })] },
      { parts: [...textParts("t", "Gone."), finishPart("stop", { input: 20, output: 3 })] },
    ]);
    const session = await sessionFixture({ model });
    await session.run("read it");
    let log = "";
    for await (const line of ndjsonFromEvents(session.events)) log += line;
    const dir = await directoryWith({ "cut.ndjson": `${log}{"type":"turn.sta` });
    const { code, stdout } = await agent(["trajectory", join(dir, "cut.ndjson"), "--json"]);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        turns: 1,
        steps: 2,
        toolCalls: 1,
        toolResults: 1,
        failed: 1,
        usage: { inputTokens: 30, outputTokens: 5 },
        warnings: [{ code: "cut" }],
        fidelity: { usage: "per-call" },
      },
    ]);
  });

  it("reads a session's zip with its tree", async () => {
    const session = await sessionFixture({
      model: scriptedModel([{ parts: [...textParts("t", "Hi."), finishPart("stop")] }]),
    });
    await session.run("hello");
    const tree = await (session.tree as unknown as { snapshot(): Promise<never> }).snapshot();
    const blobs = {
      get: async (hash: string) => {
        const text = session.blobs.get(hash);
        return text === undefined ? undefined : new TextEncoder().encode(text);
      },
    };
    const zip = await sessionZip({ events: session.events, blobs, loadSnapshot: async () => tree });
    const dir = await directoryWith({
      "session.zip": await bytesOf(zip),
      "other.zip": await bytesOf(await zipFromEntries([{ path: "a.txt", bytes: new Uint8Array(1) }])),
      "cut.zip": (await bytesOf(zip)).slice(0, 100),
    });
    const { code, stdout } = await agent(["trajectory", join(dir, "session.zip"), "--json"]);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { sessions: 1, turns: 1, fidelity: { files: "snapshot" } }]);
    expect(await agent(["trajectory", join(dir, "other.zip"), "--json"])).toMatchObject({ code: 1, stdout: "" });
    expect(await agent(["trajectory", join(dir, "cut.zip")])).toMatchObject({ code: 1, stdout: "" });
  });

  it("says in a sentence what it cannot read, and ends with 1", async () => {
    const dir = await directoryWith({
      "other.jsonl": '{"kind":"something else"}\n',
      "bytes.bin": Uint8Array.of(0, 1, 2),
      "empty.ndjson": "",
      "newer.ndjson":
        '{"type":"session.started","data":{"runtime":{"agentId":"a","eveVersion":"26"},"playground":{"schema":99}},"meta":{"id":"evt_1","at":"2026-01-01T00:00:00.000Z"}}\n',
    });
    for (const [name, why] of [
      ["other.jsonl", /: Nothing in it is a session in a format known here \(.*claude-code.*\)\.$/],
      ["bytes.bin", /: Nothing in it is a session/],
      ["empty.ndjson", /: The file is empty\.$/],
    ] as const) {
      const { code, stdout, stderr } = await agent(["trajectory", name, "--json"], { cwd: dir });
      expect([code, stdout]).toEqual([1, ""]);
      expect(JSON.parse(stderr)).toEqual({ error: { code: "failed", message: expect.stringMatching(why) as string } });
    }
    const newer = await agent(["trajectory", "newer.ndjson"], { cwd: dir });
    expect([newer.code, newer.stdout]).toEqual([1, ""]);
    expect(newer.stderr).toMatch(/was saved by a newer version/);
    expect(await agent(["trajectory", "gone.ndjson"], { cwd: dir })).toEqual({
      code: 1,
      stdout: "",
      stderr: `${join(dir, "gone.ndjson")} cannot be read: no such file or directory.\n`,
    });
  });

  it("reads a folder as one recording, subagents and all, and shows it as text", async () => {
    const line = (fields: object) => `${JSON.stringify({ sessionId: "s", version: "2.1.0", cwd: "/w", ...fields })}\n`;
    const at = "2026-01-01T00:00:00.000Z";
    const call = { type: "tool_use", id: "t1", name: "Task", input: { description: "Look", prompt: "look around" } };
    const dir = await directoryWith({
      "s.jsonl":
        line({ type: "user", uuid: "a", parentUuid: null, timestamp: at, message: { content: "go\u001b[31m" } }) +
        line({
          type: "assistant",
          uuid: "b",
          parentUuid: "a",
          timestamp: at,
          message: { id: "m", model: "x", content: [call] },
        }) +
        "{broken\n" +
        line({
          type: "user",
          uuid: "c",
          parentUuid: "b",
          timestamp: at,
          message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "done" }] },
        }),
    });
    await mkdir(join(dir, "s/subagents"), { recursive: true });
    await writeFile(
      join(dir, "s/subagents/agent-1.jsonl"),
      line({
        type: "user",
        uuid: "d",
        parentUuid: null,
        isSidechain: true,
        agentId: "1",
        message: { content: "look around" },
      }),
    );
    const { stdout } = await agent(["trajectory", "."], { cwd: dir });
    expect(stdout).toBe(
      [
        "format      claude-code 2.1.0",
        "sessions    2",
        "turns       2",
        "steps       1",
        "tool calls  1, 1 with results, 0 of them failed",
        "usage       not reported",
        "fidelity    times real, callIds real, results full, usage absent, files none",
        "warning: Line 3 is not valid JSON and was left out. (s.jsonl, line 3, byte 442)",
        "",
        "session s",
        "  Claude Code 2.1.0, x, /w",
        "  turn 1  2026-01-01T00:00:00.000Z",
        "  > go [31m",
        "    step 1 x",
        "      * Task Look",
        "      -> done",
        "",
        "session agent-1, works for t1 of s",
        "  Claude Code 2.1.0, /w",
        "  turn 1",
        "  > look around",
        "",
      ].join("\n"),
    );
  });

  /** A recording of another program: it reads a file of its directory, looks for one that is not there, and edits. */
  const recorded = [
    { type: "user", uuid: "a", parentUuid: null, message: { content: "fix it" } },
    {
      type: "assistant",
      uuid: "b",
      parentUuid: "a",
      message: {
        id: "m",
        model: "x",
        content: [
          { type: "tool_use", id: "t1", name: "Read", input: { file_path: "/w/a.txt" } },
          { type: "tool_use", id: "t2", name: "Bash", input: { command: "npm test" } },
        ],
        usage: { input_tokens: 3, output_tokens: 2 },
      },
    },
    {
      type: "user",
      uuid: "c",
      parentUuid: "b",
      message: {
        content: [
          { type: "tool_result", tool_use_id: "t1", content: "     1→one\n     2→two" },
          { type: "tool_result", tool_use_id: "t2", content: "ok" },
        ],
      },
    },
  ].map((fields) =>
    JSON.stringify({ sessionId: "s", version: "2.1.0", cwd: "/w", timestamp: "2026-01-01T00:00:00.000Z", ...fields }),
  );

  it("writes sessions as other programs' files, which read the same again", async () => {
    const dir = await directoryWith({ "s.jsonl": recorded.join("\n") });
    const summary = async (file: string) =>
      JSON.parse((await agent(["trajectory", file, "--json"], { cwd: dir })).stdout) as Record<string, unknown>;
    const { warnings: _warnings, version: _version, format: _format, ...first } = await summary("s.jsonl");
    for (const [format, name] of [
      ["ndjson", "rootscope"],
      ["atif", "atif"],
      ["openai", "openai-chat"],
      ["html", "rootscope"],
    ]) {
      const { code, stdout, stderr } = await agent(["trajectory", "s.jsonl", "--export", format ?? ""], { cwd: dir });
      expect([code, stderr]).toEqual([0, ""]);
      await writeFile(join(dir, "again"), stdout);
      expect(await summary("again")).toMatchObject({ ...first, format: name, warnings: [] });
    }
    const markdown = await agent(["trajectory", "s.jsonl", "--export", "markdown", "--session", "1"], { cwd: dir });
    expect(markdown.stdout).toContain("**Tool** `Bash` · completed");
    const traces = async (...more: string[]) =>
      (await agent(["trajectory", "s.jsonl", "--export", "otlp", ...more], { cwd: dir })).stdout;
    expect([(await traces()).includes("npm test"), (await traces("--content")).includes("npm test")]).toEqual([
      false,
      true,
    ]);
  });

  it("runs the calls of a session again on a copy of a directory, or on what the recording shows", async () => {
    const dir = await directoryWith({ "s.jsonl": recorded.join("\n"), "today/a.txt": "one\nthree\n" });
    const inferred = await agent(["trajectory", "s.jsonl", "--reexecute"], { cwd: dir });
    expect([inferred.code, inferred.stdout]).toEqual([
      0,
      [
        "start       inferred, 1 file",
        "outcome     completed; after a divergence: recorded",
        "calls       2, 1 equal after normalisation, 1 not run",
        "normaliser  line number gutter: Line numbers a tool puts before the lines it shows.",
        "#2 Bash npm test: not run",
        "    The command is not one of those that surely only read; its recorded result stands.",
        "",
      ].join("\n"),
    ]);
    const today = await agent(["trajectory", "s.jsonl", "--reexecute", "--root", "today", "--policy", "stop"], {
      cwd: dir,
    });
    expect(today.stdout.split("\n")).toEqual([
      "start       mounts",
      "outcome     stopped; after a divergence: stop",
      "calls       2, 1 differs, 1 not run",
      "#1 Read /w/a.txt: differs",
      "    at /a.txt, line 2",
      "      recorded two",
      "      now      three",
      "#2 Bash npm test: not run",
      "    The re-execution stopped at the divergence of call 1.",
      "",
    ]);
    const json = await agent(["trajectory", "s.jsonl", "--reexecute", "--root", "today", "--json"], { cwd: dir });
    expect(JSON.parse(json.stdout)).toMatchObject({
      format: "rootscope.divergence",
      sessionId: "s",
      start: { kind: "mounts" },
      roots: [1],
    });
    expect(await agent(["trajectory", "s.jsonl", "--reexecute", "--root", "gone"], { cwd: dir })).toMatchObject({
      code: 1,
      stdout: "",
    });
  });

  it("runs a session of its own file again on the tree it began with", async () => {
    const session = await sessionFixture({
      model: scriptedModel([
        {
          parts: [
            ...callParts("c1", "Write", { path: "/new.md", contents: "new\n" }),
            ...callParts("c2", "Read", { path: "/new.md" }),
            finishPart("tool-calls"),
          ],
        },
        { parts: [...textParts("t", "Done."), finishPart("stop")] },
      ]),
    });
    const tree = await (session.tree as unknown as { snapshot(): Promise<never> }).snapshot();
    await session.run("write it");
    const blobs = { get: async () => undefined };
    const zip = await sessionZip({ events: session.events, blobs, loadSnapshot: async () => tree });
    const dir = await directoryWith({ "session.zip": await bytesOf(zip) });
    const { code, stdout } = await agent(["trajectory", "session.zip", "--reexecute"], { cwd: dir });
    expect([code, stdout]).toEqual([
      0,
      "start       snapshot\noutcome     completed; after a divergence: recorded\ncalls       2, 2 equal\n",
    ]);
  });

  it("refuses options that say nothing together", async () => {
    const dir = await directoryWith({ "s.jsonl": recorded.join("\n") });
    for (const [options, why] of [
      [["--export", "pdf"], /^--export takes ndjson or atif .*, not pdf\./],
      [["--export", "atif", "--reexecute"], /^--export and --reexecute do not go together\./],
      [["--root", "."], /^--root goes with --reexecute\./],
      [["--export", "atif", "--content"], /^--content goes with --export otlp\./],
      [["--session", "2"], /^There is no session 2: /],
    ] as const) {
      const { code, stdout, stderr } = await agent(["trajectory", "s.jsonl", ...options], { cwd: dir });
      expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(why)]);
    }
  });

  it("finds nothing in a folder of other things", async () => {
    const dir = await directoryWith({ "a.txt": "hello" });
    expect(await agent(["trajectory", dir])).toMatchObject({ code: 1, stdout: "" });
  });
});
