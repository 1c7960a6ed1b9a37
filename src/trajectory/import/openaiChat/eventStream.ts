import { limits } from "../../../base";
import type { FormatInput, SourceRecord } from "../format";
import type { FormatFile } from "../importSource";
import { parsedJson } from "../jsonAccess";

/** Whether a text is a stream of server-sent events, as providers answer. */
export function isEventStream(head: string): boolean {
  return /^(?:\uFEFF|\s|:[^\n]*\n)*(?:event|data):/.test(head);
}

/** The values of a file, be it JSON in any form or the `data` of server-sent events. */
export async function* streamedRecords(input: FormatInput, file: FormatFile): AsyncGenerator<SourceRecord> {
  const head = await (await file.open()).slice(0, limits.importProbeBytes).text();
  if (isEventStream(head)) {
    yield* eventRecords(await input.text(file));
    return;
  }
  // One object longer than a line may be is no log, but a document.
  const isDocument = file.sizeBytes > limits.logLineBytes && head.trimStart().startsWith("{") && !isWholeLine(head);
  const document = isDocument ? await input.document(file) : undefined;
  if (document === undefined) yield* input.records(file);
  else yield document;
}

function isWholeLine(head: string): boolean {
  const line = head.trimStart().split("\n", 1)[0] ?? "";
  return parsedJson(line) !== undefined;
}

function* eventRecords(text: string): Generator<SourceRecord> {
  const encoder = new TextEncoder();
  let byte = 0;
  for (const [index, line] of text.split("\n").entries()) {
    const length = encoder.encode(line).byteLength;
    const value = line.startsWith("data:") ? parsedJson(line.slice(5)) : undefined;
    if (value !== undefined) yield { value, origin: { line: index + 1, byte, length } };
    byte += length + 1;
  }
}
