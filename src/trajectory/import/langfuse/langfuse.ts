import { probedRecords, type SourceRecord, type TrajectoryFormat } from "../format";
import type { ImportBuilder } from "../importBuilder";
import { field, filledText, list } from "../jsonAccess";
import { writeTraces } from "../otel/traceSession";
import type { TraceSpan } from "../otel/traceSpan";
import { isObservation, observedSpan } from "./langfuseObservation";

/** Exports of Langfuse: a trace with its observations, or observations as a list or lines. */
export const langfuse: TrajectoryFormat = {
  name: "langfuse",
  acrossFiles: true,
  detect: (probe) =>
    [...probedRecords(probe), probe.records[0]].some(
      (entry) => isObservation(entry) || observationsOf(entry).some((observation) => isObservation(observation)),
    )
      ? 85
      : 0,
  async read(input, out) {
    const spans: TraceSpan[] = [];
    const conversations = new Map<string, string>();
    for (const file of input.files) {
      for await (const entry of input.records(file)) {
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

function observationsOf(entry: unknown): readonly unknown[] {
  return list(field(entry, "observations") ?? field(entry, "data"));
}

function collect(
  { value, origin }: SourceRecord,
  spans: TraceSpan[],
  conversations: Map<string, string>,
  out: ImportBuilder,
): void {
  const trace = field(value, "trace") ?? value;
  const traceId = filledText(field(trace, "id"));
  const conversation = filledText(field(trace, "sessionId"));
  if (traceId !== undefined && conversation !== undefined && !isObservation(value)) {
    conversations.set(traceId, conversation);
  }
  const name = field(value, "observations") === undefined ? "data" : "observations";
  const observations = isObservation(value)
    ? [{ observation: value, pointer: origin.pointer }]
    : observationsOf(value).map((observation, index) => ({
        observation,
        pointer: `${origin.pointer ?? ""}/${name}/${index}`,
      }));
  for (const { observation, pointer } of observations) {
    const at = pointer === undefined ? origin : { ...origin, pointer };
    const own = filledText(field(observation, "sessionId"));
    const span = observedSpan(observation, own, at);
    if (span === undefined) out.warn({ code: "observation-broken", origin: at, kept: false });
    else spans.push(span);
  }
}
