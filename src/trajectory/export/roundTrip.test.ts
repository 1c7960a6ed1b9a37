import { describe, expect, test } from "vitest";
import { finishPart, callParts, scriptedModel, textParts } from "../../testing/scriptedModel";
import { sessionFixture } from "../../testing/sessionFixture";
import type { SessionEvent } from "../../session";
import { importTrajectory } from "../import/importTrajectory";
import type { ImportedTrajectory } from "../import/importedTrajectory";
import { hasPublished, importPublished } from "../import/publishedFile.suite";
import { valueBlobs } from "../inlinedValues";
import { ndjsonText } from "../ndjsonFromEvents";
import { sessionZip } from "../sessionZip";
import { atifFromSessions } from "./atifFromSessions";
import { documentText, inlinedSessions, type ExportInput } from "./exportOptions";
import { htmlFromSessions } from "./htmlFromSessions";
import { openAIMessagesFromSessions } from "./openAIMessagesFromSessions";

/** One published file of each format that is read here, and those with images, subagents and large results. */
const PUBLISHED = [
  "claude-code/copilot_b3a7bd3c.jsonl",
  "claude-code/viewer_fe5e1c67_774KB.jsonl",
  "claude-code/edge_cases.jsonl",
  "codex/agentcmd_rollout-2025-09-25T15-12-14.jsonl",
  "gemini-cli/agentcmd_session-2025-10-27.json",
  "openai-chat/litellm_claude_fncall_1757015046.json",
  "atif/phoenix_multimodal_trajectory.json",
  "atif/phoenix_subagent_trajectories.json",
  "inspect/log_images_tc.json",
  "swe-agent/function_calling_simple.traj",
  "openhands-v1/goal_events.jsonl",
];

async function imported(text: string | Blob, path = "session"): Promise<ImportedTrajectory> {
  return await importTrajectory({ files: [{ path, blob: typeof text === "string" ? new Blob([text]) : text }] });
}

function inputOf({ sessions, blobs }: Pick<ImportedTrajectory, "sessions" | "blobs">): ExportInput {
  return { sessions, blobs: { get: (hash) => Promise.resolve(blobs.get(hash)) } };
}

const withoutMeta = (events: readonly SessionEvent[]): unknown =>
  events.map(({ type, data }) => ({ type, data: JSON.parse(JSON.stringify(data)) as unknown }));

/** Sessions as they must come back: their order, ids, titles, parents and events, but for `meta`. */
const content = (sessions: ImportedTrajectory["sessions"]): unknown =>
  sessions.map(({ events, ...about }) => ({ ...about, events: withoutMeta(events) }));

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
    expect(content(again.sessions)).toEqual(content(first.sessions));
    for (const [hash, bytes] of again.blobs) expect(first.blobs.get(hash)).toEqual(bytes);
  }
  // A log alone holds one session; its large texts are back in line.
  const [main] = await inlinedSessions(input);
  if (main === undefined) throw new Error("there is a session");
  const [own] = input.sessions;
  const log = await imported(await ndjsonText(own?.events ?? [], input.blobs));
  expect(withoutMeta(log.sessions[0]?.events ?? [])).toEqual(withoutMeta(main.events));
  const zip = await sessionZip({
    events: own?.events ?? [],
    blobs: input.blobs ?? { get: () => Promise.resolve(undefined) },
    loadSnapshot: () => Promise.reject(new Error("none")),
  });
  const unzipped = await imported(zip, "session.zip");
  expect(withoutMeta(unzipped.sessions[0]?.events ?? [])).toEqual(withoutMeta(own?.events ?? []));
  const named = new Set<string>();
  for (const event of own?.events ?? []) valueBlobs(event, named);
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
