import { EVENT_STREAM_VERSION, PLAYGROUND_SCHEMA, type ImportFidelity, type SessionEvent } from "../../../session";
import type { BlobReader } from "../../createReplay";
import { eventsFromNdjson } from "../../eventsFromNdjson";
import type { ImportWarning as LogWarning } from "../../importWarning";
import { valueBlobs, withImagesApart } from "../../inlinedValues";
import { soundEvents } from "../../soundEvents";
import { projectFromZip, PROJECT_NAME } from "../../projectZip";
import { LOG_NAME, sessionFromZip } from "../../sessionZip";
import { probedRecords, type FormatInput, type Probe, type TrajectoryFormat } from "../format";
import type { ImportBuilder } from "../importBuilder";
import { field, fieldAt, isRecord, number, text } from "../jsonAccess";

/** Logs of this program: as they are, and with their trees in the archives of a session or a project. */
export const ownLog: TrajectoryFormat = {
  name: "rootscope",
  detect(probe) {
    if (probe.kind === "entries") {
      return probe.paths.includes(LOG_NAME) || (probe.paths.includes(PROJECT_NAME) && probe.paths.length > 1) ? 100 : 0;
    }
    return probedRecords(probe).some(isOurs) ? 100 : 0;
  },
  async read(input, out) {
    out.version(String(PLAYGROUND_SCHEMA));
    if (input.archive === undefined) await readLogs(input, out);
    else await readArchive(await input.archive.open(), out);
  },
};

/** Logs of whatever else writes the same stream of events. */
export const eveLog: TrajectoryFormat = {
  name: "eve",
  detect: (probe) => (isEventStream(probe) ? 80 : 0),
  async read(input, out) {
    await readLogs(input, out);
  },
};

function isOurs(value: unknown): boolean {
  const type = field(value, "type");
  if (type === "session.started") return isRecord(fieldAt(value, "data", "playground"));
  return type === "import.source" && text(fieldAt(value, "data", "sha256")) !== undefined;
}

/** What no other stream of events has: turns by name and number, or a session that says the stream's version. */
function isEventStream(probe: Probe): boolean {
  return probedRecords(probe).some((value) => {
    const data = field(value, "data");
    if (field(value, "type") === "session.started") return isRecord(field(data, "runtime"));
    const type = text(field(value, "type"));
    const isOfTurn =
      /^turn_\d+$/.test(text(field(data, "turnId")) ?? "") && number(field(data, "sequence")) !== undefined;
    return type !== undefined && type.includes(".") && isOfTurn;
  });
}

async function readLogs(input: FormatInput, out: ImportBuilder): Promise<void> {
  // An unpacked archive of a session has other files beside the log.
  const logs = input.files.filter(({ path }) => input.files.length === 1 || path.endsWith(".ndjson"));
  for (const file of logs) {
    const { events, warnings } = await eventsFromNdjson(await file.open());
    tell(warnings, out);
    adopt(events, out);
    tellFidelity(events, false, out);
  }
}

async function readArchive(zip: Blob, out: ImportBuilder): Promise<void> {
  const project = await projectFromZip(zip).catch((error: unknown) => {
    if ((error as { readonly code?: unknown }).code === "not-a-project") return undefined;
    throw error;
  });
  const found = project ?? (await sessionOf(zip));
  tell(found.warnings, out);
  for (const { events } of found.sessions) {
    adopt(events, out);
    await keepValues(events, found.blobs, out);
  }
  const events = found.sessions.flatMap((session) => session.events);
  tellFidelity(
    events,
    found.sessions.some(({ start }) => start !== undefined),
    out,
  );
}

/** What the events hold apart goes along; requests and contents of trees stay in the archive. */
async function keepValues(events: readonly SessionEvent[], blobs: BlobReader, out: ImportBuilder): Promise<void> {
  const named = new Set<string>();
  for (const event of soundEvents(events)) valueBlobs(event, named);
  for (const hash of named) {
    const bytes = await blobs.get(hash);
    if (bytes !== undefined) out.blob(bytes);
  }
}

async function sessionOf(zip: Blob) {
  const { warnings, subagents, ...session } = await sessionFromZip(zip);
  const others = subagents.map((events) => ({ events, start: undefined, blobs: session.blobs }));
  return { warnings, blobs: session.blobs, sessions: [session, ...others] };
}

function adopt(saved: readonly SessionEvent[], out: ImportBuilder): void {
  const events = saved.map((event) => withImagesApart(event, (bytes) => out.blob(bytes)));
  let id: string | undefined;
  let title: string | undefined;
  for (const event of events) {
    if (event.type === "session.started") {
      out.version(event.data.runtime?.eveVersion ?? EVENT_STREAM_VERSION);
      id ??= event.data.playground?.sessionId;
    }
    if (event.type === "import.source") {
      id ??= event.data.session?.id;
      title ??= event.data.session?.title;
    }
  }
  out.adopt({ events, ...(id === undefined ? {} : { id }), ...(title === undefined ? {} : { title }) });
}

function tellFidelity(events: readonly SessionEvent[], hasTree: boolean, out: ImportBuilder): void {
  const source = events.find((event) => event.type === "import.source");
  if (source?.type === "import.source" && isRecord(source.data.fidelity)) {
    out.fidelity({ ...source.data.fidelity, ...(hasTree ? { files: "snapshot" as const } : {}) });
    return;
  }
  const hasCalls = events.some(({ type }) => type === "actions.requested");
  const hasResults = events.some(({ type }) => type === "action.result");
  const hasUsage = events.some(
    (event) => event.type === "step.completed" && Object.keys(event.data.usage ?? {}).length > 0,
  );
  const fidelity: ImportFidelity = {
    times: "real",
    callIds: "real",
    results: hasCalls && !hasResults ? "absent" : "full",
    usage: hasUsage ? "per-call" : "absent",
    files: hasTree ? "snapshot" : "none",
  };
  out.fidelity(fidelity);
}

function tell(warnings: readonly LogWarning[], out: ImportBuilder): void {
  for (const { code, message, line, byteOffset } of warnings) {
    const origin = byteOffset === undefined ? undefined : { byte: byteOffset, length: 0, ...(line && { line }) };
    out.warn({ code, message, origin });
  }
}
