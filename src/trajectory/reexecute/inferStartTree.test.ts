import { describe, expect, test } from "vitest";
import { sha256HexSync, type JsonValue } from "../../base";
import type { SessionEvent } from "../../session";
import { hasPublished, importPublished } from "../import/publishedFile.suite";
import { inferStartTree } from "./inferStartTree";
import type { ReexecutionShell } from "./callRunner";
import { compareReports } from "./compareReports";
import { reportFromText, reportText, type ReexecutedCall } from "./divergenceReport";
import { placementAt } from "./recordedCalls";
import { reexecutionReport, type ReexecuteOptions } from "./reexecute";
import { UNKNOWN_LINE } from "./foreign/unknownText";
import { tempFs } from "../../fs";

type Call = readonly [toolName: string, input: object, output: JsonValue, more?: object];

const meta = { id: "evt_1", at: "2026-01-01T00:00:00.000Z" };

/** A recording of another program: its calls, each with its result. */
function recording(calls: readonly Call[], cwd = "/w"): SessionEvent[] {
  const turn = { turnId: "turn_0", sequence: 0 };
  const step = { ...turn, stepIndex: 0 };
  const source = {
    format: "claude-code",
    version: "1",
    sha256: "",
    warnings: [],
    fidelity: {},
    session: { id: "s", cwd },
  };
  const events = calls.flatMap(([toolName, input, output, more = {}], index) => [
    {
      type: "actions.requested",
      data: { ...step, actions: [{ kind: "tool-call", callId: `c${index}`, toolName, input }] },
      meta,
    },
    {
      type: "action.result",
      data: {
        ...step,
        status: "completed",
        toolName,
        result: { kind: "tool-result", callId: `c${index}`, toolName, output },
        ...more,
      },
      meta,
    },
  ]);
  return [
    { type: "session.started", data: { runtime: { agentId: "x", eveVersion: "26" } }, meta },
    { type: "import.source", data: source, meta },
    { type: "turn.started", data: turn, meta },
    ...events,
  ] as unknown as SessionEvent[];
}

const failed = (message: string): object => ({ status: "failed", error: { code: "tool-failed", message } });

async function inferredTexts(calls: readonly Call[]) {
  const { tree, files, absent } = await inferStartTree(recording(calls));
  const texts: Record<string, string> = {};
  for (const [path, file] of tree.files()) {
    texts[path] = new TextDecoder().decode(await file.bytes()).replaceAll(UNKNOWN_LINE, "?");
  }
  return { texts, files, absent: [...absent] };
}

async function run(calls: readonly Call[], more: Partial<ReexecuteOptions> = {}) {
  const events = recording(calls);
  const inferred = await inferStartTree(events);
  return await reexecutionReport({ events, start: { kind: "inferred", inferred }, ...more });
}

const lines = (calls: readonly ReexecutedCall[]): string[] =>
  calls.map(({ number, toolName, class: found, why, difference, followsFrom, ranAs }) =>
    [
      `${number} ${toolName}${ranAs === undefined ? "" : ` as ${ranAs}`}: ${found}`,
      ...(followsFrom === undefined ? [] : [`follows from #${followsFrom}`]),
      ...(difference === undefined
        ? []
        : [`${difference.path}:${difference.line ?? ""} ${difference.expected} → ${difference.actual}`]),
      ...(why === undefined ? [] : [why]),
    ].join(" | "),
  );

describe("the start tree", () => {
  test("holds what was read of a file before anything wrote it", async () => {
    expect(
      await inferredTexts([
        ["Read", { file_path: "/w/a" }, "     1→one\n     2→two"],
        ["Read", { file_path: "b", offset: 3, limit: 2 }, "     3→c\n     4→d"],
        ["Edit", { file_path: "/w/c", old_string: "old", new_string: "new" }, "done"],
        ["Edit", { file_path: "/w/a", old_string: "two", new_string: "2" }, "done"],
        ["Read", { file_path: "/w/a" }, "     1→one\n     2→2"],
        ["Write", { file_path: "/w/made", content: "x" }, "done"],
        ["Read", { file_path: "/w/made" }, "     1→x"],
        ["Read", { file_path: "/w/none" }, "File does not exist.", failed("File does not exist.")],
        ["Bash", { command: "sed -n '1,2p' d" }, "x\ny\n"],
      ]),
    ).toEqual({
      texts: { "/w/a": "one\ntwo\n", "/w/b": "?\n?\nc\nd\n??\n", "/w/c": "??\nold\n??\n", "/w/d": "x\ny\n??\n" },
      files: [
        { path: "/w/a", evidence: "whole" },
        { path: "/w/b", evidence: "ranges", ranges: [[3, 4]] },
        { path: "/w/c", evidence: "fragments" },
        { path: "/w/d", evidence: "ranges", ranges: [[1, 2]] },
      ],
      absent: ["/w/made", "/w/none"],
    });
  });

  test("knows texts an importer found beside the results", async () => {
    const text = "whole\ntext\n";
    const evidence = [{ path: "/w/a", blob: sha256HexSync(text), sizeBytes: 11, known: "before" }];
    const events = recording([
      ["Edit", { file_path: "/w/a", old_string: "text", new_string: "x" }, "done", { evidence }],
    ]);
    const blobs = {
      get: (hash: string) => Promise.resolve(hash === sha256HexSync(text) ? new TextEncoder().encode(text) : undefined),
    };
    const { tree, files } = await inferStartTree(events, { blobs });
    expect(files).toEqual([{ path: "/w/a", evidence: "whole" }]);
    expect(tree.file("/w/a")?.hash).toBe(sha256HexSync(text));
  });
});

describe("calls of another program", () => {
  const CALLS: readonly Call[] = [
    ["Read", { file_path: "/w/a" }, "     1→one\n     2→two"],
    [
      "Edit",
      { file_path: "/w/a", old_string: "two", new_string: "2" },
      "The file has been updated:\n     1→one\n     2→2",
    ],
    ["Read", { file_path: "/w/b", offset: 2, limit: 1 }, "     2→b"],
    ["Read", { file_path: "/w/b" }, "     1→a\n     2→b\n     3→c", { truncated: true }],
    ["Glob", { pattern: "*" }, "/w/a\n/w/b"],
    ["Grep", { pattern: "one", path: "/w/a", output_mode: "content" }, "/w/a:1:one"],
    ["Bash", { command: "cat a" }, "one\n2\n"],
    ["Bash", { command: "npm test" }, "ok"],
    ["Write", { file_path: "/w/a", content: "x" }, "no", failed("File has not been read yet.")],
    ["WebSearch", { query: "x" }, "y"],
  ];
  const shell: ReexecutionShell = async (command, tree, { cwd }) => ({
    stdout: command === "cat a" ? String(await tree.read(`${cwd}/a`)) : "",
    stderr: "",
    exitCode: 0,
  });

  test("run by tools of ours, each with how far it can be told", async () => {
    expect(lines((await run(CALLS, { shell })).calls)).toEqual([
      "1 Read as Read: equal after normalisation",
      "2 Edit as StrReplace: equal after normalisation",
      "3 Read as Read: equal after normalisation",
      "4 Read as Read: not comparable | The recording holds a part of the result only.",
      "5 Glob: not comparable | The tree is inferred: it does not know what else there was to find.",
      "6 Grep as Grep: equal after normalisation",
      "7 Bash as Shell: equal",
      "8 Bash: not run | The command is not one of those that surely only read; its recorded result stands.",
      "9 Write: not run | The recording's tool refused it by a rule or for want of a right of its own.",
      "10 WebSearch: not run | No file tool of ours stands in for WebSearch with the arguments query.",
    ]);
    expect(lines((await run(CALLS)).calls)[6]).toBe(
      "7 Bash: not run | There is no shell here; the recorded result stands.",
    );
  });

  test("what lies outside of what is known is not comparable, and no divergence", async () => {
    const calls: readonly Call[] = [
      ["Read", { file_path: "/w/b", offset: 2, limit: 1 }, "     2→b"],
      ["Edit", { file_path: "/w/b", old_string: "b", new_string: "B" }, "done"],
      ["Edit", { file_path: "/w/b", old_string: "zz", new_string: "ZZ" }, "done"],
      ["Read", { file_path: "/w/b" }, "     1→a\n     2→B\n     3→ZZ"],
      ["Read", { file_path: "/w/b" }, "     1→a\n     2→C\n     3→ZZ"],
      ["Edit", { file_path: "/w/b", old_string: "nowhere", new_string: "x" }, "no", failed("String not found.")],
      ["Read", { file_path: "/w/image.png" }, [{ type: "image", mediaType: "image/png" }]],
    ];
    expect(lines((await run(calls)).calls)).toEqual([
      "1 Read as Read: equal after normalisation",
      "2 Edit as StrReplace: equal after normalisation",
      "3 Edit as StrReplace: equal after normalisation",
      "4 Read: not comparable | 2 of the 3 lines lie outside what is known of /w/b.",
      "5 Read as Read: differs | /w/b:2 C → B",
      "6 Edit: not comparable | The edited place lies outside what is known of /w/b.",
      "7 Read: not comparable | The inferred tree does not know what /w/image.png held.",
    ]);
  });

  test("a file that was as recorded before a command that was not run, and is not after it, is no divergence", async () => {
    const calls: readonly Call[] = [
      ["Read", { file_path: "/w/a" }, "     1→one"],
      ["Bash", { command: "sed -i s/one/1/ a" }, ""],
      ["Read", { file_path: "/w/a" }, "     1→1"],
      ["Write", { file_path: "/w/a", content: "x" }, "done"],
      ["Read", { file_path: "/w/a" }, "     1→y"],
    ];
    expect(lines((await run(calls)).calls)).toEqual([
      "1 Read as Read: equal after normalisation",
      "2 Bash: not run | The command is not one of those that surely only read; its recorded result stands.",
      "3 Read as Read: not comparable | Call 2, which was not run, may have changed /w/a.",
      "4 Write as Write: equal after normalisation",
      "5 Read as Read: differs | /w/a:1 y → x",
    ]);
    // Of a tree of today nobody knows that it ever was as recorded.
    const tree = await tempFs({ "/w/a": "other\n" }).snapshot();
    const report = await run(calls, { start: { kind: "mounts", tree } });
    expect(lines(report.calls).filter((line) => line.includes("differs"))).toEqual([
      "1 Read as Read: differs | /w/a:1 one → other",
      "3 Read as Read: differs | follows from #1 | /w/a:1 1 → other",
      "5 Read as Read: differs | follows from #1 | /w/a:1 y → x",
    ]);
  });

  test("files the recording shows whole after a call are compared, and put back where they differ", async () => {
    const kept = new Map<string, Uint8Array>();
    const after = (text: string): object => {
      kept.set(sha256HexSync(text), new TextEncoder().encode(text));
      return { evidence: [{ path: "/w/a", blob: sha256HexSync(text), sizeBytes: text.length, known: "after" }] };
    };
    const edit = (oldText: string, newText: string) => ({
      file_path: "/w/a",
      old_string: oldText,
      new_string: newText,
    });
    const calls: readonly Call[] = [
      ["Write", { file_path: "/w/a", content: "one\n" }, "done", after("one\n")],
      ["Edit", edit("one", "two"), "done", after("two\r\n")],
      ["Edit", edit("two", "three"), "done", after("THREE\n")],
      ["Read", { file_path: "/w/a" }, "     1→THREE"],
    ];
    const blobs = { get: (hash: string) => Promise.resolve(kept.get(hash)) };
    const report = await run(calls, { blobs });
    expect(lines(report.calls)).toEqual([
      "1 Write as Write: equal after normalisation",
      "2 Edit as StrReplace: equal after normalisation",
      "3 Edit as StrReplace: differs | /w/a:1 THREE → three",
      "4 Read as Read: equal after normalisation",
    ]);
    expect(report.calls.map(({ normalisers, files }) => [normalisers, files?.map((file) => file.class)])).toEqual([
      [["words of the tool"], ["equal"]],
      [["words of the tool", "line endings"], ["equal"]],
      [undefined, ["differs"]],
      [["line number gutter"], undefined],
    ]);
    const real = await run(calls, { blobs, policy: "real" });
    expect(lines(real.calls).at(-1)).toBe("4 Read as Read: differs | follows from #3 | /w/a:1 THREE → three");
  });

  test("on a tree of today, its root at another place", async () => {
    const tree = await tempFs({ "/a": "one\ntwo\n", "/b": "B\nb\nC\n" }).snapshot();
    const placement = placementAt(recording(CALLS), "/");
    const report = await run(CALLS.slice(0, 6), { start: { kind: "mounts", tree }, placement });
    expect(lines(report.calls)).toEqual([
      "1 Read as Read: equal after normalisation",
      "2 Edit as StrReplace: equal after normalisation",
      "3 Read as Read: equal after normalisation",
      "4 Read as Read: differs | /b:1 a → B",
      "5 Glob as Glob: equal after normalisation",
      "6 Grep as Grep: equal after normalisation",
    ]);
    expect(report.normalisers.map(({ name }) => name)).toEqual([
      "root path",
      "volatile fields",
      "volatile text",
      "line endings",
      "line number gutter",
      "words of the tool",
      "last line end",
      "order of results",
      "blanks around lines",
    ]);
  });

  test("listings and searches of any program are compared by what they found", async () => {
    const tree = await tempFs({ "/a.md": "  one\n", "/src/b.ts": "one\n" }).snapshot();
    const calls: readonly Call[] = [
      ["LS", { path: "/w" }, "- /w/\n  - a.md\n  - src/\n    - b.ts"],
      ["list_directory", { path: "/w/src" }, "Directory listing for /w/src:\nb.ts\nc.ts"],
      [
        "search_file_content",
        { pattern: "one" },
        "Found 2 matches:\n---\nFile: a.md\nL1: one\n---\nFile: src/b.ts\nL1: one",
      ],
      [
        "str_replace_editor",
        { command: "view", path: "/w" },
        "Here are the files and directories up to 2 levels deep in /w",
      ],
      ["read_file", { absolute_path: "/w/src" }, "Path is a directory", failed("Path is a directory: /w/src")],
      ["Glob", { pattern: "**/*.py" }, "No files found"],
    ];
    const report = await run(calls, { start: { kind: "mounts", tree }, placement: placementAt(recording(calls), "/") });
    expect(lines(report.calls)).toEqual([
      "1 LS as LS: equal after normalisation",
      "2 list_directory as LS: differs | /w/src: /src/c.ts → undefined",
      "3 search_file_content as Grep: equal after normalisation",
      "4 str_replace_editor: not comparable | / is a directory: what the recorded call showed of it is no file.",
      "5 read_file as Read: equal after normalisation",
      "6 Glob as Glob: equal after normalisation",
    ]);
    expect(report.calls[2]?.normalisers).toContain("blanks around lines");
  });

  test("an edit that leaves something else than it showed is a root, what reads it follows", async () => {
    const calls: readonly Call[] = [
      ["Read", { file_path: "/w/a" }, "     1→one\n     2→two"],
      ["Edit", { file_path: "/w/a", old_string: "two", new_string: "2" }, "     1→one\n     2→II"],
      ["Read", { file_path: "/w/a" }, "     1→one\n     2→II"],
    ];
    const report = await run(calls);
    expect(lines(report.calls)).toEqual([
      "1 Read as Read: equal after normalisation",
      "2 Edit as StrReplace: differs | /w/a:2 II → 2",
      "3 Read as Read: differs | follows from #2 | /w/a:2 II → 2",
    ]);
    expect(report.roots).toEqual([2]);
  });

  test("a report is saved, read again and compared", async () => {
    const [first, second] = [await run(CALLS), await run(CALLS, { shell })];
    expect(reportFromText(reportText(first))).toEqual(JSON.parse(JSON.stringify(first)));
    expect(compareReports(first, first)).toMatchObject({ isSame: true, changes: [] });
    const comparison = compareReports(first, second);
    expect(comparison.changes.map(({ callId, before, after }) => [callId, before?.class, after?.class])).toEqual([
      ["c6", "not run", "equal"],
    ]);
    expect(comparison.counts).toMatchObject({ "not run": -1, equal: 1 });
    expect(
      compareReports({ ...first, calls: first.calls.slice(1) }, second).changes.map(({ callId }) => callId),
    ).toEqual(["c0", "c6"]);
    const later = JSON.stringify({ ...first, schema: 2 });
    expect(() => reportFromText(later)).toThrow(expect.objectContaining({ code: "newer-schema" }));
    for (const text of ["", "{}", '{"format":"rootscope.divergence","schema":1,"calls":[{}]}'])
      expect(() => reportFromText(text)).toThrow(expect.objectContaining({ code: "not-a-report" }));
  });
});

describe.skipIf(!hasPublished)("published recordings on the tree they tell of", () => {
  test.each([
    ["claude-code/copilot_30530d66.jsonl"],
    ["claude-code/copilot_4c289ca8.jsonl"],
    ["claude-code/viewer_fe5e1c67_774KB.jsonl"],
    ["gemini-cli/agentcmd_session-2025-10-29.json"],
    ["openai-chat/litellm_claude_fncall_1757015046.json"],
    ["codex/agentcmd_rollout-2025-09-24T19-22-20.jsonl"],
    ["pi/before-compaction_2.3MB.jsonl"],
  ])("%s: no call diverges from what it tells itself", async (path) => {
    const { sessions, blobs: kept } = await importPublished(path);
    const blobs = { get: (hash: string) => Promise.resolve(kept.get(hash)) };
    for (const { events } of sessions) {
      const inferred = await inferStartTree(events, { blobs });
      const report = await reexecutionReport({ events, start: { kind: "inferred", inferred }, blobs });
      expect(lines(report.calls).filter((line) => line.includes("differs"))).toEqual([]);
    }
  });
});
