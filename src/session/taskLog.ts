import type { JsonObject, JsonValue } from "../base";
import type { EventData, FileChange, Served, SessionEvent } from "./sessionEvent";

/** The log of a subagent as the value of its call, or what was told of it so far, holds it; empty where it holds none. */
export function taskEvents(output: JsonValue | undefined): readonly SessionEvent[] {
  const isObject = typeof output === "object" && output !== null && !Array.isArray(output);
  const events: unknown = isObject ? (output as JsonObject)["events"] : undefined;
  return Array.isArray(events) ? (events as readonly SessionEvent[]) : [];
}

/** Who served a subagent's calls, and what they changed together, each file once. */
export function taskFacts(events: readonly SessionEvent[]): {
  readonly served: readonly Served[];
  readonly changes: readonly FileChange[];
} {
  const results = events.flatMap((event) => (event.type === "action.result" ? [event.data] : []));
  const served = new Map(
    results.flatMap((data) => data.served ?? []).map((one) => [`${one.verb} ${one.mount} ${one.path}`, one]),
  );
  return { served: [...served.values()], changes: mergedChanges(results) };
}

/** Of each file what it held before the first change of it and after the last. */
function mergedChanges(results: readonly EventData["action.result"][]): FileChange[] {
  const merged = new Map<string, FileChange>();
  for (const change of results.flatMap(({ changes = [] }) => changes)) {
    const { before: _before, ...after } = change;
    const first = merged.has(change.path) ? merged.get(change.path)?.before : change.before;
    merged.set(change.path, { ...after, ...(first === undefined ? {} : { before: first }) });
  }
  return [...merged.values()]
    .filter(({ before, after }) => before !== after)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
