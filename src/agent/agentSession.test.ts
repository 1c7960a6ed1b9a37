import { describe, expect, test } from "vitest";
import { tempFs, unionFs, type FileSystem } from "../fs";
import { toolCall } from "../testing/runTool";
import { defineTool } from "../tools";
import { agentSession, type AgentSessionOptions } from "./agentSession";
import { defineAgent } from "./defineAgent";
import { defineSkill } from "./defineSkill";
import { cloudRuntime, grokbotRuntime, localRuntime, virtualRuntime, type RootContext } from "./runtime";

const base = { name: "reviewer", instructions: "Review the files." };
const web = (name: string) =>
  defineTool({ name: "web", description: "Asks the web.", inputSchema: { type: "object" }, execute: () => name });
const withWeb = { harnessTools: { webFetch: [{ ...web("page"), name: "webFetch" }] } };

function session(extra: Readonly<Record<string, unknown>>, options: Partial<AgentSessionOptions> = {}) {
  return agentSession(defineAgent({ ...base, ...extra }), { sessionId: "ses_1", ...options });
}

describe("A root", () => {
  test("that is a factory is asked before every turn, and told whose session it is", async () => {
    const asked: RootContext[] = [];
    const trees: FileSystem[] = [];
    const root = async (context: RootContext) => {
      asked.push(context);
      trees.push(tempFs());
      return trees.at(-1);
    };
    const host = { files: {} as NonNullable<RootContext["host"]>["files"] };
    const live = session({ root }, { continuationKey: "key", host });
    expect((await live.beginTurn()).tree).toBe(trees[0]);
    live.endTurn();
    expect((await live.beginTurn()).tree).toBe(trees[1]);
    const context = { sessionId: "ses_1", agentName: "reviewer", continuationKey: "key", host };
    expect(asked).toEqual([context, context]);
  });

  test("serves between turns with its last handle", async () => {
    const trees = [tempFs(), tempFs()];
    let turns = 0;
    const live = session({ root: () => trees[turns++] });
    expect(live.tree).toBeUndefined();
    await live.beginTurn();
    live.endTurn();
    expect(live.tree).toBe(trees[0]);
    await live.beginTurn();
    expect(live.tree).toBe(trees[1]);
    expect(turns).toBe(2);
  });

  test("whose factory returns the same object is shared by all who ask", async () => {
    const shared = tempFs();
    const [one, other] = [session({ root: () => shared }), session({ root: () => shared }, { sessionId: "ses_2" })];
    await (await one.beginTurn()).tree.write("/a", "from one");
    expect(await (await other.beginTurn()).tree.read("/a")).toBe("from one");
  });

  test("that is static is one object for every session", async () => {
    const root = tempFs();
    expect([(await session({ root }).beginTurn()).tree, (await session({ root }).beginTurn()).tree]).toEqual([
      root,
      root,
    ]);
  });

  test("is a handle, never a snapshot: what is written to it meanwhile is there", async () => {
    const root = tempFs();
    const { tree } = await session({ root }).beginTurn();
    await root.write("/later", "x");
    expect(await tree.read("/later")).toBe("x");
  });

  test("whose factory fails fails with its message, and the next turn is asked anew", async () => {
    const root = tempFs();
    const answers = [
      () => Promise.resolve(root),
      () => Promise.reject(new Error("no checkout of main")),
      () => Promise.resolve(root),
    ];
    let turns = 0;
    const live = session({ root: () => answers[turns++]?.() });
    await live.beginTurn();
    await expect(live.beginTurn()).rejects.toThrow("no checkout of main");
    expect(live.tree).toBe(root);
    expect((await live.beginTurn()).tree).toBe(root);
  });

  test("that lacks verbs is refused when it comes", async () => {
    const partial = { ...tempFs(), search: undefined };
    await expect(session({ root: () => partial }).beginTurn()).rejects.toThrow("root: The tree lacks search.");
  });
});

describe("A factory that returns no tree", () => {
  const nothings = [undefined, null, 7, "tree", [], () => tempFs()];
  test.each(nothings.map((nothing) => ({ nothing })))("is refused: $nothing", async ({ nothing }) => {
    const hostTree = tempFs({ "/secret": "x" });
    const refusal = "The factory returned no tree. Return a FileSystem.";
    const make = (async () => nothing as unknown) as () => Promise<FileSystem>;
    await expect(session({ root: make }, { hostTree }).beginTurn()).rejects.toThrow(`root: ${refusal}`);
    const runtime = virtualRuntime(make);
    await expect(session({ runtime }, { hostTree }).beginTurn()).rejects.toThrow(`runtime: ${refusal}`);
  });
});

describe("A virtual tree", () => {
  test("of a factory is asked for once a session", async () => {
    let asked = 0;
    const runtime = virtualRuntime(async () => ({ read: async () => `tree ${++asked}` }));
    const live = session({ runtime });
    const first = await live.beginTurn();
    live.endTurn();
    const second = await live.beginTurn();
    expect([first, second].map(({ tools }) => tools.map(({ name }) => name))).toEqual([["Read"], ["Read"]]);
    expect(asked).toBe(0);
    expect(second.tree).toBe(first.tree);
  });

  test("of a factory that fails is asked for again", async () => {
    let asked = 0;
    const runtime = virtualRuntime(() => {
      if (asked++ === 0) throw new Error("not yet");
      return {};
    });
    const live = session({ runtime });
    await expect(live.beginTurn()).rejects.toThrow("not yet");
    expect((await live.beginTurn()).tools).toEqual([]);
    await live.beginTurn();
    expect(asked).toBe(2);
  });

  test("that is none is / without verbs", async () => {
    const bound = await session({ runtime: virtualRuntime() }).beginTurn();
    expect(bound.tools).toEqual([]);
    expect(bound.prompt.at(-1)).toEqual({ owner: "workspace", text: "Workspace Path: /" });
  });

  test("has no scratch, whatever its tools list", async () => {
    const definition = { runtime: virtualRuntime(tempFs()), tools: ["read", "webFetch"] };
    const bound = await session(definition, withWeb).beginTurn();
    expect(bound.tools.map(({ name }) => name)).toEqual(["Read", "webFetch"]);
    expect(bound.scratch).toBeUndefined();
  });
});

describe("A brief", () => {
  test("is asked for once a session, and stands as its own part after the instructions", async () => {
    let asked = 0;
    const root = { ...tempFs(), brief: async () => `Plans are under /plans (${++asked}).` };
    const live = session({ root });
    const prompts = [await live.beginTurn(), await live.beginTurn()].map(({ prompt }) => prompt);
    expect(asked).toBe(1);
    expect(prompts[1]).toEqual(prompts[0]);
    expect(prompts[0]?.map(({ owner }) => owner)).toEqual(["instructions", "identity", "brief", "workspace"]);
    expect(prompts[0]?.[0]).toEqual({ owner: "instructions", text: "Review the files." });
    expect(prompts[0]?.[2]).toEqual({ owner: "brief", text: "Plans are under /plans (1)." });
  });

  test("of a union is made of its mounts, that of a scratch left out", async () => {
    const root = unionFs({ "/plans": { ...tempFs(), brief: async () => "one plan a file" } });
    const bound = await session({ root }, withWeb).beginTurn();
    expect(bound.prompt.find(({ owner }) => owner === "brief")?.text).toBe("/plans: one plan a file");
  });

  test("that fails fails the turn, and the session goes on", async () => {
    let asked = 0;
    const brief = () => (asked++ === 0 ? Promise.reject(new Error("no brief")) : Promise.resolve("here"));
    const live = session({ root: { ...tempFs(), brief } });
    await expect(live.beginTurn()).rejects.toThrow("no brief");
    expect((await live.beginTurn()).prompt.find(({ owner }) => owner === "brief")?.text).toBe("here");
  });
});

describe("The scratch", () => {
  test("is there where a web tool is offered on a root, and nowhere else", async () => {
    const root = tempFs();
    expect((await session({ root }, withWeb).beginTurn()).scratch).toBeDefined();
    expect((await session({ root, tools: ["webFetch"] }, withWeb).beginTurn()).scratch).toBeDefined();
    expect((await session({ root, tools: ["read"] }, withWeb).beginTurn()).scratch).toBeUndefined();
    expect((await session({ root }).beginTurn()).scratch).toBeUndefined();
    expect((await session({}, { ...withWeb, hostTree: root }).beginTurn()).scratch).toBeUndefined();
  });

  test("is empty in every turn, kept while the turn waits, and in no handle of the session's", async () => {
    const root = tempFs({ "/notes.md": "mine" });
    const live = session({ root }, withWeb);
    const first = await live.beginTurn();
    await first.tree.write("/tmp/a.txt", "page");
    const resumed = await live.continueTurn();
    expect(await resumed.tree.read("/tmp/a.txt")).toBe("page");
    live.endTurn();
    const second = await live.beginTurn();
    expect(await second.tree.stat("/tmp/a.txt")).toEqual({ kind: "missing" });
    await expect(second.tree.read("/tmp/a.txt")).rejects.toThrow("not found: /tmp/a.txt");
    expect(live.tree).toBe(root);
    expect(await root.stat("/tmp")).toEqual({ kind: "missing" });
    expect(await second.tree.read("/notes.md")).toBe("mine");
  });

  test("hides an author's /tmp in every verb", async () => {
    const root = tempFs({ "/tmp/mine.txt": "mine", "/a.txt": "mine" });
    const { tree } = await session({ root }, withWeb).beginTurn();
    const paths = async (entries: AsyncIterable<{ readonly path: string }>) => {
      const found: string[] = [];
      for await (const { path } of entries) found.push(path);
      return found;
    };
    expect(await paths(tree.list())).toEqual(["/a.txt", "/tmp"]);
    expect(await paths(tree.glob("**/*.txt"))).toEqual(["/a.txt"]);
    expect(await paths(tree.grep({ pattern: "mine" }))).toEqual(["/a.txt"]);
    await expect(tree.read("/tmp/mine.txt")).rejects.toThrow("not found: /tmp/mine.txt");
    expect(await root.read("/tmp/mine.txt")).toBe("mine");
  });

  test("is where a web tool's host paths are read, in a text and in a field", async () => {
    const uuid = "01890a5d-ac96-774b-bcce-b302099a8057";
    const host = `/sessions/ses_1/agent-tools/${uuid}.txt`;
    const page = {
      ...web(""),
      name: "webFetch",
      execute: async () => ({ output_location: host, text: `See ${host}.` }),
    };
    const other = { ...web(""), name: "other", execute: async () => ({ text: host }) };
    const options = { harnessTools: { webFetch: [page] }, authoredTools: [other] };
    const { tools } = await session({ root: tempFs() }, options).beginTurn();
    const call = async (name: string) => tools.find((tool) => tool.name === name)?.execute({}, toolCall());
    expect(await call("webFetch")).toEqual({ output_location: `/tmp/${uuid}.txt`, text: `See /tmp/${uuid}.txt.` });
    expect(await call("other")).toEqual({ text: host });
  });
});

describe("On the host's disk", () => {
  test("the seven file tools, todos and task are offered, and the directory is told", async () => {
    const hostTree = tempFs();
    const bound = await session({ local: { workspaceDir: "/repo" } }, { hostTree }).beginTurn();
    expect(bound.tools.map(({ name }) => name)).toEqual([
      "Read",
      "LS",
      "Grep",
      "Glob",
      "Write",
      "StrReplace",
      "Delete",
      "updateTodos",
      "readTodos",
      "task",
    ]);
    expect(bound.prompt.at(-1)).toEqual({ owner: "workspace", text: "Workspace Path: /repo" });
    expect(bound.tree).toBe(hostTree);
  });

  test("a relative path begins at the session's directory, an absolute one is the host's", async () => {
    const files = { "/repo/src/a.ts": "needle", "/repo/b.ts": "needle", "/c.ts": "needle" };
    const hostTree = tempFs(files);
    const { tools } = await session({ local: { workspaceDir: "/repo" } }, { hostTree }).beginTurn();
    const run = (name: string, input: object) =>
      tools.find((tool) => tool.name === name)?.execute(input as never, toolCall());
    expect(await run("Read", { path: "src/a.ts" })).toMatchObject({ path: "/repo/src/a.ts", content: "needle" });
    expect(await run("Read", { target_file: "../c.ts" })).toMatchObject({ path: "/c.ts" });
    expect(await run("Read", { path: "/c.ts" })).toMatchObject({ path: "/c.ts" });
    expect(await run("LS", { path: "." })).toMatchObject({ directoryTreeRoot: { absPath: "/repo" } });
    expect(await run("LS", { path: "/" })).toMatchObject({ directoryTreeRoot: { absPath: "/" } });
    const inRepo = ["/repo/b.ts", "/repo/src/a.ts"];
    expect(await run("Glob", { globPattern: "**/*.ts" })).toMatchObject({ files: inRepo });
    expect(await run("Glob", { globPattern: "*.ts", targetDirectory: "src" })).toMatchObject({ files: [inRepo[1]] });
    expect(await run("Glob", { globPattern: "*.ts", targetDirectory: "/" })).toMatchObject({ files: ["/c.ts"] });
    const found = { pattern: "needle", outputMode: "files" };
    expect(await run("Grep", found)).toMatchObject({ files: inRepo });
    expect(await run("Grep", { ...found, path: "src" })).toMatchObject({ files: [inRepo[1]] });
    expect(await run("Grep", { ...found, path: "/" })).toMatchObject({ count: 3 });
    await expect(run("Grep", { ...found, path: "none" })).rejects.toThrow("not found: /repo/none");
    await expect(run("Grep", { ...found, path: "/none" })).rejects.toThrow("not found: /none");
    expect(await run("Write", { path: "new.ts", fileText: "1" })).toMatchObject({ path: "/repo/new.ts" });
    await run("StrReplace", { path: "new.ts", oldText: "1", newText: "2" });
    expect(await hostTree.read("/repo/new.ts")).toBe("2");
    await run("Delete", { path: "new.ts" });
    await run("Write", { path: "/new.ts", fileText: "3" });
    expect([(await hostTree.stat("/repo/new.ts")).kind, await hostTree.read("/new.ts")]).toEqual(["missing", "3"]);
    const glob = tools.find(({ name }) => name === "Glob");
    expect(JSON.stringify(glob?.inputSchema)).toContain("The session's directory when omitted.");
  });

  test("a message moves the session to another directory, until another says otherwise", async () => {
    const live = session({ local: { cwd: "/agents" } }, { hostTree: tempFs() });
    const cwds = [
      await live.beginTurn(),
      await live.beginTurn({ runtime: localRuntime({ workspaceDir: "/pull" }) }),
      await live.beginTurn(),
    ].map(({ cwd }) => cwd);
    expect(cwds).toEqual(["/agents/ses_1", "/pull", "/pull"]);
  });

  test("skills are written before every turn, and told in the prompt", async () => {
    const hostTree = tempFs();
    const skills = [
      defineSkill({
        folder: "audit",
        markdown: "---\nname: Audit\ndescription: How to audit\n---\nLook.",
        files: { "a.md": "x" },
      }),
    ];
    const live = session({ local: { workspaceDir: "/repo" } }, { hostTree, skills });
    const { prompt } = await live.beginTurn();
    const path = "/repo/.cursor/skills/audit/SKILL.md";
    expect(prompt.find(({ owner }) => owner === "skills")?.text).toContain(`- Audit: How to audit (${path})`);
    expect(await hostTree.read("/repo/.cursor/skills/audit/a.md")).toBe("x");
    await hostTree.write(path, "changed by the agent");
    await live.beginTurn();
    expect(await hostTree.read(path)).toBe("---\nname: Audit\ndescription: How to audit\n---\nLook.");
  });

  test("an agent without a tree is refused where there is no such disk", async () => {
    await expect(session({}).beginTurn()).rejects.toThrow(
      "root: The agent names no tree, and there is no host's disk here. Give it a root, or a virtualRuntime(fs).",
    );
  });

  test("nothing of a loop elsewhere is executed here", async () => {
    const hostTree = tempFs();
    await expect(session({ runtime: "cloud" }, { hostTree }).beginTurn()).rejects.toThrow(
      "runtime: A cloud loop runs elsewhere, and no endpoint is set up for it here. Leave runtime out to run the agent here.",
    );
    await expect(session({ runtime: "grokbot" }, { hostTree }).beginTurn()).rejects.toThrow(
      "runtime: A grokbot loop runs elsewhere, and no endpoint is set up for it here. Leave runtime out to run the agent here.",
    );
    await expect(session({ runtime: grokbotRuntime() }).beginTurn()).rejects.toThrow("runtime: A grokbot loop runs");
    const live = session({}, { hostTree });
    await expect(live.beginTurn({ runtime: cloudRuntime({ repos: [] }) })).rejects.toThrow(
      "send.runtime: A cloud loop runs elsewhere, and no endpoint is set up for it here. Send without it to run the session here.",
    );
    // It was not sent there: the next message runs here.
    expect((await live.beginTurn()).binding).toBe("host");
  });
});

test("A session's todos go on from turn to turn", async () => {
  const live = session({ root: tempFs() });
  const run = async (name: string, input: object) =>
    (await live.beginTurn()).tools.find((tool) => tool.name === name)?.execute(input as never, toolCall());
  await run("updateTodos", { todos: [{ content: "look", status: "pending" }] });
  expect(await run("readTodos", {})).toEqual({ todos: [{ content: "look", status: "pending" }], totalCount: 1 });
});
