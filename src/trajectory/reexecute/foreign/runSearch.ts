import type { JsonObject } from "../../../base";
import { isUnder, joinFsPath, PathError, type GrepQuery } from "../../../fs";
import type { ForeignOperation } from "./foreignOperation";
import { ran, type ForeignRun, type OperationOutcome } from "./foreignRun";
import { HARNESS_WORDS, RESULT_ORDER } from "./recordedReading";
import { holdsUnknown } from "./unknownText";

type Search = Extract<ForeignOperation, { kind: "glob" | "list" | "grep" }>;

/** Searches again. What an inferred tree does not hold may have been found, so it answers only for a file known whole. */
export async function runSearch(run: ForeignRun, operation: Search, wasCompleted: boolean): Promise<OperationOutcome> {
  const scope = run.place(operation.path ?? ".");
  if (scope === undefined) return { kind: "not run", why: `${operation.path} can be no path of a tree.` };
  if (run.absent !== undefined && !(operation.kind === "grep" && (await isKnownWhole(run, scope))))
    return { kind: "not comparable", why: "The tree is inferred: it does not know what else there was to find." };
  try {
    if ((await run.tree.stat(scope)).kind === "missing") return failed(`not found: ${scope}`);
    if (operation.kind === "glob")
      return await comparedPaths(run, await globbed(run, operation.pattern, scope), wasCompleted);
    if (operation.kind === "list") return await comparedPaths(run, await children(run, scope), wasCompleted, scope);
    return await comparedMatches(run, operation.input, scope, wasCompleted);
  } catch (error) {
    if (error instanceof PathError || (error instanceof Error && "code" in error)) return failed(error.message);
    throw error;
  }
}

function failed(message: string): OperationOutcome {
  return ran({ status: "failed", message, expected: "", actual: "", normalisers: [HARNESS_WORDS] });
}

async function isKnownWhole(run: ForeignRun, path: string): Promise<boolean> {
  if ((await run.tree.stat(path)).kind !== "file") return false;
  const contents = await run.tree.read(path);
  return typeof contents === "string" && !holdsUnknown(contents);
}

async function globbed(run: ForeignRun, pattern: string, scope: string): Promise<string[]> {
  const relative = pattern.startsWith("/") ? relativePattern(run, pattern, scope) : pattern;
  const paths: string[] = [];
  for await (const { path } of run.tree.glob(relative, scope)) {
    run.signal.throwIfAborted();
    paths.push(path);
  }
  return paths;
}

/** An absolute pattern below the scope; ours are relative. */
function relativePattern(run: ForeignRun, pattern: string, scope: string): string {
  const placed = run.place(pattern) ?? pattern;
  return isUnder(placed, scope) ? placed.slice(scope === "/" ? 1 : scope.length + 1) : placed.slice(1);
}

async function children(run: ForeignRun, scope: string): Promise<string[]> {
  const depth = scope === "/" ? 1 : scope.split("/").length;
  const paths: string[] = [];
  for await (const { path } of run.tree.list(scope)) {
    run.signal.throwIfAborted();
    if (path.split("/").length === depth + 1 || (scope === "/" && path.split("/").length === 2)) paths.push(path);
  }
  return paths;
}

async function comparedPaths(
  run: ForeignRun,
  found: readonly string[],
  wasCompleted: boolean,
  directory?: string,
): Promise<OperationOutcome> {
  const { recorded } = run;
  if (!wasCompleted) return ran({ status: "completed", expected: "", actual: "", normalisers: [HARNESS_WORDS] });
  if (recorded.paths === undefined)
    return { kind: "not comparable", why: "The recorded result is drawn in a way that is not read here." };
  const expected = recorded.paths.map((path) => placedFound(run, path, directory)).toSorted();
  const actual = [...found].toSorted();
  // A result that was cut is a part of the whole one.
  const shown = recorded.isCut ? actual.filter((path) => expected.includes(path)) : actual;
  return ran({ status: "completed", expected, actual: shown, normalisers: recorded.normalisers });
}

/** A bare name in a listing is one of the directory listed. */
function placedFound(run: ForeignRun, path: string, directory: string | undefined): string {
  if (directory !== undefined && !/[\\/]/.test(path)) return joinFsPath(directory, path);
  return run.place(path.replace(/\/$/, "")) ?? path;
}

async function comparedMatches(
  run: ForeignRun,
  input: JsonObject,
  scope: string,
  wasCompleted: boolean,
): Promise<OperationOutcome> {
  const { recorded } = run;
  const matches: string[] = [];
  const files = new Set<string>();
  for await (const { path, lineNumber, line } of run.tree.grep(queryOf(input, scope))) {
    run.signal.throwIfAborted();
    matches.push(`${path}:${lineNumber}:${recorded.isTrimmed === true ? line.trim() : line}`);
    files.add(path);
  }
  if (recorded.matches === undefined) return await comparedPaths(run, [...files], wasCompleted);
  const expected = recorded.matches.map((match) => placedMatch(run, match)).toSorted();
  const actual = matches.toSorted();
  const shown =
    recorded.isCut || typeof input["head_limit"] === "number"
      ? actual.filter((match) => expected.includes(match))
      : actual;
  return ran({
    status: "completed",
    expected,
    actual: shown,
    normalisers: [...new Set([...recorded.normalisers, RESULT_ORDER])],
  });
}

function placedMatch(run: ForeignRun, match: string): string {
  const found = /^((?:[A-Za-z]:[\\/])?[^:\n]+):(\d+):(.*)$/.exec(match);
  return found === null ? match : `${run.place(found[1] ?? "") ?? found[1]}:${found[2]}:${found[3]}`;
}

function queryOf(input: JsonObject, path: string): GrepQuery {
  const text = (name: string): string | undefined => {
    const value = input[name];
    return typeof value === "string" ? value : undefined;
  };
  const isInsensitive = input["-i"] === true || input["caseInsensitive"] === true || input["case_sensitive"] === false;
  return {
    pattern: text("pattern") ?? "",
    path,
    glob: text("glob"),
    type: text("type"),
    caseInsensitive: isInsensitive,
    multiline: input["multiline"] === true,
  };
}
