import { expect, test } from "vitest";
import { sessionStateFromEvents, type SessionEvent } from "../session";
import { compareLines, lineShape, sameLines } from "./compareLines";

const meta = { id: "evt", at: "2026-01-01T00:00:00.000Z" };
const place = (stepIndex: number) => ({ turnId: "turn_0", sequence: 0, stepIndex });

/** One step a word: `say …` is a message, anything else a call `Tool key`. */
function session(...steps: readonly string[]) {
  const events: SessionEvent[] = [{ type: "turn.started", data: { turnId: "turn_0", sequence: 0 }, meta }];
  for (const [index, step] of steps.entries()) {
    const at = place(index);
    events.push({ type: "step.started", data: { ...at, modelId: "m" }, meta });
    const [word = "", ...rest] = step.split(" ");
    const text = rest.join(" ");
    if (word === "say") {
      events.push({ type: "message.completed", data: { ...at, message: text, finishReason: "stop" }, meta });
    } else {
      const action = { kind: "tool-call", callId: step, toolName: word, input: { path: text } } as const;
      events.push({ type: "actions.requested", data: { ...at, actions: [action] }, meta });
    }
  }
  return sessionStateFromEvents(events);
}

const table = (a: ReturnType<typeof session>, b: ReturnType<typeof session>) => {
  const words = (state: typeof a, id: string | undefined) => {
    const item = state.items.get(id ?? "");
    return item === undefined ? "" : item.kind === "call" ? item.id : item.kind === "assistant" ? item.text : item.kind;
  };
  return compareLines(a, b).map((line) =>
    [line.kind, words(a, line.a), words(b, line.b), line.relation, line.isTurningPoint ? "meet" : ""].join(" | "),
  );
};

test("calls of one run only stand beside those of the other; the meeting after the first parting is marked", () => {
  const a = session("say I look.", "LS /repo", "Read /a", "Read /b", "say Done.");
  const b = session("Grep x", "Read /b", "say Done too.");
  expect(table(a, b)).toEqual([
    "words | I look. |  | parted | ",
    "call | LS /repo | Grep x | parted | ",
    "call | Read /a |  | parted | ",
    "call | Read /b | Read /b | same | meet",
    "end | Done. | Done too. | parted | ",
  ]);
});

test("runs that never meet again are marked where they part; equal runs nowhere", () => {
  expect(table(session("Read /a", "Read /b"), session("Read /a"))).toEqual([
    "call | Read /a | Read /a | same | ",
    "call | Read /b |  | parted | meet",
  ]);
  expect(table(session("Read /a"), session("Read /a"))).toEqual(["call | Read /a | Read /a | same | "]);
  expect(table(session(), session("Read /a"))).toEqual(["call |  | Read /a | parted | meet"]);
});

test("the shape tells when lines must be made anew, and equal lines stay the same array", () => {
  const [one, two] = [session("Read /a"), session("Read /a", "Read /b")];
  expect(lineShape(one)).toBe(lineShape(session("Read /a")));
  expect(lineShape(one)).not.toBe(lineShape(two));
  const lines = compareLines(one, two);
  expect(sameLines(lines, compareLines(one, two))).toBe(lines);
  expect(sameLines(lines, compareLines(two, two))).not.toBe(lines);
});
