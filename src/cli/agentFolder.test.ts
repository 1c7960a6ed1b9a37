import { describe, expect, it } from "vitest";
import { agent, agentProcess, directoryWith } from "./commandLine.suite";

/** A folder in TypeScript, as an author keeps one. */
const written = {
  "agent/agent.ts": `import { defineAgent, skillsFs, tempFs, unionFs } from "rootscope";
import { STEPS } from "./lib/steps";
const root = unionFs({ "/notes": tempFs({ "/a.md": "one" }), "/skills": skillsFs({ audit: "Check them all." }) });
export default defineAgent({ description: "Keeps notes.", maxSteps: STEPS, tools: ["read", "edit", "mcp"], root });
`,
  "agent/lib/steps.ts": "export const STEPS: number = 7;\nexport enum Unerasable { A }\n",
  "agent/instructions.md": "Keep the notes tidy.\n",
  "agent/tools/shout.ts": `import { defineTool } from "rootscope";
import { z } from "zod";
export default defineTool({
  description: "Shouts.", effect: "read", needsApproval: true, inputSchema: z.object({ text: z.string() }),
  execute: ({ text }) => ({ loud: text.toUpperCase() }),
});
`,
  "agent/tools/shout.test.ts": "throw new Error('a test is no tool');",
  "agent/skills/audit/SKILL.md": "---\nname: audit\ndescription: How notes are audited.\n---\nDo it.\n",
  "agent/skills/tidy.md": "# Tidying up\n\nSort the lines.\n",
  "agent/mcp-connections/stock.ts": `import { defineConnection } from "rootscope";
export default defineConnection({ url: "https://mcp.example/stock", enabled: false });
`,
  "agent/subagents/helper/agent.json": '{ "description": "Helps." }',
  "agent/subagents/helper/tools/x.ts": "",
  "evals/evals.config.ts": "",
  "evals/deep/index.eval.ts": "",
  "evals/smoke.eval.ts": "",
  "package.json": "{}",
};

describe("an agent folder", () => {
  it("is checked, told of and called, TypeScript and all", async () => {
    const dir = await directoryWith(written);
    const [valid, info, called, read] = await Promise.all([
      agentProcess(["validate", "--dir", dir]),
      agentProcess(["info", "--dir", dir, "--json"]),
      agentProcess(["call", "shout", "--dir", dir, "--input", '{"text":"hi"}']),
      agentProcess(["call", "read", "--dir", dir, "--input", '{"path":"/notes/a.md"}']),
    ]);
    const name = dir.split("/").at(-1);
    const warnings = [
      "subagents/: An agent with a root has no task to give them, so they are not used. Take them out, or the root.",
      "subagents/helper/tools/: It is ignored: a subagent has its parent's. Take it out, or give it to the parent.",
    ];
    const told = warnings.map((warning) => `warning: ${warning}\n`).join("");
    expect(valid).toEqual({ code: 0, stdout: `${told}${name} is sound.\n`, stderr: "" });
    expect(called).toEqual({ code: 0, stdout: '{"loud":"HI"}\n', stderr: "" });
    expect(read).toEqual({ code: 0, stdout: "     1|one\n", stderr: "" });
    expect([info.code, info.stderr]).toEqual([0, ""]);
    const described = JSON.parse(info.stdout) as Record<string, unknown> & {
      offered: { name: string; owner: string; needsApproval: boolean }[];
      prompt: { owner: string; text: string }[];
    };
    expect(described).toMatchObject({
      name,
      description: "Keeps notes.",
      runsOn: "root",
      mounts: [{ prefix: "/", kind: "authored" }],
      skills: [
        { name: "audit", description: "How notes are audited." },
        { name: "tidy", description: "Tidying up" },
      ],
      connections: [{ name: "stock", url: "https://mcp.example/stock", enabled: false }],
      evals: ["deep", "smoke"],
      faults: [],
    });
    expect(described.offered.map((tool) => [tool.name, tool.owner, tool.needsApproval])).toEqual([
      ["Read", "tree", false],
      ["Write", "tree", false],
      ["StrReplace", "tree", false],
      ["shout", "author", true],
    ]);
    expect(described["refused"]).toContainEqual({
      name: "mcp",
      allowlistName: "mcp",
      reason: "Its connections are opened by run and call.",
    });
    expect(described.prompt[0]).toEqual({ owner: "instructions", text: "Keep the notes tidy.\n" });
    expect(described.prompt.find(({ owner }) => owner === "brief")?.text).toMatch(
      /^Mounts: \/notes, \/skills\n\/skills: .*audit: /s,
    );
  });

  it("has every fault told at once, with its file and the way out", async () => {
    const dir = await directoryWith({
      "agent.ts": 'export default { tools: ["read", "search"], maxSteps: 0 };',
      "tools/broken.ts": "export const a: = 3;\n",
      "tools/empty.ts": "export const other = 1;",
      "tools/loud.ts": "throw new Error('no key');",
      "tools/none.ts": "export default {};",
      "tools/Read.ts": `export default { description: "x", inputSchema: { type: "object" }, execute: () => "" };`,
      "skills/hollow/notes.txt": "",
      "connections/far.json": '{ "url": "ftp://x" }',
      "connections/odd.json": "{",
      "subagents/child/agent.ts": "export default {};",
    });
    const { code, stdout, stderr } = await agentProcess(["validate", "--dir", dir, "--json"]);
    const told = JSON.parse(stdout) as { ok: boolean; faults: { field: string; problem: string }[] };
    expect([code, stderr, told.ok]).toEqual([1, "", false]);
    expect(told.faults.map(({ field, problem }) => `${field}: ${problem}`)).toEqual([
      expect.stringMatching(/^tools\/Read\.ts: name: Read is a native file tool's name\.$/),
      "tools/broken.ts: It cannot be loaded: Unexpected token (line 1, column 17).",
      "tools/empty.ts: It has no default export.",
      "tools/loud.ts: It cannot be loaded: no key.",
      "tools/none.ts: description: It is missing.",
      "tools/none.ts: execute: It is not a function.",
      "tools/none.ts: inputSchema: It does not describe an object.",
      "skills/hollow: It holds no SKILL.md.",
      "connections/far.json: url: ftp: is no address of the web.",
      expect.stringMatching(/^connections\/odd\.json: It cannot be loaded: /),
      "subagents/child: description: It is missing.",
      "instructions: It is missing.",
      'tools: "search" is no name of the allowlist.',
      "maxSteps: 0 is no number of steps.",
    ]);
    const text = await agentProcess(["validate", "--dir", dir]);
    expect(text.stdout).toMatch(/\n14 faults\.\n$/);
    const used = await agentProcess(["run", "--dir", dir, "--message", "hi"]);
    expect([used.code, used.stdout]).toEqual([1, ""]);
    expect(used.stderr).toContain("skills/hollow: It holds no SKILL.md.");
  });

  it("may be plain data, and is held against the tree it is put on", async () => {
    const dir = await directoryWith({
      "agent.json": '{ "name": "plain", "tools": ["read", "shell"] }',
      "instructions.md": "Read.",
    });
    const root = await directoryWith({ a: "1" });
    const warning = "tools: Nothing here runs shell. Take shell out, or run the agent where there is one.";
    expect(await agent(["validate", "--dir", dir])).toEqual({
      code: 0,
      stdout: `warning: ${warning}\nplain is sound.\n`,
      stderr: "",
    });
    const onRoot = await agent(["validate", "--dir", dir, "--root", root]);
    expect([onRoot.code, onRoot.stdout]).toEqual([
      1,
      "root + tools: A root has no shell. Take shell out of tools, or root out of the agent.\n1 fault.\n",
    ]);
    const info = await agent(["info", "--dir", dir]);
    expect([info.code, info.stderr]).toEqual([0, ""]);
    expect(info.stdout).toContain(
      `plain\n\nWarnings\n  ${warning}\n\nOffered\n  Read  read, tree\n\nRefused\n  LS  tools does not list ls.\n`,
    );
    expect(info.stdout).toContain("  Shell  Nothing here runs shell.\n");
    expect(info.stdout).toContain("Mounts\n  /  memory\n");
  });

  it("has its tree made once before a turn, and a tree that cannot be had told among the faults", async () => {
    const counting = await directoryWith({
      "instructions.md": "x",
      "agent.js": `import { tempFs, virtualRuntime } from "rootscope";
let made = 0;
const tree = async () => tempFs({ "/made": String(++made) });
export default { runtime: virtualRuntime(tree) };`,
      "package.json": '{ "type": "module" }',
    });
    const failing = await directoryWith({
      "agent.js": 'export default { tools: ["nosuch"], root() { throw new Error("no tree today"); } };',
      "package.json": '{ "type": "module" }',
    });
    const none = await directoryWith({
      "instructions.md": "x",
      "agent.js": "export default { root() {} };",
      "package.json": '{ "type": "module" }',
    });
    const refusal = "root: The factory returned no tree. Return a FileSystem.\n";
    const [run, faults, noTree, read] = await Promise.all([
      agentProcess(["run", "--dir", counting, "--message", "Read /made"]),
      agentProcess(["validate", "--dir", failing]),
      agentProcess(["validate", "--dir", none]),
      agentProcess(["call", "read", "--dir", none, "--input", '{"path":"/a"}']),
    ]);
    expect(noTree).toEqual({ code: 1, stdout: `${refusal}1 fault.\n`, stderr: "" });
    expect(read).toEqual({ code: 1, stdout: "", stderr: refusal });
    expect([run.code, run.stdout]).toEqual([0, expect.stringMatching(/\n1\n/) as string]);
    expect(faults.code).toBe(1);
    expect(faults.stdout).toContain("root: The tree cannot be had: no tree today");
    expect(faults.stdout).toContain('tools: "nosuch" is no name of the allowlist.');
  });

  it("of a loop elsewhere is told of, with why no turn can begin here", async () => {
    const dir = await directoryWith({
      "agent.json": '{ "name": "far", "runtime": "cloud", "cloud": { "repos": ["a"] } }',
      "instructions.md": "x",
    });
    const { code, stdout } = await agent(["info", "--dir", dir, "--json"]);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      { name: "far", runsOn: "remote", offered: [], faults: [{ field: "runtime" }] },
    ]);
  });

  it("says what there is not", async () => {
    const empty = await directoryWith({ "notes.txt": "" });
    expect(await agent(["validate", "--dir", empty])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        "There is neither agent.ts, agent.js or agent.json nor instructions.md.",
      ) as string,
    });
    expect(await agent(["validate", "--dir", `${empty}/gone`])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`There is no directory ${empty}/gone.`) as string,
    });
    const two = await directoryWith({ "agent.json": "{}", "agent.js": "", "instructions.md": "x" });
    expect((await agent(["validate", "--dir", two])).stdout).toContain("They are two definitions of one agent.");
  });
});
