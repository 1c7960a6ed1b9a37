import type { ImportedTrajectory } from "../importedTrajectory";
import { outline } from "../publishedFile.suite";

export type Value = string | number | boolean | object;

function anyValue(value: Value): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "number") return { intValue: `${value}` };
  if (typeof value === "boolean") return { boolValue: value };
  return { stringValue: JSON.stringify(value) };
}

let clock = 0;

/** A span that begins a second after the one before and lasts ten. */
export function span(id: string, parentSpanId: string, attributes: Record<string, Value>, more: object = {}): object {
  clock++;
  return {
    traceId: "t1",
    spanId: id,
    parentSpanId,
    name: id,
    startTimeUnixNano: `${1_767_225_600 + clock}000000000`,
    endTimeUnixNano: `${1_767_225_610 + clock}000000000`,
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) })),
    ...more,
  };
}

/** A document of these spans. */
export const traces = (...spans: object[]) => ({
  resourceSpans: [{ resource: {}, scopeSpans: [{ scope: { name: "s" }, spans }] }],
});

/** What is said and done in each session. */
export const shown = (imported: ImportedTrajectory) =>
  imported.sessions.map(({ events }) => outline(events).filter((line) => !line.startsWith("entry: span")));

export const user = { role: "user", parts: [{ type: "text", content: "go" }] };
export const asks = {
  role: "assistant",
  parts: [
    { type: "reasoning", content: "hm" },
    { type: "tool_call", id: "c1", name: "ls", arguments: { path: "." } },
  ],
  finish_reason: "tool_call",
};
export const tells = { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: "a b" }] };
