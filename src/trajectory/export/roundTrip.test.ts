import { describe, expect, test } from "vitest";
import { finishPart, callParts, scriptedModel, textParts } from "../../testing/scriptedModel";
import { sessionFixture } from "../../testing/sessionFixture";
import type { SessionEvent } from "../../session";
import { importTrajectory } from "../import/importTrajectory";
import type { ImportedTrajectory } from "../import/importedTrajectory";
import { hasPublished, importPublished, publishedPaths } from "../import/publishedFile.suite";
import { valueBlobs } from "../inlinedValues";
import { ndjsonText } from "../ndjsonFromEvents";
import { sessionZip } from "../sessionZip";
import { atifFromSessions } from "./atifFromSessions";
import type { SessionToExport } from "./exportedSession";
import { documentText, inlinedSessions, type ExportInput } from "./exportOptions";
import { htmlFromSessions } from "./htmlFromSessions";
import { openAIMessagesFromSessions } from "./openAIMessagesFromSessions";

/** Every published file that is a session by itself, and the folders that are one together. */
const PUBLISHED = [
  ...publishedPaths().filter(
    (path) => !/\.(tsv|md)$|schemas\/|^opencode\/storage_|^malformed\/gemini_empty|goal_expected_transcript/.test(path),
  ),
  "claude-code/copilot_b3a7bd3c_subagents/",
  "opencode/storage_legacy/",
  "opencode/storage_v2/",
];

async function imported(text: string | Blob, path = "session"): Promise<ImportedTrajectory> {
  return await importTrajectory({ files: [{ path, blob: typeof text === "string" ? new Blob([text]) : text }] });
}

function inputOf({ sessions, blobs }: Pick<ImportedTrajectory, "sessions" | "blobs">): ExportInput {
  return { sessions, blobs: { get: (hash) => Promise.resolve(blobs.get(hash)) } };
}

/** A log as lines without `meta`: texts are compared in no time, and large logs are. */
const lines = (events: readonly SessionEvent[]): string[] =>
  events.map(({ type, data }) => JSON.stringify({ type, data }));

/** Sessions as they must come back: their order, ids, titles, parents and events, but for `meta`. */
const content = (sessions: ImportedTrajectory["sessions"]): string[] =>
  sessions.flatMap(({ events, ...about }) => [JSON.stringify(about), ...lines(events)]);

function expectSameLines(actual: readonly string[], expected: readonly string[]): void {
  const first = expected.findIndex((line, index) => line !== actual[index]);
  expect([actual.length, first === -1 ? undefined : actual[first]]).toEqual([
    expected.length,
    first === -1 ? undefined : expected[first],
  ]);
}

async function expectRoundTrip(
  input: ExportInput,
  first: Pick<ImportedTrajectory, "sessions" | "blobs">,
): Promise<void> {
  const files = {
    atif: documentText(await atifFromSessions(input)),
    "openai-chat": documentText(await openAIMessagesFromSessions(input)),
    rootscope: await htmlFromSessions(input, { playgroundAddress: "https://example.com/play" }),
  };
  for (const [format, text] of Object.entries(files)) {
    const again = await imported(text);
    expect(again.format).toBe(format);
    expect(again.warnings).toEqual([]);
    expectSameLines(content(again.sessions), content(first.sessions));
    for (const [hash, bytes] of again.blobs)
      expect(Buffer.from(bytes).equals(first.blobs.get(hash) ?? Buffer.of())).toBe(true);
  }
  for (const session of input.sessions) await expectSessionRoundTrip(session, input);
  await expectFamilyRoundTrip(input, first);
}

/** A session's zip holds those that work for it, too. */
async function expectFamilyRoundTrip(
  { sessions, blobs = { get: () => Promise.resolve(undefined) } }: ExportInput,
  first: Pick<ImportedTrajectory, "sessions">,
): Promise<void> {
  const [main, ...subagents] = sessions.map(({ events }) => events);
  if (main === undefined) return;
  const zip = await sessionZip({
    events: main,
    subagents,
    blobs,
    loadSnapshot: () => Promise.reject(new Error("none")),
  });
  const again = await imported(zip, "session.zip");
  const all = (found: Pick<ImportedTrajectory, "sessions">) => found.sessions.flatMap(({ events }) => lines(events));
  expectSameLines(all(again), all(first));
  const relations = (found: Pick<ImportedTrajectory, "sessions">) =>
    found.sessions.map(({ id, parent }) => [id, parent]);
  expect(relations(again)).toEqual(relations(first));
}

/** A log and a session's zip hold one session; in a log alone its large texts are back in line. */
async function expectSessionRoundTrip(
  { events, id }: SessionToExport,
  { blobs = { get: () => Promise.resolve(undefined) } }: ExportInput,
): Promise<void> {
  const [inlined] = await inlinedSessions({ sessions: [{ id, events }], blobs });
  const log = await imported(await ndjsonText(events, blobs));
  expectSameLines(lines(log.sessions[0]?.events ?? []), lines(inlined?.events ?? []));
  const zip = await sessionZip({ events, blobs, loadSnapshot: () => Promise.reject(new Error("none")) });
  const unzipped = await imported(zip, "session.zip");
  expectSameLines(lines(unzipped.sessions[0]?.events ?? []), lines(events));
  const named = new Set<string>();
  for (const event of events) valueBlobs(event, named);
  expect([...unzipped.blobs.keys()].toSorted()).toEqual([...named].toSorted());
}

describe.skipIf(!hasPublished)("import, export, import", () => {
  test.each(PUBLISHED)("%s comes back as it was but for meta", async (path) => {
    const first = await importPublished(path);
    await expectRoundTrip(inputOf(first), first);
  });
});

test("a session recorded here comes back as it was but for meta", async () => {
  const session = await sessionFixture({
    model: scriptedModel([
      {
        parts: [
          ...textParts("t", "I </script> read.\u2028"),
          ...callParts("c1", "Read", { path: "/notes.md" }),
          finishPart("tool-calls"),
        ],
      },
      { parts: [...textParts("t", "Done."), finishPart("stop", { input: 3, output: 1 })] },
    ]),
  });
  await session.run("go <b>");
  const events = JSON.parse(JSON.stringify(session.events)) as SessionEvent[];
  const start = events[0];
  const id = start?.type === "session.started" ? (start.data.playground?.sessionId ?? "") : "";
  const first = { sessions: [{ id, title: "Mine", events }], blobs: new Map<string, Uint8Array>() };
  await expectRoundTrip(inputOf(first), first);
});

test("a file that was edited is read by what it says", async () => {
  const input: ExportInput = { sessions: [{ id: "s", events: [] }] };
  const document = await atifFromSessions(input);
  const edited = { ...document, steps: [{ step_id: 1, source: "user", message: "edited" }] };
  const read = await imported(documentText(edited));
  expect(read.sessions[0]?.events[1]).toMatchObject({ type: "import.source", data: { format: "atif" } });
  expect(read.sessions[0]?.events.find(({ type }) => type === "message.received")?.data).toMatchObject({
    message: "edited",
  });
});
