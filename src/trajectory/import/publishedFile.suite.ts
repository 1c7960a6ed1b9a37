import { existsSync, readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { SessionEvent, Usage } from "../../session";
import type { ImportedTrajectory } from "./importedTrajectory";
import type { SourceFile } from "./importSource";
import { importTrajectory } from "./importTrajectory";

const FOLDER = pathToFileURL(`${resolve("../shared/trajectories")}/`);

/** Published recordings stand beside the project; a checkout alone has none. */
export const hasPublished = existsSync(FOLDER);
if (!hasPublished) console.warn("Published trajectories are not beside the project: their tests are skipped");

export const publishedBytes = (path: string): Buffer<ArrayBuffer> => readFileSync(fileURLToPath(new URL(path, FOLDER)));

export const publishedText = (path: string): string => publishedBytes(path).toString("utf8");

/** A published file, or all files of a folder. */
export function publishedFiles(path: string): SourceFile[] {
  if (!path.endsWith("/")) return [{ path: path.replace(/^.*\//, ""), blob: new Blob([publishedBytes(path)]) }];
  return publishedPaths(path).map((name) => ({ path: name, blob: new Blob([publishedBytes(`${path}${name}`)]) }));
}

/** The files of a folder, by their paths below it; none in a checkout alone. */
export function publishedPaths(folder = "./"): string[] {
  if (!hasPublished) return [];
  const place = fileURLToPath(new URL(folder, FOLDER));
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(place.length).replace(/^\//, ""))
    .toSorted();
}

export const importPublished = async (path: string): Promise<ImportedTrajectory> =>
  await importTrajectory({ files: publishedFiles(path) });

/** A text, or a value written as JSON, as one file. */
export const importOne = async (content: unknown, path = "session"): Promise<ImportedTrajectory> =>
  await importTrajectory({
    files: [{ path, blob: new Blob([typeof content === "string" ? content : JSON.stringify(content)]) }],
  });

export const jsonLines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");

export interface ImportCounts {
  readonly format: string;
  readonly sessions: number;
  readonly turns: number;
  readonly steps: number;
  readonly toolCalls: number;
  readonly toolResults: number;
  readonly failed: number;
  readonly usage: Usage;
  /** Codes of warnings, each with how often. */
  readonly warnings: Readonly<Record<string, number>>;
}

/** What the command line says of a file, folded from the events of all its sessions. */
export function importCounts({ format, sessions, warnings }: ImportedTrajectory): ImportCounts {
  const counts = { turns: 0, steps: 0, toolCalls: 0, toolResults: 0, failed: 0 };
  const usage: Record<string, number> = {};
  for (const { type, data } of sessions.flatMap(({ events }) => events)) {
    if (type === "turn.started") counts.turns++;
    else if (type === "step.started") counts.steps++;
    else if (type === "actions.requested") counts.toolCalls += data.actions.length;
    else if (type === "action.result") {
      counts.toolResults++;
      if (data.status !== "completed") counts.failed++;
    } else if (type === "step.completed") {
      for (const [name, count] of Object.entries(data.usage ?? {})) usage[name] = (usage[name] ?? 0) + count;
    }
  }
  const codes: Record<string, number> = {};
  for (const { code } of warnings) codes[code] = (codes[code] ?? 0) + 1;
  return { format, sessions: sessions.length, ...counts, usage, warnings: codes };
}

/** A log as lines to be compared: each event's type and what a person would read of it. */
export function outline(events: readonly SessionEvent[]): string[] {
  return events.slice(2).map(({ type, data }) => {
    if (type === "message.received") return `user: ${data.message}`;
    if (type === "message.completed") return `model: ${data.message}`;
    if (type === "reasoning.completed") return `thinks: ${data.reasoning}`;
    if (type === "actions.requested") {
      return `calls: ${data.actions.map(({ callId, toolName, input, inputText }) => `${toolName}#${callId} ${inputText ?? JSON.stringify(input)}`).join(", ")}`;
    }
    if (type === "action.result") {
      const error = data.error === undefined ? "" : ` (${data.error.code})`;
      return `${data.status}: ${data.result.callId} ${JSON.stringify(data.result.output)}${error}`;
    }
    if (type === "input.resolved") return `input ${data.resolutions.map(({ outcome }) => outcome).join(" ")}`;
    if (type === "import.entry") return `entry: ${data.kind}`;
    if (type === "step.failed" || type === "turn.failed") return `${type}: ${data.code}`;
    return type;
  });
}
