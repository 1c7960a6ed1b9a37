import { describe, expect, test } from "vitest";
import { agentSession, defineAgent, virtualRuntime, type AgentSession, type AgentSessionOptions } from "../agent";
import { tempFs, type FileSystem } from "../fs";
import { callParts, finishPart, scriptedModel, textParts, type ScriptedModel } from "../testing/scriptedModel";
import { eventLine, sessionFixture, type SessionFixture } from "../testing/sessionFixture";
import { defineTool, type Tool } from "../tools";
import { resumeTurn } from "./runTurn";
import { sessionStateFromEvents } from "./reduceSession";
import type { EventData, SessionEvent } from "./sessionEvent";

const DONE = { parts: [...textParts("t", "ok"), finishPart("stop")] };
const base = { name: "tester", instructions: "Do as told." };

function calls(...list: readonly (readonly [string, object])[]) {
  return {
    parts: [...list.flatMap(([name, input], index) => callParts(`c${index}`, name, input)), finishPart("tool-calls")],
  };
}

async function live(
  model: ScriptedModel,
  extra: Readonly<Record<string, unknown>>,
  options: Partial<AgentSessionOptions> = {},
): Promise<{ readonly session: SessionFixture; readonly agent: AgentSession }> {
  const session = await sessionFixture({ model });
  return { session, agent: agentSession(defineAgent({ ...base, ...extra }), { sessionId: "ses_1", ...options }) };
}

function results(events: readonly SessionEvent[]): EventData["action.result"][] {
  return events.flatMap((event) => (event.type === "action.result" ? [event.data] : []));
}

function lines(events: readonly SessionEvent[]): string[] {
  return events.map(eventLine).filter((line) => !/^(message\.appended|action\.input)/.test(line));
}

describe("A root asked before every turn", () => {
  test("is what the turn's tools see", async () => {
    const model = scriptedModel([calls(["Read", { path: "/a" }]), DONE, calls(["Read", { path: "/a" }]), DONE]);
    let turns = 0;
    const { session, agent } = await live(model, { root: () => tempFs({ "/a": `turn ${++turns}` }) });
    const first = results(await session.run("go", { bound: agent }));
    const second = results(await session.run("again", { bound: agent }));
    expect([first, second].map(([one]) => one?.result.output)).toMatchObject([
      { content: "turn 1" },
      { content: "turn 2" },
    ]);
  });

  test("fails its turn with the factory's message, and the session goes on", async () => {
    const answers = [new Error("no checkout of main"), tempFs({ "/a": "x" })];
    const root = () => {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const { session, agent } = await live(scriptedModel([DONE]), { root });
    expect(lines(await session.run("go", { bound: agent }))).toEqual([
      "turn.started",
      'message.received "go"',
      "turn.failed root-failed: no checkout of main",
      "session.waiting",
    ]);
    expect(sessionStateFromEvents(session.events).status).toBe("ready");
    expect(lines(await session.run("again", { bound: agent })).slice(-3)).toEqual([
      "step.completed stop",
      "turn.completed",
      "session.waiting",
    ]);
  });

  test("that never comes is left when the turn is stopped", async () => {
    const { session, agent } = await live(scriptedModel([]), { root: () => new Promise<FileSystem>(() => undefined) });
    const controller = new AbortController();
    const run = session.run("go", { bound: agent, signal: controller.signal });
    await Promise.resolve();
    controller.abort();
    expect(lines(await run).slice(-2)).toEqual(["turn.failed interrupted: turn interrupted", "session.waiting"]);
  });

  test("a virtual tree without a verb its tools list fails the turn with every reason", async () => {
    const extra = { runtime: virtualRuntime(() => ({})), tools: ["read", "grep"] };
    const { session, agent } = await live(scriptedModel([]), extra);
    const failed = (await session.run("go", { bound: agent })).find((event) => event.type === "turn.failed");
    expect(failed?.data).toMatchObject({
      code: "discovery",
      message: [
        "tools + tree: tools lists read, but the tree has not the verbs it needs. Take read out of tools, or use a tree that has them.",
        "tools + tree: tools lists grep, but the tree has not the verbs it needs. Take grep out of tools, or use a tree that has them.",
      ].join("\n"),
    });
  });

  test("a message that would send the session elsewhere fails its turn, and the next runs here", async () => {
    const { session, agent } = await live(scriptedModel([DONE]), { root: tempFs() });
    const events = await session.run("go", { bound: agent, send: { workspaceDir: "/x" } });
    expect(lines(events)).toContain(
      "turn.failed discovery: root + send.workspaceDir: A session on a tree of its own stays on it. Send without it, or define another agent for that.",
    );
    expect(lines(await session.run("again", { bound: agent })).at(-2)).toBe("turn.completed");
  });
});

/** A tool of the web that puts its text into the place the loop gives it. */
function webFetch(text = "a page\nwith a needle\n"): Tool {
  const tool = defineTool({
    name: "page",
    description: "Fetches.",
    inputSchema: { type: "object" },
    effect: "read",
    execute: async (_input, call) => {
      const path = await call.spill?.(text);
      return path === undefined ? { text } : { output_location: path };
    },
  });
  return { ...tool, name: "webFetch" };
}

function spilledPath(events: readonly SessionEvent[]): string {
  const output = results(events).find(({ toolName }) => toolName === "webFetch")?.result.output;
  return (output as { readonly output_location?: string }).output_location ?? "";
}

describe("The scratch of a turn", () => {
  const harness = { harnessTools: { webFetch: [webFetch()] } };

  test("takes what a web tool spills, and the root itself gets none of it", async () => {
    const model = scriptedModel([calls(["webFetch", {}]), DONE]);
    const root = tempFs({ "/tmp/mine.txt": "needle" });
    const { session, agent } = await live(model, { root }, harness);
    const path = spilledPath(await session.run("go", { bound: agent }));
    expect(path).toMatch(/^\/tmp\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.txt$/);
    expect(await root.stat(path)).toEqual({ kind: "missing" });
  });

  test("is no change of the tree, and who served it is told", async () => {
    const model = scriptedModel([calls(["webFetch", {}], ["Write", { path: "/tmp/note.txt", fileText: "x" }]), DONE]);
    const { session, agent } = await live(model, { root: tempFs() }, harness);
    const treeForCall = () => tempFs();
    const done = results(await session.run("go", { bound: agent, treeForCall }));
    expect(done.map(({ status, changes }) => [status, changes])).toEqual([
      ["completed", undefined],
      ["completed", undefined],
    ]);
    expect(done[1]?.served).toEqual([{ mount: "/tmp", path: "/tmp/note.txt", verb: "write" }]);
    expect(session.kept).toEqual([]);
  });

  test("of one turn is not readable in the next", async () => {
    const model = scriptedModel([
      calls(["Write", { path: "/tmp/note.txt", fileText: "mine" }]),
      DONE,
      calls(["Read", { path: "/tmp/note.txt" }], ["Grep", { pattern: "mine" }], ["LS", { path: "/tmp" }]),
      DONE,
    ]);
    const { session, agent } = await live(model, { root: tempFs() }, harness);
    await session.run("go", { bound: agent });
    const [read, grep, list] = results(await session.run("again", { bound: agent }));
    expect(read?.error).toEqual({ code: "not-found", message: "not found: /tmp/note.txt" });
    expect(grep?.result.output).toMatchObject({ matches: [] });
    expect(list?.result.output).toMatchObject({ directoryTreeRoot: { childrenFiles: [] } });
  });

  test("is kept while the turn waits for a person", async () => {
    const model = scriptedModel([
      calls(["webFetch", {}], ["Write", { path: "/a", fileText: "x" }]),
      calls(["Grep", { pattern: "needle", path: "/tmp" }]),
      DONE,
    ]);
    const { session, agent } = await live(model, { root: tempFs(), approvals: "writes" }, harness);
    const path = spilledPath(await session.run("go", { bound: agent }));
    const [request] = sessionStateFromEvents(session.events).pendingRequests;
    const { requestId = "", inputHash = "" } = request ?? {};
    const resolutions = [{ requestId, kind: "tool-approval", outcome: "approved", inputHash } as const];
    const events = await session.take(resumeTurn({ ...session.options({ bound: agent }), resolutions }));
    expect(results(events).at(-1)?.result.output).toMatchObject({ matches: [{ file: path, line: "with a needle" }] });
  });

  test("is dropped by a message that interrupts the waiting turn", async () => {
    const model = scriptedModel([
      calls(["webFetch", {}], ["Write", { path: "/a", fileText: "x" }]),
      calls(["Grep", { pattern: "needle", path: "/tmp" }]),
      DONE,
    ]);
    const { session, agent } = await live(model, { root: tempFs(), approvals: "writes" }, harness);
    await session.run("go", { bound: agent });
    const events = await session.run("never mind", { bound: agent });
    expect(results(events).at(-1)?.result.output).toMatchObject({ matches: [] });
  });

  test("takes a host's path the model still holds, in Read and in Grep", async () => {
    let uuid = "";
    const naming = defineTool({
      name: "page",
      description: "Fetches as a host's own tool does.",
      inputSchema: { type: "object" },
      effect: "read",
      execute: async (_input, call) => {
        uuid = ((await call.spill?.("a needle")) ?? "").slice("/tmp/".length, -".txt".length);
        return `Large output: /sessions/ses_1/agent-tools/${uuid}.txt`;
      },
    });
    const steps = [calls(["webFetch", {}])];
    const model = scriptedModel([...steps, DONE]);
    const { session, agent } = await live(
      model,
      { root: tempFs(), approvals: "writes" },
      { harnessTools: { webFetch: [{ ...naming, name: "webFetch" }] } },
    );
    const bound = await agent.beginTurn();
    const same: AgentSession = {
      ...agent,
      tree: agent.tree,
      beginTurn: async () => bound,
      continueTurn: async () => bound,
      endTurn: () => undefined,
    };
    const [fetched] = results(await session.run("go", { bound: same }));
    expect(fetched?.result.output).toBe(`Large output: /tmp/${uuid}.txt`);
    const host = `/sessions/ses_1/agent-tools/${uuid}.txt`;
    const reader = scriptedModel([calls(["Read", { path: host }], ["Grep", { pattern: "needle", path: host }]), DONE]);
    const { services } = session.options();
    const read = results(await session.run("read it", { bound: same, services: { ...services, model: reader } }));
    expect(read.map(({ result }) => result.output)).toMatchObject([
      { path: `/tmp/${uuid}.txt`, content: "a needle" },
      { matches: [{ file: `/tmp/${uuid}.txt`, lineNumber: 1 }] },
    ]);
    // The log holds what the model wrote.
    const asked = session.events.flatMap((event) => (event.type === "actions.requested" ? event.data.actions : []));
    expect(asked.at(-1)?.input).toEqual({ pattern: "needle", path: host });
  });

  test("without a root, a spill goes to the host's disk, and is a change of it", async () => {
    const hostTree = tempFs();
    const model = scriptedModel([calls(["webFetch", {}]), DONE]);
    const { session, agent } = await live(model, { local: { workspaceDir: "/repo" } }, { ...harness, hostTree });
    const events = await session.run("go", { bound: agent });
    const path = spilledPath(events);
    expect(path).toMatch(/^\/repo\/agent-tools\/[0-9a-f-]{36}\.txt$/);
    expect(await hostTree.read(path)).toBe("a page\nwith a needle\n");
    expect(results(events)[0]?.changes).toMatchObject([{ path, sizeBytes: 21 }]);
  });

  test("without a root, a relative path begins at the session's directory", async () => {
    const hostTree = tempFs({ "/repo/a": "in the repository", "/a": "at the root" });
    const model = scriptedModel([calls(["Read", { path: "a" }], ["Write", { path: "b", fileText: "x" }]), DONE]);
    const { session, agent } = await live(model, { local: { workspaceDir: "/repo" } }, { hostTree });
    const [read, written] = results(await session.run("go", { bound: agent }));
    expect(read?.result.output).toMatchObject({ path: "/repo/a", content: "in the repository" });
    expect(written?.changes).toMatchObject([{ path: "/repo/b" }]);
  });

  test("a virtual tree has no place for it: the tool is told so", async () => {
    const model = scriptedModel([calls(["webFetch", {}]), DONE]);
    const extra = { runtime: virtualRuntime(tempFs()), tools: ["webFetch"] };
    const { session, agent } = await live(model, extra, harness);
    expect(results(await session.run("go", { bound: agent }))[0]?.result.output).toEqual({
      text: "a page\nwith a needle\n",
    });
  });
});

describe("Files a message brings", () => {
  test("are written through the tree before the model is asked, and told as one change", async () => {
    const model = scriptedModel([calls(["Read", { path: "/docs/a.md" }]), DONE]);
    const root = tempFs({ "/docs/a.md": "old" });
    const { session, agent } = await live(model, { root });
    const workspaceFiles = { "docs/a.md": "new", "./b.bin": new Uint8Array([0, 1]) };
    const events = await session.run("go", { bound: agent, workspaceFiles });
    expect(events.slice(0, 4).map(({ type }) => type)).toEqual([
      "turn.started",
      "message.received",
      "tree.changed",
      "step.started",
    ]);
    expect(events[2]?.data).toMatchObject({ reason: "seed", changes: [{ path: "/b.bin" }, { path: "/docs/a.md" }] });
    expect(results(events)[0]?.result.output).toMatchObject({ content: "new" });
    expect(await root.read("/b.bin")).toEqual(new Uint8Array([0, 1]));
    expect(session.kept).toHaveLength(1);
  });

  test("under memory/ are refused before anything is written or said", async () => {
    const root = tempFs();
    const { session, agent } = await live(scriptedModel([DONE]), { root });
    const before = session.events.length;
    const workspaceFiles = { "a.md": "x", "foo/../memory/x": "y" };
    await expect(session.run("go", { bound: agent, workspaceFiles })).rejects.toThrow(
      'workspaceFiles["foo/../memory/x"]: memory/ is reserved for what the agent remembers. Put the file elsewhere.',
    );
    expect([session.events.length, await root.stat("/a.md")]).toEqual([before, { kind: "missing" }]);
  });

  test("that cannot be written fail the turn with the tree's message; what was written is told", async () => {
    const writable = tempFs();
    const root: FileSystem = {
      ...writable,
      write: (path, contents) =>
        path === "/b.md" ? Promise.reject(new Error("disk full")) : writable.write(path, contents),
    };
    const { session, agent } = await live(scriptedModel([DONE]), { root });
    const events = await session.run("go", { bound: agent, workspaceFiles: { "a.md": "x", "b.md": "y" } });
    expect(lines(events).slice(-3)).toEqual(["tree.changed", "turn.failed seed-failed: disk full", "session.waiting"]);
    expect(await root.read("/a.md")).toBe("x");
  });
});

test("The first turn on a root carries the instructions and the workspace's path", async () => {
  const model = scriptedModel([DONE]);
  const { session, agent } = await live(model, { root: tempFs() });
  await session.run("go", { bound: agent });
  const system = model.requests[0]?.prompt[0];
  expect(system).toMatchObject({
    role: "system",
    content: expect.stringMatching(/^Do as told\.[\s\S]*Workspace Path: \/$/),
  });
});
