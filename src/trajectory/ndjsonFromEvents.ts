import type { SessionEvent } from "../session";
import type { BlobReader } from "./createReplay";
import { wholeEvent } from "./inlinedValues";

/**
 * A log as text, one event a line, every line with its end. Readable by anything that reads the `eve` stream. With the
 * contents it names, an import's large texts and images stand in line.
 */
export async function* ndjsonFromEvents(
  events: Iterable<SessionEvent> | AsyncIterable<SessionEvent>,
  blobs?: BlobReader,
): AsyncGenerator<string, void, undefined> {
  // U+2028 and U+2029 are legal in JSON, yet some readers take them for line ends.
  for await (const event of events) {
    const whole = blobs === undefined ? event : await wholeEvent(event, blobs);
    yield `${JSON.stringify(whole).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}\n`;
  }
}

/** The whole log as one text. */
export async function ndjsonText(
  events: Iterable<SessionEvent> | AsyncIterable<SessionEvent>,
  blobs?: BlobReader,
): Promise<string> {
  const lines: string[] = [];
  for await (const line of ndjsonFromEvents(events, blobs)) lines.push(line);
  return lines.join("");
}
