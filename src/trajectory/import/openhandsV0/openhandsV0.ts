import type { Usage } from "../../../session";
import { probedRecords, type SourceRecord, type TrajectoryFormat } from "../format";
import type { ImportBuilder } from "../importBuilder";
import type { FormatFile } from "../importSource";
import { field, fieldAt, filledText, isRecord, list, number, record } from "../jsonAccess";
import { streamedRecords } from "../openaiChat/eventStream";
import { whereOf } from "../openaiChat/messageContent";
import { present } from "../present";
import { historyEvents, isV0Event, stepKey, tokenUsage, totalsOf } from "./v0Event";
import { V0Events } from "./v0Events";

/** OpenHands before its SDK: events of a run, or rows of evaluations with the history of each. */
export const openhandsV0: TrajectoryFormat = {
  name: "openhands-v0",
  // A run may be stored an event a file.
  acrossFiles: true,
  detect(probe) {
    if (probe.kind !== "json" && probe.kind !== "lines") return 0;
    const records = probedRecords(probe);
    const [first] = records;
    if (eventsOf(first).some(isV0Event)) return 88;
    const events = records.filter(isV0Event);
    return events.length * 2 > records.length ? 82 : 0;
  },
  async read(input, out) {
    // Of a run that is stored an event a file.
    const stored = new Map<string, SourceRecord[]>();
    for (const file of inOrder(input.files)) {
      const single: SourceRecord[] = [];
      let count = 0;
      for await (const source of streamedRecords(input, file)) {
        const events = eventsOf(source.value);
        if (events.length > 0) readRow(source, events, out, `${file.path}#${count++}`);
        else single.push(source);
        input.progress();
      }
      const folder = EVENT_FILE.exec(file.path)?.[1];
      if (folder !== undefined) stored.set(folder, concatenated(stored.get(folder), single));
      else if (single.length > 0) readEvents(single, out, `${file.path}#events`);
    }
    for (const [folder, events] of stored) readEvents(events, out, folder);
  },
};

const EVENT_FILE = /^(.*?)events\/(\d+)\.json$/;

/** Adds to a list that may not be there yet. */
function concatenated<Item>(items: Item[] | undefined, more: readonly Item[]): Item[] {
  if (items === undefined) return [...more];
  for (const item of more) items.push(item);
  return items;
}

/** Files of events by their numbers; the others as they come. */
function inOrder(files: readonly FormatFile[]): readonly FormatFile[] {
  const numberOf = ({ path }: FormatFile) => Number(EVENT_FILE.exec(path)?.[2] ?? -1);
  return files.toSorted((a, b) => numberOf(a) - numberOf(b));
}

/** The events in a row, under the names they have in evaluations and exports. */
function eventsOf(row: unknown): readonly unknown[] {
  for (const name of ["history", "trajectory", "events"]) {
    const events = historyEvents(field(row, name));
    if (events.some(isV0Event)) return events;
  }
  return [];
}

function readEvents(events: readonly SourceRecord[], out: ImportBuilder, key: string): void {
  const draft = out.session(key, { agentName: "OpenHands" });
  const hasTotals = events.some(({ value }) => totalsOf(field(value, "llm_metrics")) !== undefined);
  const reader = new V0Events(draft, out, key, { hasTotals });
  for (const event of events) reader.read(event.value, whereOf(event, undefined, field(event.value, "timestamp")));
}

function readRow(source: SourceRecord, events: readonly unknown[], out: ImportBuilder, key: string): void {
  const row = record(source.value);
  const { metrics } = row;
  const draft = out.session(
    key,
    present({
      id: filledText(row.instance_id),
      title: filledText(row.instance_id) ?? filledText(fieldAt(row, "issue", "title")),
      agentName: filledText(fieldAt(row, "metadata", "agent_class")) ?? "OpenHands",
      modelId: filledText(fieldAt(row, "metadata", "llm_config", "model")),
    }),
  );
  const hasTotals = events.some((event) => totalsOf(field(event, "llm_metrics")) !== undefined);
  const stepUsage = hasTotals ? [] : usageBySteps(metrics, events);
  const reader = new V0Events(draft, out, key, { hasTotals, stepUsage });
  const pointer = "history" in row ? "/history" : "trajectory" in row ? "/trajectory" : "/events";
  for (const [index, event] of events.entries())
    reader.read(event, whereOf(source, `${pointer}/${index}`, field(event, "timestamp")));
  const totals = totalsOf(metrics);
  if (!hasTotals && stepUsage.length === 0 && totals !== undefined) draft.usage(totals, "cumulative");
  const { history: _history, trajectory: _trajectory, events: _events, ...outcome } = row;
  draft.note("outcome", outcome, { origin: source.origin });
  if (typeof row.error === "string" && row.error !== "")
    draft.endTurn({ kind: "failed", code: "error", message: row.error }, { origin: source.origin });
}

/** Costs and tokens of a row are by calls of the model: they are the steps', when there are as many. */
function usageBySteps(metrics: unknown, events: readonly unknown[]): readonly Usage[] {
  const costs = list(field(metrics, "costs"));
  const tokens = list(field(metrics, "token_usages"));
  const keys = new Set<string>();
  let isFirst = true;
  for (const [index, event] of events.entries()) {
    const { action, source, tool_call_metadata: metadata } = record(event);
    if (typeof action !== "string") continue;
    const isMessage = action === "message";
    const isModels = source === "agent" || (source === undefined && !(isMessage && isFirst));
    isFirst = false;
    if (
      isModels &&
      (isMessage || isRecord(metadata) || !/^(?:system|recall|null|change_agent_state|condensation)/.test(action))
    )
      keys.add(stepKey(record(event), index));
  }
  const count = keys.size;
  if (count === 0 || (costs.length !== count && tokens.length !== count)) return [];
  return Array.from({ length: count }, (_, index) => {
    const cost = costs.length === count ? costs[index] : undefined;
    return present({
      ...(tokens.length === count && tokenUsage(record(tokens[index]))),
      costUsd: number(cost) ?? number(field(cost, "cost")),
    });
  });
}
