import type { SourceRecord } from "../format";
import { field, isRecord, text } from "../jsonAccess";

/** Of a message being written: what ends it holds all of it. */
const PIECES: ReadonlySet<unknown> = new Set(["message_start", "message_update"]);

/** Whether entries are the events a run prints, and not those a session keeps. */
export function isPiRun(entries: readonly SourceRecord[]): boolean {
  return (
    entries.some(({ value }) => PIECES.has(field(value, "type")) || field(value, "type") === "message_end") &&
    !entries.some(({ value }) => field(value, "type") === "message")
  );
}

/** The events of a run as entries of a session. A message the run broke off in counts as far as it came. */
export function entriesOfRun(events: readonly SourceRecord[]): readonly SourceRecord[] {
  const entries: SourceRecord[] = [];
  let begun: SourceRecord | undefined;
  for (const event of events) {
    const kind = text(field(event.value, "type"));
    const message = field(event.value, "message");
    if (PIECES.has(kind)) begun = { ...event, value: entryOf(message) };
    else if (kind === "message_end" && isRecord(message)) {
      entries.push({ ...event, value: entryOf(message) });
      begun = undefined;
    } else entries.push(event);
  }
  return begun === undefined ? entries : [...entries, begun];
}

function entryOf(message: unknown): unknown {
  return { type: "message", timestamp: field(message, "timestamp"), message };
}
