import { parentOf } from "./lookups";
import { isUnder, type PlanContext } from "./planContext";

/**
 * Requests that work here, a row each: made of the tools offered, the files there are and what the instructions allow.
 * `entries` is a listing of the tree, folders with a trailing slash; empty where nothing could be listed.
 */
export function requestExamples(context: PlanContext, entries: readonly string[]): string[] {
  const places = placesIn(context, entries);
  return [
    lookingRows(context, places),
    searchingRows(context, places),
    changingRows(context, places),
    exactRows(context, places),
  ]
    .flat()
    .filter((row) => row.length > 0)
    .map((row) => `- ${row.join(" · ")}`);
}

type Row = readonly string[];

interface Places {
  /** A folder worth listing, and one worth searching. */
  readonly top: string;
  readonly sources: string;
  readonly text: string | undefined;
  /** A name that a file of code is called after. */
  readonly symbol: string | undefined;
  readonly hasMarkdown: boolean;
  /** A file that could be made. */
  readonly fresh: string | undefined;
}

function placesIn(context: PlanContext, entries: readonly string[]): Places {
  const own = entries.filter((entry) => !/\/(?:node_modules|skills)\//.test(entry));
  const shallow = own.toSorted((a, b) => depth(a) - depth(b));
  const files = shallow.filter((entry) => !entry.endsWith("/"));
  const folders = shallow.filter((entry) => entry.endsWith("/")).map((entry) => entry.slice(0, -1));
  const mounts = context.mounts.map(({ prefix }) => prefix).filter((prefix) => !/\bskills\b/.test(prefix));
  const code = files.filter((file) => CODE.test(file));
  const top = mounts[0] ?? context.mounts[0]?.prefix ?? "/";
  const named = code.map((file) => /\/([a-z]+[A-Z]\w*)\.\w+$/.exec(file)?.[1]).find((name) => name !== undefined);
  return {
    top,
    sources:
      folders.find((folder) => /\/(?:src|lib)$/.test(folder)) ?? (code[0] === undefined ? top : parentOf(code[0])),
    text:
      files.find((file) => /\/README\b/i.test(file)) ??
      files.find((file) => /\.(?:md|txt)$/.test(file)) ??
      files[0] ??
      // Where nothing can be listed, there may be one all the same.
      (context.has("LS") || context.has("Glob") ? undefined : `${top === "/" ? "" : top}/README.md`),
    symbol: named,
    hasMarkdown: files.some((file) => file.endsWith(".md")),
    fresh: freshFile(context, mounts, new Set(entries)),
  };
}

const CODE = /\.(?:[cm]?[jt]sx?|py|rs|go|java|rb|c|cpp|cs)$/;

function depth(path: string): number {
  return path.split("/").filter((part) => part !== "").length;
}

function freshFile(context: PlanContext, mounts: readonly string[], taken: ReadonlySet<string>): string | undefined {
  const { allowedPaths } = context.directives;
  const folders = [...allowedPaths, ...mounts.toReversed(), ...(context.mounts.length === 0 ? ["/"] : [])];
  const folder = folders.find((candidate) => isWritable(context, candidate));
  if (folder === undefined) return undefined;
  const base = `${folder === "/" ? "" : folder}/hello`;
  for (let number = 1; ; number++) {
    const path = `${base}${number === 1 ? "" : `-${number}`}.md`;
    if (!taken.has(path)) return path;
  }
}

/** Whether a change there is allowed, as far as the mounts and the instructions tell. */
export function isWritable(context: PlanContext, path: string): boolean {
  const { neverWrite, forbiddenPaths, allowedPaths } = context.directives;
  if (neverWrite || forbiddenPaths.some((prefix) => isUnder(path, prefix))) return false;
  if (allowedPaths.length > 0 && !allowedPaths.some((prefix) => isUnder(path, prefix))) return false;
  const mount = context.mounts
    .filter(({ prefix }) => isUnder(path, prefix))
    .toSorted((a, b) => b.prefix.length - a.prefix.length)[0];
  return mount === undefined ? context.mounts.length === 0 : !mount.readOnly;
}

function lookingRows(context: PlanContext, { top, text }: Places): Row[] {
  const row: string[] = [];
  if (context.has("LS") || context.has("Glob")) row.push(`list ${safe(top)}`);
  if (context.has("Read") && text !== undefined) row.push(`read ${safe(text)}`, `summarise ${safe(text)}`);
  return [row];
}

function searchingRows(context: PlanContext, { top, sources, symbol, hasMarkdown }: Places): Row[] {
  const found: string[] = [];
  const counted: string[] = [];
  if (context.has("Grep")) {
    found.push(`find the TODOs${within(sources)}`);
    if (symbol !== undefined) found.push(`which files mention ${symbol}?`);
    counted.push(`how many TODOs are in ${safe(sources)}`);
  }
  if (context.has("Glob")) {
    if (hasMarkdown) found.push("find all markdown files");
    counted.unshift(`how many files are in ${safe(top)}`);
  }
  return [found, counted];
}

function changingRows(context: PlanContext, { sources, symbol, fresh }: Places): Row[] {
  const canEdit = context.has("Read") && (context.has("StrReplace") || context.has("Write"));
  const inSources: string[] = [];
  const made: string[] = [];
  const fixed: string[] = [];
  if (canEdit && context.has("Grep") && isWritable(context, sources)) {
    inSources.push(`replace "TODO" with "LATER"${within(sources)}`);
    if (symbol !== undefined) inSources.unshift(`rename ${symbol} to ${symbol}2${within(sources)}`);
    fixed.push(`fix the first TODO${within(sources)} and note it in the changelog`);
  }
  if (context.has("Write") && fresh !== undefined) {
    made.push(`create ${safe(fresh)} with "Hello"`);
    if (canEdit) made.push(`append "One more line" to ${safe(fresh)}`);
    if (context.has("Delete") && !context.directives.neverDelete) made.push(`delete ${safe(fresh)}`);
  }
  return [fixed, inSources, made];
}

function exactRows(context: PlanContext, { top, text }: Places): Row[] {
  const rows: Row[] = context.has("Shell") ? [["run `ls`"]] : [];
  const call = context.has("Read") && text !== undefined ? (["Read", text] as const) : (["LS", top] as const);
  if (!context.has(call[0])) return rows;
  return [...rows, [`[[tool:${call[0]} ${JSON.stringify({ path: call[1] })}]] makes exactly this call`]];
}

function within(folder: string): string {
  return folder === "/" ? "" : ` in ${safe(folder)}`;
}

/** A path as it can be written in a request. */
function safe(path: string): string {
  return /^[\w/.@-]+$/.test(path) ? path : `"${path}"`;
}
