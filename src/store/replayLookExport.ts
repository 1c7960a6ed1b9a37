import type { SessionRecord } from "../storage";
import type { SessionToExport } from "../trajectory";
import { eventsOf, fileName, withDescendants } from "./sessionFiles";
import type { Workbench } from "./workbench";

/** A way to save a session: its own files, and those of other programs. */
export type ReplayExport = "ndjson" | "zip" | "atif" | "openai" | "otlp" | "otlp-content" | "markdown" | "html";

export const replayExports: readonly {
  readonly value: ReplayExport;
  readonly label: string;
  readonly detail: string;
}[] = [
  { value: "ndjson", label: "Log (.ndjson)", detail: "without its subagents" },
  { value: "zip", label: "Session (.zip)", detail: "with its files" },
  { value: "html", label: "Page (.html)", detail: "opens from a disk" },
  { value: "markdown", label: "Markdown (.md)", detail: "to be read" },
  { value: "atif", label: "ATIF (.json)", detail: "Harbor" },
  { value: "openai", label: "OpenAI messages (.json)", detail: "chat" },
  { value: "otlp", label: "OTLP (.json)", detail: "without contents" },
  { value: "otlp-content", label: "OTLP (.json)", detail: "contents included" },
];

const NAME_ENDS: { readonly [Format in ReplayExport]: string } = {
  ndjson: ".ndjson",
  zip: ".zip",
  atif: ".atif.json",
  openai: ".messages.json",
  otlp: ".otlp.json",
  "otlp-content": ".otlp.json",
  markdown: ".md",
  html: ".html",
};

/**
 * A session and those that work for it as a file.
 * @throws what the stored log throws
 */
export async function exportedReplay(
  { session, storage }: Pick<Workbench, "session" | "storage">,
  sessionId: string,
  { format, pageAddress }: { readonly format: ReplayExport; readonly pageAddress: string },
): Promise<{ readonly name: string; readonly contents: Blob }> {
  if (format === "ndjson" || format === "zip") return await session.getState().exportSession(sessionId, format);
  const records = session.getState().sessions;
  const sessions: SessionToExport[] = [];
  for (const record of withDescendants(records, sessionId)) {
    sessions.push({ ...described(record), events: await eventsOf(storage, record.id) });
  }
  const name = fileName(sessions[0]?.title ?? sessionId) + NAME_ENDS[format];
  const text = await exportedText(format, { sessions, blobs: storage.blobs }, pageAddress);
  const type = format === "html" ? "text/html" : format === "markdown" ? "text/markdown" : "application/json";
  return { name, contents: new Blob([text], { type }) };
}

async function exportedText(
  format: Exclude<ReplayExport, "ndjson" | "zip">,
  input: { readonly sessions: readonly SessionToExport[]; readonly blobs: Workbench["storage"]["blobs"] },
  playgroundAddress: string,
): Promise<string> {
  const trajectory = await import("../trajectory");
  switch (format) {
    case "atif":
      return trajectory.documentText(await trajectory.atifFromSessions(input));
    case "openai":
      return trajectory.documentText(await trajectory.openAIMessagesFromSessions(input));
    case "otlp":
    case "otlp-content":
      return trajectory.documentText(
        await trajectory.otlpFromSessions(input, { withContent: format === "otlp-content" }),
      );
    case "markdown":
      return await trajectory.markdownFromSessions(input);
    default:
      return await trajectory.htmlFromSessions(input, { playgroundAddress });
  }
}

function described({ id, name, imported }: SessionRecord): Omit<SessionToExport, "events"> {
  return { id, title: name, ...(imported?.parent === undefined ? {} : { parent: imported.parent }) };
}
