import { probedRecords, type TrajectoryFormat } from "../format";
import type { ImportBuilder, SessionAbout } from "../importBuilder";
import { field, fieldAt, filledText, jsonText, number, parsedJson, text } from "../jsonAccess";
import { ExecWriter } from "./execWriter";
import { codexScore, rolloutRecord, threadIdOf, type RolloutRecord } from "./rolloutRecord";
import { RolloutWriter } from "./rolloutWriter";

/** Rollouts of Codex, old and new, and the output of `codex exec --json`. */
export const codex: TrajectoryFormat = {
  name: "codex",
  acrossFiles: true,
  detect(probe) {
    return Math.max(0, ...probedRecords(probe).map(codexScore), isBareLog(probedRecords(probe)) ? 50 : 0);
  },
  async read(input, out) {
    const rollouts: Rollout[] = [];
    for (const file of input.files) {
      const records: RolloutRecord[] = [];
      for await (const record of input.records(file)) records.push(rolloutRecord(record));
      warnOfOrdinals(records, out);
      const name = file.path.replace(/^.*\//, "").replace(/\.jsonl?$/, "");
      if (records.length > 0) rollouts.push(rolloutOf(records, name));
    }
    const calls = spawningCalls(rollouts);
    for (const rollout of rollouts) writeRollout(rollout, calls, copiedRecords(rollout, rollouts), out);
  },
};

/** Lines may be numbered. One that is not, or comes before its number, stays where it stands. */
function warnOfOrdinals(records: readonly RolloutRecord[], out: ImportBuilder): void {
  let last: number | undefined;
  for (const { value, where } of records) {
    const ordinal = number(field(value, "ordinal"));
    const isLower = ordinal !== undefined && last !== undefined && ordinal <= last;
    if (last !== undefined && (ordinal === undefined || isLower)) {
      const what = ordinal === undefined ? "has no ordinal" : "is out of order";
      const message = `Line ${where.origin?.line} ${what}, unlike those before it; lines are read in the order of the file.`;
      out.warn({
        code: ordinal === undefined ? "missing-ordinal" : "repeated-ordinal",
        message,
        origin: where.origin,
        kept: true,
      });
    }
    last = ordinal ?? last;
  }
}

/** Items of the first rollouts: calls and their results beside messages, linked by nothing but their order. */
function isBareLog(values: readonly unknown[]): boolean {
  const types = new Set(values.map((value) => text(field(value, "type"))));
  const hasRole = values.some(
    (value) => text(field(value, "role")) !== undefined && field(value, "created_at") !== undefined,
  );
  return hasRole && types.has("function_call") && (types.has("function_result") || types.has("function_call_output"));
}

interface Rollout {
  readonly key: string;
  readonly meta: RolloutRecord | undefined;
  readonly records: readonly RolloutRecord[];
}

function rolloutOf(records: readonly RolloutRecord[], name: string): Rollout {
  const meta = records.find(({ kind }) => kind === "session_meta");
  const started = records.find(({ type }) => type === "thread.started");
  const id = threadIdOf(meta?.payload) ?? filledText(field(started?.payload, "thread_id"));
  return { key: id ?? name, meta, records };
}

/** The calls that started threads, by the thread: an event says so, else the call's own output. */
function spawningCalls(rollouts: readonly Rollout[]): Map<string, string> {
  const calls = new Map<string, string>();
  for (const { records } of rollouts) {
    for (const { type, payload } of records) {
      const callId = filledText(field(payload, "call_id"));
      if (callId === undefined) continue;
      const threadId =
        type === "collab_agent_spawn_end"
          ? filledText(field(payload, "new_thread_id"))
          : type === "function_call_output"
            ? spawnedThread(field(payload, "output"))
            : undefined;
      if (threadId !== undefined && !calls.has(threadId)) calls.set(threadId, callId);
    }
  }
  return calls;
}

function spawnedThread(output: unknown): string | undefined {
  const said = text(output);
  if (said === undefined || said.length > 2_000 || !said.startsWith("{")) return undefined;
  const json = parsedJson(said);
  return (
    filledText(field(json, "agent_id")) ??
    filledText(field(json, "thread_id")) ??
    filledText(field(json, "new_thread_id"))
  );
}

/** The records a fork begins with because the thread it left begins with them. */
function copiedRecords({ meta, records }: Rollout, rollouts: readonly Rollout[]): ReadonlySet<RolloutRecord> {
  const copied = new Set<RolloutRecord>();
  const origin = filledText(field(meta?.payload, "forked_from_id"));
  const source = rollouts.find(({ key }) => key === origin);
  if (origin === undefined || source === undefined || source.meta === meta) return copied;
  const told = source.records.filter(({ kind }) => kind !== "session_meta");
  let at = 0;
  for (const record of records) {
    if (record === meta) continue;
    const isCopy = record.kind === "session_meta" || jsonText(record.payload) === jsonText(told[at]?.payload);
    if (!isCopy) break;
    copied.add(record);
    if (record.kind !== "session_meta") at++;
  }
  return copied;
}

function writeRollout(
  { key, meta, records }: Rollout,
  calls: ReadonlyMap<string, string>,
  copied: ReadonlySet<RolloutRecord>,
  out: ImportBuilder,
): void {
  const about = aboutOf(meta, calls.get(key));
  const draft = out.session(key, { agentName: "Codex", ...about });
  if (about.agentVersion !== undefined) out.version(about.agentVersion);
  const isExec = records.some(({ kind }) => kind === "exec");
  const writer = new RolloutWriter(records, draft, out);
  const exec = new ExecWriter(draft, out);
  for (const record of records) {
    if (record === meta) draft.note("session_meta", record.payload, record.where);
    else if (copied.has(record)) draft.note(record.type, record.payload, { ...record.where, replay: false });
    else if (isExec && record.kind !== "response_item") exec.write(record);
    else writer.write(record);
  }
  writer.end();
}

function aboutOf(meta: RolloutRecord | undefined, callId: string | undefined): SessionAbout {
  if (meta === undefined) return {};
  const { payload } = meta;
  const spawn = fieldAt(payload, "source", "subagent", "thread_spawn");
  const parentKey = filledText(field(spawn, "parent_thread_id")) ?? filledText(field(payload, "parent_thread_id"));
  return {
    id: threadIdOf(payload),
    title: filledText(field(spawn, "agent_nickname")),
    agentVersion: filledText(field(payload, "cli_version")),
    cwd: filledText(field(payload, "cwd")),
    instructions:
      filledText(field(payload, "instructions")) ?? filledText(fieldAt(payload, "base_instructions", "text")),
    parent: parentKey === undefined ? undefined : { key: parentKey, callId },
    predecessor: filledText(field(payload, "forked_from_id")),
  };
}
