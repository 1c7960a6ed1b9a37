import { describe, expect, it } from "vitest";
import { importTrajectory, reportText, type DivergenceReport } from "../trajectory";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import type { ScriptedCommand } from "../testing/scriptedHost";
import { until, workbenchFixture, type WorkbenchFixture } from "../testing/workbenchFixture";
import { commandOnHost } from "./reexecuteShell";
import { commonDirectory } from "./reexecuteRun";
import type { ReexecuteState, ReexecutionChoice } from "./reexecuteState";

const says = (text: string) => ({ parts: [...textParts("t", text), finishPart("stop")] });
const calls = (...made: readonly (readonly [id: string, tool: string, input: object])[]) => ({
  parts: [...made.flatMap(([id, tool, input]) => callParts(id, tool, input)), finishPart("tool-calls")],
});

const MOUNTS = [
  { kind: "memory", id: "m-work", prefix: "/work", readOnly: false, color: 1 },
  { kind: "memory", id: "m-docs", prefix: "/docs", readOnly: true, color: 2 },
] as never;

/** A session that reads, writes, fails in three ways, and keeps todos over two turns. */
async function recordedSession(): Promise<{ fixture: WorkbenchFixture; sessionId: string }> {
  const fixture = await workbenchFixture({
    document: { mounts: MOUNTS },
    model: scriptedModel([
      calls(
        ["c1", "Write", { path: "/work/a.md", fileText: "one\n" }],
        ["c2", "Write", { path: "/docs/no.md", fileText: "x" }],
      ),
      calls(
        ["c3", "Read", { path: "/work/a.md" }],
        ["c4", "Read", { path: "/elsewhere/x.md" }],
        ["c5", "Write", { path: "/other/x.md", fileText: "x" }],
      ),
      calls(["c6", "updateTodos", { todos: [{ id: "1", content: "Mow", status: "pending" }] }]),
      says("Done."),
      calls(["c7", "readTodos", {}], ["c8", "LS", { path: "/" }], ["c9", "Grep", { pattern: "one" }]),
      calls(["c10", "Delete", { path: "/work/a.md" }], ["c11", "Delete", { path: "/docs/none.md" }]),
      says("Done again."),
    ]),
  });
  const session = fixture.workbench.session.getState();
  await session.send("first");
  await session.send("second");
  return { fixture, sessionId: fixture.workbench.session.getState().currentId ?? "" };
}

const CHOICE: ReexecutionChoice = { start: "snapshot", policy: "recorded", runsCommands: true };

async function ran(
  fixture: WorkbenchFixture,
  sessionId: string,
  choice: Partial<ReexecutionChoice> = {},
): Promise<{ state: () => ReexecuteState; report: DivergenceReport }> {
  const store = await fixture.workbench.reexecution();
  await store.getState().prepare(sessionId);
  expect(store.getState().problem).toBeUndefined();
  await store.getState().run({ ...CHOICE, ...choice });
  const { shown, problem } = store.getState();
  if (shown === undefined) throw new Error(problem ?? "no report");
  return { state: () => store.getState(), report: shown.report };
}

const seen = (report: DivergenceReport) => report.calls.map(({ callId, class: found }) => `${callId} ${found}`);

describe("a session recorded here, run again", () => {
  it("on its own tree comes to the same in every call, refusals of its mounts included", async () => {
    const { fixture, sessionId } = await recordedSession();
    const { report, state } = await ran(fixture, sessionId);
    expect(report.calls.filter(({ class: found }) => found !== "equal")).toEqual([]);
    expect(seen(report)).toHaveLength(11);
    expect([report.start.kind, report.outcome, report.roots]).toEqual(["snapshot", "completed", []]);
    expect(state().plan).toMatchObject({ callCount: 11, commandCount: 0, mounts: ["/work", "/docs"] });
    expect(state().plan?.starts.map(({ kind, unavailable }) => [kind, unavailable])).toEqual([
      ["snapshot", undefined],
      ["mounts", undefined],
      ["inferred", "The recording shows no file before something had written it."],
    ]);
  });

  it("on today's mounts diverges where they hold something else; reports are saved, opened and compared", async () => {
    const { fixture, sessionId } = await recordedSession();
    const before = await ran(fixture, sessionId);
    const saved = before.state().saved();
    await fixture.workbench.mounts.getState().liveTree().write("/work/b.md", "one more\n");
    const { report, state } = await ran(fixture, sessionId, { start: "mounts" });
    expect(seen(report).filter((line) => !line.endsWith(" equal"))).toEqual(["c8 differs", "c9 differs"]);
    expect(report.firstDivergence).toBe(8);
    const [first] = report.calls.filter(({ class: found }) => found === "differs");
    expect(
      first === undefined
        ? []
        : state()
            .linesOf(first)
            .some(({ kind }) => kind === "added"),
    ).toBe(true);

    expect(saved?.name).toMatch(/^divergence-.+-(snapshot|mounts|inferred)-(recorded|real|stop)\.json$/);
    const file = new File([saved?.contents ?? ""], "before.json");
    await state().compareWith(file);
    expect(state().compared?.comparison.changes.map(({ callId }) => callId)).toEqual(["c8", "c9"]);
    await state().open(file);
    expect(state().shown).toMatchObject({ name: "before.json", isOfSession: true });
    expect(reportText(state().shown?.report ?? report)).toBe(await file.text());
    await state().open(new File(["{}"], "other.json"));
    expect(state().problem).toBe("other.json cannot be shown: The file is no report of a re-execution.");
  });

  it("leaves the mounts as they are", async () => {
    const { fixture, sessionId } = await recordedSession();
    const tree = fixture.workbench.mounts.getState();
    await tree.liveTree().write("/work/a.md", "mine\n");
    await ran(fixture, sessionId, { policy: "real" });
    expect(await tree.liveTree().read("/work/a.md")).toBe("mine\n");
    expect(await fixture.workbench.storage.diskIds()).toEqual([]);
  });
});

describe("another program's session", () => {
  const line = (fields: object) =>
    JSON.stringify({
      sessionId: "s",
      version: "2.1.0",
      cwd: "/repo",
      timestamp: "2026-01-01T00:00:00.000Z",
      ...fields,
    });
  const called = (id: string, parentUuid: string, name: string, input: object) => ({
    type: "assistant",
    uuid: id,
    parentUuid,
    message: { id: `m-${id}`, model: "x", content: [{ type: "tool_use", id, name, input }] },
  });
  const answered = (id: string, content: string) => ({
    type: "user",
    uuid: `r-${id}`,
    parentUuid: id,
    message: { content: [{ type: "tool_result", tool_use_id: id, content }] },
  });
  const recording = [
    { type: "user", uuid: "u", parentUuid: null, message: { content: "look" } },
    called("t1", "u", "Read", { file_path: "/repo/a.ts" }),
    answered("t1", "     1→one\n     2→two"),
    called("t2", "r-t1", "Edit", { file_path: "/repo/a.ts", old_string: "two", new_string: "2" }),
    answered("t2", "The file /repo/a.ts has been updated."),
  ].map(line);

  async function imported(): Promise<{ fixture: WorkbenchFixture; count: number }> {
    const fixture = await workbenchFixture({ document: { mounts: MOUNTS } });
    const read = await importTrajectory({ files: [{ path: "s.jsonl", blob: new Blob([recording.join("\n")]) }] });
    const { storage } = fixture.workbench;
    for (const bytes of read.blobs.values()) await storage.blobs.put(bytes);
    const about = { name: "look", createdAt: 0, updatedAt: 0, status: "ready", preview: "", eventCount: 0 };
    await storage.createSession({ ...about, id: "s1", origin: "import" });
    const events = read.sessions[0]?.events ?? [];
    await storage.log("s1").append([...events]);
    return { fixture, count: events.length };
  }

  it("runs on the mount its directory is at, and on what it shows of its files", async () => {
    const { fixture } = await imported();
    await fixture.workbench.mounts.getState().liveTree().write("/work/a.ts", "one\nthree\n");
    const here = await ran(fixture, "s1", { start: "mounts", root: "/work" });
    expect(seen(here.report)).toEqual(["t1 differs", "t2 status differs"]);
    expect(here.report.calls.map(({ followsFrom }) => followsFrom)).toEqual([undefined, 1]);
    expect(here.state().plan).toMatchObject({ foreign: { root: "/repo" }, mounts: ["/work", "/docs"] });
    const inferred = await ran(fixture, "s1", { start: "inferred" });
    expect(inferred.report).toMatchObject({
      roots: [],
      start: { kind: "inferred", inferred: [{ path: "/repo/a.ts" }] },
    });
  });

  it("is forked on the files as its calls have left them", async () => {
    const { fixture, count } = await imported();
    fixture.useModel(scriptedModel([calls(["f1", "Read", { path: "/repo/a.ts" }]), says("Seen.")]));
    const forks = await fixture.workbench.forks();
    const plan = await forks.plan("s1", count - 1);
    expect([await forks.paths(plan, "inferred"), plan.noRecording]).toEqual([
      ["/repo/a.ts"],
      expect.stringContaining("does not hold what its model was asked"),
    ]);
    const [result] = plan.results;
    const edit = { kind: "tool-result", eventIndex: result?.eventIndex ?? -1, text: "edited", failed: false } as const;
    await forks.make(plan, { edit, goesOn: "live", files: "inferred" });
    const session = () => fixture.workbench.session.getState();
    await until(() => session().session.status === "ready", "the end of the fork");
    expect(await session().callOutputText("f1")).toMatch(/1\|one\n +2\|2/);
    expect(session().session.started?.playground).toMatchObject({
      mounts: [{ prefix: "/repo", kind: "memory", readOnly: false }],
      fork: { from: "s1", edit: "tool-result", files: "inferred" },
    });
  });
});

describe("a session of the host, run again", () => {
  /** Knows `cat PATH` and `put PATH TEXT`. */
  const runCommand = async ({ command: line, disk, options }: ScriptedCommand) => {
    const [command = ""] = line.split("\n");
    const [verb, name = "", ...words] = command.split(" ");
    const path = `/${name}`;
    if (verb === "put") await disk.write(path, words.join(" "));
    if (verb !== "cat") return {};
    const isThere = (await disk.stat(path)).kind === "file";
    if (!isThere) return { stderr: `cat: ${name}: No such file or directory\n`, exitCode: 1 };
    return { stdout: `${options.cwd === "/home/project" ? "" : "elsewhere "}${String(await disk.read(path))}` };
  };

  it("runs the commands that only read on a copy of its disk, which is gone afterwards", async () => {
    const fixture = await workbenchFixture({
      runCommand,
      document: {
        agent: { name: "Host agent", instructions: "Work.", runtime: { kind: "local", workspace: "host" } },
      },
      model: scriptedModel([
        calls(
          ["c1", "Shell", { command: "put a.txt one" }],
          ["c2", "Shell", { command: "cat a.txt" }],
          ["c3", "Write", { path: "b.txt", fileText: "two" }],
          ["c4", "Shell", { command: "cat b.txt" }],
          ["c5", "Shell", { command: "cat none.txt" }],
          ["c6", "Read", { path: "/home/project/a.txt" }],
        ),
        says("Done."),
      ]),
    });
    await fixture.workbench.session.getState().send("go");
    const disks = await fixture.workbench.storage.diskIds();
    const { report } = await ran(fixture, fixture.workbench.session.getState().currentId ?? "");
    expect(seen(report)).toEqual(["c1 not run", "c2 equal", "c3 equal", "c4 equal", "c5 equal", "c6 equal"]);
    expect([await fixture.workbench.storage.diskIds(), report.roots]).toEqual([disks, []]);
    const without = await ran(fixture, fixture.workbench.session.getState().currentId ?? "", { runsCommands: false });
    expect(seen(without.report).filter((line) => line.endsWith("not run"))).toHaveLength(4);
  });
});

describe("commands of a recording on the host's disk", () => {
  it("have their paths below the copied directory", () => {
    const placed = (command: string) => commandOnHost(command, "/repo");
    expect(placed("cat /repo/a.ts src/b.ts 2>/dev/null")).toBe("cat /home/project/a.ts src/b.ts 2>/dev/null");
    expect(placed("cd /repo && grep -rn 'x' .")).toBe("cd /home/project && grep -rn 'x' .");
    expect(placed("find /repo/src/ -name '*.ts'")).toBe("find /home/project/src/ -name '*.ts'");
    expect(placed("grep -n '/api/' a.ts")).toBe("grep -n '/api/' a.ts");
  });

  it("that name what lies elsewhere are not run", () => {
    const refused = (command: string) => () => commandOnHost(command, "/repo");
    expect(refused("cat /etc/hosts")).toThrow("/etc/hosts lies outside of /repo");
    expect(refused("cat ../x")).toThrow("outside of /repo");
    expect(refused("ls ~/x")).toThrow("outside of /repo");
    expect(refused("cat /repository/x")).toThrow("/repository/x lies outside of /repo");
  });
});

it("the directory all paths lie in", () => {
  expect(commonDirectory(["/a/b/c.ts", "/a/b/d/e.ts"])).toBe("/a/b");
  expect(commonDirectory(["/a/b/c.ts", "/x.ts"])).toBe("/");
  expect(commonDirectory([])).toBe("/");
});
