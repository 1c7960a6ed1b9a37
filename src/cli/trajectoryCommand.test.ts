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
    expect((await agent(["trajectory", file])).stdout).toBe(
      [
        "format      rootscope 1",
        "sessions    1",
        "turns       1",
        "steps       3",
        "tool calls  2, 2 with results, 0 of them failed",
        "usage       not reported",
        "fidelity    times real, callIds real, results full, usage absent, files none",
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
      "other.jsonl": '{"type":"user","message":{"role":"user","content":"hi"}}\n',
      "dotted.jsonl": '{"type":"session.start","data":{},"id":"1"}\n{"type":"assistant.turn_start","data":{}}\n',
      "bytes.bin": Uint8Array.of(0, 1, 2),
      "empty.ndjson": "",
      "newer.ndjson":
        '{"type":"session.started","data":{"runtime":{"agentId":"a","eveVersion":"26"},"playground":{"schema":99}},"meta":{"id":"evt_1","at":"2026-01-01T00:00:00.000Z"}}\n',
    });
    for (const name of ["other.jsonl", "dotted.jsonl", "bytes.bin", "empty.ndjson"]) {
      expect(await agent(["trajectory", name, "--json"], { cwd: dir })).toEqual({
        code: 1,
        stdout: "",
        stderr: `${JSON.stringify({
          error: {
            code: "failed",
            message: `${join(dir, name)} holds no session this version can read: it reads its own .ndjson and .zip files.`,
          },
        })}\n`,
      });
    }
    const newer = await agent(["trajectory", "newer.ndjson"], { cwd: dir });
    expect([newer.code, newer.stdout]).toEqual([1, ""]);
    expect(newer.stderr).toMatch(/was saved by a newer version/);
    expect(await agent(["trajectory", "gone.ndjson"], { cwd: dir })).toEqual({
      code: 1,
      stdout: "",
      stderr: `${join(dir, "gone.ndjson")} cannot be read: no such file or directory.\n`,
    });
    expect(await agent(["trajectory", dir])).toMatchObject({ code: 1, stdout: "" });
  });
});
