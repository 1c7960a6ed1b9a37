import { expect, test } from "vitest";
import { nativeFileToolNames } from "../base";
import { tempFs, type BriefContext } from "../fs";
import { toolCall } from "../testing/runTool";
import { defineTool, todoList } from "../tools";
import { bindAgent } from "./bindAgent";
import { defineAgent } from "./defineAgent";
import { definitionHash, definitionJson } from "./definitionJson";
import { resolveRoot } from "./resolveRoot";
import { virtualRuntime } from "./runtime";

const base = { name: "reviewer", instructions: "Review the files." };
const noop = (name: string) =>
  defineTool({ name, description: "Does nothing.", inputSchema: { type: "object" }, execute: () => null });

test("A root offers all eight file tools and the todos", async () => {
  const root = tempFs({ "/a": "x" });
  const bound = await bindAgent(defineAgent({ ...base, root }), root);
  expect(bound.tools.map(({ name }) => name)).toEqual([...nativeFileToolNames, "updateTodos", "readTodos"]);
  expect(await bound.tools[0]?.execute({ path: "/a" }, toolCall())).toMatchObject({ content: "x" });
});

test("The allowlist narrows; harness tools come when they exist, authored ones always", async () => {
  const options = {
    harnessTools: { webSearch: [noop("webSearch")], shell: [noop("Shell")] },
    authoredTools: [noop("lint")],
  };
  const definition = defineAgent({ ...base, tools: ["read", "webSearch"] });
  const bound = await bindAgent(definition, tempFs(), options);
  expect(bound.tools.map(({ name }) => name)).toEqual(["Read", "webSearch", "lint"]);
  expect(bound.tools.map(({ effect }) => effect)).toEqual(["read", "read", "write"]);
  expect(bound.offered).toEqual({ names: ["Read"], harness: ["webSearch", "mcp"], scratch: true });
  const empty = await bindAgent(defineAgent({ ...base, tools: [] }), tempFs());
  expect(empty.tools).toEqual([]);
});

test("A session's todos go on in the list it passes", async () => {
  const todos = todoList([{ content: "look", status: "pending" }]);
  const bound = await bindAgent(defineAgent(base), tempFs(), { todos });
  const read = bound.tools.find(({ name }) => name === "readTodos");
  expect(await read?.execute({}, toolCall())).toEqual({
    todos: [{ content: "look", status: "pending" }],
    totalCount: 1,
  });
});

test("A tree that cannot do what the allowlist names is refused", async () => {
  const runtime = virtualRuntime(() => ({}));
  const definition = defineAgent({ ...base, runtime, tools: ["read"] });
  await expect(bindAgent(definition, {})).rejects.toMatchObject({
    code: "discovery",
    message:
      "tools + tree: tools lists read, but the tree has not the verbs it needs. Take read out of tools, or use a tree that has them.",
  });
  await expect(
    bindAgent(defineAgent(base), tempFs(), { authoredTools: [{ ...noop("x"), name: "Grep" }] }),
  ).rejects.toThrow("tools/Grep: An authored tool is named like the native file tool Grep.");
});

test("The prompt has its layers in order, each with its owner", async () => {
  const contexts: BriefContext[] = [];
  const tree = {
    ...tempFs(),
    brief: async (context: BriefContext) => {
      contexts.push(context);
      return "Plans are under /plans.";
    },
  };
  const bound = await bindAgent(defineAgent({ ...base, description: "Finds faults." }), tree, {
    sessionId: "ses_1",
    skills: [{ name: "audit", description: "How to audit", path: "/skills/audit/SKILL.md" }],
    mounts: [{ prefix: "/plans", readOnly: false }],
    asOf: "2025-01-31T12:00:00Z",
  });
  expect(bound.prompt).toEqual([
    { owner: "instructions", text: "Review the files." },
    { owner: "identity", text: "## About you\n\nYou are reviewer.\n\nFinds faults." },
    {
      owner: "brief",
      text: "Your files are one tree under /, made of these mounts:\n- /plans\nThere is no shell here.\n\nPlans are under /plans.",
    },
    {
      owner: "skills",
      text: "## Skills\n\nRead a skill's file before you do what it is about:\n- audit: How to audit (/skills/audit/SKILL.md)",
    },
    { owner: "workspace", text: "Workspace Path: /" },
    { owner: "asOf", text: "As of: 2025-01-31T12:00:00Z. Treat this instant as now; nothing later has happened." },
  ]);
  expect(contexts).toEqual([{ sessionId: "ses_1", agentName: "reviewer", mountsTold: true }]);
});

test("A tree without a brief is told by its mounts; layers with nothing to say are left out", async () => {
  const mounts = [
    { prefix: "/", readOnly: false },
    { prefix: "/docs", readOnly: true },
  ];
  const bound = await bindAgent(defineAgent({ ...base, instructions: "" }), tempFs(), { mounts });
  expect(bound.prompt).toEqual([
    { owner: "identity", text: "## About you\n\nYou are reviewer." },
    {
      owner: "brief",
      text: "Your files are one tree under /, made of these mounts:\n- /\n- /docs (read-only)\nThere is no shell here.",
    },
    { owner: "workspace", text: "Workspace Path: /" },
  ]);
});

test("Mounts are told without a shell only where none is offered", async () => {
  const mounts = [{ prefix: "/", readOnly: false }];
  const shell = defineTool({
    name: "command",
    description: "Runs a command.",
    inputSchema: { type: "object" },
    execute: () => "",
  });
  const options = { mounts, binding: "host", harnessTools: { shell: [{ ...shell, name: "Shell" }] } } as const;
  const brief = async (tools: readonly string[]) =>
    (await bindAgent(defineAgent({ ...base, tools }), tempFs(), options)).prompt.find(({ owner }) => owner === "brief")
      ?.text;
  const list = "Your files are one tree under /, made of these mounts:\n- /";
  expect(await brief(["read", "shell"])).toBe(list);
  expect(await brief(["read"])).toBe(`${list}\nThere is no shell here.`);
});

test.each(["2025-01-31", "2025-01-31T12:00:00", "yesterday", "2025-13-31T12:00:00Z", ""])(
  "asOf %j is refused",
  async (asOf) => {
    await expect(bindAgent(defineAgent(base), tempFs(), { asOf })).rejects.toThrow(
      `asOf: ${JSON.stringify(asOf)} is no instant. Give an ISO-8601 date and time with a zone, e.g. 2025-01-31T12:00:00Z.`,
    );
  },
);

test("A definition's JSON leaves its trees out, and its hash goes by the JSON", () => {
  const root = tempFs();
  const definition = defineAgent({ ...base, tools: ["read"], root });
  expect(definitionJson(definition)).toEqual({ ...base, tools: ["read"] });
  expect(definitionHash(definition)).toBe(definitionHash(defineAgent({ tools: ["read"], ...base })));
  expect(definitionHash(definition)).not.toBe(definitionHash(defineAgent(base)));
  expect(definitionJson(defineAgent({ ...base, runtime: virtualRuntime(root) }))).toEqual({
    ...base,
    runtime: { kind: "local", workspace: "virtual" },
  });
});

test("A root is resolved anew each time, a static one is itself", async () => {
  const root = tempFs();
  const context = { sessionId: "ses_1", agentName: "reviewer" };
  expect(await resolveRoot(defineAgent({ ...base, root }), context)).toBe(root);
  const seen: unknown[] = [];
  const factory = async (given: unknown) => {
    seen.push(given);
    return root;
  };
  const definition = defineAgent({ ...base, root: factory });
  expect([await resolveRoot(definition, context), await resolveRoot(definition, context)]).toEqual([root, root]);
  expect(seen).toEqual([context, context]);
  expect(await resolveRoot(defineAgent(base), context)).toBeUndefined();
  expect(await resolveRoot(defineAgent({ ...base, runtime: virtualRuntime() }), context)).toEqual({});
});
