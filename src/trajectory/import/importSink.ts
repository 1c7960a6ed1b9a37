import { limits, nextTask } from "../../base";
import type { SessionEvent } from "../../session";
import type { ImportedSession, ImportedTrajectory } from "./importedTrajectory";

/** Takes an import piece by piece, in this order; the next piece comes when one is taken. Whatever it throws ends the import. */
export interface ImportSink {
  /** What is known of the file, its blobs too; once, before everything else. */
  about(about: Omit<ImportedTrajectory, "sessions">): Promise<void>;
  session(session: Omit<ImportedSession, "events">): Promise<void>;
  /** Events of the session told last, in order. */
  events(events: readonly SessionEvent[]): Promise<void>;
}

/** Hands an import to a sink. @throws what the sink throws */
export async function giveImport({ sessions, ...about }: ImportedTrajectory, sink: ImportSink): Promise<void> {
  await sink.about(about);
  for (const { events, ...session } of sessions) {
    await sink.session(session);
    for (let from = 0; from < events.length; from += limits.logBatchEvents) {
      await sink.events(events.slice(from, from + limits.logBatchEvents));
      // A sink in memory would take all of it in one go.
      await nextTask();
    }
  }
}
