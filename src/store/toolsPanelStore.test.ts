import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { mcpServers, type McpServers } from "../mcp/mcpServers.suite";
import { until, workbenchFixture } from "../testing/workbenchFixture";
import type { Workbench } from "./workbench";

let servers: McpServers;
beforeAll(async () => void (servers = await mcpServers()));
afterAll(() => servers.stop());

const open: Workbench[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((workbench) => workbench.dispose()))));

async function opened() {
  const { workbench } = await workbenchFixture();
  open.push(workbench);
  const panel = await workbench.toolsPanel();
  const rows = () => panel.state.getState().rows;
  const tries = () => panel.tries.getState();
  return {
    workbench,
    panel,
    tries,
    rows,
    row: (name: string) => rows().find(({ toolName }) => toolName === name),
    outcome: (name: string) => tries().calls[name]?.outcome,
    write: (value: unknown) =>
      workbench.agentJson.getState().edit(typeof value === "string" ? value : JSON.stringify(value), "test"),
    read: async (path: string) => await workbench.mounts.getState().liveTree().read(path),
  };
}

describe("the tools panel", () => {
  it("lists every tool in its place, offered or refused with the reason", async () => {
    const { rows } = await opened();
    expect(
      rows().map((row) =>
        row.kind === "offered" ? `${row.toolName} ${row.owner} ${row.effect}` : `${row.toolName}: ${row.reason}`,
      ),
    ).toEqual([
      "Read tree read",
      "LS tree read",
      "Grep tree read",
      "Glob tree read",
      "Write tree write",
      "StrReplace tree write",
      "Delete tree write",
      "SemanticSearch tree read",
      "Shell: A root has no shell.",
      "webSearch harness read",
      "webFetch harness read",
      "updateTodos harness always",
      "readTodos harness read",
      "task: A subagent (task) would not get the root.",
      "ReadLints: There is no language service.",
      "mcp: No tool of a connection is there.",
    ]);
  });

  it("follows the definition as it is typed, and moves no row", async () => {
    const { rows, row, panel, write } = await opened();
    const names = rows().map(({ toolName }) => toolName);
    write({ name: "A", tools: ["read", "edit"], approvals: "writes" });
    await until(() => row("Grep")?.kind === "refused", "a refused Grep");
    expect(rows().map(({ toolName }) => toolName)).toEqual(names);
    expect([row("Grep"), row("Write")]).toMatchObject([
      { reason: "tools does not list grep." },
      { kind: "offered", asksFirst: true },
    ]);

    write({ name: "A", tools: ["read", "shell"] });
    await until(() => panel.state.getState().faults.length > 0, "a fault");
    expect(panel.state.getState().faults).toEqual([
      {
        field: "root + tools",
        problem: "A root has no shell.",
        mend: "Take shell out of tools, or root out of the agent.",
      },
    ]);

    const before = rows();
    write('{ "name": ');
    await until(() => panel.state.getState().unreadable !== undefined, "words on what is no JSON");
    expect(rows()).toBe(before);
  });

  it("tells of a refused tool what a model would be told, where there are words of ours", async () => {
    const { row, write } = await opened();
    write({ name: "A", tools: [] });
    await until(() => row("Read")?.kind === "refused", "a refused Read");
    expect([row("Read"), row("Shell")]).toMatchObject([
      { inputSchema: { type: "object", required: ["path"] }, description: expect.stringContaining("file") },
      { inputSchema: { required: ["command"] } },
    ]);
    expect(row("mcp")).not.toHaveProperty("inputSchema");
  });

  it("has the definition as it is typed, where that is an object", async () => {
    const { panel, write } = await opened();
    write({ name: "A", tools: ["read"], runtime: { kind: "local", workspace: "virtual" } });
    await until(() => panel.state.getState().report?.binding === "virtual", "a virtual tree");
    expect(panel.state.getState().value).toMatchObject({ tools: ["read"] });
    write([1]);
    await until(() => panel.state.getState().value === undefined, "no fields");
  });

  it("has the tools of a server beside the others", async () => {
    const { workbench, rows, row } = await opened();
    workbench.connections.getState().addConnection({ name: "notes", url: `${servers.url}/open/mcp` });
    await until(() => row("mcp__notes__echo") !== undefined, "the server's tools");
    expect(row("mcp__notes__Read")).toMatchObject({
      kind: "offered",
      owner: "connection",
      effect: "write",
      mcp: { connection: "notes", tool: "Read" },
    });
    expect(rows().some(({ toolName }) => toolName === "mcp")).toBe(false);
  });
});

describe("a call by hand", () => {
  it("runs on the mounts as the person, tells all that came of it, and can be taken back", async () => {
    const { workbench, tries, outcome, read } = await opened();
    const reasons: string[] = [];
    workbench.mounts.getState().onPersonChange(({ reason, paths }) => reasons.push(`${reason} ${paths.join(" ")}`));
    await tries().run("Write", { path: "work/a.md", fileText: "one\n" }, { dryRun: false });
    expect(outcome("Write")).toMatchObject({
      status: "completed",
      text: "Wrote contents to /work/a.md",
      value: { path: "/work/a.md", linesCreated: 1 },
      served: [{ mount: "/work", path: "/work/a.md", verb: "write" }],
      differences: [{ path: "/work/a.md", kind: "added", linesAdded: 1 }],
      undo: "offered",
    });
    expect([reasons, await read("/work/a.md")]).toEqual([["edit /work/a.md"], "one\n"]);
    await tries().undo("Write");
    expect(outcome("Write")?.undo).toBe("done");
    await expect(read("/work/a.md")).rejects.toMatchObject({ code: "not-found" });
  });

  it("leaves the mounts alone in a dry run", async () => {
    const { tries, outcome, read } = await opened();
    await tries().run("Write", { path: "/work/a.md", fileText: "one" }, { dryRun: true });
    expect(outcome("Write")).toMatchObject({ isStub: true, differences: [], undo: "none" });
    await expect(read("/work/a.md")).rejects.toMatchObject({ code: "not-found" });
  });

  it("ends in the tool's own error, and is not made while the definition has faults", async () => {
    const { tries, outcome, write } = await opened();
    await tries().run("Read", { path: "/work/none" }, { dryRun: false });
    expect(outcome("Read")).toMatchObject({ status: "failed", errorCode: "not-found", text: "not found: /work/none" });
    await tries().run("Read", {}, { dryRun: false });
    expect(outcome("Read")?.errorCode).toBe("invalid-input");
    write({ name: "A", tools: ["shell"] });
    await tries().run("Read", { path: "/work/none" }, { dryRun: false });
    expect(tries().calls["Read"]).toEqual({
      isRunning: false,
      problem: "An agent with faults does not run. Mend them first.",
    });
    tries().clear("Read");
    expect(tries().calls).toEqual({});
  });

  it("says that a search was none", async () => {
    const { tries, outcome } = await opened();
    await tries().run("webSearch", { searchTerm: "typescript" }, { dryRun: false });
    expect(outcome("webSearch")).toMatchObject({ status: "completed", isFixture: true });
  });

  it("shows a server's progress, and is stopped there too", async () => {
    const { workbench, tries, outcome, row } = await opened();
    workbench.connections.getState().addConnection({ name: "notes", url: `${servers.url}/open/mcp` });
    await until(() => row("mcp__notes__slow") !== undefined, "the server's tools");
    const done = tries().run("mcp__notes__slow", {}, { dryRun: false });
    await until(() => tries().calls["mcp__notes__slow"]?.progress !== undefined, "progress");
    expect(tries().calls["mcp__notes__slow"]).toMatchObject({
      isRunning: true,
      progress: { words: expect.stringMatching(/^\d+ of 100 · step \d+$/), share: expect.any(Number) },
    });
    tries().stop("mcp__notes__slow");
    await done;
    expect(outcome("mcp__notes__slow")?.errorCode).toBe("interrupted");
    await until(() => servers.notes.stopped === 1, "the server to stop");
  });
});
