import { expect, test } from "vitest";
import { sessionStateFromEvents, type SessionEvent } from "../session";
import { compareLines, lineShape, sameLines } from "./compareLines";

const meta = { id: "evt", at: "2026-01-01T00:00:00.000Z" };
const place = (stepIndex: number) => ({ turnId: "turn_0", sequence: 0, stepIndex });

/** One step a word: `say …` is a message, anything else a call `Tool key`. The turn completes. */
function session(...steps: readonly string[]) {
  const completed: SessionEvent = { type: "turn.completed", data: { turnId: "turn_0", sequence: 0 }, meta };
  return sessionStateFromEvents([...eventsOf(steps), completed]);
}

/** A run that still goes on. */
function running(...steps: readonly string[]) {
  return sessionStateFromEvents(eventsOf(steps));
}

/** A run whose page was closed in its last call. */
function cut(...steps: readonly string[]) {
  const lost = { code: "host-lost", message: "closed" };
  const callId = steps.at(-1) ?? "";
  return sessionStateFromEvents([
    ...eventsOf(steps),
    {
      type: "action.result",
      data: {
        ...place(steps.length - 1),
        status: "failed",
        error: lost,
        toolName: callId.split(" ")[0] ?? "",
        result: {
          kind: "tool-result",
          callId,
          toolName: callId.split(" ")[0] ?? "",
          output: lost.message,
          isError: true,
        },
      },
      meta,
    },
    { type: "turn.failed", data: { turnId: "turn_0", sequence: 0, ...lost }, meta },
  ]);
}

function eventsOf(steps: readonly string[]): SessionEvent[] {
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
  return events;
}

const table = (a: ReturnType<typeof session>, b: ReturnType<typeof session>) => {
  const words = (state: typeof a, id: string | undefined) => {
    const item = state.items.get(id ?? "");
    return item === undefined ? "" : item.kind === "call" ? item.id : item.kind === "assistant" ? item.text : item.kind;
  };
  return compareLines(a, b).map((line) =>
    [line.kind, words(a, line.a), words(b, line.b), line.relation, line.isFirstDivergence ? "first" : ""].join(" | "),
  );
};

test("calls of one run only stand beside those of the other; the first such line is marked", () => {
  const a = session("say I look.", "LS /repo", "Read /a", "Read /b", "say Done.");
  const b = session("Grep x", "Read /b", "say Done too.");
  expect(table(a, b)).toEqual([
    "words | I look. |  | parted | ",
    "call | LS /repo | Grep x | parted | first",
    "call | Read /a |  | parted | ",
    "call | Read /b | Read /b | same | ",
    "end | Done. | Done too. | parted | ",
  ]);
});

test("equal runs are marked nowhere", () => {
  expect(table(session("Read /a", "Read /b"), session("Read /a"))).toEqual([
    "call | Read /a | Read /a | same | ",
    "call | Read /b |  | parted | first",
  ]);
  expect(table(session("Read /a"), session("Read /a"))).toEqual(["call | Read /a | Read /a | same | "]);
  expect(table(session(), session("Read /a"))).toEqual(["call |  | Read /a | parted | first"]);
});

test("what a run has not come to yet, and what a closed page cut, is no divergence", () => {
  expect(table(session("Read /a", "Read /b"), running("Read /a"))).toEqual([
    "call | Read /a | Read /a | same | ",
    "call | Read /b |  | open | ",
  ]);
  expect(table(cut("Read /a", "Glob *"), cut("Read /a"))).toEqual([
    "call | Read /a | Read /a | same | ",
    "call | Glob * |  | open | ",
    "notice | notice | notice | parted | ",
  ]);
  expect(table(session("Read /a"), cut("Read /a", "Glob *"))[1]).toBe("call |  | Glob * | open | ");
  expect(table(running("Read /a", "Read /b"), running("LS /", "Read /b"))).toEqual([
    "call | Read /a | LS / | parted | first",
    "call | Read /b | Read /b | same | ",
  ]);
});

test("the shape tells when lines must be made anew, and equal lines stay the same array", () => {
  const [one, two] = [session("Read /a"), session("Read /a", "Read /b")];
  expect(lineShape(one)).toBe(lineShape(session("Read /a")));
  expect(lineShape(one)).not.toBe(lineShape(two));
  expect(lineShape(running("Read /a"))).not.toBe(lineShape(one));
  const lines = compareLines(one, two);
  expect(sameLines(lines, compareLines(one, two))).toBe(lines);
  expect(sameLines(lines, compareLines(two, two))).not.toBe(lines);
});
