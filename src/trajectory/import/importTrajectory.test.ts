import { describe, expect, test } from "vitest";
import { probedRecords, type TrajectoryFormat } from "./format";
import { importWith } from "./importTrajectory";
import { field, text } from "./jsonAccess";

/** A format for tests: `{ who, say, call?, result?, at? }`. */
const plainTalk: TrajectoryFormat = {
  name: "plain-talk",
  detect: (probe) => (probedRecords(probe).some((value) => text(field(value, "who")) !== undefined) ? 1 : 0),
  async read(input, out) {
    const draft = out.session("only");
    for await (const { value, origin } of input.records()) {
      const where = { origin, at: text(field(value, "at")) };
      const say = text(field(value, "say")) ?? "";
      if (field(value, "who") === "user") draft.user(say, where);
      else if (field(value, "who") === "tool")
        draft.result({ callId: text(field(value, "result")), output: say }, where);
      else {
        draft.step(where);
        draft.message(say, where);
        const callId = text(field(value, "call"));
        if (callId !== undefined) draft.call({ callId, toolName: "Do", input: { say } }, where);
      }
    }
  },
};

const lines = [
  { who: "user", say: "go", at: "2026-01-01T00:00:00Z" },
  { who: "model", say: "I will", call: "c1", at: "2026-01-01T00:00:01Z" },
  { who: "tool", say: "done", result: "c1", at: "2026-01-01T00:00:02Z" },
  { who: "model", say: "It is done", at: "2026-01-01T00:00:03Z" },
].map((line) => JSON.stringify(line));

const imported = async (content: string) =>
  await importWith([plainTalk], { files: [{ path: "a.jsonl", blob: new Blob([content]) }] });

describe("an import", () => {
  test("is a log with its source, the calls closed and the turns ended", async () => {
    const { sessions, warnings, fidelity } = await imported(`${lines.join("\n")}\n`);
    expect(sessions[0]?.events.map(({ type }) => type)).toEqual([
      "session.started",
      "import.source",
      "turn.started",
      "message.received",
      "step.started",
      "message.completed",
      "actions.requested",
      "action.result",
      "step.completed",
      "step.started",
      "message.completed",
      "step.completed",
      "turn.completed",
    ]);
    expect([warnings, fidelity]).toEqual([
      [],
      { times: "real", callIds: "real", results: "full", usage: "absent", files: "none" },
    ]);
  });

  test("reads lines, a list and values one after the other alike", async () => {
    const values = lines.map((line) => JSON.parse(line) as unknown);
    const shapes = [
      lines.join("\n"),
      `\ufeff${lines.join("\r\n")}\r\n\0\0`,
      JSON.stringify(values),
      JSON.stringify(values, null, 2),
      values.map((value) => JSON.stringify(value, null, 2)).join("\n"),
      lines.join(""),
    ];
    for (const shape of shapes) {
      const { sessions, warnings } = await imported(shape);
      expect([sessions.length, sessions[0]?.events.length, warnings]).toEqual([1, 13, []]);
    }
  });
});
