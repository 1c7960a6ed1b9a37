import type { SessionEvent } from "../session";
import type { ProjectStore, SessionRecord } from "../storage";
import type { WorkbenchCore } from "./workbenchCore";

/**
 * A session as a file: `.ndjson` is the log alone, `.zip` the log, the blobs it names, the starting tree and the logs of
 * the sessions that work for it.
 * @throws what the stored log throws
 */
export async function exportedSession(
  { storage }: WorkbenchCore,
  sessionId: string,
  format: "ndjson" | "zip",
): Promise<{ readonly name: string; readonly contents: Blob }> {
  const records = await storage.sessions();
  const record = records.find((session) => session.id === sessionId);
  const name = `${fileName(record?.name ?? sessionId)}.${format}`;
  const { ndjsonFromEvents, sessionZip } = await import("../trajectory");
  if (format === "zip") {
    const log = await eventsOf(storage, sessionId);
    const subagents: (readonly SessionEvent[])[] = [];
    for (const { id } of withDescendants(records, sessionId).slice(1)) subagents.push(await eventsOf(storage, id));
    const loadSnapshot = (rootHash: string) => storage.loadSnapshot(rootHash);
    return { name, contents: await sessionZip({ events: log, blobs: storage.blobs, loadSnapshot, subagents }) };
  }
  const lines: string[] = [];
  for await (const line of ndjsonFromEvents(storedEvents(storage.log(sessionId).read()))) lines.push(line);
  return { name, contents: new Blob(lines, { type: "application/x-ndjson" }) };
}

async function* storedEvents(batches: AsyncIterable<readonly SessionEvent[]>): AsyncGenerator<SessionEvent, void> {
  for await (const batch of batches) yield* batch;
}

/** All events of a session. @throws what the stored log throws */
export async function eventsOf(storage: Pick<ProjectStore, "log">, sessionId: string): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const batch of storage.log(sessionId).read()) events.push(...batch);
  return events;
}

/** A session and those that work for it. */
export function withDescendants(records: readonly SessionRecord[], sessionId: string): readonly SessionRecord[] {
  const found = records.filter(({ id }) => id === sessionId);
  for (const { id } of found) {
    found.push(...records.filter((record) => record.imported?.parent?.sessionId === id && !found.includes(record)));
  }
  return found;
}

/** A name every file system takes. */
export function fileName(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").replaceAll(/^[-.]+|[-.]+$/g, "");
  return plain.slice(0, 60).replaceAll(/[\uD800-\uDBFF]$/g, "") || "session";
}
