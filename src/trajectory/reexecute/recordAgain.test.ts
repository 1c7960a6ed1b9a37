import { describe, expect, test } from "vitest";
import { bindAgent, defineAgent, virtualRuntime } from "../../agent";
import { sha256HexSync } from "../../base";
import { isVersionedTree, tempFs, type FileSystem, type SnapshotTree } from "../../fs";
import { ModelError } from "../../model";
import type { SessionEvent } from "../../session";
import { callParts, finishPart, scriptedModel, textParts } from "../../testing/scriptedModel";
import { eventLine, sessionFixture, type FixtureOptions, type SessionFixture } from "../../testing/sessionFixture";
import { firstOtherLine, recordAgain } from "./recordAgain";
import { recordedModel } from "./recordedModel";
import { reexecutionReport } from "./reexecute";
import { reportFromLogs } from "./reportFromLogs";

const FILES = { "/notes.md": "one\n" };
const hashed = { blobs: { put: (text: string) => Promise.resolve(sha256HexSync(text)) } };

async function snapshot(tree: FileSystem): Promise<SnapshotTree> {
  if (!isVersionedTree(tree)) throw new Error("the fixture's tree is versioned");
  return await tree.snapshot();
}

async function recorded(options: Omit<FixtureOptions, "files">) {
  const session = await sessionFixture({ files: FILES, ...options });
  const start = await snapshot(session.tree);
  const blobs = {
    async get(hash: string) {
      for (const tree of [start, ...session.kept])
        for (const [, file] of tree.files()) if (file.hash === hash) return await file.bytes();
      return undefined;
    },
  };
  return { session, start, blobs };
}

async function again(
  { session, blobs }: Awaited<ReturnType<typeof recorded>>,
  files: Record<string, string> = FILES,
): Promise<SessionEvent[]> {
  const tree = tempFs(files, { now: () => 0 });
  const bound = await bindAgent(defineAgent({ ...session.bound.definition, root: tree }), tree);
  const log: SessionEvent[] = [];
  for await (const event of recordAgain({ events: session.events, bound, tree, blobs, services: hashed }))
    log.push(event);
  return log;
}

/** The first line that differs, of both logs; nothing where none does. */
function otherLine(session: SessionFixture, log: readonly SessionEvent[]): unknown {
  const index = firstOtherLine(session.events, log);
  const shown = (event: SessionEvent | undefined) =>
    event === undefined ? "(end)" : `${eventLine(event)} ${JSON.stringify(event.data)}`;
  return index === undefined ? undefined : [index, shown(session.events[index]), shown(log[index])];
}

describe("recorded again, a session is equal line by line", () => {
  test("with blocks of reasoning and text in any order, provider metadata, and figures", async () => {
    const metadata = { provider: { signature: "s" } };
    const made = await recorded({
      model: scriptedModel([
        {
          parts: [
            { type: "reasoning-start", id: "r1" },
            { type: "reasoning-delta", id: "r1", delta: "Think" },
            { type: "reasoning-end", id: "r1", providerMetadata: metadata },
            { type: "text-start", id: "t1" },
            { type: "reasoning-start", id: "r2" },
            { type: "text-delta", id: "t1", delta: "I " },
            { type: "reasoning-delta", id: "r2", delta: "more" },
            { type: "text-delta", id: "t1", delta: "read" },
            { type: "reasoning-end", id: "r2" },
            { type: "text-end", id: "t1" },
            { type: "reasoning-start", id: "r3" },
            { type: "reasoning-end", id: "r3", providerMetadata: metadata },
            ...callParts("c1", "Read", { path: "/notes.md" }),
            { type: "tool-call", toolCallId: "c2", toolName: "Read", input: "no json", providerMetadata: metadata },
            finishPart("tool-calls", { input: 7, output: 3 }),
          ],
        },
        { parts: [...textParts("t", "D", "one."), finishPart("stop")] },
      ]),
    });
    await made.session.run("go");
    expect(otherLine(made.session, await again(made))).toBeUndefined();
  });

  test("with model calls that failed and were sent again, and one that failed for good", async () => {
    const made = await recorded({
      model: scriptedModel([
        { throws: new ModelError("rate-limit", "slow down") },
        { throws: new ModelError("server", "again") },
        { parts: [...textParts("t", "Fine."), finishPart("stop")] },
        { throws: new ModelError("auth", "no key") },
        { parts: [...textParts("t", "half").slice(0, 2), { type: "error", error: new ModelError("server", "broke") }] },
      ]),
    });
    await made.session.run("one");
    await made.session.run("two");
    await made.session.run("three");
    expect(otherLine(made.session, await again(made))).toBeUndefined();
  });

  test("with a turn that was stopped in the middle of a stream", async () => {
    const made = await recorded({
      model: scriptedModel([
        { parts: textParts("t", "half").slice(0, 2), hang: true },
        { parts: [...textParts("t", "Done."), finishPart("stop")] },
      ]),
    });
    const controller = new AbortController();
    const turn = made.session.run("go", { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await turn;
    await made.session.run("on");
    expect(otherLine(made.session, await again(made))).toBeUndefined();
  });

  test("with a subagent, whose calls run again too, and files a message brought", async () => {
    const tree = tempFs(FILES, { now: () => 0 });
    const made = await recorded({
      tree,
      definition: { root: undefined, runtime: virtualRuntime(tree), tools: ["read", "edit", "task"] },
      model: scriptedModel([
        { parts: [...callParts("c1", "task", { prompt: "write it" }), finishPart("tool-calls")] },
        { parts: [...callParts("d1", "Write", { path: "/made.md", fileText: "made" }), finishPart("tool-calls")] },
        { parts: [...textParts("t", "Written."), finishPart("stop")] },
        { parts: [...callParts("c2", "Read", { path: "/made.md" }), finishPart("tool-calls")] },
        { parts: [...textParts("t", "Done."), finishPart("stop")] },
      ]),
    });
    await made.session.run("go", { workspaceFiles: { "/seed.md": "seed" } });
    const fresh = tempFs(FILES, { now: () => 0 });
    const definition = { ...made.session.bound.definition, runtime: virtualRuntime(fresh) };
    const bound = await bindAgent(defineAgent(definition), fresh);
    const log: SessionEvent[] = [];
    const options = { events: made.session.events, bound, tree: fresh, blobs: made.blobs, services: hashed };
    for await (const event of recordAgain(options)) log.push(event);
    expect(otherLine(made.session, log)).toBeUndefined();
    const report = await reexecutionReport({
      events: made.session.events,
      start: { kind: "snapshot", tree: made.start },
      blobs: made.blobs,
    });
    expect(report.calls.map(({ toolName, taskCallId, class: found }) => [toolName, taskCallId, found])).toEqual([
      ["Write", "c1", "equal"],
      ["task", undefined, "equal"],
      ["Read", undefined, "equal"],
    ]);
  });
});

test("a recording that is over fails, and says so", async () => {
  const model = recordedModel([]);
  expect(model.remaining).toBe(0);
  await expect(model.doStream({ prompt: [] })).rejects.toMatchObject({ message: "The recording is over." });
});

test("two logs of one session: calls only one of them has are extra or missing", async () => {
  const calls = (...paths: string[]) =>
    paths.map((path, index) => ({ parts: [...callParts(`c${index}`, "Read", { path }), finishPart("tool-calls")] }));
  const end = { parts: [...textParts("t", "Done."), finishPart("stop")] };
  const first = await recorded({ model: scriptedModel([...calls("/notes.md", "/a", "/b"), end]) });
  await first.session.run("go");
  const second = await sessionFixture({
    files: { "/notes.md": "two\n" },
    model: scriptedModel([...calls("/notes.md", "/x", "/b"), end]),
  });
  await second.run("go");
  const report = await reportFromLogs({
    recorded: first.session.events,
    again: second.events,
    rootHash: await first.start.rootHash(),
    sessionId: "s",
  });
  expect(report.calls.map(({ subject, class: found, difference }) => [subject, found, difference])).toEqual([
    ["/notes.md", "differs", { path: "/notes.md", pointer: "/content", line: 1, expected: "one", actual: "two" }],
    ["/a", "missing", { path: "/a", expected: 'Read {"path":"/a"}' }],
    ["/x", "extra", { path: "/x", actual: 'Read {"path":"/x"}' }],
    ["/b", "equal", undefined],
  ]);
  expect(report.counts).toMatchObject({ differs: 1, missing: 1, extra: 1, equal: 1 });
});
