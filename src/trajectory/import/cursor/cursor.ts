import type { TrajectoryFormat } from "../format";
import { field, filledText, isRecord, list, text } from "../jsonAccess";
import { CursorStream } from "./cursorStream";
import { writeTranscriptLine } from "./cursorTranscript";

/** Transcripts the Cursor editor keeps, and the messages its SDK and command line send. */
export const cursor: TrajectoryFormat = {
  name: "cursor",
  acrossFiles: true,
  detect(probe) {
    if (probe.kind !== "lines" && probe.kind !== "json") return 0;
    // Its other messages are much like those of Claude Code's stream.
    if (probe.records.some((entry) => isToolMessage(entry) || isInit(entry))) return 93;
    const lines = probe.records.filter((entry) => isTranscriptLine(entry));
    return lines.length > 0 && lines.length === probe.records.length ? 60 : 0;
  },
  async read(input, out) {
    const paths = input.files.map(({ path }) => path);
    for (const file of input.files) {
      const parent = parentOf(file.path, paths);
      if (parent !== undefined) out.session(file.path, { parent: { key: parent } });
      let stream: CursorStream | undefined;
      const ids = new Set<string>();
      for await (const entry of input.records(file)) {
        if (!isRecord(entry.value)) out.warn({ code: "unknown-entry", origin: entry.origin, kept: false });
        else if (stream === undefined && field(entry.value, "role") !== undefined) {
          writeTranscriptLine(entry, out.session(file.path), ids);
        } else (stream ??= new CursorStream(file.path, out)).message(entry);
      }
    }
  },
};

/** Subagents' transcripts lie in a folder beside the one of the session that called them; which call it was is not said. */
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
