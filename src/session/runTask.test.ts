import { describe, expect, test } from "vitest";
import { agentSession, defineAgent, virtualRuntime, type AgentSessionOptions } from "../agent";
import { tempFs, type FileSystem } from "../fs";
import { callParts, finishPart, scriptedModel, textParts, type ScriptedStep } from "../testing/scriptedModel";
import { eventLine, sessionFixture, type FixtureOptions } from "../testing/sessionFixture";
import { defineTool } from "../tools";
import { recoverSession } from "./recoverSession";
import { resumeTurn } from "./runTurn";
import { sessionStateFromEvents } from "./reduceSession";
import type { EventData, InputResolution, SessionEvent } from "./sessionEvent";

const say = (text: string): ScriptedStep => ({ parts: [...textParts("t", text), finishPart("stop")] });
const call = (id: string, name: string, input: object): ScriptedStep => ({
  parts: [...callParts(id, name, input), finishPart("tool-calls")],
});

interface Task {
  readonly tree: FileSystem;
  readonly tools: readonly string[];
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly options?: Partial<AgentSessionOptions>;
  readonly fixture?: Partial<FixtureOptions>;
}

async function turn(steps: readonly ScriptedStep[], { tree, tools, extra, options, fixture }: Task) {
  const model = scriptedModel(steps);
  const session = await sessionFixture({ ...fixture, model });
  const definition = defineAgent({
    name: "parent",
    instructions: "Lead.",
    runtime: virtualRuntime(tree),
    tools,
    ...extra,
  });
  const agent = agentSession(definition, { sessionId: "ses_1", ...options });
  const events = await session.run("go", { bound: agent });
  return { session, model, agent, events, result: taskResult(events) };
}

function agentDefinition(tree: FileSystem) {
  const runtime = virtualRuntime(tree);
  return defineAgent({ name: "parent", instructions: "Lead.", runtime, tools: ["edit", "task"], approvals: "writes" });
}

/** Approvals of all that is asked. */
function approved(events: readonly SessionEvent[]): InputResolution[] {
  return sessionStateFromEvents(events).pendingRequests.map(({ requestId, kind, inputHash = "" }) => ({
    requestId,
    kind,
    outcome: "approved",
    inputHash,
  }));
}

function lines(events: readonly SessionEvent[]): string[] {
  return events.map(eventLine).filter((line) => !/^(message\.appended|action\.input)/.test(line));
}

function taskResult(events: readonly SessionEvent[]): EventData["action.result"] | undefined {
  return events.flatMap((event) =>
    event.type === "action.result" && event.data.toolName === "task" ? [event.data] : [],
  )[0];
}

function childEvents(result: EventData["action.result"] | undefined): SessionEvent[] {
  return ((result?.result.output as { readonly events?: unknown })?.events ?? []) as SessionEvent[];
}

describe("A subagent on a virtual tree", () => {
  test("inherits its parent's tree and tools but task, and answers with its last message", async () => {
    const steps = [
      call("p1", "task", { prompt: "Read /a and say what it holds.", description: "look" }),
      call("k1", "Read", { path: "/a" }),
      say("It holds x."),
      say("done"),
    ];
    const { model, result, events } = await turn(steps, { tree: tempFs({ "/a": "x" }), tools: ["read", "task"] });
    const [parent, child, , after] = model.requests;
    expect(parent?.tools?.map(({ name }) => name)).toEqual(["Read", "task"]);
    expect(child?.tools?.map(({ name }) => name)).toEqual(["Read"]);
    expect(child?.prompt[0]).toMatchObject({
      role: "system",
      content: expect.stringContaining("You work for another agent"),
    });
    expect(JSON.stringify(child?.prompt[1])).toContain("Read /a and say what it holds.");
    expect(result).toMatchObject({ status: "completed", result: { output: { message: "It holds x.", calls: 1 } } });
    expect(after?.prompt.at(-1)).toMatchObject({ content: [{ output: { type: "text", value: "It holds x." } }] });
    expect(events.at(-1)?.type).toBe("session.waiting");
  });

  test("is a session of its own, whose whole log is in the result, the same when recorded again", async () => {
    const steps = [call("p1", "task", { prompt: "Go." }), call("k1", "Read", { path: "/a" }), say("ok"), say("done")];
    const task = { tree: tempFs({ "/a": "x" }, { now: () => 0 }), tools: ["read", "task"] };
    const log = childEvents((await turn(steps, task)).result);
    expect(log.map(eventLine)).toEqual([
      "session.started",
      "turn.started",
      'message.received "Go."',
      "step.started",
      'action.input.appended k1 Read {"path":"/a"}',
      "actions.requested k1 Read",
      "action.result k1 completed",
      "step.completed tool-calls",
      "step.started",
      'message.appended "ok"',
      'message.completed "ok" stop',
      "step.completed stop",
      "turn.completed",
      "session.waiting",
    ]);
    const started = log[0]?.type === "session.started" ? log[0].data.playground : undefined;
    expect(started?.task).toEqual({ sessionId: expect.stringMatching(/^session_/), callId: "p1" });
    const again = childEvents((await turn(steps, task)).result);
    expect(again).toEqual(log);
  });

  test("writes where its parent may, and the call tells what changed, each file once", async () => {
    const tree = tempFs({ "/a": "1", "/gone": "x" });
    const steps = [
      call("p1", "task", { prompt: "Go." }),
      call("k1", "Write", { path: "/a", fileText: "2" }),
      call("k2", "Write", { path: "/a", fileText: "3" }),
      call("k3", "Write", { path: "/b", fileText: "new" }),
      call("k4", "Delete", { path: "/gone" }),
      call("k5", "Write", { path: "/c", fileText: "short-lived" }),
      call("k6", "Delete", { path: "/c" }),
      say("ok"),
      say("done"),
    ];
    const { result, session } = await turn(steps, { tree, tools: ["read", "edit", "delete", "task"] });
    expect(
      result?.changes?.map(({ path, before, after }) => [path, before !== undefined, after !== undefined]),
    ).toEqual([
      ["/a", true, true],
      ["/b", false, true],
      ["/gone", true, false],
    ]);
    expect(await tree.read("/a")).toBe("3");
    expect(session.kept).toHaveLength(6);
  });
});

describe("The gates of a subagent are its parent's", () => {
  const write = [
    call("p1", "task", { prompt: "Go." }),
    call("k1", "Write", { path: "/b", fileText: "x" }),
    say("ok"),
    say("done"),
  ];

  test("its writes are stubbed in a dry run", async () => {
    const tree = tempFs();
    const { result } = await turn(write, { tree, tools: ["edit", "task"], fixture: { dryRun: true } });
    expect(childEvents(result).find((event) => event.type === "action.result")?.data).toMatchObject({ stub: true });
    expect([result?.status, await tree.stat("/b")]).toEqual(["completed", { kind: "missing" }]);
  });

  test("a call that needs a person parks its parent's turn, which goes on with it after a reload", async () => {
    const tree = tempFs();
    const { session, model } = await turn(write, { tree, tools: ["edit", "task"], extra: { approvals: "writes" } });
    expect(lines(session.events)).toEqual([
      "session.started",
      "turn.started",
      'message.received "go"',
      "step.started",
      "actions.requested p1 task",
      "action.partial",
      "input.requested request_p1/k1",
      "step.completed tool-calls",
      "turn.waiting",
    ]);
    const state = sessionStateFromEvents(session.events);
    expect(state.pendingRequests).toMatchObject([
      {
        requestId: "request_p1/k1",
        prompt: "Allow a subagent Write?",
        action: { callId: "p1/k1", toolName: "Write", input: { path: "/b", fileText: "x" } },
        task: { callId: "p1", requestId: "request_k1" },
      },
    ]);
    expect(state.items.get("p1/k1")).toMatchObject({ state: "approval", input: { path: "/b", fileText: "x" } });
    expect(await tree.stat("/b")).toEqual({ kind: "missing" });
    const { ids, clock } = session.services;
    expect(recoverSession({ events: session.events, ids, clock })).toEqual([]);

    const reloaded = session.events.map((event) => JSON.parse(JSON.stringify(event)) as SessionEvent);
    const another = agentSession(agentDefinition(tree), { sessionId: "ses_1" });
    const events = await session.take(
      resumeTurn({ ...session.options({ bound: another, events: reloaded }), resolutions: approved(reloaded) }),
    );
    expect(lines(events)).toEqual([
      "input.resolved request_p1/k1 approved",
      "action.partial",
      "action.result p1 completed",
      "step.started",
      'message.completed "done" stop',
      "step.completed stop",
      "turn.completed",
      "session.waiting",
    ]);
    expect(await tree.read("/b")).toBe("x");
    const result = taskResult(events);
    expect(result).toMatchObject({ changes: [{ path: "/b" }], result: { output: { message: "ok" } } });
    expect(lines(childEvents(result)).slice(-8)).toEqual([
      "turn.waiting",
      "input.resolved request_k1 approved",
      "action.result k1 completed",
      "step.started",
      'message.completed "ok" stop',
      "step.completed stop",
      "turn.completed",
      "session.waiting",
    ]);
    const after = sessionStateFromEvents(session.events);
    expect([after.items.get("p1/k1"), after.counts.running]).toMatchObject([{ state: "completed" }, 0]);
    // Its parent's model reads the answer, and nothing of what was asked.
    expect(JSON.stringify(model.requests.at(-1)?.prompt)).not.toContain("changed the arguments");
  });

  test("an approval of other arguments is refused, one with other arguments runs them", async () => {
    const tree = tempFs();
    const { session, agent } = await turn(write, { tree, tools: ["edit", "task"], extra: { approvals: "writes" } });
    const [answer] = approved(session.events);
    if (answer === undefined) throw new Error("nothing is asked");
    const resume = (more: Partial<InputResolution>) =>
      session.take(resumeTurn({ ...session.options({ bound: agent }), resolutions: [{ ...answer, ...more }] }));
    await expect(resume({ inputHash: "0".repeat(64) })).rejects.toMatchObject({ code: "stale-approval" });
    await resume({ response: { optionId: "approve", input: { path: "/mine", fileText: "y" } } });
    expect([await tree.stat("/b"), await tree.read("/mine")]).toEqual([{ kind: "missing" }, "y"]);
  });

  test("a refusal is told to the subagent, with the person's word", async () => {
    const tree = tempFs();
    const { session, agent, model } = await turn(write, {
      tree,
      tools: ["edit", "task"],
      extra: { approvals: "writes" },
    });
    const [answer] = approved(session.events);
    const denied = {
      ...answer,
      outcome: "denied",
      response: { optionId: "deny", text: "not there" },
    } as InputResolution;
    await session.take(resumeTurn({ ...session.options({ bound: agent }), resolutions: [denied] }));
    expect(JSON.stringify(model.requests[2]?.prompt.at(-1))).toContain("not there");
    expect(await tree.stat("/b")).toEqual({ kind: "missing" });
  });

  test("each of its requests is told once, and the turn waits until all have their answer", async () => {
    const tree = tempFs();
    const two = {
      parts: [
        ...callParts("k1", "Write", { path: "/b", fileText: "1" }),
        ...callParts("k2", "Write", { path: "/c", fileText: "2" }),
        finishPart("tool-calls"),
      ],
    } as const;
    const steps = [call("p1", "task", { prompt: "Go." }), two, say("ok"), say("done")];
    const { session, agent } = await turn(steps, { tree, tools: ["edit", "task"], extra: { approvals: "writes" } });
    const [first] = approved(session.events);
    if (first === undefined) throw new Error("nothing is asked");
    await session.take(resumeTurn({ ...session.options({ bound: agent }), resolutions: [first] }));
    expect(lines(session.events).slice(-4)).toEqual([
      "input.resolved request_p1/k1 approved",
      "action.partial",
      "action.partial",
      "turn.waiting",
    ]);
    expect([await tree.read("/b"), await tree.stat("/c")]).toEqual(["1", { kind: "missing" }]);
    await session.take(resumeTurn({ ...session.options({ bound: agent }), resolutions: approved(session.events) }));
    expect(await tree.read("/c")).toBe("2");
    expect(session.events.at(-1)?.type).toBe("session.waiting");
  });

  test("a message that interrupts the waiting turn ends it, and tells what the subagent had changed", async () => {
    const publish = defineTool({
      name: "publish",
      description: "Publishes.",
      inputSchema: { type: "object" },
      needsApproval: true,
      execute: () => null,
    });
    const steps = [
      call("p1", "task", { prompt: "Go." }),
      call("k0", "Write", { path: "/b", fileText: "x" }),
      call("k1", "publish", {}),
      say("next"),
    ];
    const options = { authoredTools: [publish] };
    const { session, agent } = await turn(steps, { tree: tempFs(), tools: ["edit", "task"], options });
    const events = await session.run("never mind", { bound: agent });
    expect(lines(events).slice(0, 4)).toEqual([
      "input.resolved request_p1/k1 cancelled",
      "action.result p1 failed interrupted: turn interrupted",
      "turn.failed interrupted: turn interrupted",
      "session.waiting",
    ]);
    expect(taskResult(events)?.changes?.map(({ path }) => path)).toEqual(["/b"]);
    const state = sessionStateFromEvents(session.events);
    expect([state.counts.running, state.pendingRequests]).toEqual([0, []]);
  });

  test("what a person has allowed for the session is allowed to it", async () => {
    const tree = tempFs();
    const steps = [call("p0", "Write", { path: "/first", fileText: "x" }), ...write];
    const { session, agent } = await turn(steps, { tree, tools: ["edit", "task"], extra: { approvals: "writes" } });
    const [request] = sessionStateFromEvents(session.events).pendingRequests;
    const { requestId = "", inputHash = "" } = request ?? {};
    const response = { optionId: "always" };
    const resolutions = [{ requestId, kind: "tool-approval", outcome: "approved", inputHash, response } as const];
    await session.take(resumeTurn({ ...session.options({ bound: agent }), resolutions }));
    expect(await tree.read("/b")).toBe("x");
  });

  test("its tools keep to the parent's frozen instant", async () => {
    const { result } = await turn([call("p1", "task", { prompt: "Go." }), say("ok"), say("done")], {
      tree: tempFs(),
      tools: ["task"],
      fixture: { asOf: "2026-01-01T00:00:00Z" },
      options: { asOf: "2026-01-01T00:00:00Z" },
    });
    const started = childEvents(result)[0];
    expect(started?.type === "session.started" && started.data.playground?.asOf).toBe("2026-01-01T00:00:00Z");
  });

  test("it has no subagents of its own", async () => {
    const steps = [
      call("p1", "task", { prompt: "Go." }),
      call("k1", "task", { prompt: "Deeper." }),
      say("ok"),
      say("done"),
    ];
    const { result } = await turn(steps, { tree: tempFs(), tools: ["read", "task"] });
    expect(childEvents(result).find((event) => event.type === "action.result")?.data).toMatchObject({
      status: "failed",
      error: { code: "unknown-tool" },
    });
  });

  test("it keeps todos of its own", async () => {
    const steps = [
      call("p0", "updateTodos", { todos: [{ content: "parent's", status: "pending" }] }),
      call("p1", "task", { prompt: "Go." }),
      call("k1", "updateTodos", { todos: [{ content: "child's", status: "pending" }] }),
      say("ok"),
      call("p2", "readTodos", {}),
      say("done"),
    ];
    const tools = ["updateTodos", "readTodos", "task"];
    const { events } = await turn(steps, { tree: tempFs(), tools });
    const last = events.findLast((event) => event.type === "action.result");
    expect(last?.data).toMatchObject({ result: { output: { todos: [{ content: "parent's" }] } } });
  });
});

describe("A task", () => {
  test("may be given to a subagent of the author's, by name", async () => {
    const subagents = [{ name: "scout", description: "Looks around.", instructions: "Scout ahead." }];
    const steps = [call("p1", "task", { prompt: "Go.", subagent_type: "scout" }), say("seen"), say("done")];
    const { model } = await turn(steps, { tree: tempFs(), tools: ["read", "task"], options: { subagents } });
    expect(model.requests[0]?.tools?.find(({ name }) => name === "task")).toMatchObject({
      description: expect.stringContaining("- scout: Looks around."),
    });
    expect(model.requests[1]?.prompt[0]).toMatchObject({
      content: expect.stringMatching(/^Scout ahead\.\n\n## About you\n\nYou are scout\.\n\nLooks around\./),
    });
  });

  test("for a subagent there is none of fails with the names there are", async () => {
    const steps = [call("p1", "task", { prompt: "Go.", subagentType: "ghost" }), say("done")];
    const { result } = await turn(steps, { tree: tempFs(), tools: ["task"] });
    expect(result?.error).toEqual({
      code: "invalid-input",
      message: 'task: the argument "subagentType" must be one of "general"',
    });
  });

  test("whose subagent fails fails with why, and tells what it did before", async () => {
    const steps: ScriptedStep[] = [
      call("p1", "task", { prompt: "Go." }),
      call("k1", "Write", { path: "/b", fileText: "x" }),
      { throws: new Error("the model is gone") },
      say("done"),
    ];
    const { result, events } = await turn(steps, { tree: tempFs(), tools: ["edit", "task"] });
    expect(result).toMatchObject({
      status: "failed",
      error: { message: expect.stringMatching(/^The subagent's turn failed: .*the model is gone/) },
      changes: [{ path: "/b" }],
    });
    const told = events.findLast((event) => event.type === "action.partial");
    expect(told?.data).toMatchObject({ result: { output: { events: expect.any(Array) } } });
    expect(events.at(-2)?.type).toBe("turn.completed");
  });

  test("that is stopped stops its subagent, and tells what it had changed", async () => {
    const controller = new AbortController();
    const model = scriptedModel([
      call("p1", "task", { prompt: "Go." }),
      call("k1", "Write", { path: "/b", fileText: "x" }),
      { parts: textParts("t", "thinking"), hang: true },
    ]);
    const session = await sessionFixture({ model });
    const definition = defineAgent({
      name: "parent",
      instructions: "Lead.",
      runtime: virtualRuntime(tempFs()),
      tools: ["edit", "task"],
    });
    const agent = agentSession(definition, { sessionId: "ses_1" });
    const { services } = session.options();
    const stopping = {
      ...services,
      model: {
        ...model,
        doStream: (options: never) => {
          const answer = model.doStream(options);
          if (model.requests.length === 3) setTimeout(() => controller.abort(), 5);
          return answer;
        },
      },
    };
    const events = await session.run("go", { bound: agent, signal: controller.signal, services: stopping });
    const result = taskResult(events);
    expect([result?.status, result?.error?.code, result?.changes?.map(({ path }) => path)]).toEqual([
      "failed",
      "interrupted",
      ["/b"],
    ]);
    expect(events.slice(-2).map(eventLine)).toEqual(["turn.failed interrupted: turn interrupted", "session.waiting"]);
  });

  test("on the host's disk works on that disk", async () => {
    const hostTree = tempFs({ "/a": "x" });
    const session = await sessionFixture({
      model: scriptedModel([
        call("p1", "task", { prompt: "Go." }),
        call("k1", "Write", { path: "/b", fileText: "y" }),
        say("ok"),
        say("done"),
      ]),
    });
    const agent = agentSession(defineAgent({ name: "parent", instructions: "Lead." }), {
      sessionId: "ses_1",
      hostTree,
    });
    await session.run("go", { bound: agent });
    expect(await hostTree.read("/b")).toBe("y");
  });
});
