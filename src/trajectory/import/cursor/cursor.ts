import { probedRecords, type TrajectoryFormat } from "../format";
import type { ImportBuilder } from "../importBuilder";
import { field, filledText, isRecord, list, text } from "../jsonAccess";
import { CursorStream } from "./cursorStream";
import { writeTranscriptLine, type TranscriptNotes } from "./cursorTranscript";

/** Transcripts the Cursor editor keeps, and the messages its SDK and command line send. */
export const cursor: TrajectoryFormat = {
  name: "cursor",
  acrossFiles: true,
  detect(probe) {
    if (probe.kind !== "lines" && probe.kind !== "json") return 0;
    // Its other messages are much like those of Claude Code's stream.
    const records = probedRecords(probe);
    if (records.some((entry) => isToolMessage(entry) || isInit(entry))) return 93;
    const lines = records.filter((entry) => isTranscriptLine(entry));
    return lines.length > 0 && lines.length === records.length ? 60 : 0;
  },
  async read(input, out) {
    const paths = input.files.map(({ path }) => path);
    const transcripts = new Map<string, TranscriptNotes>();
    for (const file of input.files) {
      const parent = parentOf(file.path, paths);
      if (parent !== undefined) out.session(file.path, { parent: { key: parent } });
      let stream: CursorStream | undefined;
      const notes: TranscriptNotes = { ids: new Set(), tasks: [] };
      transcripts.set(file.path, notes);
      for await (const entry of input.records(file)) {
        if (!isRecord(entry.value)) out.warn({ code: "unknown-entry", origin: entry.origin, kept: false });
        else if (stream === undefined && field(entry.value, "role") !== undefined) {
          writeTranscriptLine(entry, out.session(file.path), notes);
        } else (stream ??= new CursorStream(file.path, out)).message(entry);
      }
    }
    linkSubagents(transcripts, out);
  },
};

/** A subagent's transcript begins with what the call asked for; the last call that is left is the last one's. */
function linkSubagents(transcripts: ReadonlyMap<string, TranscriptNotes>, out: ImportBuilder): void {
  const paths = [...transcripts.keys()];
  const taken = new Set<string>();
  const children = paths.flatMap((path) => {
    const parent = parentOf(path, paths);
    return parent === undefined ? [] : [{ path, parent, question: transcripts.get(path)?.question }];
  });
  const link = (child: (typeof children)[number], isAlone: boolean): boolean => {
    const tasks = (transcripts.get(child.parent)?.tasks ?? []).filter(
      ({ callId }) => !taken.has(`${child.parent} ${callId}`),
    );
    const task = isAlone
      ? tasks.length === 1
        ? tasks[0]
        : undefined
      : tasks.find(({ prompt }) => prompt !== undefined && prompt.trim() === child.question?.trim());
    if (task === undefined) return false;
    taken.add(`${child.parent} ${task.callId}`);
    out.session(child.path, { parent: { key: child.parent, callId: task.callId } });
    return true;
  };
  const left = children.filter((child) => !link(child, false));
  for (const child of left) if (left.filter(({ parent }) => parent === child.parent).length === 1) link(child, true);
}

/** Subagents' transcripts lie in a folder beside the one of the session that called them. */
function parentOf(path: string, paths: readonly string[]): string | undefined {
  const [, folder] = /^(.*?)subagents\/[^/]+$/.exec(path) ?? [];
  if (folder === undefined) return undefined;
  const beside = paths.filter((other) => other.startsWith(folder) && !other.slice(folder.length).includes("/"));
  return (
    paths.find((other) => other === `${folder.replace(/\/$/, "")}.jsonl`) ??
    (beside.length === 1 ? beside[0] : undefined)
  );
}

function isToolMessage(entry: unknown): boolean {
  return (
    field(entry, "type") === "tool_call" &&
    filledText(field(entry, "call_id")) !== undefined &&
    (field(entry, "status") !== undefined || isRecord(field(entry, "tool_call")))
  );
}

/** The first message of a run; other agents send one much like it, without these fields. */
function isInit(entry: unknown): boolean {
  if (field(entry, "type") !== "system") return false;
  const isSdk = filledText(field(entry, "agent_id")) !== undefined && filledText(field(entry, "run_id")) !== undefined;
  return isSdk || (field(entry, "subtype") === "init" && field(entry, "apiKeySource") !== undefined && noTools(entry));
}

function noTools(entry: unknown): boolean {
  return field(entry, "tools") === undefined && field(entry, "mcp_servers") === undefined;
}

/** `{ role, message: { content: [blocks] } }`, with no id and no time: others have those. */
function isTranscriptLine(entry: unknown): boolean {
  const role = text(field(entry, "role"));
  const content = field(field(entry, "message"), "content");
  return (
    (role === "user" || role === "assistant") &&
    field(entry, "type") === undefined &&
    field(entry, "uuid") === undefined &&
    (typeof content === "string" || list(content).length > 0)
  );
}
