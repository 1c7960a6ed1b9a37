import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { virtualRuntime } from "../agent";
import { tempFs } from "../fs";
import { callParts, finishPart, scriptedModel, textParts, type ScriptedStep } from "../testing/scriptedModel";
import { eventLine, sessionFixture, type FixtureOptions, type SessionFixture } from "../testing/sessionFixture";
import { recoverSession } from "./recoverSession";
import { sessionStateFromEvents } from "./reduceSession";
import { resumeTurn, runTurn } from "./runTurn";
import type { FileChange, SessionEvent } from "./sessionEvent";

const DONE: ScriptedStep = { parts: [...textParts("t", "ok"), finishPart("stop")] };

/** What a reader may rely on in every log that is at rest (docs/trajectory.md). */
function logProblems(events: readonly SessionEvent[]): string[] {
  const problems: string[] = [];
  const open = { calls: new Set<string>(), step: "", turn: "" };
  const answered = new Set<string>();
  for (const [index, event] of events.entries()) {
    const at = `${index} ${eventLine(event)}`;
    switch (event.type) {
      case "turn.started":
        if (open.turn !== "") problems.push(`${at}: ${open.turn} is open`);
        open.turn = event.data.turnId;
        break;
      case "step.started":
        if (open.step !== "") problems.push(`${at}: step ${open.step} is open`);
        if (open.calls.size > 0) problems.push(`${at}: calls without a result`);
        open.step = `${event.data.turnId}/${event.data.stepIndex}`;
        break;
      case "actions.requested":
        for (const { callId } of event.data.actions) {
          if (open.calls.has(callId) || answered.has(callId)) problems.push(`${at}: ${callId} twice`);
          open.calls.add(callId);
        }
        break;
      case "action.result": {
        const { callId } = event.data.result;
        if (!open.calls.delete(callId)) problems.push(`${at}: no call waits for it`);
        answered.add(callId);
        break;
      }
      case "step.completed":
      case "step.failed":
        if (open.step === "") problems.push(`${at}: no step is open`);
        open.step = "";
        break;
      case "turn.completed":
      case "turn.failed":
        if (open.turn === "") problems.push(`${at}: no turn is open`);
        if (open.step !== "") problems.push(`${at}: its step is open`);
        if (open.calls.size > 0) problems.push(`${at}: calls without a result`);
        open.turn = "";
        break;
      case "session.waiting":
        if (open.turn !== "") problems.push(`${at}: its turn is open`);
        break;
      default:
    }
  }
  const last = events.at(-1)?.type;
  const isAtRest = last === "session.waiting" || last === "session.started" || last === "turn.waiting";
  if (!isAtRest) problems.push(`it ends with ${last}`);
  return problems;
}

const call = fc.constantFrom<readonly [string, object | string]>(
  ["Read", { path: "/notes.md" }],
  ["LS", { path: "/" }],
  ["Write", { path: "/new.md", fileText: "x" }],
  ["Delete", { path: "/notes.md" }],
  ["Read", { path: "/none" }],
  ["Read", "{broken"],
  ["Fly", {}],
  // Rare among the others, and the longest way round.
  ["task", { prompt: "Go." }],
  ["task", { prompt: "Go on." }],
  ["task", { prompt: "And on." }],
);

const step: fc.Arbitrary<ScriptedStep> = fc.oneof(
  { weight: 5, arbitrary: fc.array(call, { minLength: 1, maxLength: 4 }).map(callsStep) },
  { weight: 1, arbitrary: fc.constant<ScriptedStep>({ parts: textParts("t", "cut") }) },
  { weight: 1, arbitrary: fc.constant<ScriptedStep>({ throws: new Error("no") }) },
);

function callsStep(calls: readonly (readonly [string, object | string])[]): ScriptedStep {
  const parts = calls.flatMap(([name, input], index) => callParts(`call_${index}`, name, input));
  return { parts: [...textParts("t", "so"), ...parts, finishPart("tool-calls")] };
}

const script = fc.record({
  steps: fc.array(step, { maxLength: 3 }),
  approvals: fc.constantFrom<"never" | "writes">("never", "writes"),
  subagents: fc.boolean(),
});

/** An agent that may have subagents, on a tree of its own; their calls take the script's next steps. */
function planned({ approvals, subagents = false }: Pick<Plan, "approvals" | "subagents">): Partial<FixtureOptions> {
  if (!subagents) return { definition: { approvals } };
  const tree = tempFs({ "/notes.md": "one\n" });
  const tools = ["read", "ls", "edit", "delete", "task"] as const;
  return { tree, definition: { approvals, root: undefined, runtime: virtualRuntime(tree), tools } };
}

interface Plan {
  readonly steps: readonly ScriptedStep[];
  readonly approvals: "never" | "writes";
  readonly subagents?: boolean;
}

/** A session as the script has it, calls that wait approved, and one more message. */
async function played(plan: Plan): Promise<SessionFixture> {
  const model = scriptedModel([...plan.steps, DONE, DONE]);
  const session = await sessionFixture({ model, ...planned(plan) });
  await session.run("first");
  await approveAll(session);
  await session.run("second");
  await approveAll(session);
  return session;
}

async function approveAll(session: SessionFixture): Promise<void> {
  for (;;) {
    const { pendingRequests } = sessionStateFromEvents(session.events);
    if (pendingRequests.length === 0) return;
    const resolutions = pendingRequests.map(({ requestId, kind, inputHash = "" }) => ({
      requestId,
      kind,
      inputHash,
      outcome: "approved" as const,
    }));
    await session.take(resumeTurn({ ...session.options(), resolutions }));
  }
}

describe("recovery", () => {
  test("makes a log whole again wherever a crash has cut it", async () => {
    await fc.assert(
      fc.asyncProperty(script, async (plan) => {
        const { events, services } = await played(plan);
        expect(logProblems(events)).toEqual([]);
        for (let length = 1; length <= events.length; length++) {
          const cut = events.slice(0, length);
          const { ids, clock } = services;
          const whole = [...cut, ...recoverSession({ events: cut, ids, clock })];
          expect(logProblems(whole)).toEqual([]);
          expect(recoverSession({ events: whole, ids, clock })).toEqual([]);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("leaves a session that takes the next message, wherever it was cut", async () => {
    await fc.assert(
      fc.asyncProperty(script, fc.nat(), async (plan, place) => {
        const { events } = await played(plan);
        const cut = events.slice(0, 1 + (place % events.length));
        const again = await sessionFixture({ model: scriptedModel([DONE]) });
        const { ids, clock } = again.services;
        const whole = [...cut, ...recoverSession({ events: cut, ids, clock })];
        const more: SessionEvent[] = [];
        for await (const event of runTurn({ ...again.options({ events: whole }), message: "again" })) more.push(event);
        expect(logProblems([...whole, ...more])).toEqual([]);
        expect(more.slice(-2).map(eventLine)).toEqual(["turn.completed", "session.waiting"]);
      }),
      { numRuns: 60 },
    );
  });

  test("tells what a cut call has done to the files, with the first call it can have been", async () => {
    const session = await played({
      steps: [
        callsStep([
          ["Read", { path: "/notes.md" }],
          ["Write", { path: "/new.md", fileText: "x" }],
        ]),
      ],
      approvals: "never",
    });
    const end = session.events.findIndex((event) => event.type === "action.result");
    const { ids, clock } = session.services;
    const changes = [{ path: "/new.md", after: "0".repeat(64), sizeBytes: 1 }];
    const recovered = recoverSession({ events: session.events.slice(0, end), ids, clock, changes });
    expect(
      recovered.map((event) => ("changes" in event.data ? [eventLine(event), event.data.changes] : eventLine(event))),
    ).toEqual([
      "action.result call_0 failed host-lost: The page was closed or crashed while this ran; it may have been done in part.",
      [
        "action.result call_1 failed host-lost: The page was closed or crashed while this ran; it may have been done in part.",
        changes,
      ],
      "step.failed host-lost: The page was closed or crashed while this ran; it may have been done in part.",
      "turn.failed host-lost: The page was closed or crashed while this ran; it may have been done in part.",
      "session.waiting",
    ]);
  });

  test("lays a change on no call that reads or writes elsewhere, and each on the first that can have made it", async () => {
    const session = await played({
      steps: [
        callsStep([
          ["LS", { path: "/" }],
          ["Write", { path: "/new.md", fileText: "x" }],
          ["Delete", { path: "/notes.md" }],
          ["Write", { path: "/new.md", fileText: "y" }],
        ]),
      ],
      approvals: "never",
    });
    const end = session.events.findIndex((event) => event.type === "action.result");
    const { ids, clock } = session.services;
    const laid = (events: readonly SessionEvent[], changes: readonly FileChange[]) =>
      recoverSession({ events, ids, clock, changes }).flatMap((event) =>
        event.type === "action.result" ? [[event.data.result.callId, event.data.changes]] : [],
      );
    const hash = "0".repeat(64);
    const [mine, theirs, gone] = [
      { path: "/new.md", after: hash },
      { path: "/other.md", after: hash },
      { path: "/notes.md", before: hash },
    ] as const;
    expect(laid(session.events.slice(0, end), [mine, gone, theirs])).toEqual([
      ["call_0", undefined],
      ["call_1", [mine]],
      ["call_2", [gone]],
      ["call_3", undefined],
    ]);
    const reads = session.events
      .slice(0, end)
      .map((event) =>
        event.type === "actions.requested"
          ? { ...event, data: { ...event.data, actions: event.data.actions.slice(0, 1) } }
          : event,
      );
    expect(laid(reads, [mine, gone, theirs])).toEqual([["call_0", undefined]]);
  });

  test("keeps a turn parked that waits for a person, its cut calls answered", async () => {
    const plan = [
      callsStep([
        ["Write", { path: "/a", fileText: "x" }],
        ["Read", { path: "/notes.md" }],
      ]),
    ];
    const session = await sessionFixture({ model: scriptedModel(plan), definition: { approvals: "writes" } });
    await session.run("go");
    const end = session.events.findIndex((event) => event.type === "input.requested") + 1;
    const { ids, clock } = session.services;
    const recovered = recoverSession({ events: session.events.slice(0, end), ids, clock });
    expect(recovered.map((event) => event.type)).toEqual(["action.result", "step.completed", "turn.waiting"]);
  });
});

describe("a stop", () => {
  test("leaves a whole log after whichever event it comes, and every call answered", async () => {
    await fc.assert(
      fc.asyncProperty(script, fc.integer({ min: 1, max: 40 }), async (plan, after) => {
        const controller = new AbortController();
        const model = scriptedModel([...plan.steps, DONE]);
        const session = await sessionFixture({ model, ...planned(plan) });
        let count = 0;
        for await (const event of runTurn({ ...session.options({ signal: controller.signal }), message: "go" })) {
          session.events.push(event);
          count++;
          if (count === after) controller.abort();
        }
        expect(logProblems(session.events)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
