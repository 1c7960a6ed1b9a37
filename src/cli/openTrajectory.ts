import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { ArchiveError, eventsFromNdjson, type SessionEvent } from "../index";
import { projectFromZip, sessionFromZip } from "../trajectory";
import { failure } from "./commandError";
import { isNodeError } from "./isNodeError";
import { systemMessage } from "./nodeError";

/** A file of sessions, read. */
export interface OpenedTrajectory {
  readonly sessions: readonly { readonly events: readonly SessionEvent[]; readonly hasTree: boolean }[];
  readonly warnings: readonly TrajectoryWarning[];
}

export interface TrajectoryWarning {
  readonly code: string;
  readonly message: string;
  readonly line?: number;
  readonly byteOffset?: number;
}

/** A file as its readers see it. */
interface TrajectoryFile {
  readonly path: string;
  /** Its first bytes. */
  readonly head: Uint8Array;
}

/** Reads one kind of file; `undefined` for a file of another kind. What a file says of itself decides, never its name. */
type TrajectoryReader = (file: TrajectoryFile) => Promise<OpenedTrajectory | undefined>;

/** Asked in this order; the first that knows a file reads it. */
const READERS: readonly TrajectoryReader[] = [zipReader, logReader];

/** @throws CommandError for a file that is not there or that nothing here can read */
export async function openTrajectory(path: string): Promise<OpenedTrajectory> {
  const file = { path, head: await headOf(path) };
  for (const read of READERS) {
    const opened = await read(file);
    if (opened !== undefined) return opened;
  }
  throw failure(`${path} holds no session this version can read: it reads its own .ndjson and .zip files.`);
}

async function zipReader({ path, head }: TrajectoryFile): Promise<OpenedTrajectory | undefined> {
  if (head[0] !== 0x50 || head[1] !== 0x4b) return undefined;
  const bytes = new Uint8Array(await readFile(path));
  try {
    const { sessions, warnings } = await projectFromZip(bytes);
    return { sessions: sessions.map(({ events, start }) => ({ events, hasTree: start !== undefined })), warnings };
  } catch (error) {
    if (codeOf(error) !== "not-a-project") throw unreadable(path, error);
  }
  try {
    const { events, start, warnings } = await sessionFromZip(bytes);
    return { sessions: [{ events, hasTree: start !== undefined }], warnings };
  } catch (error) {
    if (codeOf(error) === "not-a-session") return undefined;
    throw unreadable(path, error);
  }
}

const OF_EVERY_LOG: ReadonlySet<string> = new Set(["session.started", "turn.started", "message.received"]);

async function logReader({ path }: TrajectoryFile): Promise<OpenedTrajectory | undefined> {
  try {
    const { events, warnings } = await eventsFromNdjson(createReadStream(path) as AsyncIterable<Uint8Array>);
    // Types nobody knows are kept in a log; a file of nothing else is another format's.
    if (!events.some(({ type }) => OF_EVERY_LOG.has(type))) return undefined;
    return { sessions: [{ events, hasTree: false }], warnings };
  } catch (error) {
    if (codeOf(error) === "not-a-session") return undefined;
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): unknown {
  if (error instanceof ArchiveError || codeOf(error) === "newer-schema")
    return failure(`${path}: ${(error as Error).message}`);
  return error;
}

async function headOf(path: string): Promise<Uint8Array> {
  try {
    const handle = await open(path, "r");
    try {
      const { buffer, bytesRead } = await handle.read(new Uint8Array(16), 0, 16, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw failure(`${path} cannot be read: ${isNodeError(error) ? systemMessage(error) : String(error)}.`);
  }
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | undefined)?.code;
}
