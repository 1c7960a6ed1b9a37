import { FileNotFoundError, PathError } from "../../../fs";
import type { Difference } from "../divergenceReport";
import { excerpt } from "../firstDifference";
import type { ForeignOperation } from "./foreignOperation";
import { ran, type ForeignRun, type OperationOutcome, type Ran } from "./foreignRun";
import { HARNESS_WORDS, LAST_LINE_END, textLines } from "./recordedReading";
import { holdsUnknown, UNKNOWN_LINE, UNKNOWN_REST } from "./unknownText";

type Read = Extract<ForeignOperation, { kind: "read" }>;

/** Reads the same lines and compares them with the recorded ones, line by line. */
export async function runRead(run: ForeignRun, operation: Read, wasCompleted: boolean): Promise<OperationOutcome> {
  const path = run.place(operation.path);
  if (path === undefined) return { kind: "not run", why: `${operation.path} can be no path of a tree.` };
  if (wasCompleted && (await run.tree.stat(path)).kind === "directory")
    return { kind: "not comparable", why: `${path} is a directory: what the recorded call showed of it is no file.` };
  const text = await textAt(run, path);
  if (typeof text !== "string") return text;
  const lines = textLines(text);
  const { recorded } = run;
  if (!wasCompleted) return ran({ status: "completed", expected: "", actual: "", normalisers: [HARNESS_WORDS] });
  if (recorded.lines === undefined)
    return { kind: "not comparable", why: "The recorded result holds no lines of a file." };
  const start = operation.start ?? 1;
  const wanted = operation.count === undefined ? Infinity : operation.count;
  const last = Math.min(lines.length, start + wanted - 1);
  return comparedLines(run, path, lines, { start, last });
}

/** Where what an edit showed of the file is not what the file holds now. */
export async function snippetDifference(run: ForeignRun, written: string, outcome: Ran): Promise<OperationOutcome> {
  const path = run.place(written);
  const shown = run.recorded.lines;
  if (path === undefined || shown === undefined) return outcome;
  const text = await textAt(run, path);
  if (typeof text !== "string") return outcome;
  const found = differences(path, shown, textLines(text));
  return {
    ...outcome,
    ...sides(found.first),
    normalisers: [...new Set([...outcome.normalisers, ...run.recorded.normalisers])],
  };
}

/** The text of a file, or what comes of asking for it. */
export async function textAt(run: ForeignRun, path: string): Promise<string | OperationOutcome> {
  try {
    const contents = await run.tree.read(path);
    if (typeof contents === "string") return contents;
    return { kind: "not comparable", why: `${path} is no text.` };
  } catch (error) {
    if (error instanceof FileNotFoundError && !(await run.knows(path)))
      return { kind: "not comparable", why: `The inferred tree does not know what ${path} held.` };
    if (error instanceof PathError)
      return ran({ status: "failed", message: error.message, expected: "", actual: "", normalisers: [HARNESS_WORDS] });
    throw error;
  }
}

function comparedLines(
  { recorded }: ForeignRun,
  path: string,
  lines: readonly string[],
  { start, last }: { readonly start: number; readonly last: number },
): OperationOutcome {
  const shown = recorded.lines ?? new Map<number, string>();
  const found = differences(path, shown, lines);
  const shownLast = Math.max(start - 1, ...shown.keys());
  const missing = lines.slice(shownLast, last).find((line) => !holdsUnknown(line) && line !== "");
  // What is there now and was not shown counts where the recording shows the file to its end.
  const isLonger = recorded.isToEnd === true && shownLast < last && missing !== undefined && found.unknown === 0;
  const longer: Difference = { path, line: shownLast + 1, actual: excerpt(lines[shownLast] ?? "") };
  const difference = found.first ?? (isLonger ? longer : undefined);
  if (difference === undefined && found.unknown > 0)
    return {
      kind: "not comparable",
      why: `${found.unknown} of the ${shown.size} lines lie outside what is known of ${path}.`,
    };
  const normalisers = [...recorded.normalisers, ...(found.skippedEnd ? [LAST_LINE_END] : [])];
  return ran({ status: "completed", ...sides(difference), normalisers });
}

function sides(difference: Difference | undefined): Pick<Ran, "expected" | "actual"> & { difference?: Difference } {
  if (difference === undefined) return { expected: "", actual: "" };
  return { expected: difference.expected ?? null, actual: difference.actual ?? null, difference };
}

function differences(
  path: string,
  shown: ReadonlyMap<number, string>,
  lines: readonly string[],
): { readonly first?: Difference; readonly unknown: number; readonly skippedEnd: boolean } {
  const rest = lines.indexOf(UNKNOWN_REST);
  let unknown = 0;
  let skippedEnd = false;
  const last = Math.max(0, ...shown.keys());
  for (const [line, expected] of shown) {
    const actual = lines[line - 1]?.replace(/\r$/, "");
    if ((rest >= 0 && line > rest) || actual === UNKNOWN_LINE) unknown++;
    else if (line === last && expected === "" && actual === undefined) skippedEnd = true;
    else if (actual !== expected.replace(/\r$/, "")) {
      const first = {
        path,
        line,
        expected: excerpt(expected),
        ...(actual === undefined ? {} : { actual: excerpt(actual) }),
      };
      return { first, unknown, skippedEnd };
    }
  }
  return { unknown, skippedEnd };
}
