import type { OfferedTool } from "../../../session";
import type { ImportBuilder, SessionDraft } from "../importBuilder";
import { field, filledText, list, number, text } from "../jsonAccess";
import { whereOf, type Entry } from "./entry";
import { ThreadWriter } from "./threadWriter";

/** Whether a value is a message of `--output-format stream-json`, which names its session otherwise than a log does. */
export function isStreamRecord(value: unknown): boolean {
  if (filledText(field(value, "session_id")) === undefined) return false;
  const type = text(field(value, "type"));
  if (type === "system" || type === "result") return text(field(value, "subtype")) !== undefined;
  return (type === "assistant" || type === "user") && field(value, "message") !== undefined;
}

/** Writes what `stream-json` printed: one session, and one for each call that started a subagent. */
export function writeStreamOutput(entries: readonly Entry[], name: string, out: ImportBuilder): void {
  const sessions = new Map<string, StreamSession>();
  const denied = deniedCalls(entries);
  let last = name;
  for (const entry of entries) {
    const id = entry.sessionId ?? last;
    last = id;
    let session = sessions.get(id);
    if (session === undefined) {
      session = new StreamSession(id, entry.sessionId, denied, out);
      sessions.set(id, session);
    }
    session.write(entry);
  }
  for (const session of sessions.values()) session.end();
}

/** Calls that were refused: the result at the end names them. */
function deniedCalls(entries: readonly Entry[]): Set<string> {
  const ids = entries.flatMap(({ value }) =>
    list(field(value, "permission_denials")).map((denial) => text(field(denial, "tool_use_id"))),
  );
  return new Set(ids.filter((id) => id !== undefined));
}

class StreamSession {
  readonly #key: string;
  readonly #out: ImportBuilder;
  readonly #denied: ReadonlySet<string>;
  readonly #draft: SessionDraft;
  readonly #writers = new Map<string, ThreadWriter>();

  constructor(key: string, id: string | undefined, denied: ReadonlySet<string>, out: ImportBuilder) {
    this.#key = key;
    this.#out = out;
    this.#denied = denied;
    this.#draft = out.session(key, { id, agentName: "Claude Code" });
  }

  write(entry: Entry): void {
    const { value, type } = entry;
    const where = whereOf(entry);
    if (type === "result") this.#result(value, entry);
    else if (type === "system" && field(value, "subtype") === "init") {
      this.#init(value);
      this.#draft.note("init", value, where);
    } else this.#writerOf(text(field(value, "parent_tool_use_id"))).write(entry);
  }

  end(): void {
    for (const writer of this.#writers.values()) writer.end();
  }

  #init(value: unknown): void {
    const tools = list(field(value, "tools")).flatMap((tool): OfferedTool[] =>
      typeof tool === "string" ? [{ name: tool, description: "", inputSchema: {} }] : [],
    );
    const version = filledText(field(value, "claude_code_version"));
    if (version !== undefined) this.#out.version(version);
    this.#draft.about({
      cwd: filledText(field(value, "cwd")),
      modelId: filledText(field(value, "model")),
      agentVersion: version,
      tools: tools.length === 0 ? undefined : tools,
    });
  }

  #result(value: unknown, entry: Entry): void {
    this.end();
    const where = whereOf(entry);
    const costUsd = number(field(value, "total_cost_usd"));
    if (costUsd !== undefined) this.#draft.usage({ costUsd }, "cumulative");
    const subtype = text(field(value, "subtype")) ?? "success";
    const isFailed = field(value, "is_error") === true || subtype !== "success";
    const message = filledText(field(value, "result")) ?? subtype.replaceAll("_", " ");
    this.#draft.endTurn(
      isFailed ? { kind: "failed", code: subtype === "success" ? "error" : subtype, message } : { kind: "completed" },
      where,
    );
    this.#draft.note("result", value, where);
  }

  #writerOf(callId: string | undefined): ThreadWriter {
    const known = this.#writers.get(callId ?? "");
    if (known !== undefined) return known;
    const draft =
      callId === undefined
        ? this.#draft
        : this.#out.session(`${this.#key}/agent/${callId}`, {
            agentName: "Claude Code",
            parent: { key: this.#key, callId },
          });
    const writer = new ThreadWriter({ out: this.#out, draft, cleared: () => draft, denied: this.#denied });
    this.#writers.set(callId ?? "", writer);
    return writer;
  }
}
