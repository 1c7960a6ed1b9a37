import type { FormatInput, SourceRecord } from "../format";
import type { FormatFile } from "../importSource";
import { field, isRecord, list } from "../jsonAccess";
import { rangesOf } from "./inspectSpans";

/** A sample whose events, messages and attachments lie in entries of their own, so many in each. */
export interface ChunkedSample {
  readonly sample: SourceRecord;
  readonly events: readonly SourceRecord[];
}

/** The entries of a sequence, by the number of the first item each holds. */
export function chunksOf(files: readonly FormatFile[], folder: string, sequence: string): readonly FormatFile[] {
  const prefix = `${folder}${sequence}/`;
  return files
    .flatMap((file) => {
      const start = file.path.startsWith(prefix)
        ? /^(\d+)\.json$/.exec(file.path.slice(prefix.length))?.[1]
        : undefined;
      return start === undefined ? [] : [{ file, start: Number(start) }];
    })
    .toSorted((a, b) => a.start - b.start)
    .map(({ file }) => file);
}

/** Puts a chunked sample together as one entry would have it. `folder` ends with a slash. */
export async function chunkedSample(input: FormatInput, shell: SourceRecord, folder: string): Promise<ChunkedSample> {
  const read = async (sequence: string): Promise<SourceRecord[]> => {
    const items: SourceRecord[] = [];
    for (const file of chunksOf(input.files, folder, sequence)) {
      input.progress();
      const chunk = await input.document(file);
      if (chunk === undefined) continue;
      for (const [index, value] of list(chunk.value).entries())
        items.push({ value, origin: { ...chunk.origin, pointer: `/${index}` } });
    }
    return items;
  };
  const pool = (await read("messages")).map(({ value }) => value);
  const attachments = Object.fromEntries((await read("attachments")).map(({ value }, index) => [`${index}`, value]));
  const events = await read("events");
  const messages = rangesOf(field(shell.value, "message_refs"), pool);
  const value = isRecord(shell.value)
    ? { ...shell.value, messages, attachments, events: [], events_data: { messages: pool } }
    : shell.value;
  return { sample: { value, origin: shell.origin }, events };
}
