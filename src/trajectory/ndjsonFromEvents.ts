import type { SessionEvent } from "../session";

/** A log as text, one event a line, every line with its end. Readable by anything that reads the `eve` stream. */
export async function* ndjsonFromEvents(
  events: Iterable<SessionEvent> | AsyncIterable<SessionEvent>,
): AsyncGenerator<string, void, undefined> {
  // U+2028 and U+2029 are legal in JSON, yet some readers take them for line ends.
  for await (const event of events) {
    yield `${JSON.stringify(event).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}\n`;
  }
}

/** The whole log as one text. */
export async function ndjsonText(events: Iterable<SessionEvent> | AsyncIterable<SessionEvent>): Promise<string> {
  const lines: string[] = [];
  for await (const line of ndjsonFromEvents(events)) lines.push(line);
  return lines.join("");
}
