import { limits } from "../base";
import { sessionIdFromSeed, sessionStateFromEvents, withoutStandingApprovals } from "../session";
import { messageFromError } from "./messageFromError";
import type { ImportOffer, SessionImport, SessionSource } from "./sessionImport";
import { newSessionRecord } from "./sessionRecords";
import { TrajectoryImport, type ImportOutcome } from "./trajectoryImport";
import type { WorkbenchCore } from "./workbenchCore";

/** Events written to a log at once when a session is imported. */
const BATCH_EVENTS = 500;

export interface ImportSessionsOptions {
  readonly signal: AbortSignal;
  readonly progress: (progress: Pick<SessionImport, "bytes" | "totalBytes" | "events" | "storedEvents">) => void;
  /** Told of each session before it is stored: until the import is over it is in no list. */
  readonly begun: (sessionId: string) => void;
  readonly offer?: ImportOffer | undefined;
}

/**
 * Saves the sessions of a file of any known format and answers the id of the first here, or nothing when there are none or
 * the import was stopped; a notice says what came of it. Only data is taken: nothing of it runs, and approvals that were
 * given for a whole session end with the import. What was stored of an import that does not come to its end is taken back.
 */
export async function importedSessions(
  core: WorkbenchCore,
  source: SessionSource,
  options: ImportSessionsOptions,
): Promise<string | undefined> {
  const push = core.notices.getState().push;
  try {
    const sizeBytes = source.files.reduce((sum, { blob }) => sum + blob.size, 0);
    if (sizeBytes > limits.importSessionBytes) throw new Error("The file is larger than a session may be.");
    const outcome = (await ownArchive(core, source, options)) ?? (await anyFormat(core, source, options));
    const { first, warnings, sessions, events } = outcome;
    const count = sessions === 1 ? `${events} events` : `${events} events in ${sessions} sessions`;
    const action = options.offer?.(first);
    push({
      tone: warnings.length > 0 ? "warn" : "good",
      text: `Imported ${source.name}: ${count}${warnings.length > 0 ? ", not all of the file could be read" : ""}`,
      ...(warnings.length > 0 ? { details: warnings.slice(0, limits.importNoticeLines) } : {}),
      // What is to be opened from here stands as long as an offer does.
      ...(action === undefined ? warnings.length === 0 && { timeoutMs: 6_000 } : { action }),
    });
    return first;
  } catch (error) {
    if (options.signal.aborted) push({ tone: "info", text: `The import of ${source.name} was stopped.` });
    else push({ tone: "bad", text: `${source.name} was not imported: ${messageFromError(error)}` });
    return undefined;
  }
}

async function anyFormat(
  core: WorkbenchCore,
  source: SessionSource,
  { signal, progress, begun }: ImportSessionsOptions,
): Promise<ImportOutcome> {
  const { importPieces } = await import("../trajectory");
  let read = { bytes: 0, totalBytes: 0, events: 0 };
  const saving = new TrajectoryImport(core, source, signal, {
    begun,
    progress: (storedEvents) => progress({ ...read, storedEvents }),
  });
  try {
    await importPieces(source, saving, {
      signal,
      onProgress(told) {
        read = told;
        progress({ ...told, storedEvents: undefined });
      },
    });
    return await saving.finish();
  } catch (error) {
    await saving.undo();
    throw error;
  }
}

/**
 * A session saved here brings its starting tree and every content it names. By the first bytes, not by the name: a zip begins
 * with `PK`. Nothing when it is another archive.
 */
async function ownArchive(
  core: WorkbenchCore,
  { name, files: [file, second] }: SessionSource,
  { begun }: ImportSessionsOptions,
): Promise<ImportOutcome | undefined> {
  if (file === undefined || second !== undefined) return undefined;
  const [first, next] = new Uint8Array(await file.blob.slice(0, 2).arrayBuffer());
  if (first !== 0x50 || next !== 0x4b) return undefined;
  const { sessionFromZip, TrajectoryError } = await import("../trajectory");
  const session = await sessionFromZip(file.blob).catch((error: unknown) => {
    if (error instanceof TrajectoryError && error.code === "not-a-session") return undefined;
    throw error;
  });
  if (session === undefined) return undefined;
  const { storage, services } = core;
  const { blobs, start, warnings } = session;
  for (const hash of blobs.hashes()) {
    const bytes = await blobs.get(hash);
    if (bytes !== undefined) await storage.blobs.put(bytes);
  }
  if (start !== undefined) await storage.saveSnapshot(start);
  const events = session.events.map(withoutStandingApprovals);
  const state = sessionStateFromEvents(events);
  const said = [...state.items].find((item) => item.kind === "user");
  const sessionId = sessionIdFromSeed(services.randomSeed());
  begun(sessionId);
  await storage.createSession({
    ...newSessionRecord(sessionId, said?.kind === "user" ? said.text : name, services.clock()),
    eventCount: 0,
    status: state.status === "running" ? "cut" : state.status,
    origin: "import",
  });
  const log = storage.log(sessionId);
  for (let index = 0; index < events.length; index += BATCH_EVENTS)
    await log.append(events.slice(index, index + BATCH_EVENTS));
  return {
    first: sessionId,
    format: "rootscope",
    sessions: 1,
    events: events.length,
    warnings: warnings.map(({ message }) => message),
  };
}
