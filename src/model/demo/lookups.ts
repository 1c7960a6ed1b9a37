import { limits } from "../../base";
import type { CallOutcome } from "./conversation";
import type { Plan, PlannedCall } from "./plan";
import type { PlanContext } from "./planContext";
import { noteMissing } from "./missingPlace";
import { entriesFromList, failureKind, linesFromRead, pathsFromText, type Listing, type ReadLines } from "./toolTexts";

/** Calls of one step: enough to show work side by side, few enough to follow. */
export const CALLS_A_STEP = 8;

/** Pieces of one long file that are read. */
const PIECES_AT_MOST = 12;

/** Lines worth finding in a file about to be read, for instructions that want a search first. */
function landmarks(path: string): string {
  return /\.(?:[cm]?[jt]sx?|py|rs|go|java|rb|c|cpp|cs)$/.test(path) ? "^(export|import|class|def|function) " : "^#";
}

export type ReadResult =
  | { readonly path: string; readonly read: ReadLines }
  | { readonly path: string; readonly failed: CallOutcome };

/** Reads files, several in one step; those read before are not read again. Failures are told in the results. */
export function* readFiles(context: PlanContext, paths: readonly string[], text = ""): Plan<ReadResult[]> {
  const results: ReadResult[] = [];
  const missing = [...new Set(paths)].filter((path) => !context.reads.has(path));
  if (missing.length > 0) yield* searchBefore(context, missing);
  const failures = new Map<string, CallOutcome>();
  for (let start = 0; start < missing.length; start += CALLS_A_STEP) {
    const batch = missing.slice(start, start + CALLS_A_STEP);
    const calls = batch.map((path): PlannedCall => ({ toolName: "Read", input: { path } }));
    const outcomes = yield* context.callAll(calls, start === 0 ? text : "");
    for (const [index, path] of batch.entries()) {
      const outcome = outcomes[index];
      if (!outcome) continue;
      if (outcome.failed) failures.set(path, outcome);
      else remember(context, path, linesFromRead(outcome.text));
    }
  }
  for (const path of paths) {
    const read = context.reads.get(path);
    const failed = failures.get(path);
    if (read) results.push({ path, read });
    else if (failed) results.push({ path, failed });
  }
  return results;
}

/**
 * Reads one file; a path that is not there is looked for by its name. Says so in a note when there is nothing to
 * read, with `folderWords` where it is a folder.
 */
export function* readFile(
  context: PlanContext,
  path: string,
  text = "",
  folderWords?: string,
): Plan<{ path: string; read: ReadLines } | undefined> {
  const place = yield* placeOf(context, path);
  if (place === undefined) return undefined;
  const [result] = yield* readFiles(context, [place], text);
  if (!result) return undefined;
  if ("read" in result) return result;
  if (failureKind(result.failed) === "missing") {
    const found = yield* findByName(context, place);
    if (found !== undefined) return yield* readFile(context, found, "", folderWords);
    context.note(`There is no ${place}.`);
    return undefined;
  }
  const isFolder = failureKind(result.failed) === "not-a-file";
  context.note((isFolder ? folderWords : undefined) ?? failureWords("read", place, result.failed));
  return undefined;
}

/** Reads on to the end of a long file, in as many pieces as it takes and a person would watch. */
export function* readWhole(context: PlanContext, path: string): Plan<ReadLines | undefined> {
  for (let piece = 0; piece < PIECES_AT_MOST; piece++) {
    const read = context.reads.get(path);
    if (read?.nextLine === undefined) return read;
    const outcome = yield* context.call("Read", { path, offset: read.nextLine });
    const next = linesFromRead(outcome.text);
    if (outcome.failed || next.lines.length === 0) return read;
    const { nextLine: _nextLine, ...known } = read;
    const isWhole = next.nextLine === undefined && [...known.lines, ...next.lines].every(isShownWhole);
    context.reads.set(path, {
      ...known,
      lines: [...known.lines, ...next.lines],
      complete: known.firstLine === 1 && isWhole,
      ...(next.nextLine === undefined ? {} : { nextLine: next.nextLine }),
    });
  }
  return context.reads.get(path);
}

function isShownWhole(line: string): boolean {
  return line.length < limits.readLineCharacters;
}

/** The path itself, or for a name without a place the best file of that name; a note when there is none. */
export function* placeOf(context: PlanContext, path: string): Plan<string | undefined> {
  if (!path.includes("*")) return path;
  const files = yield* filesByName(context, path, context.scope === undefined ? "/" : projectRoot(context.scope));
  const [best] = nearestFirst(files, context.scope ?? "/");
  if (best === undefined) context.note(`I found no file called ${path.replace(/^\*\*\//, "").replace(/\*$/, "")}.`);
  return best;
}

/** Looks for a file that is not where it was said to be; taken only when there is exactly one of that name. */
export function* findByName(context: PlanContext, path: string, isQuiet = false): Plan<string | undefined> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!context.has("Glob") || name === "") return undefined;
  const files = (yield* filesByName(context, `**/${name}`, "/")).filter((file) => file !== path);
  const [only, second] = files;
  if (only === undefined || second !== undefined) {
    if (second !== undefined && !isQuiet) context.note(`Several files are called ${name}:`, files);
    return undefined;
  }
  if (!isQuiet) context.note(`There is no ${path}; I took ${only}.`);
  return only;
}

export function* filesByName(context: PlanContext, glob: string, directory: string): Plan<string[]> {
  const input = directory === "/" ? { globPattern: glob } : { globPattern: glob, targetDirectory: directory };
  const outcome = yield* context.call("Glob", input);
  return outcome.failed ? [] : [...pathsFromText(outcome.text).items];
}

/** The entries of a folder, with LS or where that is off with Glob; `undefined` and a note when it cannot be listed. */
export function* listFolder(context: PlanContext, path: string, text = ""): Plan<Listing | undefined> {
  const useGlob = !context.has("LS") && context.has("Glob");
  const outcome = useGlob
    ? yield* context.call("Glob", { globPattern: "**/*", targetDirectory: path }, text)
    : yield* context.call("LS", { path }, text);
  if (outcome.failed) {
    if (failureKind(outcome) === "missing") yield* noteMissing(context, path);
    else context.note(failureWords("list", path, outcome));
    return undefined;
  }
  context.listed.add(path);
  if (!useGlob) return entriesFromList(outcome.text);
  const { items, more } = pathsFromText(outcome.text);
  return { items, more, fileCount: items.length + (more ?? 0), cutFolders: new Map() };
}

/** Before a change, where the instructions want a look: the folder's listing and the file itself. */
export function* lookBefore(context: PlanContext, path: string, fileExists: boolean): Plan<void> {
  if (!context.directives.lookFirst) return;
  const folder = parentOf(path);
  if (!context.listed.has(folder) && context.has("LS")) {
    context.listed.add(folder);
    yield* context.call(
      "LS",
      { path: folder },
      context.say("I look before I change anything.", "A look around first."),
    );
  }
  if (fileExists && context.has("Read")) yield* readFiles(context, [path]);
}

function* searchBefore(context: PlanContext, paths: readonly string[]): Plan<void> {
  if (!context.directives.searchFirst || !context.has("Grep")) return;
  const unseen = paths.filter((path) => !context.searched.has(path)).slice(0, CALLS_A_STEP);
  if (unseen.length === 0) return;
  for (const path of unseen) context.searched.add(path);
  yield* context.callAll(
    unseen.map((path): PlannedCall => ({ toolName: "Grep", input: { pattern: landmarks(path), path } })),
    context.say("I search before I read.", "Search first, then read."),
  );
}

export function remember(context: PlanContext, path: string, read: ReadLines): void {
  context.reads.set(path, read);
  context.sources.add(path);
  context.lastPath = path;
}

/** A failed call in words. */
export function failureWords(verb: string, path: string, outcome: CallOutcome): string {
  switch (failureKind(outcome)) {
    case "read-only":
      return `I could not ${verb} ${path}: it is on a read-only mount.`;
    case "missing":
      return `I could not ${verb} ${path}: it is not there (${outcome.text.trim()}).`;
    case "not-a-file":
      return `I could not ${verb} ${path}: it is a folder.`;
    case "denied":
      return `You said no to the change of ${path}, so I left it as it is.${refusalWords(outcome.text)}`;
    default:
      return `I could not ${verb} ${path}: ${firstLine(outcome.text)}`;
  }
}

/** What the person said with their no, after the loop's own words (docs/runtime.md). */
function refusalWords(text: string): string {
  const words = /^A person refused this call\.\s*(\S[\s\S]*)$/.exec(text)?.[1];
  return words === undefined ? "" : ` Your words: ${firstLine(words)}`;
}

function firstLine(text: string): string {
  return (text.trim().split("\n")[0] ?? "").slice(0, 300);
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

const SOURCE_FOLDERS = new Set([
  "src",
  "lib",
  "source",
  "app",
  "test",
  "tests",
  "docs",
  "dist",
  "packages",
  "node_modules",
]);

/** The folder of the project a path is in: what stands before its source folder, else its first folder. */
export function projectRoot(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  const source = parts.findIndex((part) => SOURCE_FOLDERS.has(part));
  const isFile = /\.[^/.]+$/.test(path);
  const kept = source >= 0 ? parts.slice(0, source) : parts.slice(0, isFile ? Math.min(1, parts.length - 1) : 1);
  return `/${kept.join("/")}`;
}

/** Files ordered by how near they are to a place, then by depth, with installed packages last. */
export function nearestFirst(files: readonly string[], place: string): string[] {
  const shared = (path: string): number => {
    const a = path.split("/");
    const b = place.split("/");
    let count = 0;
    while (count < a.length && a[count] === b[count]) count += 1;
    return count;
  };
  const key = (path: string): number =>
    (path.includes("/node_modules/") ? 1_000 : 0) - 10 * shared(path) + path.split("/").length;
  return files.toSorted((a, b) => key(a) - key(b) || (a < b ? -1 : 1));
}
