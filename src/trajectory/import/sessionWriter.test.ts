import { describe, expect, test } from "vitest";
import { CollectedImport } from "./collectedImport";
import type { SessionDraft } from "./importBuilder";
import { KeptValues } from "./keptValues";
import { outline } from "./publishedFile.suite";

/** A session as `write` puts it down. */
function written(write: (draft: SessionDraft, out: CollectedImport) => void) {
  const out = new CollectedImport({ format: "made", sha256: "00" }, new KeptValues());
  write(out.session("s"), out);
  const { sessions, fidelity } = out.finish();
  return {
    sessions,
    fidelity,
    warnings: out.warnings(),
    events: sessions[0]?.events ?? [],
    lines: outline(sessions[0]?.events ?? []),
  };
}

const at = "2026-01-01T00:00:00.000Z";

describe("a session being written down", () => {
  test("closes a step by the next, a turn by the next message, a call by its turn", () => {
    const { lines } = written((draft) => {
      draft.user("one", { at });
      draft.message("hello", { at });
      draft.call({ callId: "c", toolName: "T", input: {} }, { at });
      draft.step({ at });
      draft.message("and", { at });
      draft.user("two", { at });
    });
    expect(lines).toEqual([
      "turn.started",
      "user: one",
      "step.started",
      "model: hello",
      "calls: T#c {}",
      "step.completed",
      "step.started",
      "model: and",
      'failed: c "The recording holds no result of this call." (interrupted)',
      "step.completed",
      "turn.failed: interrupted",
      "turn.started",
      "user: two",
      "turn.completed",
    ]);
  });

  test("takes a result that comes after its turn in the place of the one that said there is none", () => {
    const { lines } = written((draft) => {
      draft.user("one", { at });
      draft.call({ callId: "c", toolName: "T", input: {} }, { at });
      draft.user("two", { at });
      draft.result({ callId: "c", output: "late" }, { at });
      draft.result({ callId: "c", output: "again" }, { at });
    });
    expect(lines).toEqual([
      "turn.started",
      "user: one",
      "step.started",
      "calls: T#c {}",
      'completed: c "late"',
      "step.completed",
      "turn.completed",
      "turn.started",
      "user: two",
      "entry: tool-result",
      "turn.completed",
    ]);
  });

  test("goes on with a step of the same id, and names what ended it in its texts", () => {
    const { events } = written((draft) => {
      draft.step({ id: "m", at });
      draft.message("one", { at });
      draft.step({ id: "m", modelId: "x", at });
      draft.message("two", { at });
      draft.finish("length");
    });
    expect(events.slice(3).map(({ type, data }) => [type, { ...data }])).toMatchObject([
      ["step.started", { modelId: "x" }],
      ["message.completed", { message: "one", finishReason: "length" }],
      ["message.completed", { message: "two", finishReason: "length" }],
      ["step.completed", { finishReason: "length" }],
      ["turn.completed", {}],
    ]);
  });

  test("gives a call its own id, keeps arguments that are no JSON as they were, answers by order where there is no id", () => {
    const { lines, fidelity } = written((draft) => {
      draft.call({ callId: "c", toolName: "A", input: '{"x":1}' }, { at });
      draft.call({ callId: "c", toolName: "B", input: '{"x":' }, { at });
      draft.call({ toolName: "A", input: undefined }, { at });
      draft.result({ callId: "c", output: "for the second" }, { at });
      draft.result({ toolName: "A", output: "for the first" }, { at });
      draft.result({ output: "for the third" }, { at });
    });
    expect(lines.slice(2, 6)).toEqual([
      'calls: A#c {"x":1}, B#c/1 {"x":, A#call_0 {}',
      'completed: c/1 "for the second"',
      'completed: c "for the first"',
      'completed: call_0 "for the third"',
    ]);
    expect(fidelity.callIds).toBe("made");
  });

  test("says what a person decided, and rejects a call nobody answered any more", () => {
    const { lines, events } = written((draft) => {
      draft.call({ callId: "c", toolName: "T", input: {} }, { at });
      draft.approval({ callId: "c", outcome: "denied", text: "not now" }, { at });
    });
    expect(lines).toContain('rejected: c "not now" (denied)');
    const asked = events.find(({ type }) => type === "input.requested");
    expect(asked?.data).toMatchObject({
      requests: [{ requestId: "request_c", kind: "tool-approval", prompt: "Run T?" }],
    });
  });

  test("adds what totals grew by, and takes totals that fell for new ones", () => {
    const { events, fidelity } = written((draft) => {
      for (const inputTokens of [5, 12, 3]) {
        draft.step({ at });
        draft.usage({ inputTokens }, "cumulative");
      }
    });
    const usage = events.flatMap((event) => (event.type === "step.completed" ? [event.data.usage] : []));
    expect(usage).toEqual([{ inputTokens: 5 }, { inputTokens: 7 }, { inputTokens: 3 }]);
    expect(fidelity.usage).toBe("cumulative");
  });

  test("takes the last figures of a step, also when they come after it", () => {
    const { events } = written((draft) => {
      draft.user("go", { at });
      draft.step({ at });
      draft.usage({ inputTokens: 5, outputTokens: 1 }, "per-call");
      draft.usage({ outputTokens: 9 }, "per-call");
      draft.endTurn({ kind: "completed" }, { at });
      draft.usage({ costUsd: 2 }, "per-call");
    });
    const end = events.find(({ type }) => type === "step.completed");
    expect(end?.data).toMatchObject({ usage: { inputTokens: 5, outputTokens: 9, costUsd: 2 } });
  });

  test("shows copied context and counts none of it", () => {
    const { lines, events } = written((draft) => {
      const where = { at, replay: false } as const;
      draft.user("old", where);
      draft.step(where);
      draft.reasoning("hm", where);
      draft.message("was", where);
      draft.call({ callId: "c", toolName: "T", input: {} }, where);
      draft.result({ callId: "c", output: "x" }, where);
      draft.endTurn({ kind: "completed" }, where);
    });
    expect(lines).toEqual([
      "entry: user",
      "entry: reasoning",
      "entry: assistant",
      "entry: tool-call",
      "entry: tool-result",
    ]);
    expect(events.slice(2).every(({ meta }) => meta.replay === false)).toBe(true);
  });

  test("says which times are missing and which name no zone", () => {
    const { events, fidelity } = written((draft) => {
      draft.user("one", { at: "2026-01-01 10:00:00" });
      draft.message("two", { at: undefined });
    });
    expect(events.slice(2).map(({ meta }) => [meta.at, meta.time])).toEqual([
      ["2026-01-01T10:00:00.000Z", "naive"],
      ["2026-01-01T10:00:00.000Z", "naive"],
      ["2026-01-01T10:00:00.000Z", "missing"],
      ["2026-01-01T10:00:00.000Z", "missing"],
      ["2026-01-01T10:00:00.000Z", "naive"],
      ["2026-01-01T10:00:00.000Z", "naive"],
    ]);
    expect(fidelity.times).toBe("naive");
  });

  test("puts sessions after those they work for, under ids that are their own", () => {
    const { sessions } = written((_draft, out) => {
      out.session("s", { id: "same" });
      out.session("b", { id: "same", predecessor: "s" });
      out.session("child", { parent: { key: "s", callId: "c" } });
      out.session("x", { parent: { key: "y" } });
      out.session("y", { parent: { key: "x" } });
    });
    expect(sessions.map(({ id, parent }) => [id.replace(/_.*/, ""), parent?.callId])).toEqual([
      ["same", undefined],
      ["session", "c"],
      ["same-2", undefined],
      ["session", undefined],
      ["session", undefined],
    ]);
    expect(sessions[2]?.events[0]?.data).toMatchObject({ predecessor: { sessionId: "same" } });
  });
});
