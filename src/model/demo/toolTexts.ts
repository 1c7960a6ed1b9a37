import { limits } from "../../base";

/** What the planner reads in the texts of the tools (docs/tools.md, What the model reads). */
export interface ReadLines {
  readonly lines: readonly string[];
  /** The number of the first line. */
  readonly firstLine: number;
  /** Whether these are all lines of the file, each in full. */
  readonly complete: boolean;
  /** The line to go on from, where there are more. */
  readonly nextLine?: number;
}

export interface Hit {
  readonly path: string;
  readonly lineNumber: number;
  readonly line: string;
}

/** A list, and how many more there are that were cut: `undefined` when it was cut and nobody says how many. */
export interface CutList<T> {
  readonly items: readonly T[];
  readonly more: number | undefined;
}

export function linesFromRead(text: string): ReadLines {
  const lines: string[] = [];
  let firstLine = 1;
  // A plain scan: every step of a plan reads all results anew.
  for (const row of text.split("\n")) {
    const bar = row.indexOf("|");
    const number = bar < 0 ? Number.NaN : Number(row.slice(0, bar).trim() || Number.NaN);
    if (!Number.isInteger(number)) continue;
    if (lines.length === 0) firstLine = number;
    lines.push(row.slice(bar + 1));
  }
  const notice = cutNotice(text);
  const isCut = notice !== undefined || lines.some((line) => line.length >= limits.readLineCharacters);
  const next = /\bmore lines?: continue with offset=(\d+)/.exec(notice ?? "")?.[1];
  const read = { lines, firstLine, complete: firstLine === 1 && !isCut };
  return next === undefined ? read : { ...read, nextLine: Number(next) };
}

export function hitsFromGrep(text: string): CutList<Hit> {
  const items: Hit[] = [];
  let path = "";
  for (const line of text.split("\n")) {
    const match = /^(\d+)([:-])(.*)$/su.exec(line);
    if (match && path !== "") {
      if (match[2] === ":") items.push({ path, lineNumber: Number(match[1]), line: match[3] ?? "" });
    } else if (line.startsWith("/")) {
      path = line;
    }
  }
  return { items, more: more(text) };
}

/** Counts by file, as Grep gives them in its mode `count`. */
export function countsFromGrep(text: string): CutList<{ readonly path: string; readonly count: number }> {
  const items = text.split("\n").flatMap((line) => {
    const match = /^(\/.*):(\d+)$/su.exec(line);
    return match ? [{ path: match[1] ?? "", count: Number(match[2]) }] : [];
  });
  return { items, more: more(text) };
}

export function pathsFromText(text: string): CutList<string> {
  return { items: text.split("\n").filter((line) => line.startsWith("/")), more: more(text) };
}

/** What a listing shows, and what it counts beyond that. */
export interface Listing extends CutList<string> {
  /** All files below, also those of folders whose contents were cut. */
  readonly fileCount: number;
  /** How many files a folder holds whose contents were cut, by its path. */
  readonly cutFolders: ReadonlyMap<string, number>;
}

/** The files and folders of a listing, folders with a trailing slash. */
export function entriesFromList(text: string): Listing {
  const [root = "/", ...rows] = text.split("\n");
  const base = root.trim().replace(/\/+$/, "");
  const parents: string[] = [];
  const items: string[] = [];
  const cutFolders = new Map<string, number>();
  let shallowest: number | undefined;
  for (const row of rows) {
    const match = /^( *)- (.*)$/su.exec(row);
    if (!match) continue;
    const indent = (match[1] ?? "").length;
    shallowest ??= indent;
    const name = (match[2] ?? "").replace(/\/ .*$/su, "/");
    parents.length = Math.min((indent - shallowest) / 2, parents.length);
    const path = [base, ...parents, name].join("/").replaceAll(/\/{2,}/g, "/");
    items.push(path);
    const cut = /\/ \[(\d[\d,]*) files?\b/.exec(match[2] ?? "")?.[1];
    if (cut !== undefined) cutFolders.set(path, numberFrom(cut));
    if (name.endsWith("/")) parents.push(name.slice(0, -1));
  }
  const shown = items.filter((item) => !item.endsWith("/")).length;
  const below = [...cutFolders.values()].reduce((sum, count) => sum + count, 0);
  return { items, more: more(text), fileCount: shown + below + hiddenHere(text), cutFolders };
}

/** Files of the listed folder itself that were cut, by their kinds: `[2 more entries (1 .md, 1 .ts here): …]`. */
function hiddenHere(text: string): number {
  const kinds = /\(([^()]*) here\)/.exec(cutNotice(text) ?? "")?.[1] ?? "";
  return [...kinds.matchAll(/(?:^|, )(\d[\d,]*) /g)].reduce((sum, [, count = "0"]) => sum + numberFrom(count), 0);
}

function numberFrom(text: string): number {
  return Number(text.replaceAll(",", ""));
}

/** The line that says what was cut, without its brackets. */
export function cutNotice(text: string): string | undefined {
  const last = text.trimEnd().split("\n").at(-1) ?? "";
  return /^\[(.*)\]$/su.exec(last)?.[1];
}

function more(text: string): number | undefined {
  const notice = cutNotice(text);
  // A notice about long lines alone hides no entry.
  if (notice === undefined || !notice.includes(" more")) return 0;
  if (notice.includes("at least")) return undefined;
  const number = /(\d[\d,]*) more/.exec(notice)?.[1];
  return number === undefined ? undefined : numberFrom(number);
}

export type FailureKind =
  | "missing"
  | "read-only"
  | "not-a-file"
  | "text-missing"
  | "text-ambiguous"
  | "denied"
  | "other";

/** What a tool's error is about; the texts are the tree's own (docs/filesystem.md, section 2). */
export function failureKind(outcome: { readonly text: string; readonly denied: boolean }): FailureKind {
  const { text } = outcome;
  if (outcome.denied) return "denied";
  if (/\bread-only mount:/.test(text)) return "read-only";
  if (/\bnot a file:/.test(text)) return "not-a-file";
  if (/\b(?:not found|no mount for path): ?/.test(text)) return "missing";
  if (text.includes("was not found in the file")) return "text-missing";
  if (text.includes("found multiple times")) return "text-ambiguous";
  return "other";
}
