import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../base";
import { createKeyring } from "../secrets";
import { toolCall } from "../testing/runTool";
import type { Tool, ToolCall } from "../tools";
import { McpConnection, type McpConnectionOptions } from "./mcpConnection";
import { mcpServers, STATIC_TOKEN, type McpServers } from "./mcpServers.suite";

let servers: McpServers;
beforeAll(async () => void (servers = await mcpServers()));
afterAll(() => servers.stop());

const open: McpConnection[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((made) => made.close()))));

function connection(path: string, options: Partial<McpConnectionOptions> = {}): McpConnection {
  const made = new McpConnection({
    id: "c1",
    name: "notes",
    url: `${servers.url}${path}`,
    keyring: createKeyring(),
    ...options,
  });
  open.push(made);
  return made;
}

async function connected(path: string, options?: Partial<McpConnectionOptions>): Promise<McpConnection> {
  const made = connection(path, options);
  await made.connect();
  expect(made.state).toMatchObject({ kind: "ready" });
  return made;
}

function tool({ state }: McpConnection, name: string): Tool {
  const found = state.kind === "ready" ? state.tools.find(({ mcp }) => mcp?.tool === name) : undefined;
  if (found === undefined) throw new Error(`${name} is not there: ${JSON.stringify(state)}`);
  return found;
}

const run = (from: McpConnection, name: string, input: JsonObject = {}, call: Partial<ToolCall> = {}) =>
  tool(from, name).execute(input, { ...toolCall(), ...call });

async function failure(work: Promise<unknown>): Promise<[string, string]> {
  const error = await work.catch((thrown: unknown) => thrown);
  const { code, message } = error as { code: string; message: string };
  return [code, message.replaceAll(servers.url, "SERVER")];
}

describe.each([
  ["the newest protocol", "/open/mcp"],
  ["the protocol with sessions", "/sessions/mcp"],
])("a connection by %s", (_title, path) => {
  it("lists the tools with their schemas, none under a native's name, writing unless they say they only read", async () => {
    const notes = await connected(path);
    expect(notes.state).toMatchObject({ kind: "ready", server: "test-server 1.2.3" });
    const { tools } = notes.state as { tools: readonly Tool[] };
    expect(tools.map(({ name, effect, native }) => [name, effect, native])).toEqual([
      ["mcp__notes__echo", "read", false],
      ["mcp__notes__write_note", "write", false],
      ["mcp__notes__Read", "write", false],
      ["mcp__notes__picture", "read", false],
      ["mcp__notes__table", "read", false],
      ["mcp__notes__fail", "write", false],
      ["mcp__notes__explode", "write", false],
      ["mcp__notes__slow", "read", false],
      ["mcp__notes__grow", "write", false],
    ]);
    expect(tools[0]).toMatchObject({
      description: "Echo\nSays it again.",
      inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      mcp: { connection: "notes", tool: "echo" },
    });
  });

  it("calls tools and maps texts, images, resources and structured values", async () => {
    const notes = await connected(path);
    const read = async (name: string, input: JsonObject = {}) => {
      const output = JSON.parse(JSON.stringify(await run(notes, name, input))) as JsonValue;
      return tool(notes, name).modelText(output, input);
    };
    expect(await read("echo", { text: "hello" })).toBe("hello");
    expect(await read("Read", { text: "x" })).toBe("not the native");
    expect(await read("table")).toBe('{"rows":[1,2,3]}');
    expect(await read("picture")).toEqual([
      { type: "text", text: "one pixel" },
      { type: "image", base64: expect.stringMatching(/^iVBOR/), mediaType: "image/png" },
      { type: "text", text: "More: https://more.example/" },
      { type: "text", text: "note://1:\ninside" },
    ]);
    await run(notes, "write_note", { text: `by ${path}` });
    expect(servers.notes.written.at(-1)).toBe(`by ${path}`);
  });

  it("fails a call in the tool's words, in the server's, and for input the server refuses", async () => {
    const notes = await connected(path);
    expect(await failure(run(notes, "fail"))).toEqual(["tool-failed", "there is no such note"]);
    const [code, message] = await failure(run(notes, "explode"));
    expect([["protocol", "tool-failed"].includes(code), message]).toEqual([
      true,
      expect.stringContaining("the server lost its mind"),
    ]);
    expect((await failure(run(notes, "echo", { text: 7 })))[1]).toMatch(/text/);
    expect(notes.state.kind).toBe("ready");
  });

  it("reports progress, not too often, and stops at the server what is stopped here", async () => {
    const notes = await connected(path);
    const stop = new AbortController();
    const told: JsonValue[] = [];
    const stoppedBefore = servers.notes.stopped;
    const running = run(notes, "slow", {}, { signal: stop.signal, report: (partial) => void told.push(partial) });
    setTimeout(() => stop.abort(), 1_300);
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
    expect(told.length).toBeGreaterThan(1);
    expect(told.length).toBeLessThan(5);
    expect(told[0]).toEqual({ progress: 1, total: 100, message: "step 1" });
    await expect.poll(() => servers.notes.stopped, { timeout: 5_000 }).toBe(stoppedBefore + 1);
  });

  it("says when the server is gone, shows it, and goes on when it is back", async () => {
    const notes = await connected(path);
    const echo = tool(notes, "echo");
    await servers.shut();
    const [code, message] = await failure(echo.execute({ text: "anyone?" }, toolCall()));
    expect(code).toBe("network");
    expect(message).toMatch(/^No connection to SERVER: .*\. Is the server running, and is the address right\?$/);
    await expect.poll(() => notes.state.kind).toBe("failed");
    await servers.start();
    servers.forgetSessions();
    expect(await echo.execute({ text: "back" }, toolCall())).toEqual({ content: [{ type: "text", text: "back" }] });
    expect(notes.state.kind).toBe("ready");
  });

  it("takes no more calls once it is closed, and connects again when asked", async () => {
    const notes = await connected(path);
    const running = run(notes, "slow");
    const echo = tool(notes, "echo");
    setTimeout(() => void notes.close(), 100);
    expect(await failure(running)).toEqual(["gone", "The connection notes was closed."]);
    expect(notes.state.kind).toBe("closed");
    expect(await echo.execute({ text: "again" }, toolCall())).toEqual({ content: [{ type: "text", text: "again" }] });
  });
});

describe("a connection with sessions", () => {
  it("begins a new session when the server has forgotten the old one, and makes the call there", async () => {
    const notes = await connected("/sessions/mcp");
    const begun = () => servers.requests.filter(({ method }) => method === "POST").length;
    servers.forgetSessions();
    const before = begun();
    expect(await run(notes, "echo", { text: "again" })).toEqual({ content: [{ type: "text", text: "again" }] });
    expect(begun()).toBeGreaterThan(before + 2);
    expect(notes.state.kind).toBe("ready");
  });

  it("notices tools that come later", async () => {
    const notes = await connected("/sessions/mcp");
    await run(notes, "grow");
    await expect
      .poll(() => notes.state.kind === "ready" && notes.state.tools.some(({ name }) => name === "mcp__notes__grown"))
      .toBe(true);
  });

  it("ends its session at the server when it is closed", async () => {
    const notes = await connected("/sessions/mcp");
    await notes.close();
    expect(servers.requests.at(-1)).toMatchObject({ method: "DELETE", path: "/sessions/mcp" });
  });
});

describe("a connection", () => {
  it("takes only the tools it is allowed", async () => {
    const notes = await connected("/open/mcp", { allowedTools: ["echo", "nothing"] });
    expect((notes.state as { tools: readonly Tool[] }).tools.map(({ name }) => name)).toEqual(["mcp__notes__echo"]);
  });

  it.each([
    [
      "/closed/nothing",
      "not-mcp",
      "SERVER/closed/nothing is no MCP endpoint: it answered 404. The address usually ends in /mcp.",
    ],
    [
      "/control/look",
      "not-mcp",
      "SERVER/control/look is no MCP endpoint: it answers with something else. The address usually ends in /mcp.",
    ],
  ])("says what answers at %s instead", async (path, code, message) => {
    const notes = connection(path);
    await notes.connect();
    const { state } = notes;
    expect(state).toMatchObject({ kind: "failed", code });
    expect("message" in state ? state.message.replaceAll(servers.url, "SERVER") : "").toEqual(message);
  });

  it("follows a redirect that stays at the server", async () => {
    const notes = await connected("/open/moved");
    expect(await run(notes, "echo", { text: "there" })).toEqual({ content: [{ type: "text", text: "there" }] });
  });

  it("says that nobody answers", async () => {
    const notes = connection("", { url: "http://127.0.0.1:1/mcp" });
    await notes.connect();
    expect(notes.state).toMatchObject({ kind: "failed", code: "network" });
  });

  it("shows an address that is none as a failure", async () => {
    const notes = connection("", { url: "not an address" });
    await notes.connect();
    expect(notes.state).toEqual({
      kind: "failed",
      code: "bad-address",
      message: "Not an address of a server: not an address. It starts with https:// and holds no password.",
    });
  });

  it("sends a token a person gave to the server alone, from the keyring, and never shows it", async () => {
    const keyring = createKeyring();
    const notes = connection("/token/mcp", { keyring });
    await notes.connect();
    expect(notes.state).toEqual({
      kind: "needs-sign-in",
      code: "needs-sign-in",
      message: `${servers.url} asks who is there: sign in, or give it a token.`,
    });
    await notes.setToken(STATIC_TOKEN);
    expect(notes.state.kind).toBe("ready");
    expect(servers.requests.at(-1)?.headers.get("authorization")).toBe(`Bearer ${STATIC_TOKEN}`);
    expect(keyring.scrub(`leaked ${STATIC_TOKEN}`)).toBe("leaked [key removed]");
    expect(JSON.stringify([notes.state, await run(notes, "echo", { text: "x" })])).not.toContain(STATIC_TOKEN);
    await notes.setToken("a wrong token");
    expect(notes.state.kind).toBe("needs-sign-in");
    await notes.signOut();
    expect([notes.state.kind, notes.hasToken]).toEqual(["closed", false]);
  });
});
