import { describe, expect, test } from "vitest";
import { sha256HexSync, type JsonValue } from "../base";
import { isVersionedTree, observedFs, tempFs, unionFs, type FileSystem } from "../fs";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { eventLine, sessionFixture } from "../testing/sessionFixture";
import { defineTool, type Tool } from "../tools";
import type { SessionEvent } from "./sessionEvent";
import type { PersonChanges } from "./turnServices";

const DONE = { parts: [...textParts("t", "ok"), finishPart("stop")] };

function results(events: readonly SessionEvent[]): string[] {
  return events.map(eventLine).filter((line) => line.startsWith("action.result"));
}

function resultData(events: readonly SessionEvent[], callId: string) {
  const event = events.find((one) => one.type === "action.result" && one.data.result.callId === callId);
  return event?.type === "action.result" ? event.data : undefined;
}

function tool(name: string, effect: Tool["effect"], execute: Tool["execute"], more: Partial<Tool> = {}): Tool {
  return {
    name,
    description: name,
    inputSchema: { type: "object" },
    effect,
    native: false,
    execute,
    modelText: (output) => JSON.stringify(output),
    ...more,
  };
}

describe("calls of one step", () => {
  test("that read run at the same time, their results told in the order they were asked for", async () => {
    const gates = new Map<string, () => void>();
    const begun: string[] = [];
    const wait = tool("Wait", "read", async (_input, call) => {
      begun.push(call.callId);
      await new Promise<void>((resolve) => gates.set(call.callId, resolve));
      return call.callId;
    });
    const model = scriptedModel([
      { parts: [...["a", "b", "c"].flatMap((id) => callParts(id, "Wait", {})), finishPart("tool-calls")] },
      DONE,
    ]);
    const session = await sessionFixture({ model, authoredTools: [wait] });
    const turn = session.run("go");
    await expect.poll(() => begun).toEqual(["a", "b", "c"]);
    for (const id of ["c", "a", "b"]) gates.get(id)?.();
    expect(results(await turn)).toEqual([
      "action.result a completed",
      "action.result b completed",
      "action.result c completed",
    ]);
  });

  test("that write run alone, in order, between what stands before and after them", async () => {
    const order: string[] = [];
    const slow = (name: string, effect: Tool["effect"]) =>
      tool(name, effect, async (_input, call): Promise<JsonValue> => {
        order.push(`${call.callId} begins`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        order.push(`${call.callId} ends`);
        return null;
      });
    const model = scriptedModel([
      {
        parts: [
          ...callParts("r1", "Look", {}),
          ...callParts("w1", "Put", {}),
          ...callParts("w2", "Put", {}),
          ...callParts("r2", "Look", {}),
          finishPart("tool-calls"),
        ],
      },
      DONE,
    ]);
    const session = await sessionFixture({ model, authoredTools: [slow("Look", "read"), slow("Put", "write")] });
    await session.run("go");
    expect(order).toEqual(["r1", "w1", "w2", "r2"].flatMap((id) => [`${id} begins`, `${id} ends`]));
  });

  test("are each told who served them and what they changed, at the same time too", async () => {
    const docs = tempFs({ "/a.md": "alpha" });
    const code = tempFs({ "/b.ts": "beta" });
    const mounts = (observe: (served: { mount: string; path: string; verb: string }) => void): FileSystem =>
      unionFs({ "/docs": observedFs(docs, "/docs", observe), "/code": observedFs(code, "/code", observe) });
    const model = scriptedModel([
      {
        parts: [
          ...callParts("c1", "Read", { path: "/docs/a.md" }),
          ...callParts("c2", "Read", { path: "/code/b.ts" }),
          ...callParts("c3", "Write", { path: "/docs/a.md", fileText: "omega" }),
          ...callParts("c4", "Delete", { path: "/code/b.ts" }),
          finishPart("tool-calls"),
        ],
      },
      DONE,
    ]);
    const session = await sessionFixture({ model, tree: mounts(() => undefined) });
    const events = await session.run("go", { treeForCall: mounts });
    const facts = ["c1", "c2", "c3", "c4"].map((id) => {
      const data = resultData(events, id);
      return { mounts: [...new Set(data?.served?.map(({ mount }) => mount))], changes: data?.changes };
    });
    expect(facts).toEqual([
      { mounts: ["/docs"], changes: undefined },
      { mounts: ["/code"], changes: undefined },
      {
        mounts: ["/docs"],
        changes: [{ path: "/docs/a.md", before: sha256HexSync("alpha"), after: sha256HexSync("omega"), sizeBytes: 5 }],
      },
      { mounts: ["/code"], changes: [{ path: "/code/b.ts", before: sha256HexSync("beta") }] },
    ]);
  });

  test("are not charged with what a person writes meanwhile", async () => {
    const tree = tempFs({ "/a": "1", "/b": "1" });
    const slow: FileSystem = {
      ...verbsOf(tree),
      async write(path, contents) {
        await tree.write("/b", "a person's");
        await tree.write(path, contents);
      },
    };
    const model = scriptedModel([
      { parts: [...callParts("c1", "Write", { path: "/a", fileText: "2" }), finishPart("tool-calls")] },
      DONE,
    ]);
    const session = await sessionFixture({ model, tree: slow });
    expect(isVersionedTree(slow)).toBe(false);
    expect(resultData(await session.run("go"), "c1")?.changes?.map(({ path }) => path)).toEqual(["/a"]);
  });

  test("in a dry run read, and write nothing", async () => {
    const send = tool("Send", "write", () => Promise.reject(new Error("must not run")), { dryRunResult: { sent: 0 } });
    const model = scriptedModel([
      {
        parts: [
          ...callParts("c1", "Read", { path: "/notes.md" }),
          ...callParts("c2", "Write", { path: "/new", fileText: "x" }),
          ...callParts("c3", "Send", {}),
          ...callParts("c4", "Write", { path: "/new" }),
          finishPart("tool-calls"),
        ],
      },
      DONE,
    ]);
    const session = await sessionFixture({ model, dryRun: true, authoredTools: [send] });
    const events = await session.run("go");
    expect(["c1", "c2", "c3", "c4"].map((id) => resultData(events, id))).toMatchObject([
      { status: "completed", result: { output: { content: "one\ntwo\n" } } },
      { status: "completed", stub: true, result: { output: "Operation acknowledged." } },
      { status: "completed", stub: true, result: { output: { sent: 0 } } },
      { status: "failed", error: { code: "invalid-input" } },
    ]);
    expect(await session.tree.stat("/new")).toEqual({ kind: "missing" });
  });

  test("tell what they have so far, and nothing after their result", async () => {
    let late: (partial: JsonValue) => void = () => undefined;
    const build = tool("Build", "read", (_input, call) => {
      call.report("half");
      late = (partial) => call.report(partial);
      return Promise.resolve("whole");
    });
    const model = scriptedModel([{ parts: [...callParts("c1", "Build", {}), finishPart("tool-calls")] }, DONE]);
    const session = await sessionFixture({ model, authoredTools: [build] });
    const events = await session.run("go");
    late("too late");
    expect(
      events.flatMap((e) =>
        e.type.startsWith("action.") && "result" in e.data ? [[e.type, e.data.result.output]] : [],
      ),
    ).toEqual([
      ["action.partial", "half"],
      ["action.result", "whole"],
    ]);
  });
});

describe("a stop in the middle of a tool", () => {
  test("answers every call once, at once, and what was being written is told", async () => {
    const controller = new AbortController();
    const tree = tempFs({});
    const never = tool("Never", "read", () => new Promise(() => undefined));
    const model = scriptedModel([
      {
        parts: [
          ...callParts("c1", "Write", { path: "/a", fileText: "x" }),
          ...callParts("c2", "Never", {}),
          ...callParts("c3", "Write", { path: "/b", fileText: "y" }),
          finishPart("tool-calls"),
        ],
      },
    ]);
    const session = await sessionFixture({ model, tree, authoredTools: [never] });
    const turn = session.run("go", { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    const events = await turn;
    expect(events.slice(-6).map(eventLine)).toEqual([
      "action.result c1 completed",
      "action.result c2 failed interrupted: turn interrupted",
      "action.result c3 failed interrupted: turn interrupted",
      "step.failed interrupted: turn interrupted",
      "turn.failed interrupted: turn interrupted",
      "session.waiting",
    ]);
    expect(await tree.stat("/b")).toEqual({ kind: "missing" });
  });

  test("waits for a write under way, so that its result comes after it", async () => {
    const controller = new AbortController();
    const inner = tempFs({});
    const slow: FileSystem = {
      ...verbsOf(inner),
      async write(path, contents) {
        controller.abort();
        await new Promise((resolve) => setTimeout(resolve, 20));
        await inner.write(path, contents);
      },
    };
    const model = scriptedModel([
      { parts: [...callParts("c1", "Write", { path: "/a", fileText: "x" }), finishPart("tool-calls")] },
    ]);
    const session = await sessionFixture({ model, tree: slow });
    const events = await session.run("go", { signal: controller.signal });
    expect(resultData(events, "c1")).toMatchObject({
      status: "failed",
      error: { code: "interrupted", message: "turn interrupted" },
      changes: [{ path: "/a", after: sha256HexSync("x"), sizeBytes: 1 }],
    });
  });

  test("is what a driver that leaves the iteration does", async () => {
    let stopped = false;
    const never = tool("Never", "read", (_input, call) => {
      call.signal.addEventListener("abort", () => (stopped = true));
      call.report("begun");
      return new Promise(() => undefined);
    });
    const model = scriptedModel([{ parts: [...callParts("c1", "Never", {}), finishPart("tool-calls")] }]);
    const session = await sessionFixture({ model, authoredTools: [never] });
    const { runTurn } = await import("./runTurn");
    for await (const event of runTurn({ ...session.options(), message: "go" })) {
      if (event.type === "action.partial") break;
    }
    expect(stopped).toBe(true);
  });
});

/** A tree's verbs alone, as a host that cannot give snapshots has them. */
function verbsOf(tree: FileSystem): FileSystem {
  return {
    list: (prefix) => tree.list(prefix),
    stat: (path) => tree.stat(path),
    glob: (pattern, dir) => tree.glob(pattern, dir),
    read: (path) => tree.read(path),
    grep: (query) => tree.grep(query),
    write: (path, contents) => tree.write(path, contents),
    delete: (path) => tree.delete(path),
    search: (query) => tree.search(query),
  };
}

describe("what a person changes while calls run", () => {
  test("is told between the calls, and laid on none of them", async () => {
    const tree = tempFs({ "/notes.md": "one" });
    const hash = sha256HexSync;
    let untold: string[] = [];
    const types = async (path: string, text: string) => {
      untold.push(path);
      await tree.write(path, text);
    };
    const build = tool("Build", "write", async () => {
      await tree.write("/built", "b");
      await types("/mine", "m");
      return "built";
    });
    const look = tool("Look", "read", async () => {
      await types("/notes.md", "two");
      return "seen";
    });
    const model = scriptedModel([
      {
        parts: [
          ...callParts("c1", "Build", {}),
          ...callParts("c2", "Look", {}),
          ...callParts("c3", "Look", {}),
          ...callParts("c4", "Write", { path: "/notes.md", fileText: "three" }),
          finishPart("tool-calls"),
        ],
      },
      DONE,
    ]);
    const session = await sessionFixture({ model, tree, authoredTools: [build, look] });
    const personChanges: PersonChanges = {
      covers: (path) => untold.includes(path),
      async take() {
        const now = await tree.snapshot();
        const paths = [...new Set(untold)];
        untold = [];
        const changes = paths.map((path) => ({ path, after: now.file(path)?.hash ?? "" }));
        return changes.length === 0 ? [] : [{ reason: "edit" as const, changes }];
      },
    };
    const events = await session.run("go", { personChanges });
    expect(
      events.flatMap((event) => {
        if (event.type === "tree.changed") return [["person", event.data.changes]];
        return event.type === "action.result" ? [[event.data.result.callId, event.data.changes]] : [];
      }),
    ).toEqual([
      ["c1", [{ path: "/built", after: hash("b"), sizeBytes: 1 }]],
      ["person", [{ path: "/mine", after: hash("m") }]],
      ["c2", undefined],
      ["c3", undefined],
      ["person", [{ path: "/notes.md", after: hash("two") }]],
      ["c4", [{ path: "/notes.md", before: hash("two"), after: hash("three"), sizeBytes: 5 }]],
    ]);
  });
});

describe("arguments of the wrong type", () => {
  const wrong = [
    ...callParts("c1", "Write", { path: "/a", fileText: 5 }),
    ...callParts("c2", "Write", { path: ["/a"], fileText: "x" }),
    ...callParts("c3", "StrReplace", { path: "/notes.md", oldString: "one", newString: "1", replaceAll: "yes" }),
    ...callParts("c4", "Deploy", { port: "x" }),
  ];
  const deploy = defineTool({
    name: "Deploy",
    description: "Deploys.",
    inputSchema: { type: "object", properties: { port: { type: "integer" } }, required: ["port"] },
    execute: () => "deployed",
  });
  const told = [
    'action.result c1 failed invalid-input: Write: the argument "fileText" must be a string',
    'action.result c2 failed invalid-input: Write: the argument "path" must be a string',
    'action.result c3 failed invalid-input: StrReplace: the argument "replaceAll" must be true or false',
    'action.result c4 failed invalid-input: Deploy: the argument "port" must be an integer',
  ];

  test.each([
    ["a dry run", { dryRun: true }],
    ["a run that asks", { approvals: "writes" as const }],
    ["a run", {}],
  ])("are answered as the tool itself would in %s, and nobody is asked", async (_what, more) => {
    const model = scriptedModel([{ parts: [...wrong, finishPart("tool-calls")] }, DONE]);
    const session = await sessionFixture({ model, authoredTools: [deploy] });
    const events = await session.run("go", more);
    expect(results(events).map((line) => line.replace(/ \(.*/, "").replace(/, not .*/, ""))).toEqual(told);
    expect(events.filter(({ type }) => type === "input.requested")).toEqual([]);
    expect(events.at(-1)?.type).toBe("session.waiting");
  });
});
