import { describe, expect, it } from "vitest";
import { zipFromEntries } from "../archive";
import type { EventMeta, SessionEvent } from "../session";
import type { ProjectStore } from "../storage";
import { isFiltering, NO_FILTER, outlineRows, toggledFor, toolsCalled, type ReplayFilter } from "./replayFilter";
import { replayAddress } from "./replayLookAddress";
import { sessionFamily } from "./replayLookFamily";
import { fidelityWords, formatName } from "./replayLookFormats";
import { originalPiece } from "./replayLookOriginal";
import { OutlineFold, withSubagents, type OutlineNode } from "./replayLookOutline";
import { axisTicks, waterfall } from "./replayLookWaterfall";
import { searchSessions, type SearchProgress } from "./replaySearch";

type EventOrigin = NonNullable<EventMeta["origin"]>;

let seconds = 0;
const event = (type: string, data: object, meta: object = {}): SessionEvent =>
  ({
    type,
    data,
    meta: { id: `evt_${seconds}`, at: new Date(Date.UTC(2026, 0, 1) + 1_000 * seconds++).toISOString(), ...meta },
  }) as SessionEvent;
const call = (callId: string, toolName: string, input: object) => ({ kind: "tool-call", callId, toolName, input });
const result = (callId: string, toolName: string, output: unknown, more: object = {}) =>
  event("action.result", {
    status: "completed",
    toolName,
    result: { kind: "tool-result", callId, toolName, output },
    ...more,
  });

/** Two calls at once, the second failed; a compaction; a file changed; an interrupted turn. */
function log(): SessionEvent[] {
  seconds = 0;
  return [
    event("session.started", { runtime: { agentId: "a", eveVersion: "26" } }),
    event("turn.started", { turnId: "turn_0", sequence: 0 }),
    event("message.received", { message: "Find the Needle\nplease" }),
    event("step.started", { stepIndex: 0, modelId: "m" }),
    event("reasoning.completed", { reasoning: "grep first" }),
    event("actions.requested", {
      actions: [call("c1", "Grep", { pattern: "needle" }), call("c2", "Shell", { command: "false" })],
    }),
    result("c1", "Grep", { lines: ["a needle"] }, { served: [{ mount: "/repo", path: "/repo/a", verb: "read" }] }),
    result("c2", "Shell", null, { status: "failed", error: { code: "exit", message: "no needle" } }),
    event("step.completed", { finishReason: "tool-calls" }),
    event("compaction.completed", { sessionId: "s", modelId: "m", summary: "what was" }),
    event("step.started", { stepIndex: 1, modelId: "m" }),
    event("actions.requested", { actions: [call("c3", "Write", { path: "/repo/b" })] }),
    result("c3", "Write", {}, { changes: [{ path: "/repo/b", after: "h" }] }),
    event("message.completed", { message: "Done", finishReason: "stop" }),
    event("step.completed", { finishReason: "stop" }),
    event("turn.cancelled", { turnId: "turn_0" }),
    event("import.entry", { kind: "mode", raw: { mode: "plan" } }),
  ];
}

function outlineOf(events: readonly SessionEvent[]): OutlineNode[] {
  const fold = new OutlineFold();
  for (const [index, one] of events.entries()) fold.add(one, index);
  return fold.nodes;
}

const drawn = (nodes: readonly OutlineNode[]) =>
  nodes.map(
    ({ level, label, about, isFailed }) => `${"  ".repeat(level - 1)}${isFailed ? "✕ " : ""}${label}: ${about}`,
  );

describe("the outline", () => {
  it("has a line for all that happened, below what it happened in", () => {
    expect(drawn(outlineOf(log()))).toEqual([
      "Turn 1: Find the Needle",
      "  Step 1: Grep, Shell",
      "    Reasoning: grep first",
      "    Grep: needle",
      "    ✕ Shell: false",
      "  Compacted: what was",
      "  Step 2: Write",
      "    Write: /repo/b",
      "    Says: Done",
      "  Interrupted: ",
      "mode: ",
    ]);
  });

  it("has the lines of subagents below their calls: logs that stand in an answer, and sessions of their own", () => {
    const inner = [event("turn.started", { turnId: "turn_0" }), event("message.received", { message: "Look" })];
    const nodes = outlineOf([
      event("turn.started", { turnId: "turn_0" }),
      event("step.started", { stepIndex: 0 }),
      event("actions.requested", { actions: [call("c1", "task", { prompt: "Look" }), call("c2", "Task", {})] }),
      result("c1", "task", { message: "found", events: inner }),
    ]);
    const child = { sessionId: "s2", callId: "c2", name: "Helper", eventCount: 3 };
    const rows = withSubagents(nodes, [child], new Map([["s2", outlineOf(inner)]]));
    expect(drawn(rows)).toEqual([
      "Turn 1: ",
      "  Step 1: task, Task",
      "    task: Look",
      "      Turn 1: Look",
      "    Task: ",
      "      Subagent: Helper · 3 events",
      "        Turn 1: Look",
    ]);
    expect(rows.map(({ sessionId }) => sessionId)).toEqual([...Array.from({ length: 5 }), "s2", "s2"]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });

  it("is not stopped by events that are not what their type promises", () => {
    expect(
      drawn(outlineOf([event("turn.started", {}), event("actions.requested", {}), event("message.received", {})])),
    ).toEqual(["Turn 1: "]);
  });
});

describe("a filter", () => {
  const nodes = outlineOf(log());
  const shown = (filter: Partial<ReplayFilter>, toggled: ReadonlySet<string> = new Set()) => {
    const { rows, found } = outlineRows(nodes, { ...NO_FILTER, ...filter }, toggled);
    return [found, ...rows.map(({ label }) => label)];
  };

  it("shows what it lets through with what that stands below, and counts it", () => {
    expect(shown({ failedOnly: true })).toEqual([1, "Turn 1", "Step 1", "Shell"]);
    expect(shown({ changedOnly: true })).toEqual([1, "Turn 1", "Step 2", "Write"]);
    expect(shown({ toolName: "Grep" })).toEqual([1, "Turn 1", "Step 1", "Grep"]);
    expect(shown({ mount: "/repo" })).toEqual([2, "Turn 1", "Step 1", "Grep", "Step 2", "Write"]);
    expect(shown({ kinds: new Set(["messages"]) })).toEqual([2, "Turn 1", "Step 2", "Says"]);
    expect(shown({ kinds: new Set(["reasoning", "errors"]) })).toEqual([2, "Turn 1", "Step 1", "Reasoning", "Shell"]);
    expect(shown({ kinds: new Set(["entries"]) })).toEqual([1, "mode"]);
    expect(shown({ kinds: new Set(["calls"]), failedOnly: true, toolName: "Grep" })).toEqual([0]);
    expect(isFiltering(NO_FILTER)).toBe(false);
  });

  it("without one, what is closed hides what is below it, and entries of the recording are left out", () => {
    expect(shown({}).slice(1)).toHaveLength(10);
    expect(shown({}, toggledFor(nodes, false))).toEqual([undefined, "Turn 1"]);
    expect(shown({}, toggledFor(nodes, true)).slice(1)).toHaveLength(10);
  });

  it("offers the tools that were called", () => {
    expect(toolsCalled(nodes)).toEqual([
      ["Grep", 1],
      ["Shell", 1],
      ["Write", 1],
    ]);
  });
});

describe("a search", () => {
  const search = async (words: string, signal = new AbortController().signal) => {
    const told: SearchProgress[] = [];
    const session = {
      sessionId: "s",
      async *read() {
        await Promise.resolve();
        yield log();
      },
    };
    await searchSessions([session], words, { signal, onProgress: (progress) => told.push(progress) });
    return told.at(-1);
  };

  it("finds words in messages, reasoning, arguments, outputs, errors, paths and entries, whatever their case", async () => {
    const found = await search("NEEDLE");
    expect(
      found?.hits.map(({ index, where, before, match, after, callId }) => [
        index,
        where,
        `${before}[${match}]${after}`,
        callId,
      ]),
    ).toEqual([
      [2, "message", "Find the [Needle] please", undefined],
      [5, "arguments of Grep", "[needle]", "c1"],
      [6, "output of Grep", "a [needle]", "c1"],
      [7, "error of Shell", "no [needle]", "c2"],
    ]);
    expect([found?.count, found?.eventsRead]).toEqual([4, log().length]);
    expect((await search("/repo/b"))?.hits.map(({ where }) => where)).toEqual(["arguments of Write", "file changed"]);
    expect((await search("plan"))?.hits.map(({ where }) => where)).toEqual(["entry mode"]);
  });

  it("takes words as they are, and ends when it is told to", async () => {
    expect((await search("n.edle"))?.count).toBe(0);
    expect((await search("(a|b)[^-/]"))?.count).toBe(0);
    await expect(search("needle", AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
  });
});

describe("the waterfall", () => {
  it("lays bars over time, calls of one step beside each other", () => {
    const { rows, span, isByOrder, originMs } = waterfall(outlineOf(log()), { totalMs: 0 });
    expect([span, isByOrder, originMs]).toEqual([14_000, false, Date.UTC(2026, 0, 1, 0, 0, 1)]);
    expect(rows.map(({ kind, label, start, length }) => [kind, label, start, length])).toEqual([
      ["turn", "Turn 1", 0, 15_000 - 1_000],
      ["step", "Step 1", 2_000, 5_000],
      ["call", "Grep", 4_000, 1_000],
      ["call", "Shell", 4_000, 2_000],
      ["mark", "Compacted", 8_000, 0],
      ["step", "Step 2", 9_000, 4_000],
      ["call", "Write", 10_000, 1_000],
      ["mark", "Interrupted", 14_000, 0],
    ]);
  });

  it("goes by order where no time is told", () => {
    const events = log().map((one) => ({ ...one, meta: { ...one.meta, time: "missing" as const } }));
    const { rows, isByOrder, span } = waterfall(outlineOf(events), { totalMs: 0 });
    expect([isByOrder, span]).toEqual([true, 16]);
    expect(rows[2]).toMatchObject({ label: "Grep", start: 5, length: 1 });
  });

  it("makes a lane of a session of its own, as long as what is in it", () => {
    const own = outlineOf([
      event("turn.started", {}),
      event("step.started", {}),
      event("actions.requested", { actions: [call("c", "Task", {})] }),
    ]);
    const inner = outlineOf(log());
    const { rows, lanes } = waterfall(
      withSubagents(own, [{ sessionId: "x", callId: "c", name: "n", eventCount: 1 }], new Map([["x", inner]])),
      { totalMs: 0 },
    );
    const lane = rows.find(({ kind }) => kind === "lane");
    expect([lanes, lane?.length]).toEqual([1, 14_000]);
  });

  it("shows a subagent that is not read yet as long as its call, not at the beginning", () => {
    const children = [{ sessionId: "x", callId: "c2", name: "n", eventCount: 1 }];
    const { rows } = waterfall(withSubagents(outlineOf(log()), children, new Map()), { totalMs: 0 });
    expect(rows.find(({ kind }) => kind === "lane")).toMatchObject({ start: 4_000, length: 2_000, durationMs: 2_000 });
  });

  it("shares the clock of the replay: from its first time to its last", () => {
    const startMs = Date.UTC(2026, 0, 1);
    const { rows, span, originMs } = waterfall(outlineOf(log()), { startMs, totalMs: 16_000 });
    expect([rows[0]?.start, span, originMs]).toEqual([1_000, 16_000, startMs]);
  });

  it("says what was measured of a call, and nothing of what began and ended at one time", () => {
    const events = log();
    const measured = result("c1", "Grep", {}, { durationMs: 7 });
    const { rows } = waterfall(outlineOf(events.with(6, { ...measured, meta: { ...events[6]!.meta } })), {
      totalMs: 0,
    });
    expect(rows.map(({ label, durationMs }) => [label, durationMs])).toEqual([
      ["Turn 1", 14_000],
      ["Step 1", 5_000],
      ["Grep", 7],
      ["Shell", 2_000],
      ["Compacted", undefined],
      ["Step 2", 4_000],
      ["Write", 1_000],
      ["Interrupted", undefined],
    ]);
  });

  it("marks round figures on its scale", () => {
    expect(axisTicks(14_000)).toEqual([0, 5_000, 10_000]);
    expect(axisTicks(3)).toEqual([0, 1, 2, 3]);
  });
});

describe("the original of an event", () => {
  const encoded = (text: string) => new TextEncoder().encode(text);
  const files = new Map<string, Uint8Array>();
  const blobs = { get: (hash: string) => Promise.resolve(files.get(hash)) } as ProjectStore["blobs"];
  const piece = (original: string, origin: EventOrigin) => originalPiece({ blobs }, original, origin);

  it("is a piece of the file, of one of several files, or of one in an archive", async () => {
    const [a, b] = ["a".repeat(64), "b".repeat(64)];
    files.set("one", encoded("first\nsecond\n"));
    files.set(a, encoded("in a"));
    files.set("list", encoded(`${a}  dir/a.jsonl\n${b}  dir/b.jsonl\n`));
    const zip = await zipFromEntries([{ path: "inner/log.jsonl", bytes: encoded("in zip") }]);
    files.set("zip", new Uint8Array(await zip.arrayBuffer()));
    expect(await piece("one", { line: 2, byte: 6, length: 6 })).toEqual({
      line: 2,
      byte: 6,
      length: 6,
      text: "second",
      isCut: false,
    });
    expect((await piece("list", { file: "dir/a.jsonl", byte: 3, length: 1 }))?.text).toBe("a");
    expect((await piece("zip", { file: "logs.zip/inner/log.jsonl", byte: 3, length: 3 }))?.text).toBe("zip");
    expect((await piece("zip", { byte: 0, length: 2 }))?.text).toBe("in");
  });

  it("is not there when the file, or that part of it, was not kept", async () => {
    files.set("one", encoded("first"));
    expect([
      await piece("none", { byte: 0, length: 1 }),
      await piece("one", { byte: 99, length: 1 }),
      await piece("list", { file: "dir/b.jsonl", byte: 0, length: 1 }),
    ]).toEqual([undefined, undefined, undefined]);
  });
});

describe("what is said of a session", () => {
  it("names its place in an address", () => {
    expect(replayAddress("s 1", {})).toBe("#/replay/s%201");
    expect(replayAddress("s", { index: 4 })).toBe("#/replay/s/5");
    expect(replayAddress("s", { index: -1, file: "/a b/c" })).toBe("#/replay/s/0/%2Fa%20b%2Fc");
    expect(replayAddress("s", { file: "/a" })).toBe("#/replay/s/end/%2Fa");
  });

  it("knows whom it works for, who works for it and its other branches", () => {
    const base = { createdAt: 0, updatedAt: 0, eventCount: 1, status: "ready", preview: "", origin: "import" } as const;
    const from = { format: "f", version: "", fileName: "", recordedId: "" };
    const records = [
      { ...base, id: "a", name: "A", imported: from },
      { ...base, id: "b", name: "B", imported: { ...from, branchOf: "a", branch: "Branch 1" } },
      { ...base, id: "c", name: "C", imported: { ...from, parent: { sessionId: "a", callId: "c1" } } },
    ];
    expect(sessionFamily(records, "a")).toEqual({
      children: [{ sessionId: "c", callId: "c1", name: "C", eventCount: 1 }],
      branches: [records[1]],
    });
    expect(sessionFamily(records, "b").branches).toEqual([records[0]]);
    expect(sessionFamily(records, "c")).toEqual({
      parent: { record: records[0], callId: "c1" },
      children: [],
      branches: [],
    });
    expect(sessionFamily(records, "none")).toEqual({ children: [], branches: [] });
  });

  it("tells fidelity and formats in words", () => {
    expect(
      fidelityWords({ times: "missing", callIds: "made", results: "truncated", usage: "absent", files: "none" }),
    ).toEqual([
      ["Times", "not recorded: only the order is known"],
      ["Call ids", "not recorded: results are matched to calls by order"],
      ["Results", "some were cut by whoever recorded them"],
      ["Usage", "not recorded: unknown"],
      ["Files", "not recorded"],
    ]);
    expect([formatName("claude-code"), formatName("toString")]).toEqual(["Claude Code", "toString"]);
  });
});
