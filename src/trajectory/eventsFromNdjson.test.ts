import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { limits } from "../base";
import type { SessionEvent } from "../session";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { sessionFixture } from "../testing/sessionFixture";
import { eventsFromNdjson } from "./eventsFromNdjson";
import { ndjsonText } from "./ndjsonFromEvents";
import { TrajectoryError } from "./trajectoryError";

async function recorded(): Promise<readonly SessionEvent[]> {
  const session = await sessionFixture({
    model: scriptedModel([
      { parts: [...callParts("c1", "Write", { path: "/a", fileText: "é\u2028😀" }), finishPart("tool-calls")] },
      { parts: [...textParts("t", "Done 😀."), finishPart("stop")] },
    ]),
  });
  await session.run("go");
  return session.events;
}

describe("a log file", () => {
  test("gives back the events it was made of", async () => {
    const events = await recorded();
    expect(await eventsFromNdjson(await ndjsonText(events))).toEqual({
      events: JSON.parse(JSON.stringify(events)) as unknown,
      warnings: [],
    });
  });

  test("cut at any byte opens up to its last whole line and says what was lost", async () => {
    const events = JSON.parse(JSON.stringify(await recorded())) as SessionEvent[];
    const bytes = new TextEncoder().encode(await ndjsonText(events));
    const ends = [...bytes.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at);
    for (let length = (ends[0] ?? 0) + 1; length <= bytes.length; length++) {
      const { events: found, warnings } = await eventsFromNdjson(bytes.slice(0, length));
      const whole = ends.filter((end) => end <= length).length;
      expect(found).toEqual(events.slice(0, whole));
      const lineStart = (ends[whole - 1] ?? -1) + 1;
      const isCut = length > lineStart && !ends.includes(length);
      expect(warnings.map(({ code, line, byteOffset }) => ({ code, line, byteOffset }))).toEqual(
        isCut ? [{ code: "cut", line: whole + 1, byteOffset: lineStart }] : [],
      );
    }
  });

  test("may have a BOM, CRLF, blank lines and runs of NUL; a broken line costs itself", async () => {
    const text =
      '\ufeff{"type":"turn.started","data":{"turnId":"turn_0","sequence":0},"meta":{"id":"a","at":"b"}}\r\n' +
      "\r\n\0\0\0\n" +
      "{broken}\n" +
      "[1]\n" +
      '{"type":"action.result","data":{"turnId":"turn_0"}}\n' +
      '{"type":"made.up","data":{"x":1},"extra":true,"meta":{"id":"c","at":"d","origin":5}}\n' +
      '{"type":"turn.completed","data":{"turnId":"turn_0","sequence":0}}';
    const { events, warnings } = await eventsFromNdjson(text);
    expect(events).toEqual([
      { type: "turn.started", data: { turnId: "turn_0", sequence: 0 }, meta: { id: "a", at: "b" } },
      { type: "made.up", data: { x: 1 }, extra: true, meta: { id: "c", at: "d", origin: 5 } },
      { type: "turn.completed", data: { turnId: "turn_0", sequence: 0 }, meta: { id: "", at: "" } },
    ]);
    expect(warnings.map(({ code, line, message }) => [code, line, message])).toEqual([
      ["bad-json", 4, "Line 4 is not valid JSON and was left out."],
      ["not-an-event", 5, "Line 5 was left out: the line is no JSON object."],
      ["not-an-event", 6, "Line 6 was left out: action.result has no usable field sequence."],
    ]);
  });

  test("of a newer schema is refused with a code", async () => {
    const text = '{"type":"session.started","data":{"runtime":{},"playground":{"schema":2}}}\n';
    await expect(eventsFromNdjson(text)).rejects.toEqual(
      new TrajectoryError(
        "newer-schema",
        "This session was saved by a newer version (log format 2; this version reads up to 1).",
      ),
    );
  });

  test("without any event is no session", async () => {
    for (const text of ["", "\n\n", "hello", "[]", "{}"]) {
      await expect(eventsFromNdjson(text)).rejects.toMatchObject({ code: "not-a-session" });
    }
  });

  test("is read as a stream, a line too long for parsing left out", async () => {
    const line = '{"type":"turn.started","data":{"turnId":"turn_0","sequence":0}}\n';
    const long = `{"type":"x","data":{"y":"${"z".repeat(limits.logLineBytes)}"}}\n`;
    const { events, warnings } = await eventsFromNdjson(new Blob([line, long, line]));
    expect(events.length).toBe(2);
    expect(warnings.map(({ code, line: number, byteOffset }) => [code, number, byteOffset])).toEqual([
      ["too-long", 2, line.length],
    ]);
  });

  test("of any bytes throws nothing but its own errors", async () => {
    const hostile = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json().map((text) => new TextEncoder().encode(`${text}\n`)),
      fc
        .record({
          type: fc.constantFrom(
            "session.started",
            "action.result",
            "actions.requested",
            "input.requested",
            "tree.changed",
          ),
          data: fc.jsonValue(),
          meta: fc.jsonValue(),
        })
        .map((value) => new TextEncoder().encode(`${JSON.stringify(value)}\n`)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { maxLength: 5 }), async (pieces) => {
        const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
        try {
          const { events } = await eventsFromNdjson(bytes);
          expect(events.every((event) => typeof event.type === "string")).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(TrajectoryError);
        }
      }),
      { numRuns: 300 },
    );
  });
});
