import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { tempFs, type FileSystem } from "../fs";
import { defineTool, type Tool } from "../tools";
import { agentReport } from "./agentReport";
import { virtualRuntime } from "./runtime";

const base = { name: "reviewer", instructions: "Review the files." };
const root = tempFs({ "/a": "" });

type Fields = Readonly<Record<string, unknown>>;

/** Refusals that need a tree or a session, each as `agentReport` tells it. */
const BOUND: readonly (readonly [
  string,
  Fields,
  Parameters<typeof agentReport>[1],
  ...(readonly [string, string])[],
])[] = [
  [
    "a factory's tree that lacks a verb of tools",
    { runtime: virtualRuntime(() => ({})), tools: ["read"] },
    { tree: {} },
    ["tools + tree", "tools lists read, but the tree has not the verbs it needs."],
  ],
  [
    "a factory's root that lacks verbs",
    { root: () => ({}) as FileSystem },
    { tree: { ...root, list: undefined } as unknown as Partial<FileSystem> },
    ["root", "The tree lacks list."],
  ],
  [
    "semSearch on the host's disk",
    { tools: ["semSearch"] },
    { tree: root, binding: "host" },
    ["tools + tree", "tools lists semSearch, but the host's disk has no index."],
  ],
  [
    "a script where the host has no shell",
    {},
    { tree: root, binding: "host", authoredTools: [tool("lint", { execution: "agent" })] },
    ["tools/lint", 'The tool runs in a shell (execution: "agent"), and there is none here.'],
  ],
  [
    "a look-alike through a connection",
    {},
    { tree: root, harnessTools: { mcp: [tool("Read")] } },
    ["mcp/Read", "A tool of a connection is named like the native file tool Read."],
  ],
  [
    "a connection's tool named like an authored one",
    {},
    { tree: root, harnessTools: { mcp: [tool("lint")] }, authoredTools: [tool("lint")] },
    ["mcp/lint", "A tool of a connection is named like the authored tool lint."],
  ],
  ["an asOf that is none", {}, { tree: root, asOf: "yesterday" }, ["asOf", '"yesterday" is no instant.']],
  [
    "timeArgs that name nothing, in a session with asOf",
    {},
    { tree: root, asOf: "2026-01-01T00:00:00Z", authoredTools: [tool("query", { timeArgs: ["until"] })] },
    ["tools/query + asOf", "timeArgs names until, which is not in the input schema, so nothing would be checked."],
  ],
];

function tool(name: string, more: Partial<Tool> = {}): Tool {
  const plain = defineTool({
    name: "plain",
    description: "Does it.",
    inputSchema: { type: "object" },
    execute: () => 1,
  });
  return { ...plain, name, ...more };
}

describe("Refused when it is bound", () => {
  test.each(BOUND.map(gatheredBeside))("%s", (_title, extra, options, faults) => {
    const report = agentReport({ ...base, ...extra }, options);
    expect(report.faults.map(({ field, problem }) => [field, problem])).toEqual(faults);
    expect(report.definition).toBeUndefined();
  });

  test("timeArgs that name nothing are ignored in a session without asOf", () => {
    const options = { tree: root, authoredTools: [tool("query", { timeArgs: ["until"] })] };
    expect(agentReport(base, options).faults).toEqual([]);
  });
});

test("docs/runtime.md tells each of these refusals", () => {
  const docs = readFileSync("docs/runtime.md", "utf8");
  const problems = BOUND.flatMap(([, , , ...faults]) => faults.map(([, problem]) => problem));
  // The page has one example of each text.
  const examples = problems.map((problem) =>
    problem
      .replace(/^tools lists read,/, "tools lists grep,")
      .replace("lacks list", "lacks grep, search")
      .replace("the authored tool lint.", "the native file tool Read."),
  );
  expect(examples.filter((text) => !docs.includes(text))).toEqual([]);
});

/** A row with its faults in one list, as a test takes it. */
function gatheredBeside<Beside, Fault>([title, extra, beside, ...faults]: readonly [
  string,
  Fields,
  Beside,
  ...Fault[],
]) {
  return [title, extra, beside, faults] as const;
}
