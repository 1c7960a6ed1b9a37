import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { mcpServers, STATIC_TOKEN, type McpServers } from "../mcp/mcpServers.suite";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { until, workbenchFixture, type WorkbenchFixtureOptions } from "../testing/workbenchFixture";
import type { Workbench } from "./workbench";

let servers: McpServers;
beforeAll(async () => void (servers = await mcpServers()));
afterAll(() => servers.stop());

const open: Workbench[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((workbench) => workbench.dispose()))));

async function opened(options: WorkbenchFixtureOptions = {}) {
  const fixture = await workbenchFixture(options);
  open.push(fixture.workbench);
  const { workbench } = fixture;
  const state = () => workbench.connections.getState();
  const first = () => state().connections[0];
  const settled = (status: string) =>
    until(() => first()?.status === status, `${status}, not ${JSON.stringify(first())}`);
  return { ...fixture, state, first, settled };
}

const NOTES = () => ({ name: "notes", url: `${servers.url}/open/mcp` });
const DEMO = { kind: "demo" } as const;

describe("createConnectionsStore", () => {
  it("connects what is added, lists its tools, and keeps it without keys", async () => {
    const { state, first, settled, workbench } = await opened();
    expect(state().addConnection(NOTES())).toBeUndefined();
    await settled("ready");
    expect(first()).toMatchObject({
      id: "connection_1",
      name: "notes",
      enabled: true,
      server: "test-server 1.2.3",
      hasToken: false,
    });
    expect(first()?.tools[0]).toMatchObject({ name: "mcp__notes__echo", tool: "echo", effect: "read" });
    expect(workbench.project.getState().connections).toEqual([{ ...NOTES(), id: "connection_1", enabled: true }]);
  });

  it("refuses names and addresses that cannot be, in words", async () => {
    const { state } = await opened();
    state().addConnection(NOTES());
    expect([
      state().addConnection({ name: "Notes", url: NOTES().url }),
      state().addConnection({ name: "my notes", url: NOTES().url }),
      state().addConnection({ name: "other", url: "notes.example/mcp" }),
      state().addConnection({ name: "other", url: "https://me:pass@notes.example/mcp" }),
      state().editConnection("connection_1", { ...NOTES(), name: "" }),
    ]).toEqual([
      "There is a connection named Notes already.",
      "A name has letters, digits, _ and -, 24 at most: its tools are named by it.",
      "The address begins with https:// or http:// and usually ends in /mcp.",
      "An address holds no user name and no password.",
      "A name has letters, digits, _ and -, 24 at most: its tools are named by it.",
    ]);
    expect(state().connections.length).toBe(1);
  });

  it("switches off and on, renames, moves and removes", async () => {
    const { state, first, settled, workbench } = await opened();
    state().addConnection(NOTES());
    await settled("ready");
    state().setEnabled("connection_1", false);
    await settled("off");
    expect([first()?.tools, (await state().currentTools()).mcp]).toEqual([[], []]);
    state().setEnabled("connection_1", true);
    await settled("ready");
    state().editConnection("connection_1", { name: "renamed", url: `${servers.url}/closed/nothing` });
    await settled("failed");
    expect(first()?.message).toContain("is no MCP endpoint");
    state().editConnection("connection_1", { name: "renamed", url: `${servers.url}/sessions/mcp` });
    await until(() => first()?.tools[0]?.name === "mcp__renamed__echo", "the renamed tools");
    state().removeConnection("connection_1");
    await until(() => state().connections.length === 0, "no connection");
    expect([workbench.project.getState().connections, (await state().currentTools()).mcp]).toEqual([[], []]);
  });

  it("opens the project's connections again, their keys gone with the page", async () => {
    const before = await opened();
    before.state().addConnection({ name: "secret", url: `${servers.url}/token/mcp` });
    await before.settled("needs-sign-in");
    await before.state().setToken("connection_1", STATIC_TOKEN);
    expect(before.first()).toMatchObject({ status: "ready", hasToken: true });
    await before.workbench.project.getState().flush();
    const after = await opened({ from: before });
    await after.settled("needs-sign-in");
    expect(after.first()?.hasToken).toBe(false);
    expect(JSON.stringify(after.workbench.project.getState().connections)).not.toContain(STATIC_TOKEN);
  });

  it("says so where the browser keeps the sign-in's window shut", async () => {
    const { state, settled, workbench } = await opened();
    state().addConnection({ name: "secure", url: `${servers.url}/secure/mcp` });
    await settled("needs-sign-in");
    await state().signIn("connection_1");
    expect(workbench.notices.getState().notices.at(-1)?.text).toContain("allow pop-ups");
  });

  it("offers a run the tools of its connections, logs their calls as theirs, and keeps the token out of the log", async () => {
    const model = scriptedModel([
      { parts: [...callParts("a", "mcp__secret__echo", { text: `token ${STATIC_TOKEN}` }), finishPart("tool-calls")] },
      { parts: [...textParts("t", "ok"), finishPart("stop")] },
    ]);
    const { state, settled, workbench } = await opened({ model });
    state().addConnection({ name: "secret", url: `${servers.url}/token/mcp` });
    await settled("needs-sign-in");
    await state().setToken("connection_1", STATIC_TOKEN);
    await workbench.session.getState().send("go");
    await until(() => model.requests.length === 2, "the end of the run");
    const offered = model.requests[0]?.tools?.map(({ name }) => name) ?? [];
    expect(offered).toEqual(expect.arrayContaining(["Read", "webSearch", "webFetch", "mcp__secret__echo"]));
    const log = workbench.session.getState();
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain("token [key removed]");
    expect(JSON.stringify(log)).not.toContain(STATIC_TOKEN);
  });

  it("tells once that a run goes without the tools of a connection", async () => {
    const { state, settled, workbench } = await opened();
    state().addConnection({ name: "gone", url: "http://127.0.0.1:1/mcp" });
    await settled("failed");
    const texts = () =>
      workbench.notices
        .getState()
        .notices.map(({ text }) => text)
        .filter((text) => text.includes("gone"));
    await state().harnessTools(DEMO);
    await state().harnessTools(DEMO);
    expect(texts()).toEqual([expect.stringMatching(/^The run goes without the tools of gone: No connection to/)]);
  });

  it("lets a model search that can do so itself", async () => {
    const model = { ...scriptedModel([]), provider: "anthropic.messages" };
    const { state } = await opened({ model });
    const settings = { kind: "openai-compatible", baseUrl: "https://models.example/v1", modelId: "m" } as const;
    const { webSearch = [] } = await state().harnessTools(settings);
    expect([webSearch.length, state().webSearch.source]).toEqual([1, { name: "scripted" }]);
  });

  it("searches with the fixture until a service is named, whose key goes with its address", async () => {
    const { state, workbench } = await opened();
    await state().currentTools();
    expect(state().webSearch).toEqual({
      endpoint: "",
      hasKey: false,
      source: { name: "recorded results", fixture: true },
    });
    expect(state().setSearchEndpoint("search.example")).toContain("begins with https://");
    expect(state().setSearchEndpoint("https://search.example/json")).toBeUndefined();
    state().setSearchKey("sk-search-0123456789");
    await state().currentTools();
    expect(state().webSearch).toEqual({
      endpoint: "https://search.example/json",
      hasKey: true,
      source: { name: "search.example" },
    });
    state().setSearchEndpoint("https://search.example/other");
    expect(state().webSearch.hasKey).toBe(true);
    state().setSearchEndpoint("https://elsewhere.example/");
    expect(state().webSearch.hasKey).toBe(false);
    expect(workbench.project.getState().webSearch).toEqual({ endpoint: "https://elsewhere.example/" });
  });
});
