import type { SessionEvent } from "../session";
import type { WorkbenchCore } from "./workbenchCore";

/**
 * A session as a file: `.ndjson` is the log alone, `.zip` the log, the blobs it names and the starting tree.
 * @throws what the stored log throws
 */
export async function exportedSession(
  { storage }: WorkbenchCore,
  sessionId: string,
  format: "ndjson" | "zip",
): Promise<{ readonly name: string; readonly contents: Blob }> {
  const record = (await storage.sessions()).find((session) => session.id === sessionId);
  const name = `${fileName(record?.name ?? sessionId)}.${format}`;
  const events = storedEvents(storage.log(sessionId).read());
  const { ndjsonFromEvents, sessionZip } = await import("../trajectory");
  if (format === "zip") {
    const log: SessionEvent[] = [];
    for await (const event of events) log.push(event);
    const loadSnapshot = (rootHash: string) => storage.loadSnapshot(rootHash);
    return { name, contents: await sessionZip({ events: log, blobs: storage.blobs, loadSnapshot }) };
  }
  const lines: string[] = [];
  for await (const line of ndjsonFromEvents(events)) lines.push(line);
  return { name, contents: new Blob(lines, { type: "application/x-ndjson" }) };
}

async function* storedEvents(batches: AsyncIterable<readonly SessionEvent[]>): AsyncGenerator<SessionEvent, void> {
  for await (const batch of batches) yield* batch;
}

/** A name every file system takes. */
export function fileName(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").replaceAll(/^[-.]+|[-.]+$/g, "");
  return plain.slice(0, 60).replaceAll(/[\uD800-\uDBFF]$/g, "") || "session";
}
