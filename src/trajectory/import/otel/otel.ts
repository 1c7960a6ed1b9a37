import type { FormatInput, SourceRecord, TrajectoryFormat } from "../format";
import type { ImportBuilder } from "../importBuilder";
import { field, filledText, fieldAt, isRecord, list, text } from "../jsonAccess";
import { streamedRecords } from "../openaiChat/eventStream";
import { SpanAttributes } from "./anyValue";
import { isOtlpSpan, otlpSpan } from "./otlpSpan";
import { writeTraces } from "./traceSession";
import { spanKey, type TraceSpan } from "./traceSpan";

/** Traces in OTLP's JSON: a document, a list or lines of them; also spans alone. */
export const otel: TrajectoryFormat = {
  name: "otel",
  // A conversation may lie across traces, and a trace across files.
  acrossFiles: true,
  detect(probe) {
    const records = probe.records.flatMap((entry) => (Array.isArray(entry) ? (entry as readonly unknown[]) : [entry]));
    if (records.some((entry) => Array.isArray(field(entry, "resourceSpans")))) return 90;
    if (records.some((entry) => isOtlpSpan(entry))) return 70;
    // A document that was cut off is known by how it begins.
    return probe.kind === "json" && /^\s*[[{]\s*\{?\s*"resourceSpans"\s*:\s*\[/.test(probe.head) ? 80 : 0;
  },
  async read(input, out) {
    const spans: TraceSpan[] = [];
    for (const file of input.files) {
      for await (const entry of documentsOf(input, file)) {
        input.progress();
        collect(entry, spans, out);
      }
    }
    const ids = new Map(spans.map((span) => [spanKey(span), span]));
    writeTraces([...ids.values()], out);
  },
};

/** A list's elements and a log's lines come one by one; of a document the one. */
export async function* documentsOf(
  input: FormatInput,
  file: FormatInput["files"][number],
): AsyncGenerator<SourceRecord, void, undefined> {
  let count = 0;
  for await (const entry of streamedRecords(input, file)) {
    count++;
    if (!Array.isArray(entry.value)) yield entry;
    else for (const value of entry.value as readonly unknown[]) yield { value, origin: entry.origin };
  }
  if (count > 0) return;
  // Of one document that was cut off there is what could be mended.
  const document = await input.document(file);
  const values = Array.isArray(document?.value) ? (document.value as readonly unknown[]) : [document?.value];
  if (document !== undefined) for (const value of values) yield { value, origin: document.origin };
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
