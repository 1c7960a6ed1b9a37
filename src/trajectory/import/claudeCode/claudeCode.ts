import { probedRecords, type FormatInput, type Probe, type TrajectoryFormat } from "../format";
import type { FormatFile } from "../importSource";
import type { ImportBuilder, SessionAbout, SessionDraft } from "../importBuilder";
import { field, filledText, isRecord, jsonText, text } from "../jsonAccess";
import { entryOf, isSpoken, type Entry } from "./entry";
import { isStreamRecord, writeStreamOutput } from "./streamOutput";
import { orderedThread, type Branch } from "./threadOrder";
import {
  agentCalls,
  agentSidecar,
  callOfAgent,
  threadsOf,
  type AgentCall,
  type AgentSidecar,
  type Thread,
} from "./threads";
import { ThreadWriter } from "./threadWriter";

/** Logs of Claude Code: `~/.claude/projects/…/<session>.jsonl`, those of its subagents, and its `stream-json` output. */
export const claudeCode: TrajectoryFormat = {
  name: "claude-code",
  acrossFiles: true,
  detect: scoreOf,
  async read(input, out) {
    const files: { readonly name: string; readonly entries: readonly Entry[] }[] = [];
    const sidecars = new Map<string, AgentSidecar>();
    for (const file of input.files) {
      const entries = await entriesOf(input, file);
      const name = file.path.replace(/^.*\//, "").replace(/\.jsonl?$/, "");
      const [first] = entries;
      const sidecar = entries.length === 1 ? agentSidecar(first?.value) : undefined;
      const agentId = /^agent-(.+)\.meta$/.exec(name)?.[1];
      if (sidecar !== undefined) {
        if (agentId !== undefined) sidecars.set(agentId, sidecar);
      } else if (entries.some(({ value }) => isStreamRecord(value))) writeStreamOutput(entries, name, out);
      else if (entries.length > 0) files.push({ name, entries });
    }
    writeLogs(files, sidecars, out);
  },
};

const OWN_TYPES: ReadonlySet<string> = new Set(["user", "assistant", "system", "summary", "progress", "attachment"]);

function scoreOf(probe: Probe): number {
  let score = 0;
  for (const value of probedRecords(probe)) {
    const type = text(field(value, "type"));
    if (agentSidecar(value) !== undefined) score = Math.max(score, 40);
    if (type === undefined) continue;
    if (isStreamRecord(value)) score = Math.max(score, 90);
    const hasPlace =
      filledText(field(value, "sessionId")) !== undefined && filledText(field(value, "uuid")) !== undefined;
    const isLinked = isRecord(value) && (Object.hasOwn(value, "parentUuid") || Object.hasOwn(value, "isSidechain"));
    if (OWN_TYPES.has(type) && hasPlace) score = Math.max(score, isLinked ? 90 : 70);
    else if (type === "summary" && filledText(field(value, "leafUuid")) !== undefined) score = Math.max(score, 60);
    else if (type === "file-history-snapshot" && field(value, "messageId") !== undefined) score = Math.max(score, 60);
    else if (type === "queue-operation" && filledText(field(value, "sessionId")) !== undefined)
      score = Math.max(score, 60);
  }
  return score;
}

async function entriesOf(input: FormatInput, file: FormatFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const record of input.records(file)) entries.push(entryOf(record, entries.length));
  return entries;
}

/** Logs in the order they began: what a later one repeats of an earlier one is copied context. */
function writeLogs(
  files: readonly { readonly name: string; readonly entries: readonly Entry[] }[],
  sidecars: ReadonlyMap<string, AgentSidecar>,
  out: ImportBuilder,
): void {
  const inTime = files.toSorted((a, b) => startOf(a.entries) - startOf(b.entries));
  const seen = new Map<string, { readonly entry: Entry; readonly file: number }>();
  const copies = new Set<Entry>();
  const threads = new Map<string, Thread>();
  for (const [number, { name, entries }] of inTime.entries()) {
    const own = entries.filter((entry) => {
      const { uuid } = entry;
      const before = uuid === undefined || !isSpoken(entry) ? undefined : seen.get(uuid);
      if (uuid !== undefined && before === undefined) seen.set(uuid, { entry, file: number });
      if (before === undefined || !isSameEntry(before.entry, entry)) return true;
      if (before.file !== number) copies.add(entry);
      else
        out.warn({
          code: "repeated-entry",
          message: "An entry that is in the file twice counts once.",
          origin: entry.origin,
        });
      return before.file !== number;
    });
    for (const thread of threadsOf(own, name)) {
      const known = threads.get(thread.key);
      if (known === undefined) threads.set(thread.key, thread);
      else known.entries.push(...thread.entries);
    }
  }
  const spoken = [...threads.values()].filter(({ entries }) => entries.some(isSpoken));
  const shown = spoken.length > 0 ? spoken : [...threads.values()];
  const calls = agentCalls(shown);
  for (const thread of shown) writeThread(thread, { calls, sidecars, copies }, out);
}

function startOf(entries: readonly Entry[]): number {
  return entries.find(({ atMs }) => atMs !== undefined)?.atMs ?? Number.POSITIVE_INFINITY;
}

function isSameEntry(a: Entry, b: Entry): boolean {
  return jsonText(field(a.value, "message")) === jsonText(field(b.value, "message"));
}

interface Around {
  readonly calls: readonly AgentCall[];
  /** By the id of their agent. */
  readonly sidecars: ReadonlyMap<string, AgentSidecar>;
  readonly copies: ReadonlySet<Entry>;
}

function writeThread(thread: Thread, { calls, sidecars, copies }: Around, out: ImportBuilder): void {
  const { agent, key } = thread;
  const sidecar = sidecars.get(agent?.id ?? "");
  const call = callOfAgent(thread, calls, sidecar);
  const parent = agent === undefined ? undefined : { key: call?.threadKey ?? agent.sessionKey, callId: call?.callId };
  const agentId = agent?.id ?? call?.agentId;
  const id = agent === undefined ? thread.sessionId : agentId === undefined ? undefined : `agent-${agentId}`;
  const ordered = orderedThread(thread.entries);
  const title = sidecar?.description;
  writeEntries(key, { id, agentName: "Claude Code", parent, title }, ordered.entries, copies, out);
  writeBranches(key, id, ordered.branches, copies, out);
}

function writeBranches(
  key: string,
  id: string | undefined,
  branches: readonly Branch[],
  copies: ReadonlySet<Entry>,
  out: ImportBuilder,
): void {
  for (const [index, { from, thread }] of branches.entries()) {
    const branchKey = `${key}/branch/${index + 1}`;
    const branch = `Branch ${index + 1}`;
    const about: SessionAbout = { id, agentName: "Claude Code", predecessor: key, branch };
    out.session(branchKey, about).note("branch", { after: from.uuid ?? null }, { origin: from.origin });
    writeEntries(branchKey, about, thread.entries, copies, out);
    writeBranches(branchKey, id, thread.branches, copies, out);
  }
}

function writeEntries(
  key: string,
  about: SessionAbout,
  entries: readonly Entry[],
  copies: ReadonlySet<Entry>,
  out: ImportBuilder,
): void {
  const drafts: SessionDraft[] = [out.session(key, about)];
  const cleared = (): SessionDraft => {
    const predecessor = drafts.length === 1 ? key : `${key}/clear/${drafts.length - 1}`;
    const draft = out.session(`${key}/clear/${drafts.length}`, {
      id: about.id,
      agentName: about.agentName,
      predecessor,
    });
    drafts.push(draft);
    return draft;
  };
  const [draft] = drafts;
  if (draft === undefined) return;
  const writer = new ThreadWriter({ out, draft, cleared, isNamed: about.title !== undefined });
  for (const entry of entries) writer.write(entry, copies.has(entry) ? false : undefined);
  writer.end();
  for (const { uuid } of entries) {
    const title = uuid === undefined ? undefined : writer.titles.get(uuid);
    if (title !== undefined) draft.about({ title });
  }
}
