import { expect, test } from "vitest";
import { seededRandom, type JsonValue } from "../../base";
import { SnapshotTree } from "../../fs";
import type { SessionEvent } from "../../session";
import { checkedEvent } from "../checkedEvent";
import { forkSession } from "../reexecute/forkSession";
import { inferStartTree } from "../reexecute/inferStartTree";
import { recordedSteps } from "../reexecute/recordedSteps";
import { reexecutionReport } from "../reexecute/reexecute";
import { atifFromSessions } from "./atifFromSessions";
import { htmlFromSessions } from "./htmlFromSessions";
import { markdownFromSessions } from "./markdownFromSessions";
import { openAIMessagesFromSessions } from "./openAIMessagesFromSessions";
import { otlpFromSessions } from "./otlpFromSessions";

const turn = { turnId: "turn_0", sequence: 0 };
const step = { ...turn, stepIndex: 0 };
const action = {
  kind: "tool-call",
  callId: "c",
  toolName: "Read",
  input: { path: "/a" },
  providerMetadata: {},
  inputText: "x",
};
const task = { events: [{ type: "turn.started", data: turn, meta: {} }], message: "m" };

/** One of each event with all its fields, the optional ones too. */
const WHOLE: readonly { readonly type: string; readonly data: object }[] = [
  {
    type: "session.started",
    data: {
      runtime: { agentId: "a", agentName: "a", eveVersion: "26" },
      predecessor: { sessionId: "s" },
      playground: {
        schema: 1,
        sessionId: "s",
        definition: { name: "a" },
        tools: [{ name: "Read", description: "", inputSchema: {} }],
        seed: "s",
      },
    },
  },
  {
    type: "import.source",
    data: { format: "x", session: { id: "s", cwd: "/w", tools: [], instructions: "i" }, fidelity: {}, warnings: [] },
  },
  { type: "turn.started", data: turn },
  {
    type: "message.received",
    data: { ...turn, message: "m", parts: [{ type: "image", mediaType: "image/png", blob: "0" }] },
  },
  { type: "tree.changed", data: { reason: "edit", changes: [{ path: "/a", after: "0", before: "1" }] } },
  { type: "step.started", data: { ...step, modelId: "m", request: { hash: "h", blob: "b" } } },
  { type: "reasoning.completed", data: { ...step, reasoning: "r", providerMetadata: {} } },
  { type: "message.completed", data: { ...step, message: "m", finishReason: "stop" } },
  { type: "actions.requested", data: { ...step, actions: [action, { ...action, callId: "t", toolName: "task" }] } },
  { type: "input.requested", data: { ...step, requests: [{ requestId: "r", kind: "tool-approval", action }] } },
  {
    type: "input.resolved",
    data: {
      ...step,
      resolutions: [{ requestId: "r", outcome: "approved", response: { input: {}, optionId: "always" } }],
    },
  },
  {
    type: "action.result",
    data: {
      ...step,
      status: "failed",
      error: { code: "e", message: "m" },
      result: { kind: "tool-result", callId: "c", toolName: "Read", output: "x" },
      changes: [{ path: "/a", after: "0" }],
      evidence: [{ path: "/a", blob: "0", known: "after", sizeBytes: 1 }],
    },
  },
  {
    type: "action.result",
    data: { ...step, status: "completed", result: { callId: "t", toolName: "task", output: task } },
  },
  { type: "step.completed", data: { ...step, finishReason: "stop", usage: { inputTokens: 1 } } },
  { type: "compaction.completed", data: { ...step, summary: "s" } },
  { type: "import.entry", data: { kind: "k", raw: { a: 1 } } },
  { type: "turn.failed", data: { ...turn, code: "c", message: "m" } },
];

const ODD: readonly JsonValue[] = [null, 0, "", "x", true, [], [null], [0], {}, { a: null }, [[{}]], "/w/../..", -1];

/** The events with some fields, at any depth, made something else; those no reader would take are left out. */
function broken(random: () => number): SessionEvent[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const mutated = (value: JsonValue): JsonValue => {
    if (random() < 0.06) return pick(ODD);
    if (Array.isArray(value)) return (value as readonly JsonValue[]).map(mutated);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => (random() < 0.03 ? [] : [[key, mutated(inner as JsonValue)]])),
    );
  };
  return WHOLE.flatMap((event) => {
    const found = checkedEvent({
      type: event.type,
      data: mutated(event.data as JsonValue),
      meta: { at: pick(["", "x", "2026-01-01T00:00:00Z"]) },
    });
    return "event" in found ? [found.event] : [];
  });
}

test("a log with fields of any other kind is exported, run again and forked without an error", async () => {
  const random = seededRandom("broken logs");
  const blobs = { get: () => Promise.resolve(undefined) };
  for (let round = 0; round < 400; round++) {
    const events = broken(random);
    const input = { sessions: [{ id: "s", events }], blobs };
    const inferred = await inferStartTree(events, { blobs });
    const done = await Promise.all([
      atifFromSessions(input),
      openAIMessagesFromSessions(input),
      otlpFromSessions(input, { withContent: true }),
      markdownFromSessions(input),
      htmlFromSessions(input),
      reexecutionReport({ events, start: { kind: "inferred", inferred }, blobs }),
      reexecutionReport({ events, start: { kind: "snapshot", tree: SnapshotTree.empty }, blobs }),
    ]).catch((error: unknown) => {
      throw new Error(`round ${round}: ${JSON.stringify(events)}`, { cause: error });
    });
    expect(done).toHaveLength(7);
    recordedSteps(events);
    if (events.length > 0)
      expect(forkSession(events, 0, { kind: "none" }, { seed: "x" }).events.length).toBeGreaterThan(0);
  }
});
