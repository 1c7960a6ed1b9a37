import { describe, expect, test } from "vitest";
import { zipFromEntries } from "../../archive";
import { limits } from "../../base";
import { ndjsonText } from "../ndjsonFromEvents";
import { TrajectoryError } from "../trajectoryError";
import { probedRecords, type TrajectoryFormat } from "./format";
import { importTrajectory, importWith } from "./importTrajectory";
import { field, text } from "./jsonAccess";
import { hasPublished, importPublished } from "./publishedFile.suite";

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

  test("leaves out what is broken, says where, and reads on", async () => {
    const [first = "", second = "", third = "", fourth = ""] = lines;
    const broken = { line: 2, byteOffset: first.length + 1 };
    const found = async (content: string) => {
      const { sessions, warnings } = await imported(content);
      return [sessions[0]?.events.length, warnings.map(({ message: _message, ...warning }) => warning)];
    };
    expect(await found([first, second.slice(0, 20), third, fourth].join("\n"))).toEqual([
      9,
      [
        { code: "bad-json", ...broken, kept: false },
        { code: "result-without-call", line: 3, byteOffset: first.length + 22, kept: true },
      ],
    ]);
    expect(await found([...lines, second.slice(0, 20)].join("\n"))).toEqual([
      13,
      [{ code: "cut", line: 5, byteOffset: lines.join("\n").length + 1, kept: false }],
    ]);
    expect(await found(`[${first},${second},{"who":],${third},${fourth}]`)).toMatchObject([13, [{ code: "bad-json" }]]);
    expect(await found(`[${first},${second},${third},${fourth.slice(0, 15)}`)).toMatchObject([10, [{ code: "cut" }]]);
    expect(await found(`[${lines.join(",")}`)).toEqual([13, []]);
  });

  test("takes lines up to a size, and none that is longer", async () => {
    const long = JSON.stringify({ who: "user", say: "x".repeat(limits.logLineBytes) });
    const [first = "", ...rest] = lines;
    const { sessions, warnings } = await imported([first, long, ...rest].join("\n"));
    expect([sessions[0]?.events.length, warnings.map(({ code, line }) => [code, line])]).toEqual([
      13,
      [["too-long", 2]],
    ]);
  });

  test("keeps text well-formed, a U+0085 within a line and names that are none of an object's own", async () => {
    const hostile =
      '{"who":"model","say":"half \\ud83d and \u0085 whole","call":"c1","__proto__":{"who":"user"},"constructor":1}';
    const { sessions } = await imported(`${lines[0]}\n${hostile}\n`);
    const said = sessions[0]?.events.find(({ type }) => type === "message.completed");
    expect(said?.data).toMatchObject({ message: "half \ufffd and \u0085 whole" });
    expect(({} as { who?: string }).who).toBeUndefined();
  });

  test("puts large values into blobs and cuts off what is nested without end", async () => {
    const large = "é".repeat(limits.largeValueBytes);
    const { sessions, blobs } = await imported(
      `${lines[1]}\n${JSON.stringify({ who: "tool", say: large, result: "c1" })}\n`,
    );
    const result = sessions[0]?.events.find(({ type }) => type === "action.result");
    const [hash = "", bytes] = [...blobs][0] ?? [];
    expect(result?.data).toMatchObject({
      result: {
        output: {
          $blob: hash,
          mediaType: "text/plain",
          sizeBytes: bytes?.length,
          head: "é".repeat(limits.importValueHeadCharacters),
        },
      },
    });
    expect(new TextDecoder().decode(bytes)).toBe(large);
    const deep = `{"who":"user","say":"deep","more":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    expect((await imported(`${deep}\n${lines[1]}\n`)).warnings).toEqual([]);
  });

  test("reads an archive of several, each on its own, and says which file it knows nothing of", async () => {
    const bytes = (content: string) => new TextEncoder().encode(content);
    const zip = await zipFromEntries([
      { path: "b/two.jsonl", bytes: bytes(lines.join("\n")) },
      { path: "a/one.jsonl", bytes: bytes(`{broken\n${lines.join("\n")}`) },
      { path: "notes.txt", bytes: bytes("nothing of a session") },
    ]);
    const { sessions, warnings } = await importWith([plainTalk], { files: [{ path: "all.zip", blob: zip }] });
    expect(sessions.map(({ events }) => events.length)).toEqual([13, 13]);
    expect(warnings.map(({ code, file, line }) => [code, file, line])).toEqual([
      ["bad-json", "a/one.jsonl", 1],
      ["unknown-file", undefined, undefined],
    ]);
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(2);
    const cut = importWith([plainTalk], { files: [{ path: "all.zip", blob: zip.slice(0, 90) }] });
    await expect(cut).rejects.toMatchObject({ code: "not-a-session" });
  });

  test("reads folders of several formats, archives within them too, and leaves none out for another", async () => {
    const parts: TrajectoryFormat = {
      name: "parts",
      acrossFiles: true,
      detect: ({ kind, paths }) => (kind === "entries" && paths.includes("head.txt") ? 5 : 0),
      async read(input, out) {
        for (const { path } of input.files) out.session("parts").user(path, {});
        out.session("child", { parent: { key: "parts" } });
      },
    };
    const blob = (content: string) => new Blob([content]);
    const bytes = new TextEncoder().encode(lines.join("\n"));
    const files = [
      { path: "logs/a.jsonl", blob: blob(lines.join("\n")) },
      { path: "logs/b.zip", blob: await zipFromEntries([{ path: "b.jsonl", bytes }]) },
      { path: "logs/broken.zip", blob: new Blob([Uint8Array.of(0x50, 0x4b, 3, 4, 1)]) },
      { path: "x/parts/head.txt", blob: blob("head") },
      { path: "x/parts/tail.txt", blob: blob("tail") },
    ];
    const { sessions, warnings } = await importWith([plainTalk, parts], { files });
    const source = sessions.map(({ events, parent }) => [
      events.length,
      events.find(({ meta }) => meta.origin !== undefined)?.meta.origin?.file,
      parent === undefined,
    ]);
    expect(source).toEqual([
      [8, undefined, true],
      [2, undefined, false],
      [13, "logs/a.jsonl", true],
      [13, "logs/b.zip/b.jsonl", true],
    ]);
    expect(sessions[1]?.parent?.sessionId).toBe(sessions[0]?.id);
    expect(warnings.map(({ code, message }) => [code, message.slice(0, 15)])).toEqual([
      ["bad-entry", "logs/broken.zip"],
    ]);
  });

  test("is the same again, and another one of another file", async () => {
    const [once, again, other] = await Promise.all([
      imported(lines.join("\n")),
      imported(lines.join("\n")),
      imported(`${lines.join("\n")}\n`),
    ]);
    expect(again).toEqual(once);
    expect(other.sessions[0]?.events[0]?.meta.id).not.toBe(once.sessions[0]?.events[0]?.meta.id);
  });

  test("of nothing that is known is refused in a sentence", async () => {
    for (const [content, message] of [
      ["", "The file is empty."],
      ["\u0000\u0000", "Nothing in it is a session in a format known here (plain-talk)."],
      ["hello", "Nothing in it is a session in a format known here (plain-talk)."],
      ["{}", "Nothing in it is a session in a format known here (plain-talk)."],
    ] as const) {
      await expect(imported(content)).rejects.toEqual(new TrajectoryError("not-a-session", message));
    }
  });

  test("tells how far it is, and ends when it is stopped", async () => {
    const content = `${lines.join("\n")}\n`.repeat(5_000);
    const source = { files: [{ path: "a", blob: new Blob([content]) }] };
    const told: number[] = [];
    await importWith([plainTalk], source, { onProgress: ({ bytes }) => told.push(bytes) });
    expect([told.length > 3, told.at(-1)]).toEqual([true, content.length]);
    const stop = new AbortController();
    const stopped = importWith([plainTalk], source, {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("enough")),
    });
    await expect(stopped).rejects.toThrow("enough");
  });

  test("whose reader fails is what it had read by then, with a warning", async () => {
    const failing: TrajectoryFormat = {
      ...plainTalk,
      async read(input, out) {
        await plainTalk.read(input, out);
        throw new Error("no more");
      },
    };
    const { sessions, warnings } = await importWith([failing], {
      files: [{ path: "a", blob: new Blob([lines.join("\n")]) }],
    });
    expect([sessions.length, warnings.map(({ code }) => code)]).toEqual([1, ["reader-failed"]]);
  });
});

test.skipIf(!hasPublished)("a log of an import is an import of ours, the same line by line", async () => {
  const { sessions } = await importPublished("claude-code/scout_agent_session.jsonl");
  const events = sessions[0]?.events ?? [];
  const again = await importTrajectory({ files: [{ path: "log.ndjson", blob: new Blob([await ndjsonText(events)]) }] });
  expect([again.format, again.sessions[0]?.id, again.sessions[0]?.events]).toEqual([
    "rootscope",
    "test-session-004",
    events,
  ]);
});
