import { probedRecords, type FormatInput, type SourceRecord, type TrajectoryFormat } from "../format";
import type { ImportBuilder, SessionAbout, SessionDraft } from "../importBuilder";
import { field, fieldAt, filledText, isRecord, list, record, type UnknownRecord } from "../jsonAccess";
import { streamedRecords } from "../openaiChat/eventStream";
import { whereOf } from "../openaiChat/messageContent";
import { present } from "../present";
import { branchesOf } from "./v1Branches";
import { callsOfSubagents, type V1Conversation } from "./v1Delegation";
import { isV1Event, V1Events } from "./v1Events";
import { isV1Folder, v1Folders, type V1Folder } from "./v1Files";
import { statsUsage } from "./v1Usage";

/** OpenHands' SDK: conversations as it stores them, a folder each, or their events in one file. */
export const openhandsV1: TrajectoryFormat = {
  name: "openhands-v1",
  acrossFiles: true,
  detect(probe) {
    if (probe.kind === "entries") return isV1Folder(probe.paths) ? 90 : 0;
    const records = probedRecords(probe);
    const [first] = records;
    if (isBaseState(first) || eventsOf(first).some(isV1Event)) return 90;
    const events = records.filter(isV1Event);
    return events.length * 2 > records.length ? 88 : 0;
  },
  async read(input, out) {
    const { folders, others } = v1Folders(input.files);
    const conversations: V1Conversation[] = [];
    for (const folder of folders) conversations.push(await readFolder(folder, folders, input, out));
    const callers = callsOfSubagents(conversations);
    for (const { key, parent } of conversations) {
      const callId = callers.get(key);
      if (parent !== undefined && callId !== undefined) out.session(key, { parent: { key: parent, callId } });
    }
    for (const file of others) {
      const events: SourceRecord[] = [];
      for await (const source of streamedRecords(input, file)) {
        const inside = eventsOf(source.value);
        if (inside.length === 0) events.push(source);
        else
          for (const [index, value] of inside.entries())
            events.push({
              value,
              origin: {
                ...source.origin,
                pointer: `/${"items" in record(source.value) ? "items" : "events"}/${index}`,
              },
            });
        input.progress();
      }
      const isConversation = events.some(({ value }) => isV1Event(value));
      if (isConversation) readEvents(events, out, `${file.path}#events`, {});
      else if (events.length > 0) out.warn({ code: "unknown-file", message: `${file.path} holds no events.` });
    }
  },
};

/** The state of a conversation, which is not its events. */
function isBaseState(value: unknown): boolean {
  return (
    isRecord(value) &&
    isRecord(value.agent) &&
    isRecord(value.workspace) &&
    ("execution_status" in value || "agent_status" in value || "persistence_dir" in value)
  );
}

/** Events in a page of the server's answer, or in an export. */
function eventsOf(value: unknown): readonly unknown[] {
  const events = list(field(value, "events"));
  return events.length > 0 ? events : list(field(value, "items"));
}

async function readFolder(
  folder: V1Folder,
  folders: readonly V1Folder[],
  input: FormatInput,
  out: ImportBuilder,
): Promise<V1Conversation> {
  const key = keyOf(folder);
  // A subagent's conversation lies within the folder of the one it works for.
  const parent = folders
    .filter(({ path }) => path !== folder.path && isWithin(folder.path, path))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  const base = folder.base === undefined ? undefined : await input.document(folder.base);
  const state = record(base?.value);
  const about: SessionAbout = present({
    id: filledText(state.id),
    title: filledText(state.title),
    agentName: "OpenHands",
    modelId: filledText(fieldAt(state, "agent", "llm", "model")),
    cwd: filledText(fieldAt(state, "workspace", "working_dir")),
    parent: parent === undefined ? undefined : { key: keyOf(parent) },
  });
  const events: SourceRecord[] = [];
  for (const file of folder.events) {
    for await (const event of streamedRecords(input, file)) events.push(event);
    input.progress();
  }
  const draft = out.session(key, about);
  if (base !== undefined) draft.note("base_state", base.value, { origin: base.origin });
  if (events.length === 0 && base !== undefined)
    out.warn({
      code: "no-events",
      message: "The state of a conversation is here, its events are not.",
      origin: base.origin,
      kept: true,
    });
  readEvents(events, out, key, about, state);
  return { key, parent: parent === undefined ? undefined : keyOf(parent), events };
}

function keyOf({ path }: V1Folder): string {
  return path === "" ? "conversation" : path;
}

function isWithin(path: string, folder: string): boolean {
  return folder === "" ? path !== "" : path.startsWith(`${folder}/`);
}

function readEvents(
  events: readonly SourceRecord[],
  out: ImportBuilder,
  key: string,
  about: SessionAbout,
  state: UnknownRecord = {},
): void {
  const [newest, ...others] = branchesOf(events, filledText(state.leaf_event_id));
  readBranch(newest?.events ?? [], out.session(key, { agentName: "OpenHands", ...about }), out, state.stats);
  for (const [index, { events: own, leftAt = "" }] of others.entries()) {
    const branch = `branch ${index + 1}${leftAt === "" ? "" : ` from ${leftAt}`}`;
    readBranch(
      own,
      out.session(`${key}/branch-${index + 1}`, { agentName: "OpenHands", predecessor: key, branch }),
      out,
      undefined,
    );
  }
}

function readBranch(events: readonly SourceRecord[], draft: SessionDraft, out: ImportBuilder, stats: unknown): void {
  const reader = new V1Events(draft, out);
  for (const event of events)
    reader.read(event.value, whereOf(event, event.origin.pointer, field(event.value, "timestamp")));
  reader.end(statsUsage(stats));
}
