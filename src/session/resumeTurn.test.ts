import { describe, expect, test } from "vitest";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { eventLine, sessionFixture, type SessionFixture } from "../testing/sessionFixture";
import { recoverSession } from "./recoverSession";
import { resumeTurn, runTurn } from "./runTurn";
import { sessionStateFromEvents } from "./reduceSession";
import type { InputResolution, SessionEvent } from "./sessionEvent";

const ASK = {
  parts: [
    ...callParts("c1", "Write", { path: "/a", fileText: "model's" }),
    ...callParts("c2", "Read", { path: "/notes.md" }),
    finishPart("tool-calls"),
  ],
};
const DONE = { parts: [...textParts("t", "ok"), finishPart("stop")] };

async function parked(...more: (typeof DONE)[]): Promise<SessionFixture> {
  const session = await sessionFixture({
    model: scriptedModel([ASK, ...more]),
    definition: { approvals: "writes" },
  });
  await session.run("go");
  return session;
}

function answer(outcome: InputResolution["outcome"], response?: InputResolution["response"]): InputResolution {
  return {
    requestId: "request_c1",
    kind: "tool-approval",
    outcome,
    ...(response === undefined ? {} : { response }),
  };
}

function resume(session: SessionFixture, resolution: InputResolution) {
  const { pendingRequests } = sessionStateFromEvents(session.events);
  const shown = pendingRequests.find(({ requestId }) => requestId === resolution.requestId)?.inputHash;
  const resolutions = [{ ...(shown === undefined ? {} : { inputHash: shown }), ...resolution }];
  return session.take(resumeTurn({ ...session.options(), resolutions }));
}

describe("a turn that waits for a person", () => {
  test("has run its other calls, and its log ends there", async () => {
    const session = await parked();
    expect(session.events.slice(1).map(eventLine)).toEqual([
      "turn.started",
      'message.received "go"',
      "step.started",
      'action.input.appended c1 Write {"path":"/a","fileText":"model\'s"}',
      'action.input.appended c2 Read {"path":"/notes.md"}',
      "actions.requested c1 Write, c2 Read",
      "input.requested request_c1",
      "action.result c2 completed",
      "step.completed tool-calls",
      "turn.waiting",
    ]);
    const state = sessionStateFromEvents(session.events);
    expect(state).toMatchObject({ status: "input", pendingRequests: [{ requestId: "request_c1" }] });
    expect(state.items.get("c1")).toMatchObject({ state: "approval" });
    // It survives a reload: there is nothing to mend.
    const { ids, clock } = session.services;
    expect(recoverSession({ events: session.events, ids, clock })).toEqual([]);
  });

  test("goes on when the call is approved", async () => {
    const session = await parked(DONE);
    const events = await resume(session, answer("approved", { optionId: "approve" }));
    expect(events.map(eventLine)).toEqual([
      "input.resolved request_c1 approved",
      "action.result c1 completed",
      "step.started",
      'message.appended "ok"',
      'message.completed "ok" stop',
      "step.completed stop",
      "turn.completed",
      "session.waiting",
    ]);
    expect(await session.tree.read("/a")).toBe("model's");
  });

  test("runs the arguments a person put in their place, and the model is told", async () => {
    const model = scriptedModel([ASK, DONE]);
    const session = await sessionFixture({ model, definition: { approvals: "writes" } });
    await session.run("go");
    await resume(session, answer("approved", { input: { path: "/a", fileText: "mine" } }));
    expect(await session.tree.read("/a")).toBe("mine");
    expect(JSON.stringify(model.requests[1]?.prompt.at(-1))).toContain("A person changed the arguments to");
  });

  test("tells the model of a refusal, with the person's word", async () => {
    const model = scriptedModel([ASK, DONE]);
    const session = await sessionFixture({ model, definition: { approvals: "writes" } });
    await session.run("go");
    const events = await resume(session, answer("denied", { optionId: "deny", text: "not there" }));
    expect(events.slice(0, 2).map(eventLine)).toEqual([
      "input.resolved request_c1 denied",
      "action.result c1 rejected denied: A person refused this call. The person says: not there",
    ]);
    expect(model.requests[1]?.prompt.at(-1)).toMatchObject({
      role: "tool",
      content: [
        { toolCallId: "c1", output: { type: "execution-denied", reason: expect.stringContaining("not there") } },
        { toolCallId: "c2", output: { type: "text" } },
      ],
    });
    expect(await session.tree.stat("/a")).toEqual({ kind: "missing" });
  });

  test("does not run a call whose arguments are not those that were approved", async () => {
    const session = await parked(DONE);
    const forged = session.events.map((event) =>
      event.type === "actions.requested"
        ? {
            ...event,
            data: {
              ...event.data,
              actions: event.data.actions.map((action) => ({ ...action, input: { path: "/evil", fileText: "x" } })),
            },
          }
        : event,
    );
    const inputHash = sessionStateFromEvents(session.events).pendingRequests[0]?.inputHash ?? "";
    const resolutions = [{ ...answer("approved"), inputHash }];
    const events = await session.take(resumeTurn({ ...session.options({ events: forged }), resolutions }));
    expect(events.map(eventLine)[1]).toBe(
      "action.result c1 rejected changed: The approval was given for other arguments.",
    );
    expect(await session.tree.stat("/evil")).toEqual({ kind: "missing" });
  });

  test.each([
    ["for other arguments", { inputHash: "0".repeat(64) }],
    ["that does not say for which", { inputHash: "" }],
  ])("refuses an approval %s, and goes on waiting", async (_what, other) => {
    const session = await parked(DONE);
    const before = session.events.length;
    await expect(resume(session, { ...answer("approved"), ...other })).rejects.toMatchObject({
      code: "stale-approval",
      status: 409,
      message: "The answer to Write (c1) was given for other arguments; look at the call again and answer it.",
    });
    expect(session.events).toHaveLength(before);
    const events = await resume(session, answer("approved"));
    expect(events.map(eventLine)[1]).toBe("action.result c1 completed");
  });

  test("survives a reload: the log as text, read again, is gone on with", async () => {
    const session = await parked(DONE);
    const lines = session.events.map((event) => JSON.stringify(event));
    const reloaded = lines.map((line) => JSON.parse(line) as SessionEvent);
    const [request] = sessionStateFromEvents(reloaded).pendingRequests;
    const { requestId = "", inputHash = "" } = request ?? {};
    const resolutions = [{ requestId, kind: "tool-approval", outcome: "approved", inputHash } as const];
    const events = await session.take(resumeTurn({ ...session.options({ events: reloaded }), resolutions }));
    expect(events.map(eventLine)[1]).toBe("action.result c1 completed");
    expect(await session.tree.read("/a")).toBe("model's");
  });

  test("keeps the model's arguments and the person's in the log", async () => {
    const session = await parked(DONE);
    await resume(session, answer("approved", { optionId: "approve", input: { path: "/a", fileText: "mine" } }));
    const inputs = session.events.flatMap((event) => {
      if (event.type === "actions.requested") return event.data.actions.map(({ input }) => input);
      if (event.type === "input.resolved") return event.data.resolutions.map(({ response }) => response?.["input"]);
      return [];
    });
    expect(inputs).toEqual([
      { path: "/a", fileText: "model's" },
      { path: "/notes.md" },
      { path: "/a", fileText: "mine" },
    ]);
  });

  test("checks what a person put in the arguments' place as it checks a model's", async () => {
    const session = await parked(DONE);
    const events = await resume(session, answer("approved", { input: { path: "/a" } }));
    expect(events.map(eventLine)[1]).toMatch(
      /^action\.result c1 failed invalid-input: Write: the argument "fileText" is missing/,
    );
    expect(await session.tree.stat("/a")).toEqual({ kind: "missing" });
  });

  test("asks no more for a tool that is allowed for the whole session", async () => {
    const again = { parts: [...callParts("c3", "Write", { path: "/b", fileText: "x" }), finishPart("tool-calls")] };
    const session = await sessionFixture({
      model: scriptedModel([ASK, again, DONE]),
      definition: { approvals: "writes" },
    });
    await session.run("go");
    const events = await resume(session, answer("approved", { optionId: "always" }));
    expect(events.map(eventLine)).toContain("action.result c3 completed");
    expect(events.at(-1)?.type).toBe("session.waiting");
  });

  test("is interrupted by a message: the parked call is rejected, no call is lost", async () => {
    const session = await parked(DONE);
    const events = await session.run("never mind");
    expect(events.map(eventLine)).toEqual([
      "input.resolved request_c1 cancelled",
      "action.result c1 rejected interrupted: turn interrupted",
      "turn.failed interrupted: turn interrupted",
      "session.waiting",
      "turn.started",
      'message.received "never mind"',
      "step.started",
      'message.appended "ok"',
      'message.completed "ok" stop',
      "step.completed stop",
      "turn.completed",
      "session.waiting",
    ]);
  });

  test("takes no answer nobody asked for", async () => {
    const session = await parked();
    const wrong = { ...answer("approved"), requestId: "request_other" };
    await expect(resume(session, wrong)).rejects.toMatchObject({ code: "not-waiting" });
  });

  test("waits again while one of two calls has no answer", async () => {
    const two = {
      parts: [
        ...callParts("c1", "Write", { path: "/a", fileText: "1" }),
        ...callParts("c2", "Write", { path: "/b", fileText: "2" }),
        finishPart("tool-calls"),
      ],
    };
    const session = await sessionFixture({ model: scriptedModel([two]), definition: { approvals: "writes" } });
    await session.run("go");
    const events = await resume(session, answer("approved"));
    expect(events.map(eventLine)).toEqual([
      "input.resolved request_c1 approved",
      "action.result c1 completed",
      "turn.waiting",
    ]);
  });
});

test("a session that is over takes no message", async () => {
  const session = await parked();
  const ended = [...session.events, { type: "session.completed" as const, data: {}, meta: { id: "", at: "" } }];
  const turn = runTurn({ ...session.options({ events: ended }), message: "go" });
  await expect(turn.next()).rejects.toMatchObject({ code: "ended" });
});
