import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mcpServers, STATIC_TOKEN } from "../mcp/mcpServers.suite";
import { callDelta, chunk, eventStream, refusal, scriptedServer } from "../model/scriptedServer.suite";
import type { SessionEvent } from "../session";
import { eventLine } from "../testing/sessionFixture";
import { eventsFromNdjson } from "../trajectory";
import { agent, agentProcess, agentScript, directoryWith } from "./commandLine.suite";

const eventsOf = async (ndjson: string) => (await eventsFromNdjson(ndjson)).events;
const linesOf = (events: readonly SessionEvent[]) =>
  events.map(eventLine).filter((line) => !/^(action\.input|message)\.appended/.test(line));

/** A server that has one file written, then says so. */
const writing = () =>
  scriptedServer(
    eventStream(
      callDelta({ id: "c1", name: "Write", arguments: '{"path":"/b.txt","fileText":"x"}' }),
      chunk({}, "tool_calls"),
      "[DONE]",
    ),
    eventStream(chunk({ content: "Wrote " }), chunk({ content: "it." }, "stop"), "[DONE]"),
  );

describe("run", () => {
  it("streams what the demo planner answers, offline, from the message given or piped in", async () => {
    const root = await directoryWith({ "a.txt": "one\ntwo\n" });
    const said = "/a.txt (2 lines). It says: one two\n";
    const args = ["run", "--model", "demo", "--root", root];
    expect(await agent([...args, "--message", "What does /a.txt say?"])).toEqual({ code: 0, stdout: said, stderr: "" });
    expect(await agentProcess(args, { input: "What does /a.txt say?\n" })).toEqual({
      code: 0,
      stdout: said,
      stderr: "",
    });
    expect((await agent([...args, "--message", "Append three to /a.txt"])).code).toBe(0);
    expect(await readFile(join(root, "a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
  });

  it("prints the session's log with --json, the same session for the same seed", async () => {
    const root = await directoryWith({ "a.txt": "one\n" });
    const args = ["run", "--root", root, "--message", "Read /a.txt", "--seed", "7", "--json"];
    const [first, second] = [await agent(args), await agent(args)];
    expect([first.code, first.stderr]).toEqual([0, ""]);
    const events = await eventsOf(first.stdout);
    expect(linesOf(events)).toEqual([
      "session.started",
      "turn.started",
      'message.received "Read /a.txt"',
      "step.started",
      expect.stringMatching(/^actions\.requested call_\w+ Read$/),
      expect.stringMatching(/^action\.result call_\w+ completed$/),
      "step.completed tool-calls",
      "step.started",
      expect.stringMatching(/^message\.completed .* stop$/),
      "step.completed stop",
      "turn.completed",
      "session.waiting",
    ]);
    const [started] = events;
    if (started?.type !== "session.started") throw new Error("no start");
    expect(started.data.playground).toMatchObject({
      seed: "7",
      model: { kind: "demo", seed: "7" },
      mounts: [{ prefix: "/", kind: "directory", readOnly: false }],
    });
    expect(first.stdout).not.toContain(root);
    const [again] = await eventsOf(second.stdout);
    if (again?.type !== "session.started") throw new Error("no start");
    expect(again.data.playground?.sessionId).toBe(started.data.playground?.sessionId);
  });

  it("writes nothing in a dry run, and ends with 1 at the step limit", async () => {
    const root = await directoryWith({ "a.txt": "one\n" });
    const args = ["run", "--root", root, "--message", "Append two to /a.txt"];
    const dry = await agent([...args, "--dry-run", "--json"]);
    expect(dry.code).toBe(0);
    expect(dry.stdout).toContain('"stub":true');
    expect(await readFile(join(root, "a.txt"), "utf8")).toBe("one\n");
    expect(await agent([...args, "--max-steps", "1"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "The turn failed (step-limit): The turn reached its limit of 1 steps.\n",
    });
  });

  it("asks a person before writes where they want it, and stops where nobody is there", async () => {
    const root = await directoryWith({});
    await using server = await writing();
    const args = [
      "run",
      "--root",
      root,
      "--url",
      server.baseUrl,
      "--model",
      "m",
      "--approve",
      "writes",
      "--message",
      "go",
    ];
    const nobody = await agent([...args, "--json"]);
    expect(nobody.code).toBe(1);
    expect(nobody.stderr).toContain("Nobody answered whether Write may run.");
    expect(linesOf(await eventsOf(nobody.stdout)).at(-1)).toBe("turn.waiting");
    await expect(readFile(join(root, "b.txt"))).rejects.toThrow("ENOENT");

    await using again = await writing();
    const asked = [...args.slice(0, 4), again.baseUrl, ...args.slice(5)];
    const yes = await agent(asked, { answers: ["what?", "y"] });
    expect([yes.code, yes.stdout]).toEqual([0, "Wrote it.\n"]);
    expect(yes.stderr).toContain('Write {"path":"/b.txt","fileText":"x"}\nRun it? [y]es, [n]o, [a]lways');
    expect(await readFile(join(root, "b.txt"), "utf8")).toBe("x");

    await using third = await writing();
    const no = await agent([...args.slice(0, 4), third.baseUrl, ...args.slice(5)], { answers: ["no, not there"] });
    expect(no.code).toBe(0);
    expect(third.requests[1]?.body).toContain("The person says: not there");
  });

  it("asks a compatible server with the key of the environment, which is never printed", async () => {
    const key = "sk-very-secret-key-of-this-test";
    await using server = await scriptedServer(
      eventStream(
        chunk({ content: `You sent ${key.slice(0, 10)}` }),
        chunk({ content: key.slice(10) }, "stop"),
        "[DONE]",
      ),
    );
    const args = ["run", "--url", server.baseUrl, "--model", "m-1", "--key-env", "MY_KEY", "--message", "hi"];
    const env = { MY_KEY: key };
    const [text, log] = [await agentProcess(args, { env }), await agent([...args, "--json"], { env })];
    expect(text).toEqual({ code: 0, stdout: "You sent [key removed]\n", stderr: "" });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
    expect(JSON.parse(server.requests[0]?.body ?? "{}")).toMatchObject({ model: "m-1", stream: true });
    expect(log.code).toBe(0);
    expect(log.stdout + log.stderr).not.toContain(key);

    await using refusing = await scriptedServer(refusal(401, { error: { message: `bad key ${key}` } }));
    const refused = await agent(["run", "--url", refusing.baseUrl, ...args.slice(3)], { env });
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toMatch(/^The turn failed \(auth\): bad key \[key removed\]/);
    expect(await agent(args, { env: {} })).toEqual({
      code: 1,
      stdout: "",
      stderr: "The environment variable MY_KEY holds no key.\n",
    });
  });

  it("uses the tools of the folder's connections, and goes on without one that cannot be had", async () => {
    const servers = await mcpServers();
    try {
      const dir = await directoryWith({
        "agent.json": "{}",
        "instructions.md": "x",
        "connections/stock.json": JSON.stringify({ url: `${servers.url}/token/mcp`, auth: "bearer" }),
        "connections/gone.json": JSON.stringify({ url: "http://127.0.0.1:9/mcp" }),
      });
      const env = { MCP_OAUTH_STOCK_ACCESS_TOKEN: STATIC_TOKEN };
      const { code, stdout, stderr } = await agent(["run", "--dir", dir, "--message", "Hello", "--json"], { env });
      const [started] = await eventsOf(stdout);
      if (started?.type !== "session.started") throw new Error("no start");
      const names = started.data.playground?.tools.map(({ name }) => name) ?? [];
      expect(names.filter((name) => name.startsWith("mcp__stock__")).length).toBeGreaterThan(0);
      expect([code, stderr.split("\n").length]).toEqual([0, 2]);
      expect(stderr).toMatch(/^The connection gone is left out: /);
      expect(stdout + stderr).not.toContain(STATIC_TOKEN);
      const called = await agent(["call", "mcp__stock__fail", "--dir", dir, "--input", "{}"], { env });
      expect([called.code, called.stdout]).toEqual([1, ""]);
      const own = await agent(["call", "readTodos", "--dir", dir], { env });
      expect(own).toEqual({ code: 0, stdout: "(no todos)\n", stderr: "" });
    } finally {
      await servers.stop();
    }
  });

  it("is stopped by a person at once: the log ends whole, and the code is 130", async () => {
    await using server = await scriptedServer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify(chunk({ content: "Thinking" }))}\n\n`);
    });
    const args = ["run", "--url", server.baseUrl, "--model", "m", "--message", "go", "--json"];
    const child = spawn(process.execPath, [agentScript, ...args]);
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      if (text.includes("message.appended")) child.kill("SIGINT");
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect(code).toBe(130);
    expect(linesOf(await eventsOf(stdout)).slice(-2)).toEqual([
      "turn.failed interrupted: turn interrupted",
      "session.waiting",
    ]);
  });

  it("ends with 2 when it is used wrongly", async () => {
    const cases: [args: string[], message: RegExp][] = [
      [["run"], /^The message is empty\./],
      [["run", "--message", " "], /^The message is empty\./],
      [["run", "--message", "x", "--model", "gpt"], /^--model gpt needs --url/],
      [["run", "--message", "x", "--url", "http://localhost:1/v1"], /^--url needs --model/],
      [["run", "--message", "x", "--key-env", "K"], /^--key-env goes with --url\./],
      [["run", "--message", "x", "--max-steps", "many"], /^--max-steps takes a whole number of 1 or more, not many\./],
      [["run", "--message", "x", "--approve", "maybe"], /^--approve takes never or writes, not maybe\./],
    ];
    for (const [args, message] of cases) {
      const { code, stdout, stderr } = await agent(args);
      expect([args, code, stdout]).toEqual([args, 2, ""]);
      expect(stderr).toMatch(message);
    }
    expect(await agent(["run"], { answers: [] })).toMatchObject({ code: 2 });
    const asOf = await agent(["run", "--message", "x", "--as-of", "yesterday"]);
    expect([asOf.code, asOf.stdout]).toEqual([1, ""]);
    expect(asOf.stderr).toMatch(/^asOf: "yesterday" is no instant\./);
  });
});
