import { limits } from "../base";
import { sessionIdFromSeed, sessionStateFromEvents, type SessionEvent } from "../session";
import type { UnzippedSession } from "../trajectory";
import { messageFromError } from "./messageFromError";
import { withoutStandingApprovals } from "./sessionApproval";
import { newSessionRecord } from "./sessionRecords";
import type { WorkbenchCore } from "./workbenchCore";

/** Events written to a log at once when a session is imported. */
const BATCH_EVENTS = 500;

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
function fileName(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").replaceAll(/^[-.]+|[-.]+$/g, "");
  return plain.slice(0, 60).replaceAll(/[\uD800-\uDBFF]$/g, "") || "session";
}

/**
 * Saves a session from a file and answers its id here, or nothing when it cannot be read; a notice then says why. Only
 * data is taken: nothing of it runs, and approvals that were given for a whole session end with the import.
 */
export async function importedSession(
  core: WorkbenchCore,
  file: { readonly name: string; readonly contents: Blob },
): Promise<string | undefined> {
  const push = core.notices.getState().push;
  try {
    if (file.contents.size > limits.importSessionBytes) {
      throw new Error("The file is larger than a session may be.");
    }
    const session = await sessionFromFile(file.contents);
    const sessionId = sessionIdFromSeed(core.services.randomSeed());
    await saveSession(core, sessionId, file.name, session);
    const lost = session.warnings.map((warning) => warning.message);
    push({
      tone: lost.length > 0 ? "warn" : "good",
      text: `Imported ${file.name}: ${session.events.length} events${lost.length > 0 ? ", not all of the file could be read" : ""}`,
      ...(lost.length > 0 ? { details: lost } : { timeoutMs: 6_000 }),
    });
    return sessionId;
  } catch (error) {
    push({ tone: "bad", text: `${file.name} was not imported: ${messageFromError(error)}` });
    return undefined;
  }
}

type ReadSession = Pick<UnzippedSession, "events" | "start" | "warnings"> & Partial<Pick<UnzippedSession, "blobs">>;

/** By the first bytes, not by the name: a zip begins with `PK`. */
async function sessionFromFile(contents: Blob): Promise<ReadSession> {
  const head = new Uint8Array(await contents.slice(0, 2).arrayBuffer());
  const { eventsFromNdjson, sessionFromZip } = await import("../trajectory");
  if (head[0] === 0x50 && head[1] === 0x4b) return sessionFromZip(contents);
  return { ...(await eventsFromNdjson(contents)), start: undefined };
}

async function saveSession(
  { storage, services }: WorkbenchCore,
  sessionId: string,
  sourceName: string,
  session: ReadSession,
): Promise<void> {
  const { blobs, start } = session;
  for (const hash of blobs?.hashes() ?? []) {
    const bytes = await blobs?.get(hash);
    if (bytes !== undefined) await storage.blobs.put(bytes);
  }
  if (start !== undefined) await storage.saveSnapshot(start);
  const events = session.events.map(withoutStandingApprovals);
  const state = sessionStateFromEvents(events);
  const first = [...state.items].find((item) => item.kind === "user");
  const message = first?.kind === "user" ? first.text : sourceName;
  await storage.createSession({
    ...newSessionRecord(sessionId, message, services.clock()),
    eventCount: 0,
    status: state.status,
    origin: "import",
  });
  const log = storage.log(sessionId);
  for (let index = 0; index < events.length; index += BATCH_EVENTS) {
    await log.append(events.slice(index, index + BATCH_EVENTS));
  }
}
