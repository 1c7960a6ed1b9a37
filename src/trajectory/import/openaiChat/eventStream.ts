import { limits } from "../../../base";
import type { FormatInput, SourceRecord } from "../format";
import type { FormatFile } from "../importSource";
import { parsedJson } from "../jsonAccess";
import { holdsOneValue } from "../probe";

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
  const isDocument = head.trimStart().startsWith("{") && !isWholeLine(head) && (await isOneValue(input, file));
  const document = isDocument ? await input.document(file) : undefined;
  if (document !== undefined) yield document;
  else if (!isDocument) yield* input.records(file);
}

/** What is made of the rows of one file, in their order. */
export interface RowReader {
  add(row: SourceRecord): void;
  /** There are no more. */
  end(): void;
}

/** Reads the rows of every file with a reader of its own; the prefix keeps the keys of several files apart. */
export async function readRows(input: FormatInput, readerFor: (prefix: string) => RowReader): Promise<void> {
  for (const file of input.files) {
    const rows = readerFor(input.files.length > 1 ? `${file.path}#` : "");
    for await (const row of streamedRecords(input, file)) {
      rows.add(row);
      input.progress();
    }
    rows.end();
  }
}

/** Whether a file is one object: such a one may be larger than a line, and is mended where it is broken. */
async function isOneValue(input: FormatInput, file: FormatFile): Promise<boolean> {
  if (file.sizeBytes > limits.importDocumentBytes) return false;
  return holdsOneValue(await input.text(file));
}

function isWholeLine(head: string): boolean {
  const line = head.trimStart().split("\n", 1)[0] ?? "";
  return parsedJson(line) !== undefined;
}

/** The values in the beginning of a stream; one that is cut off by its end is left out. */
export function eventValues(head: string): readonly unknown[] {
  return Array.from(eventRecords(head), ({ value }) => value);
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
