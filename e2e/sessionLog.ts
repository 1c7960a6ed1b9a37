import { readFile } from "node:fs/promises";
import type { ShownEvent } from "./shownEvents";

/** An event of a saved log. */
export interface LoggedEvent {
  readonly type: string;
  readonly data: { readonly [field: string]: unknown };
  readonly meta: { readonly id: string; readonly at: string };
}

/** The events of a session that was saved as `.ndjson`. */
export async function eventsFromLog(path: string): Promise<LoggedEvent[]> {
  const text = await readFile(path, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LoggedEvent);
}

/** Events of a log as the Raw view would show them, at the places that were shown. */
export function eventsAsShown(log: readonly LoggedEvent[], shown: ReadonlyMap<number, ShownEvent>): ShownEvent[] {
  return [...shown.keys()].map((index) => {
    const event = log[index];
    return { index, time: event?.meta.at.slice(11, 23) ?? "", type: event?.type ?? "lost" };
  });
}

export function typesOf(events: readonly LoggedEvent[]): string[] {
  return events.map((event) => event.type);
}
