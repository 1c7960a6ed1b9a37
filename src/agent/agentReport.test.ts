import { describe, expect, test } from "vitest";
import { allowlistNames, nativeFileToolNames, type AllowlistName } from "../base";
import { tempFs } from "../fs";
import { defineTool, type Tool } from "../tools";
import { agentReport, type AgentReport } from "./agentReport";
import { cloudRuntime, localRuntime, virtualRuntime } from "./runtime";

const base = { name: "reviewer", instructions: "Review the files." };
const tree = tempFs();
const stub = () => {
  throw new Error("unsupported");
};

function tool(name: string, more: Partial<Tool> = {}): Tool {
  const plain = defineTool({
    name: "plain",
    description: "Does it.",
    inputSchema: { type: "object" },
    execute: () => 1,
  });
  return { ...plain, name, ...more };
}

/** Everything a host could have, and one tool that rides the path of connections. */
const harnessTools = {
  shell: [tool("Shell")],
  webSearch: [tool("webSearch")],
  webFetch: [tool("webFetch")],
  readLints: [tool("ReadLints")],
  mcp: [tool("mcp__docs__search", { effect: "read" })],
};

const FILES = nativeFileToolNames.join(" ");
const SEVEN = nativeFileToolNames.filter((name) => name !== "SemanticSearch").join(" ");
const MCP = "mcp__docs__search";

type Row = readonly [where: string, tools: readonly AllowlistName[] | undefined, offered: string, scratch?: "scratch"];

const HOST: readonly Row[] = [
  ["root omitted", undefined, `${SEVEN} Shell webSearch webFetch updateTodos readTodos task ${MCP}`],
  ["root omitted", ["read", "shell"], `Read Shell ${MCP}`],
  ["root omitted", [], ""],
];

const ROOT: readonly Row[] = [
  ["root set", undefined, `${FILES} webSearch webFetch updateTodos readTodos ${MCP}`, "scratch"],
  ["root set", ["updateTodos"], `${FILES} updateTodos ${MCP}`],
  ["root set", ["mcp"], `${FILES} ${MCP}`],
  ["root set", ["semSearch"], `SemanticSearch ${MCP}`],
  ["root set", ["read"], `Read ${MCP}`],
  ["root set", ["edit"], `Write StrReplace ${MCP}`],
  ["root set", ["ls", "grep"], `LS Grep ${MCP}`],
  ["root set", ["webSearch"], `${FILES} webSearch ${MCP}`, "scratch"],
  ["root set", ["webFetch"], `${FILES} webFetch ${MCP}`, "scratch"],
  ["root set", [], ""],
  ["root set", ["read", "webSearch"], `Read webSearch ${MCP}`, "scratch"],
];

const VIRTUAL: readonly Row[] = [
  ["virtualRuntime(fs)", undefined, `Read LS Write StrReplace ${MCP}`],
  ["virtualRuntime(fs)", ["webSearch"], "webSearch"],
  ["virtualRuntime(fs)", ["read", "task"], "Read task"],
  ["virtualRuntime(fs)", ["edit"], "Write StrReplace"],
  ["virtualRuntime(fs)", [], ""],
];

function offeredIn(report: AgentReport): string {
  return report.offered.map(({ name }) => name).join(" ");
}

/** Offered and refused are all there is. */
function expectWhole({ offered, refused }: AgentReport): void {
  const named = new Set([...offered, ...refused].map(({ allowlistName }) => allowlistName));
  expect(named).toEqual(new Set(allowlistNames));
  expect(refused.every(({ reason }) => /^[A-Z t].*\.$/.test(reason))).toBe(true);
}

describe("Which tools the model gets", () => {
  test.each(HOST)("%s, tools %j: %s", (_where, tools, offered) => {
    const report = agentReport({ ...base, ...(tools && { tools }) }, { tree, binding: "host", harnessTools });
    expect([offeredIn(report), report.scratch, report.faults]).toEqual([offered, false, []]);
    expectWhole(report);
  });

  test.each(ROOT)("%s, tools %j: %s", (_where, tools, offered, scratch) => {
    const report = agentReport({ ...base, root: tree, ...(tools && { tools }) }, { harnessTools });
    expect([offeredIn(report), report.scratch, report.faults]).toEqual([offered, scratch === "scratch", []]);
    expectWhole(report);
    // A tree handed to an agent that names none is its root.
    expect(agentReport({ ...base, ...(tools && { tools }) }, { tree, harnessTools }).offered).toEqual(report.offered);
  });

  test.each(VIRTUAL)("%s, tools %j: %s", (_where, tools, offered) => {
    const runtime = virtualRuntime({ read: stub, list: stub, stat: stub, write: stub });
    const report = agentReport({ ...base, runtime, ...(tools && { tools }) }, { harnessTools });
    expect([offeredIn(report), report.scratch, report.faults]).toEqual([offered, false, []]);
    expectWhole(report);
  });

  test("mcp is granted where some tool rides that path, and only then", () => {
    expect(offeredIn(agentReport({ ...base, root: tree, tools: ["mcp"] }, {}))).toBe(FILES);
    const { refused } = agentReport({ ...base, root: tree }, {});
    expect(refused.find(({ name }) => name === "mcp")?.reason).toBe("No tool of a connection is there.");
  });

  test("an author's own search tool is not SemanticSearch, and is offered whatever the list says", () => {
    const report = agentReport({ ...base, root: tree, tools: [] }, { authoredTools: [tool("search")] });
    expect(report.offered.map(({ name, owner }) => [name, owner])).toEqual([["search", "author"]]);
  });
});

test("What is offered says whose it is, what it does, and its schema", () => {
  const authoredTools = [tool("lint", { effect: "read", needsApproval: true })];
  const { offered } = agentReport(
    { ...base, root: tree, tools: ["read", "webFetch"] },
    { harnessTools, authoredTools },
  );
  expect(
    offered.map(({ name, owner, allowlistName, effect, needsApproval }) => [
      name,
      owner,
      allowlistName,
      effect,
      needsApproval,
    ]),
  ).toEqual([
    ["Read", "tree", "read", "read", false],
    // The harness's own effect, whatever the tool says of itself.
    ["webFetch", "harness", "webFetch", "read", false],
    [MCP, "connection", "mcp", "read", false],
    ["lint", "author", undefined, "read", true],
  ]);
  expect(offered[0]?.inputSchema).toMatchObject({ type: "object", required: ["path"] });
});

describe("What is refused says why", () => {
  const reasons = (report: AgentReport) => Object.fromEntries(report.refused.map(({ name, reason }) => [name, reason]));

  test("on a root", () => {
    expect(reasons(agentReport({ ...base, root: tree, tools: ["read"] }, { harnessTools }))).toEqual({
      LS: "tools does not list ls.",
      Grep: "tools does not list grep.",
      Glob: "tools does not list glob.",
      Write: "tools does not list edit.",
      StrReplace: "tools does not list edit.",
      Delete: "tools does not list delete.",
      SemanticSearch: "tools does not list semSearch.",
      Shell: "A root has no shell.",
      webSearch: "tools does not list webSearch.",
      webFetch: "tools does not list webFetch.",
      updateTodos: "tools does not list updateTodos.",
      readTodos: "tools does not list readTodos.",
      task: "A subagent (task) would not get the root.",
      ReadLints: "There is no language service.",
    });
    expect(reasons(agentReport({ ...base, root: tree, tools: [] }, {}))["Read"]).toBe("tools is empty.");
    expect(reasons(agentReport({ ...base, root: tree }, {}))["webFetch"]).toBe("Nothing here runs webFetch.");
  });

  test("on a virtual tree", () => {
    const runtime = virtualRuntime({ list: stub, write: stub });
    expect(reasons(agentReport({ ...base, runtime }, { harnessTools }))).toEqual({
      Read: "The tree has no read.",
      LS: "The tree has no stat.",
      Grep: "The tree has no grep.",
      Glob: "The tree has no glob.",
      StrReplace: "The tree has no read.",
      Delete: "The tree has no delete.",
      SemanticSearch: "The tree has no search.",
      Shell: "A virtual tree has no shell.",
      webSearch: "A virtual tree offers it only where tools lists webSearch.",
      webFetch: "A virtual tree offers it only where tools lists webFetch.",
      updateTodos: "A virtual tree offers it only where tools lists updateTodos.",
      readTodos: "A virtual tree offers it only where tools lists readTodos.",
      task: "A virtual tree offers it only where tools lists task.",
      ReadLints: "There is no language service.",
    });
  });

  test("on the host's disk, and in a loop elsewhere", () => {
    const onHost = reasons(agentReport({ ...base, runtime: localRuntime() }, { tree, binding: "host" }));
    expect([onHost["SemanticSearch"], onHost["Shell"]]).toEqual([
      "The host's disk has no index.",
      "Nothing here runs shell.",
    ]);
    const elsewhere = agentReport({ ...base, runtime: cloudRuntime({ repos: ["a"] }) }, {});
    expect(elsewhere.offered).toEqual([]);
    expect(new Set(elsewhere.refused.map(({ reason }) => reason))).toEqual(
      new Set(["A cloud loop has its own tools."]),
    );
  });
});

test("A definition with faults is still told about, by the fields that are sound", () => {
  const report = agentReport({ name: "", instructions: "x", root: tree, tools: ["read", "nope"] }, {});
  expect(report.definition).toBeUndefined();
  expect(report.faults.map(({ field }) => field)).toEqual(["name", "tools"]);
  // A name that is none widens nothing: the panel shows what the other names come to.
  expect(offeredIn(report)).toBe("Read");
  expect(offeredIn(agentReport({ ...base, root: tree, tools: ["nope"] }, {}))).toBe("");
  // A list that is none at all is no list.
  expect(offeredIn(agentReport({ ...base, root: tree, tools: "read" }, {}))).toBe(`${FILES} updateTodos readTodos`);
});

test.each([null, undefined, 7, "x", [], () => 0])("%j is no definition, and nothing breaks", (input) => {
  const report = agentReport(input, { tree });
  expect(report.faults).toEqual([
    { field: "agent", problem: "It is not an object.", mend: "Give name and instructions at least." },
  ]);
});
