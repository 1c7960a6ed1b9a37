import type { JsonValue } from "../../base";
import type { BlobReader } from "../createReplay";
import { inlinedEvent } from "../inlinedValues";
import { soundEvents } from "../soundEvents";
import type { SessionToExport } from "./exportedSession";

/** What the exporters of all formats take. The first session is the one exported, the others are those that work for it. */
export interface ExportInput {
  readonly sessions: readonly SessionToExport[];
  /** The contents the events name; what is not there is named only. */
  readonly blobs?: BlobReader;
}

export interface CarryOptions {
  /** Whether the file carries the log itself beside what its format says, so that importing it here loses nothing. */
  readonly withLog?: boolean;
}

/** The sessions with large texts in line: what a format of others shows. */
export async function inlinedSessions({ sessions, blobs }: ExportInput): Promise<SessionToExport[]> {
  const inlined: SessionToExport[] = [];
  for (const session of sessions) {
    const events = [];
    for (const event of soundEvents(session.events)) events.push(await inlinedEvent(event, blobs));
    inlined.push({ ...session, events });
  }
  return inlined;
}

/** A document as the text of a file. */
export function documentText(value: JsonValue): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
