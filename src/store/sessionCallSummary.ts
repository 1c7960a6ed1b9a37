import type { JsonObject, JsonValue } from "../base";
import type { SessionItem } from "../session";
import { normalizeToolInput } from "../tools";

export type CallItem = Extract<SessionItem, { kind: "call" }>;

/** What the one row of a tool call says besides its name, sign and time. */
export interface CallSummary {
  /** The path, pattern, query or command the call is about; empty while the model still writes it. */
  readonly about: string;
  /** Where, when `about` is not itself a place: `in /repo/src`. */
  readonly where?: string;
  /** How much came of it: `3 hits`, `38 lines`, `1.2 KB`; absent when nothing is known. */
  readonly figure?: string;
  readonly linesAdded?: number;
  readonly linesRemoved?: number;
  /** Prefixes of the mounts that served the call, each once, in order of first use. */
  readonly mounts: readonly string[];
  /** A failed or rejected call's reason in a few words. */
  readonly failure?: string;
}

export function sessionCallSummary(item: CallItem): CallSummary {
  const input = item.input === undefined ? undefined : normalizeToolInput(item.toolName, item.input);
  return {
    ...(input === undefined ? { about: aboutFromText(item.inputText) } : aboutCall(item.toolName, input)),
    ...(item.state === "completed" && !item.stub ? figures(item.toolName, item.output, input ?? {}) : {}),
    ...(item.stub ? { figure: "dry run, not done" } : {}),
    mounts: [...new Set(item.served.map((served) => served.mount))],
    ...(item.state === "failed" || item.state === "rejected" ? { failure: failureWords(item) } : {}),
  };
}

/** The mounts a call has touched or, before it ran, would touch: by the paths in its input. */
export function pathsOfCall(item: CallItem): readonly string[] {
  if (item.served.length > 0) return item.served.map((served) => served.path);
  if (item.input === undefined) return [];
  const input = normalizeToolInput(item.toolName, item.input);
  const path = text(input["path"]) ?? text(input["targetDirectory"]);
  return path === undefined ? [] : [path];
}

/** Reads fold together in the chat; writes and what is not known never do. */
export function isReadTool(toolName: string): boolean {
  return READ_TOOLS.has(toolName);
}

const READ_TOOLS = new Set(["Read", "LS", "Grep", "Glob", "SemanticSearch", "readTodos", "webSearch", "webFetch", "readLints"]);

function aboutCall(toolName: string, input: JsonObject): { about: string; where?: string } {
  const within = (place: string | undefined) => (place === undefined || place === "" || place === "/" ? {} : { where: `in ${place}` });
  switch (toolName) {
    case "Grep":
      return { about: text(input["pattern"]) ?? "", ...within(text(input["path"]) ?? text(input["glob"])) };
    case "Glob":
      return { about: text(input["globPattern"]) ?? "", ...within(text(input["targetDirectory"])) };
    case "SemanticSearch":
      return { about: text(input["query"]) ?? "", ...within(list(input["targetDirectories"]).join(", ")) };
    case "Shell":
      return { about: text(input["command"]) ?? "", ...within(text(input["workingDirectory"])) };
    case "LS":
      return { about: text(input["path"]) || "/" };
    default:
      return { about: text(input["path"]) ?? firstText(input) ?? "" };
  }
}

/** The call is still being written: what can be read of its first string argument so far. */
function aboutFromText(inputText: string): string {
  const found = /"(?:path|pattern|globPattern|query|command)"\s*:\s*"((?:[^"\\]|\\.)*)/.exec(inputText);
  return found?.[1] ?? "";
}

function figures(toolName: string, output: JsonValue | undefined, input: JsonObject): Partial<CallSummary> {
  if (output === null || typeof output !== "object" || Array.isArray(output)) return {};
  const value = output as JsonObject;
  switch (toolName) {
    case "Read": {
      const totalLines = number(value["totalLines"]);
      return totalLines === undefined ? sizeFigure(value["fileSize"]) : { figure: counted(shownLines(totalLines, input), "line") };
    }
    case "Grep":
      return grepFigure(value);
    case "Glob":
      return countFigure(number(value["totalFiles"]) ?? list(value["files"]).length, "file");
    case "LS": {
      const entries = countEntries(value["directoryTreeRoot"]);
      return entries === undefined ? {} : { figure: counted(entries, "entry", "entries") };
    }
    case "Write": {
      const lines = number(value["linesCreated"]);
      return lines === undefined ? sizeFigure(value["fileSize"]) : { figure: counted(lines, "line") };
    }
    case "StrReplace":
      return {
        ...(number(value["linesAdded"]) === undefined ? {} : { linesAdded: number(value["linesAdded"])! }),
        ...(number(value["linesRemoved"]) === undefined ? {} : { linesRemoved: number(value["linesRemoved"])! }),
      };
    case "Delete":
      return sizeFigure(value["fileSize"]);
    case "SemanticSearch": {
      const passages = Object.values(value).find((inner) => Array.isArray(inner));
      return passages === undefined ? {} : { figure: counted((passages as readonly JsonValue[]).length, "passage") };
    }
    case "Shell": {
      const exitCode = number(value["exitCode"]);
      return exitCode === undefined ? {} : { figure: `exit code ${exitCode}` };
    }
    default:
      return {};
  }
}

function grepFigure(value: JsonObject): Partial<CallSummary> {
  const total = number(value["totalMatches"]);
  if (total !== undefined) return { figure: counted(total, "hit") };
  if (Array.isArray(value["files"])) return { figure: counted(value["files"].length, "file") };
  if (Array.isArray(value["matches"])) return { figure: counted(value["matches"].length, "hit") };
  return {};
}

/** Lines the model was shown of a file, by the window it asked for. */
function shownLines(totalLines: number, input: JsonObject): number {
  const offset = Math.max(1, number(input["offset"]) ?? 1);
  const rest = Math.max(0, totalLines - offset + 1);
  return Math.min(rest, number(input["limit"]) ?? rest);
}

function countEntries(node: JsonValue | undefined): number | undefined {
  if (node === undefined || node === null || typeof node !== "object" || Array.isArray(node)) return undefined;
  let count = 0;
  for (const value of Object.values(node as JsonObject)) {
    if (!Array.isArray(value)) continue;
    for (const child of value as readonly JsonValue[]) count += 1 + (countEntries(child) ?? 0);
  }
  return count;
}

function failureWords(item: CallItem): string {
  if (item.state === "rejected") return "denied";
  const code = item.error?.code;
  return code === undefined ? "failed" : (FAILURE_WORDS[code] ?? code.replaceAll("-", " "));
}

const FAILURE_WORDS: { readonly [code: string]: string } = { quota: "storage full", edit: "edit did not fit", interrupted: "interrupted" };

function countFigure(count: number | undefined, noun: string): Partial<CallSummary> {
  return count === undefined ? {} : { figure: counted(count, noun) };
}

function sizeFigure(value: JsonValue | undefined): Partial<CallSummary> {
  const bytes = number(value);
  return bytes === undefined ? {} : { figure: bytesInWords(bytes) };
}

function bytesInWords(bytes: number): string {
  if (bytes < 1000) return counted(bytes, "byte");
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

function firstText(input: JsonObject): string | undefined {
  return Object.values(input).find((value): value is string => typeof value === "string");
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function number(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
