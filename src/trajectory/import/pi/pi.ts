import { probedRecords, type FormatInput, type SourceRecord, type TrajectoryFormat } from "../format";
import type { FormatFile } from "../importSource";
import type { ImportBuilder, SessionAbout } from "../importBuilder";
import { field, filledText, isRecord, number, text } from "../jsonAccess";
import { entriesOfRun, isPiRun } from "./piEvents";
import { writePiEntry } from "./piMessages";
import { piPaths } from "./piTree";

/** Sessions of the Pi coding agent: a header and entries, which name the one before them, or what a run prints. */
export const pi: TrajectoryFormat = {
  name: "pi",
  acrossFiles: true,
  detect: (probe) => (probe.kind !== "text" && probedRecords(probe).some((entry) => isPi(entry)) ? 80 : 0),
  async read(input, out) {
    for (const file of input.files) await readFile(input, file, out);
  },
};

function isPi(entry: unknown): boolean {
  const kind = field(entry, "type");
  if (kind === "session") {
    return filledText(field(entry, "id")) !== undefined && filledText(field(entry, "cwd")) !== undefined;
  }
  const role = text(field(field(entry, "message"), "role"));
  const isNamed = kind === "message" && typeof field(entry, "timestamp") === "string";
  return isNamed && (role === "toolResult" || role === "bashExecution" || (role === "assistant" && hasApi(entry)));
}

function hasApi(entry: unknown): boolean {
  return filledText(field(field(entry, "message"), "api")) !== undefined;
}

async function readFile(input: FormatInput, file: FormatFile, out: ImportBuilder): Promise<void> {
  let header: unknown;
  const entries: SourceRecord[] = [];
  for await (const entry of input.records(file)) {
    if (!isRecord(entry.value)) out.warn({ code: "unknown-entry", origin: entry.origin, kept: false });
    else if (field(entry.value, "type") === "session" && header === undefined) header = entry.value;
    else entries.push(entry);
  }
  const version = number(field(header, "version"));
  if (version !== undefined) out.version(`${version}`);
  const id = filledText(field(header, "id"));
  const key = id ?? file.path;
  const [newest, ...branches] = piPaths(isPiRun(entries) ? entriesOfRun(entries) : entries);
  const draft = out.session(key, aboutOf(header));
  for (const entry of newest?.entries ?? []) writePiEntry(entry, draft);
  for (const [index, { entries: path, shared }] of branches.entries()) {
    const branch = out.session(`${key}#${index + 1}`, {
      ...aboutOf(header),
      id: `${key}#${index + 1}`,
      predecessor: key,
      branch: `branch ${index + 1}`,
    });
    for (const [at, entry] of path.entries()) writePiEntry(entry, branch, at < shared ? false : undefined);
  }
}

function aboutOf(header: unknown): SessionAbout {
  const id = filledText(field(header, "id"));
  const cwd = filledText(field(header, "cwd"));
  const modelId = filledText(field(header, "modelId"));
  const origin = filledText(field(header, "branchedFrom")) ?? filledText(field(header, "parentSession"));
  // The file's name ends in the id of its session.
  const predecessor = origin === undefined ? undefined : (/_([0-9a-f-]{36})\.jsonl$/.exec(origin)?.[1] ?? origin);
  return {
    ...(id === undefined ? {} : { id }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(modelId === undefined ? {} : { modelId }),
    ...(predecessor === undefined ? {} : { predecessor }),
  };
}
