import { probedRecords, type FormatInput, type SourceRecord, type TrajectoryFormat } from "../format";
import type { ImportBuilder } from "../importBuilder";
import { field, filledText, fieldAt, isRecord, list, text } from "../jsonAccess";
import { SpanAttributes } from "./anyValue";
import { isOtlpSpan, otlpSpan } from "./otlpSpan";
import { writeTraces } from "./traceSession";
import type { TraceSpan } from "./traceSpan";

/** Traces in OTLP's JSON: a document, a list or lines of them; also spans alone. */
export const otel: TrajectoryFormat = {
  name: "otel",
  // A conversation may lie across traces, and a trace across files.
  acrossFiles: true,
  detect(probe) {
    const [first] = probe.records;
    if (probe.records.length === 0) return /"resourceSpans"\s*:\s*\[/.test(probe.head) ? 80 : 0;
    const records = [...probedRecords(probe), first];
    if (records.some((entry) => Array.isArray(field(entry, "resourceSpans")))) return 90;
    return records.some((entry) => isOtlpSpan(entry)) ? 70 : 0;
  },
  async read(input, out) {
    const spans: TraceSpan[] = [];
    for (const file of input.files) {
      for await (const entry of documentsOf(input, file)) {
        input.progress();
        collect(entry, spans, out);
      }
    }
    const ids = new Map(spans.map((span) => [`${span.traceId} ${span.id}`, span]));
    writeTraces([...ids.values()], out);
  },
};

/** A list's elements and a log's lines come one by one; of a document the one. */
async function* documentsOf(
  input: FormatInput,
  file: FormatInput["files"][number],
): AsyncGenerator<SourceRecord, void, undefined> {
  for await (const entry of input.records(file)) {
    if (!Array.isArray(entry.value)) yield entry;
    else for (const value of entry.value as readonly unknown[]) yield { value, origin: entry.origin };
  }
}

function collect({ value, origin }: SourceRecord, spans: TraceSpan[], out: ImportBuilder): void {
  if (isOtlpSpan(value)) return add(value, new SpanAttributes([]), "", origin, spans, out);
  if (!isRecord(value) || !Array.isArray(field(value, "resourceSpans"))) {
    return out.warn({ code: "unknown-entry", origin, kept: false });
  }
  for (const [resourceIndex, resourceSpan] of list(field(value, "resourceSpans")).entries()) {
    const resource = new SpanAttributes(fieldAt(resourceSpan, "resource", "attributes"));
    // Before it was scopes, it was libraries.
    const name = field(resourceSpan, "scopeSpans") === undefined ? "instrumentationLibrarySpans" : "scopeSpans";
    for (const [scopeIndex, scopeSpan] of list(field(resourceSpan, name)).entries()) {
      const scope = text(fieldAt(scopeSpan, "scope", "name")) ?? "";
      const version = filledText(field(scopeSpan, "schemaUrl"));
      if (version !== undefined) out.version(version);
      for (const [index, span] of list(field(scopeSpan, "spans")).entries()) {
        const pointer = `${origin.pointer ?? ""}/resourceSpans/${resourceIndex}/${name}/${scopeIndex}/spans/${index}`;
        add(span, resource, scope, { ...origin, pointer }, spans, out);
      }
    }
  }
}

function add(
  value: unknown,
  resource: SpanAttributes,
  scope: string,
  origin: SourceRecord["origin"],
  spans: TraceSpan[],
  out: ImportBuilder,
): void {
  const span = otlpSpan(value, resource, scope, origin);
  if (span === undefined) out.warn({ code: "span-broken", message: "A span has no id", origin, kept: false });
  else spans.push(span);
}
