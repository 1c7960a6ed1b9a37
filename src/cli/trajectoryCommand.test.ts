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

  it("finds nothing in a folder of other things", async () => {
    const dir = await directoryWith({ "a.txt": "hello" });
    expect(await agent(["trajectory", dir])).toMatchObject({ code: 1, stdout: "" });
  });
});
