import type { JsonObject, JsonValue } from "../base";
import { isUnder } from "../fs";
import type { CallItem } from "../session";
import { STUB_WORDS } from "./callLook";

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
  /** Prefixes of the mounts that served the call, each once: those that hold what came of it first, then by first use. */
  readonly mounts: readonly string[];
  /** A failed or rejected call's reason in a few words. */
  readonly failure?: string;
}

export function sessionCallSummary(item: CallItem): CallSummary {
  const { input } = item;
  return {
    ...(input === undefined ? { about: aboutFromText(item.inputText) } : aboutCall(item.toolName, input)),
    ...(item.state === "completed" && !item.stub ? figures(item.toolName, item.output) : {}),
    ...(item.stub ? { figure: STUB_WORDS } : {}),
    mounts: servingMounts(item),
    ...(item.state === "failed" || item.state === "rejected" ? { failure: failureWords(item) } : {}),
  };
}

function servingMounts({ served, output }: CallItem): readonly string[] {
  const mounts = [...new Set(served.map(({ mount }) => mount))];
  if (mounts.length < 2) return mounts;
  const inner = mounts.toSorted((a, b) => b.length - a.length);
  const hits = new Set(pathsIn(output).map((path) => inner.find((mount) => isUnder(path, mount))));
  return [...mounts.filter((mount) => hits.has(mount)), ...mounts.filter((mount) => !hits.has(mount))];
}

/** The files a search came upon, as its lists name them. */
function pathsIn(output: JsonValue | undefined): string[] {
  if (output === null || typeof output !== "object" || Array.isArray(output)) return [];
  const entries = Object.values(output).flatMap((value) => (Array.isArray(value) ? value : []));
  return entries.flatMap((entry: JsonValue) => {
    const isObject = entry !== null && typeof entry === "object" && !Array.isArray(entry);
    const names = isObject ? [(entry as JsonObject)["file"], (entry as JsonObject)["path"]] : [entry];
    return names.filter((place) => typeof place === "string").filter((place) => place.startsWith("/"));
  });
}

/** The path a call is about, by which its mount is known before anything served it. */
export function pathOfCall(item: CallItem): string | undefined {
  return text(item.input?.["path"]) ?? text(item.input?.["targetDirectory"]);
}

/** What a call is about by its arguments, and where. */
export function aboutCall(toolName: string, input: JsonObject): { about: string; where?: string } {
  const within = (place: string | undefined) =>
    place === undefined || place === "" || place === "/" ? {} : { where: `in ${place}` };
  switch (toolName) {
    case "Grep":
      return { about: text(input["pattern"]) ?? "", ...within(text(input["path"]) ?? text(input["glob"])) };
    case "Glob":
      return { about: text(input["globPattern"]) ?? "", ...within(text(input["targetDirectory"])) };
    case "SemanticSearch":
      return { about: text(input["query"]) ?? "", ...within(places(input["targetDirectories"])) };
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

function figures(toolName: string, output: JsonValue | undefined): Partial<CallSummary> {
  if (output === null || typeof output !== "object" || Array.isArray(output)) return {};
  const value = output as JsonObject;
  switch (toolName) {
    case "Read":
      return countFigure(number(value["shownLines"]), "line") ?? sizeFigure(value["fileSize"]);
    case "Grep":
      return (
        countFigure(number(value["totalMatches"]) ?? number(value["total"]), "hit") ??
        countFigure(number(value["count"]), "file") ??
        {}
      );
    case "Glob":
      return countFigure(number(value["totalFiles"]), "file") ?? {};
    case "LS": {
      const root = value["directoryTreeRoot"];
      const files =
        root !== null && typeof root === "object" && !Array.isArray(root)
          ? number((root as JsonObject)["numFiles"])
          : undefined;
      return countFigure(files, "file") ?? {};
    }
    case "Write":
      return countFigure(number(value["linesCreated"]), "line") ?? sizeFigure(value["fileSize"]);
    case "StrReplace":
      return lineFigures(number(value["linesAdded"]), number(value["linesRemoved"]));
    case "Delete":
      return sizeFigure(value["fileSize"]);
    case "SemanticSearch":
      return Array.isArray(value["results"]) ? { figure: counted(value["results"].length, "passage") } : {};
    case "Shell": {
      const exitCode = number(value["exitCode"]);
      return exitCode === undefined ? {} : { figure: `exit code ${exitCode}` };
    }
    case "webFetch":
      return sizeFigure(value["textSize"] ?? value["fileSize"]);
    case "webSearch": {
      const { results, fixture } = value;
      const found = Array.isArray(results)
        ? counted(results.length, fixture === true ? "recorded result" : "result")
        : undefined;
      return found === undefined ? sizeFigure(value["textSize"]) : { figure: found };
    }
    default:
      return {};
  }
}

function lineFigures(linesAdded: number | undefined, linesRemoved: number | undefined): Partial<CallSummary> {
  return {
    ...(linesAdded === undefined ? {} : { linesAdded }),
    ...(linesRemoved === undefined ? {} : { linesRemoved }),
  };
}

function failureWords(item: CallItem): string {
  if (item.state === "rejected" && (item.error === undefined || item.error.code === "denied")) return "denied";
  const code = item.error?.code;
  return code === undefined ? "failed" : (FAILURE_WORDS[code] ?? code.replaceAll("-", " "));
}

const FAILURE_WORDS: { readonly [code: string]: string } = {
  quota: "storage full",
  "read-only-mount": "read-only mount",
  "host-lost": "cut off",
  edit: "edit did not fit",
  interrupted: "interrupted",
  cors: "kept from the page",
  network: "no answer",
  "http-status": "refused by the server",
  "tool-failed": "failed",
};

function countFigure(count: number | undefined, noun: string): Partial<CallSummary> | undefined {
  return count === undefined ? undefined : { figure: counted(count, noun) };
}

function sizeFigure(value: JsonValue | undefined): Partial<CallSummary> {
  const bytes = number(value);
  return bytes === undefined ? {} : { figure: bytesInWords(bytes) };
}

function bytesInWords(bytes: number): string {
  if (bytes < 1000) return counted(bytes, "byte");
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function counted(count: number, one: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : `${one}s`}`;
}

function firstText(input: JsonObject): string | undefined {
  return Object.values(input).find((value): value is string => typeof value === "string");
}

function places(value: JsonValue | undefined): string | undefined {
  return Array.isArray(value) ? value.filter((place) => typeof place === "string").join(", ") : undefined;
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function number(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
