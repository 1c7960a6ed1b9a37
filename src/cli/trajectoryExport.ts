import type { ImportedSession, ImportedTrajectory } from "../trajectory";
import {
  atifFromSessions,
  documentText,
  htmlFromSessions,
  markdownFromSessions,
  ndjsonFromEvents,
  openAIMessagesFromSessions,
  otlpFromSessions,
} from "../trajectory";
import { mainSession } from "./sessionChoice";

/** The files the command line writes of sessions (docs/trajectory.md, sections 2 and 6). */
export const exportFormats = ["ndjson", "atif", "openai", "otlp", "markdown", "html"] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** Sessions as the text of a file; a log holds the first of them. @throws CommandError where there is none */
export async function* trajectoryExport(
  sessions: readonly ImportedSession[],
  held: ImportedTrajectory["blobs"],
  { format, withContent }: { readonly format: ExportFormat; readonly withContent: boolean },
): AsyncGenerator<string, void, undefined> {
  const main = mainSession(sessions);
  const blobs = { get: (hash: string) => Promise.resolve(held.get(hash)) };
  const input = { sessions, blobs };
  switch (format) {
    case "ndjson":
      yield* ndjsonFromEvents(main.events, blobs);
      break;
    case "atif":
      yield documentText(await atifFromSessions(input));
      break;
    case "openai":
      yield documentText(await openAIMessagesFromSessions(input));
      break;
    case "otlp":
      yield documentText(await otlpFromSessions(input, { withContent }));
      break;
    case "markdown":
      yield await markdownFromSessions(input);
      break;
    case "html":
      yield await htmlFromSessions(input);
  }
}
