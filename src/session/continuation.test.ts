import { describe, expect, test } from "vitest";
import { bindAgent, defineAgent } from "../agent";
import { tempFs } from "../fs";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { sessionFixture, type SessionFixture } from "../testing/sessionFixture";
import { callTool } from "./callTool";
import { continuationToken } from "./continuation";
import { runTurn } from "./runTurn";
import type { SessionEvent } from "./sessionEvent";

const DONE = { parts: [...textParts("t", "ok"), finishPart("stop")] };
const ASK = { parts: [...callParts("c1", "Write", { path: "/a", fileText: "x" }), finishPart("tool-calls")] };

async function said(...messages: readonly string[]): Promise<SessionFixture> {
  const session = await sessionFixture({ model: scriptedModel(messages.map(() => DONE)) });
  for (const message of messages) await session.run(message);
  return session;
}

async function begin(session: SessionFixture, token: string): Promise<SessionEvent | undefined> {
  const turn = runTurn({ ...session.options(), message: "go", continuationToken: token });
  const first = await turn.next();
  await turn.return();
  return first.value ?? undefined;
}

const STALE = {
  name: "SessionError",
  code: "stale-token",
  status: 409,
  message: "The session has gone on since this token was given out; use the newest one.",
};

describe("A continuation token", () => {
  test("rotates with every message, and is the same when the session is recorded again", async () => {
    const [session, again] = [await said("one", "two"), await said("one", "two")];
    const tokens = (log: readonly SessionEvent[]) =>
      log.flatMap((event) => (event.type === "session.waiting" ? [event.data.continuationToken] : []));
    expect(new Set(tokens(session.events)).size).toBe(2);
    expect(tokens(again.events)).toEqual(tokens(session.events));
    expect(continuationToken(session.events)).toBe(tokens(session.events)[1]);
    expect(continuationToken((await said()).events)).toBeUndefined();
  });

  test("continues the conversation; an older one, and one that is none, are refused", async () => {
    const session = await said("one");
    const older = continuationToken(session.events) ?? "";
    expect((await begin(session, older))?.type).toBe("turn.started");
    const later = await said("one", "two");
    await expect(begin(later, older)).rejects.toMatchObject(STALE);
    await expect(begin(later, "continue_")).rejects.toMatchObject(STALE);
  });

  test("of the message that runs may interrupt it, the one before it may not", async () => {
    const session = await sessionFixture({ model: scriptedModel([DONE, ASK]), definition: { approvals: "writes" } });
    await session.run("one");
    const before = continuationToken(session.events) ?? "";
    await session.run("two");
    expect(session.events.at(-1)?.type).toBe("turn.waiting");
    const running = continuationToken(session.events) ?? "";
    expect(running).not.toBe(before);
    await expect(begin(session, before)).rejects.toMatchObject(STALE);
    expect((await begin(session, running))?.type).toBe("input.resolved");
  });
});

test("A session that is over is refused, and that is no conflict", async () => {
  const session = await said("one");
  session.events.push({ type: "session.completed", data: {}, meta: { id: "", at: "" } });
  await expect(session.run("more")).rejects.toMatchObject({ code: "ended", status: 400 });
});

describe("A subagent's session", () => {
  const REFUSED = {
    code: "task-session",
    status: 409,
    message: "This session is a subagent's and takes nothing from outside; speak to the session it works for.",
  };
  const task = { sessionId: "ses_1", callId: "c1" };

  test("takes the message of its task and no other", async () => {
    const session = await sessionFixture({ model: scriptedModel([DONE, DONE]), task });
    await session.run("the task");
    expect(session.events.at(-1)?.type).toBe("session.waiting");
    await expect(session.run("more")).rejects.toMatchObject(REFUSED);
  });

  test("is continued by no token, and has no tool called in it", async () => {
    const session = await sessionFixture({ model: scriptedModel([]), task });
    await expect(begin(session, "continue_")).rejects.toMatchObject(REFUSED);
    await expect(call(session)).rejects.toMatchObject(REFUSED);
  });
});

describe("A tool call from outside", () => {
  test("in a session whose turn has not ended is refused", async () => {
    const session = await sessionFixture({ model: scriptedModel([ASK]), definition: { approvals: "writes" } });
    await session.run("go");
    await expect(call(session)).rejects.toMatchObject({
      code: "session-busy",
      status: 409,
      message: "A turn of this session has not ended; wait for it, or call the tool outside the session.",
    });
  });

  test("in a session that waits for a message runs", async () => {
    expect((await call(await said("one"))).text).toBe("     1|x");
  });
});

async function call(session: SessionFixture) {
  const root = tempFs({ "/a": "x" });
  const bound = await bindAgent(defineAgent({ name: "a", instructions: "b", root }), root);
  const { ids, clock } = session.services;
  const signal = new AbortController().signal;
  return callTool({
    bound,
    toolName: "Read",
    input: { path: "/a" },
    invocationId: "call_1",
    ids,
    clock,
    signal,
    session: session.events,
  });
}
