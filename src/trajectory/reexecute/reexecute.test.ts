import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bindAgent, defineAgent } from "../../agent";
import { sha256HexSync } from "../../base";
import { isVersionedTree, tempFs, type FileSystem, type SnapshotTree } from "../../fs";
import { demoModel } from "../../testing/demoModel";
import { defineTool } from "../../tools";
import { callParts, finishPart, scriptedModel, textParts, type ScriptedStep } from "../../testing/scriptedModel";
import { sessionFixture, type FixtureOptions, type SessionFixture } from "../../testing/sessionFixture";
import { inferStartTree } from "./inferStartTree";
import { firstOtherLine, recordAgain } from "./recordAgain";
import { reexecute, reexecutionReport, type ReexecuteOptions } from "./reexecute";
import type { DivergenceReport, ReexecutedCall } from "./divergenceReport";

interface Recording {
  readonly session: SessionFixture;
  readonly start: SnapshotTree;
  readonly blobs: { get(hash: string): Promise<Uint8Array | undefined> };
}

async function snapshot(tree: FileSystem): Promise<SnapshotTree> {
  if (!isVersionedTree(tree)) throw new Error("the fixture's tree is versioned");
  return await tree.snapshot();
}

async function recorded(
  options: FixtureOptions,
  messages: readonly string[],
  more: Parameters<SessionFixture["run"]>[1] = {},
): Promise<Recording> {
  const session = await sessionFixture(options);
  const start = await snapshot(session.tree);
  for (const message of messages) await session.run(message, more);
  const blobs = {
    async get(hash: string) {
      for (const tree of [start, ...session.kept]) {
        for (const [, file] of tree.files()) if (file.hash === hash) return await file.bytes();
      }
      return undefined;
    },
  };
  return { session, start, blobs };
}

const steps = (...calls: (readonly [name: string, input: object | string])[]): ScriptedStep[] => [
  ...calls.map(([name, input], index) => ({
    parts: [...callParts(`c${index + 1}`, name, input), finishPart("tool-calls")],
  })),
  { parts: [...textParts("t", "Done."), finishPart("stop", { input: 10, output: 2 })] },
];

async function report(recording: Recording, more: Partial<ReexecuteOptions> = {}): Promise<DivergenceReport> {
  const { session, start, blobs } = recording;
  return await reexecutionReport({ events: session.events, start: { kind: "snapshot", tree: start }, blobs, ...more });
}

/** One line a call: what it came to. */
function lines(calls: readonly ReexecutedCall[]): string[] {
  return calls.map(({ number, toolName, subject, class: found, followsFrom, difference, why, normalisers }) =>
    [
      `${number} ${toolName} ${subject}: ${found}`,
      ...(followsFrom === undefined ? [] : [`follows from #${followsFrom}`]),
      ...(normalisers === undefined ? [] : [normalisers.join(" + ")]),
      ...(difference === undefined
        ? []
        : [
            `${difference.path}${difference.line === undefined ? "" : `:${difference.line}`} ${difference.pointer ?? ""} ${difference.expected} → ${difference.actual}`,
          ]),
      ...(why === undefined ? [] : [why]),
    ].join(" | "),
  );
}

const FILES = { "/notes.md": "one\ntwo\n", "/docs/a.md": "alpha\nTODO beta\n", "/docs/b.md": "gamma\n" };

describe("on its own snapshot", () => {
  test("a recording with reads, writes, searches, failures, faults and unknown tools has no divergence", async () => {
    const recording = await recorded(
      {
        files: FILES,
        model: scriptedModel(
          steps(
            ["Read", { path: "/notes.md" }],
            ["Glob", { globPattern: "**/*.md" }],
            ["Grep", { pattern: "TODO" }],
            ["Write", { path: "/new/x.md", fileText: "x\n" }],
            ["StrReplace", { path: "/docs/a.md", oldText: "beta", newText: "delta" }],
            ["StrReplace", { path: "/docs/a.md", oldText: "nowhere", newText: "x" }],
            ["Read", { path: "/gone.md" }],
            ["Delete", { path: "/docs/b.md" }],
            ["LS", { path: "/" }],
            ["Frobnicate", { a: 1 }],
            ["Read", "no json"],
            ["updateTodos", { todos: [{ id: "1", content: "x", status: "pending" }] }],
            ["readTodos", {}],
          ),
        ),
      },
      ["go"],
    );
    const found = await report(recording, {
      bind: async (tree) => await bindAgent(recording.session.bound.definition, tree),
    });
    expect(lines(found.calls)).toEqual([
      "1 Read /notes.md: equal",
      "2 Glob **/*.md: equal",
      "3 Grep TODO: equal",
      "4 Write /new/x.md: equal",
      "5 StrReplace /docs/a.md: equal",
      "6 StrReplace /docs/a.md: equal",
      "7 Read /gone.md: equal",
      "8 Delete /docs/b.md: equal",
      "9 LS /: equal",
      "10 Frobnicate Frobnicate: equal",
      "11 Read Read: equal",
      "12 updateTodos updateTodos: equal",
      "13 readTodos readTodos: equal",
    ]);
    expect(found).toMatchObject({ outcome: "completed", roots: [], counts: { equal: 13, differs: 0 } });
    expect(found.firstDivergence).toBeUndefined();
    expect(found.calls[3]?.files).toEqual([
      { path: "/new/x.md", class: "equal", expected: sha256HexSync("x\n"), actual: sha256HexSync("x\n") },
    ]);
  });

  test("approvals, refusals, edited arguments and stubs are replayed as they were", async () => {
    const options: FixtureOptions = {
      files: FILES,
      definition: { approvals: "writes" },
      model: scriptedModel([
        {
          parts: [
            ...callParts("c1", "Write", { path: "/a.md", fileText: "a" }),
            ...callParts("c2", "Write", { path: "/b.md", fileText: "b" }),
            ...callParts("c3", "Write", { path: "/c.md", fileText: "c" }),
            finishPart("tool-calls"),
          ],
        },
        ...steps(["Read", { path: "/a.md" }]).map((step, index) =>
          index === 0 ? { parts: [...callParts("c4", "Read", { path: "/a.md" }), finishPart("tool-calls")] } : step,
        ),
      ]),
    };
    const { resumeTurn } = await import("../../session");
    const recording = await recorded(options, ["go"]);
    const { session } = recording;
    const asked = session.events.findLast((event) => event.type === "input.requested");
    if (asked?.type !== "input.requested") throw new Error("three calls wait");
    const resolutions = asked.data.requests.map(({ requestId, inputHash }, index) => ({
      requestId,
      kind: "tool-approval" as const,
      outcome: index === 1 ? ("denied" as const) : ("approved" as const),
      ...(inputHash === undefined ? {} : { inputHash }),
      ...(index === 0 ? { response: { optionId: "approve", input: { path: "/a.md", fileText: "changed" } } } : {}),
    }));
    await session.take(resumeTurn({ ...session.options(), resolutions }));
    expect(lines((await report(recording)).calls)).toEqual([
      "1 Write /a.md: equal",
      "2 Write /b.md: equal",
      "3 Write /c.md: equal",
      "4 Read /a.md: equal",
    ]);
    const again = tempFs(FILES);
    const bound = await bindAgent(defineAgent({ ...session.bound.definition, root: again }), again);
    const log = await all(
      recordAgain({ events: session.events, bound, tree: again, blobs: recording.blobs, services: hashed }),
    );
    expect(firstOtherLine(session.events, log)).toBeUndefined();
  });

  test("a dry run's stubs are stubs again", async () => {
    const recording = await recorded(
      {
        files: FILES,
        dryRun: true,
        model: scriptedModel(steps(["Write", { path: "/x", fileText: "x" }], ["Read", { path: "/x" }])),
      },
      ["go"],
    );
    expect(lines((await report(recording)).calls)).toEqual(["1 Write /x: equal", "2 Read /x: equal"]);
  });

  test("what acts outside of the tree is not run, and what it left behind is put there", async () => {
    const maker = defineTool({
      name: "maker",
      description: "x",
      inputSchema: { type: "object" },
      execute: async () => {
        await tree.write("/made.md", "made\n");
        return "made";
      },
    });
    const tree = tempFs(FILES);
    const recording = await recorded(
      {
        tree,
        authoredTools: [maker],
        model: scriptedModel(
          steps(["webFetch", { url: "https://example.com" }], ["maker", {}], ["Read", { path: "/made.md" }]),
        ),
      },
      ["go"],
    );
    const [started, ...rest] = recording.session.events;
    if (started?.type !== "session.started" || started.data.playground === undefined)
      throw new Error("a log begins so");
    const tools = ["Read", "maker", "webFetch"].map((name) => ({ name, description: "", inputSchema: {} }));
    const playground = { ...started.data.playground, tools };
    const events = [{ ...started, data: { ...started.data, playground } }, ...rest];
    expect(lines((await report(recording, { events })).calls)).toEqual([
      "1 webFetch https://example.com: not run | What the web answers today is not what it answered then; the recorded result stands.",
      "2 maker maker: not run | The tool maker is not here; its recorded result stands.",
      "3 Read /made.md: equal",
    ]);
    // What the recording left behind is not kept: nothing is said of what is built on it.
    const none = { get: () => Promise.resolve(undefined) };
    expect(lines((await report(recording, { events, blobs: none })).calls).at(-1)).toBe(
      "3 Read /made.md: not comparable | What the recording left in /made.md is not kept; what it holds here is something else.",
    );
  });

  test("volatile fields of an author's tool do not diverge, and the report says by which normaliser", async () => {
    const clockTool = (at: number) =>
      defineTool({
        name: "look",
        description: "x",
        inputSchema: { type: "object" },
        effect: "read",
        execute: () => Promise.resolve({ at, id: `id ${at}`, note: `took ${at} ms`, value: 7 }),
      });
    const recording = await recorded(
      { files: FILES, authoredTools: [clockTool(1)], model: scriptedModel(steps(["look", {}])) },
      ["go"],
    );
    const bind = (at: number) => async (tree: FileSystem) =>
      await bindAgent(recording.session.bound.definition, tree, { authoredTools: [clockTool(at)] });
    expect(lines((await report(recording, { bind: bind(2) })).calls)).toEqual([
      "1 look look: equal after normalisation | volatile fields + volatile text",
    ]);
    expect(lines((await report(recording, { bind: bind(1) })).calls)).toEqual(["1 look look: equal"]);
  });
});

test("on a tree inferred from the log, what it shows is compared and the rest is not", async () => {
  const recording = await recorded(
    {
      files: FILES,
      model: scriptedModel(
        steps(
          ["Read", { path: "/notes.md" }],
          ["StrReplace", { path: "/docs/a.md", oldText: "beta", newText: "delta" }],
          ["Read", { path: "/docs/a.md" }],
          ["Glob", { globPattern: "**/*.md" }],
          ["Write", { path: "/new.md", fileText: "x" }],
          ["updateTodos", { todos: [] }],
        ),
      ),
    },
    ["go"],
  );
  const { session, blobs } = recording;
  const inferred = await inferStartTree(session.events, { blobs });
  expect(inferred.files).toEqual([
    { path: "/docs/a.md", evidence: "whole" },
    { path: "/notes.md", evidence: "whole" },
  ]);
  const found = await report(recording, { start: { kind: "inferred", inferred } });
  expect(lines(found.calls)).toEqual([
    "1 Read /notes.md: equal",
    "2 StrReplace /docs/a.md: equal after normalisation | words of the tool",
    "3 Read /docs/a.md: equal",
    "4 Glob **/*.md: not comparable | The tree is inferred: it does not know what else there was to find.",
    "5 Write /new.md: equal after normalisation | words of the tool",
    "6 updateTodos updateTodos: not run | No file tool of ours stands in for updateTodos with the arguments todos.",
  ]);
  expect(found.calls[1]?.files?.map((file) => file.class)).toEqual(["equal"]);
  expect(found.start).toMatchObject({ kind: "inferred", inferred: inferred.files });
});

describe("on another tree", () => {
  const calls = steps(
    ["Read", { path: "/docs/a.md" }],
    ["Grep", { pattern: "alpha", path: "/docs" }],
    ["StrReplace", { path: "/docs/a.md", oldText: "alpha", newText: "omega" }],
    ["Read", { path: "/docs/a.md" }],
    ["Read", { path: "/docs/b.md" }],
    ["Glob", { globPattern: "*.md" }],
    ["Read", { path: "/notes.md" }],
  );
  const OTHER = { ...FILES, "/docs/a.md": "ALPHA\nTODO beta\n", "/docs/b.md": "gamma\nmore\n", "/other.md": "" };

  async function on(policy: "recorded" | "real" | "stop"): Promise<DivergenceReport> {
    const recording = await recorded({ files: FILES, model: scriptedModel(calls) }, ["go"]);
    const tree = await tempFs(OTHER).snapshot();
    return await report(recording, { start: { kind: "mounts", tree }, policy });
  }

  test("recorded results go on: the first divergence of each path is a root, later ones follow from it", async () => {
    const found = await on("recorded");
    expect(lines(found.calls)).toEqual([
      "1 Read /docs/a.md: differs | /docs/a.md:1 /content alpha → ALPHA",
      '2 Grep /docs: differs | follows from #1 | /docs /matches/0 {"file":"/docs/a.md","line":"alpha","lineNumber":1} → undefined',
      "3 StrReplace /docs/a.md: status differs | follows from #1 | /docs/a.md  completed → failed: The string to replace was not found in the file",
      "4 Read /docs/a.md: equal",
      "5 Read /docs/b.md: differs | /docs/b.md:2 /content  → more",
      "6 Glob *.md: differs | *.md /files/1 undefined → /other.md",
      "7 Read /notes.md: equal",
    ]);
    expect(found).toMatchObject({ firstDivergence: 1, roots: [1, 5, 6], policy: "recorded" });
  });

  test("real results go on: what a call left otherwise stays so", async () => {
    const found = await on("real");
    expect(lines(found.calls).slice(2, 4)).toEqual([
      expect.stringContaining("3 StrReplace /docs/a.md: status differs | follows from #1"),
      "4 Read /docs/a.md: differs | follows from #1 | /docs/a.md:1 /content omega → ALPHA",
    ]);
  });

  test("stop: the rest is not run", async () => {
    const found = await on("stop");
    expect(found.outcome).toBe("stopped");
    expect(found.counts).toMatchObject({ differs: 1, "not run": 6 });
    expect(found.calls[1]?.why).toBe("The re-execution stopped at the divergence of call 1.");
  });

  test("a stop ends it with the calls so far", async () => {
    const recording = await recorded({ files: FILES, model: scriptedModel(calls) }, ["go"]);
    const controller = new AbortController();
    const run = reexecute({
      events: recording.session.events,
      start: { kind: "snapshot", tree: recording.start },
      signal: controller.signal,
      onProgress: ({ done, total }) => (done === 2 && total === 7 ? controller.abort() : undefined),
    });
    const seen: ReexecutedCall[] = [];
    let next = await run.next();
    for (; next.done !== true; next = await run.next()) seen.push(next.value);
    expect(seen.map(({ number }) => number)).toEqual([1, 2]);
    expect(next.value).toMatchObject({ outcome: "cancelled", calls: seen });
  });
});

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of source) found.push(one);
  return found;
}

/** Blobs by their hash, as a driver keeps them. */
const hashed = { blobs: { put: (text: string) => Promise.resolve(sha256HexSync(text)) } };

const NAMES = ["a.md", "b.txt", "src/main.ts", "src/lib/util.ts", "docs/guide.md", "Read me.md"];
const REQUESTS = [
  "What files are here?",
  "Read /a.md",
  "Find TODO",
  "Replace TODO by DONE in all files",
  "Create /made.md with the text hello",
  "Delete /b.txt",
  "Summarise the project",
  "Add a line 'end' to /docs/guide.md",
  "Read /missing.md",
];

test("a session of the demo planner on any tree: no divergence on its snapshot, and recorded again it is equal line by line", async () => {
  const contents = fc
    .array(fc.constantFrom("TODO one", "two", "", "alpha TODO", "\r", "ü"), { maxLength: 6 })
    .map((each) => each.join("\n"));
  const trees = fc.dictionary(fc.constantFrom(...NAMES), contents, { minKeys: 1 });
  const talks = fc.array(fc.constantFrom(...REQUESTS), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(trees, talks, async (byName, messages) => {
      const files = Object.fromEntries(Object.entries(byName).map(([name, text]) => [`/${name}`, text]));
      const recording = await recorded({ files, model: await demoModel() }, messages);
      const { session, blobs } = recording;
      const found = await report(recording, { bind: async (tree) => await bindAgent(session.bound.definition, tree) });
      expect(lines(found.calls).filter((line) => !line.endsWith(": equal"))).toEqual([]);
      const tree = tempFs(files, { now: () => 0 });
      const bound = await bindAgent(defineAgent({ ...session.bound.definition, root: tree }), tree);
      const log = await all(recordAgain({ events: session.events, bound, tree, blobs, services: hashed }));
      expect(firstOtherLine(session.events, log)).toBeUndefined();
    }),
    { numRuns: 25 },
  );
});
