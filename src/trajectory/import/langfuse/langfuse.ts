import { probedRecords, type SourceRecord, type TrajectoryFormat } from "../format";
import type { ImportBuilder } from "../importBuilder";
import { field, fieldAt, filledText, list } from "../jsonAccess";
import { documentsOf } from "../otel/otel";
import { writeTraces } from "../otel/traceSession";
import type { TraceSpan } from "../otel/traceSpan";
import { isObservation, observedSpan, traceSpan } from "./langfuseObservation";

/** Exports of Langfuse: a trace with its observations, or observations as a list or lines. */
export const langfuse: TrajectoryFormat = {
  name: "langfuse",
  acrossFiles: true,
  detect: (probe) =>
    [...probedRecords(probe), probe.records[0]].some(
      (entry) => isObservation(entry) || observationsOf(entry).some((observation) => isObservation(observation)),
    )
      ? 85
      : probe.kind === "json" && isCutExport(probe.head)
        ? 75
        : 0,
  async read(input, out) {
    const spans: TraceSpan[] = [];
    const conversations = new Map<string, string>();
    for (const file of input.files) {
      for await (const entry of documentsOf(input, file)) {
        input.progress();
        collect(entry, spans, conversations, out);
      }
    }
    writeTraces(
      spans.map((span) => ({ ...span, conversation: conversations.get(span.traceId) ?? span.conversation })),
      out,
    );
  },
};

/** A document that was cut off is known by how it begins. */
function isCutExport(head: string): boolean {
  return /^\s*\{\s*"(trace|observations)"\s*:/.test(head) && /"(projectId|traceId)"\s*:/.test(head);
}

/** Where the observations of an entry are, by the names that lead there. */
const PLACES: readonly (readonly string[])[] = [["observations"], ["trace", "observations"], ["data"]];

function placeOf(entry: unknown): readonly string[] | undefined {
  return PLACES.find((names) => list(fieldAt(entry, ...names)).length > 0);
}

function observationsOf(entry: unknown): readonly unknown[] {
  return list(fieldAt(entry, ...(placeOf(entry) ?? ["observations"])));
}

function collect(
  { value, origin }: SourceRecord,
  spans: TraceSpan[],
  conversations: Map<string, string>,
  out: ImportBuilder,
): void {
  if (isObservation(value)) return add(value, origin, undefined, spans, out);
  const trace = field(value, "trace") ?? value;
  const traceId = filledText(field(trace, "id"));
  const conversation = filledText(field(trace, "sessionId"));
  if (traceId !== undefined && conversation !== undefined) conversations.set(traceId, conversation);
  const root = traceId === undefined ? undefined : traceSpan(trace, traceId, origin);
  if (root !== undefined) spans.push(root);
  const place = placeOf(value) ?? [];
  for (const [index, observation] of observationsOf(value).entries()) {
    const pointer = `${origin.pointer ?? ""}/${place.join("/")}/${index}`;
    add(observation, { ...origin, pointer }, root?.id, spans, out);
  }
}

function add(
  observation: unknown,
  origin: SourceRecord["origin"],
  rootId: string | undefined,
  spans: TraceSpan[],
  out: ImportBuilder,
): void {
  const span = observedSpan(observation, filledText(field(observation, "sessionId")), origin);
  if (span === undefined) out.warn({ code: "observation-broken", origin, kept: false });
  else spans.push(span.parentId === undefined && rootId !== undefined ? { ...span, parentId: rootId } : span);
}
