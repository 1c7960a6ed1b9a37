import { limits } from "../../base";
import type { Intent } from "./intent";
import { WORD } from "./findingIntent";
import { CALLS_A_STEP, failureWords, findByName, listFolder, readFile, readFiles } from "./lookups";
import { isMissingPlace } from "./missingPlace";
import { readFolder } from "./readFolder";
import type { Plan } from "./plan";
import { inCode, plural, type Findings, type PlanContext } from "./planContext";
import { stemsOf } from "./stemsOf";
import { countsFromGrep, failureKind, hitsFromGrep, pathsFromText, type Hit } from "./toolTexts";

type IntentOf<Kind extends Intent["kind"]> = Extract<Intent, { kind: Kind }>;
type Search = Pick<IntentOf<"find">, "pattern" | "label" | "path" | "caseInsensitive"> & {
  /** Every hit counts: a survey of some files will not do. */
  readonly isExhaustive?: boolean;
};

const FILES_NAMED = 3;

export function* findPlan(context: PlanContext, intent: IntentOf<"find">): Plan<void> {
  const findings = yield* findHits(context, { ...intent, isExhaustive: intent.byFile === true }, "");
  if (!findings) return;
  if (intent.byFile === true) noteFiles(context, findings);
  else noteFindings(context, findings);
}

/** Says which files hold what was looked for. */
function noteFiles(context: PlanContext, { hits, more, label, path }: Findings): void {
  const counts = new Map<string, number>();
  for (const hit of hits) counts.set(hit.path, (counts.get(hit.path) ?? 0) + 1);
  const place = path === "/" ? "" : ` in ${path}`;
  if (counts.size === 0) context.note(`No file${place} mentions ${inCode(label)}.`);
  else
    context.note(
      `${more === 0 ? "" : "At least "}${plural(counts.size, "file")} mention${counts.size === 1 ? "s" : ""} ${inCode(label)}${place}:`,
      [...counts].map(([file, count]) => `${file} (${plural(count, "line")})`),
    );
  for (const file of [...counts.keys()].slice(0, CALLS_A_STEP)) context.sources.add(file);
}

/** Says what was found: how many, in how many files, and where. */
export function noteFindings(context: PlanContext, { hits, more, label, path }: Findings): void {
  const place = path === "/" ? "" : ` in ${path}`;
  if (hits.length === 0) {
    context.note(`I found no hit for ${inCode(label)}${place}.`);
    return;
  }
  const files = new Set(hits.map((hit) => hit.path));
  const count = more === undefined ? `at least ${plural(hits.length, "hit")}` : plural(hits.length + more, "hit");
  const shown = !more ? "" : ` I was shown ${hits.length} of them.`;
  context.note(
    `I found ${count} for ${inCode(label)}${place}, in ${more === 0 ? "" : "at least "}${plural(files.size, "file")}.${shown}`,
    hits.map((hit) => `${hit.path}:${hit.lineNumber} ${inCode(hit.line)}`),
    more,
  );
  for (const hit of hits.slice(0, CALLS_A_STEP)) context.sources.add(`${hit.path}:${hit.lineNumber}`);
}

/**
 * Finds lines: with Grep, or by listing and reading where the instructions want that. Remembered for the clauses after.
 * `topic` helps to choose what to read. `undefined` when the search itself failed, which is then noted.
 */
export function* findHits(context: PlanContext, search: Search, ownTopic: string): Plan<Findings | undefined> {
  const path = search.path ?? context.scope ?? "/";
  const topic = ownTopic || context.topic;
  let found: Findings | undefined;
  const canSurvey =
    !(search.isExhaustive && context.has("Grep")) && context.has("Read") && (context.has("LS") || context.has("Glob"));
  if (context.directives.readWidely && canSurvey && !context.directives.searchFirst) {
    found = yield* surveyHits(context, search, path, topic);
    if (found && !holdsTopic(found.hits, topic) && context.has("Grep")) {
      found = yield* grepHits(context, search, path, false);
    }
  } else {
    found = yield* grepHits(context, search, path, true);
  }
  if (found?.hits.length === 0 && (yield* isMissingPlace(context, search.path))) return undefined;
  if (found) {
    context.findings = found;
    const [first] = found.hits;
    if (first) context.lastPath = first.path;
    if (search.path !== undefined) context.scope = search.path;
  }
  return found;
}

/** Whether what was read holds what was looked for, as far as the topic tells. */
function holdsTopic(hits: readonly Hit[], topic: string): boolean {
  const stems = stemsOf(topic);
  return hits.some(({ line }) => stems.length === 0 || stems.some((stem) => line.toLowerCase().includes(stem)));
}

function* grepHits(context: PlanContext, search: Search, path: string, isFirst: boolean): Plan<Findings | undefined> {
  const text = isFirst
    ? context.say(
        `I'll look for ${search.label} first.`,
        `Searching for ${search.label} first.`,
        `First, where is ${search.label}?`,
      )
    : context.say("It is in none of these, so I search.", "Not in these: I search.");
  const input = {
    pattern: search.pattern,
    ...(path === "/" ? {} : { path }),
    ...(search.caseInsensitive ? { caseInsensitive: true } : {}),
  };
  const outcome = yield* context.call("Grep", input, text);
  if (outcome.failed) {
    const other = failureKind(outcome) === "missing" && isFirst ? yield* findByName(context, path) : undefined;
    if (other !== undefined) return yield* grepHits(context, search, other, false);
    context.note(failureWords("search", path, outcome));
    return undefined;
  }
  const { items, more } = hitsFromGrep(outcome.text);
  for (const hit of items) context.searched.add(hit.path);
  return { label: search.label, pattern: search.pattern, path, hits: items, more };
}

/** Lists, reads what looks promising, and looks for the lines there. */
function* surveyHits(context: PlanContext, search: Search, path: string, topic: string): Plan<Findings | undefined> {
  const listing = yield* listFolder(
    context,
    path,
    context.say("Let me see what is there.", "I'll have a look around."),
  );
  if (!listing) return undefined;
  const files = promisingFirst(context, listing.items, `${search.label} ${topic}`);
  // How many are read differs by seed: two runs of one instruction text differ a little, as a model's would.
  const count = 3 + Math.floor(context.random() * 3);
  const results = yield* readFiles(
    context,
    files.slice(0, count),
    context.say("I read the files I need.", "Reading a few of them."),
  );
  const pattern = patternOf(search);
  const hits: Hit[] = results.flatMap((result) =>
    "read" in result
      ? result.read.lines.flatMap((line, index) =>
          pattern.test(line) ? [{ path: result.path, lineNumber: result.read.firstLine + index, line }] : [],
        )
      : [],
  );
  const unread = files.length - Math.min(files.length, count);
  return { label: search.label, pattern: search.pattern, path, hits, more: unread > 0 ? undefined : 0 };
}

function promisingFirst(context: PlanContext, entries: readonly string[], words: string): string[] {
  const wanted = stemsOf(words);
  const score = (path: string): number => {
    const name = path.toLowerCase();
    const byWords = wanted.filter((stem) => name.includes(stem)).length * 10;
    const isSource = /\.(?:[cm]?[jt]sx?|py|rs|go|java|rb|c|cpp|cs)$/.test(name) ? 4 : 0;
    const isText = /\.(?:md|txt|json|ya?ml)$/.test(name) ? 2 : 0;
    const isMain = /(?:index|main|readme)\b/.test(name) ? 1 : 0;
    return byWords + isSource + isText + isMain - path.split("/").length / 4;
  };
  const ranked = entries
    .filter((entry) => !entry.endsWith("/") && !/\.(?:png|jpe?g|gif|webp|ico|pdf|zip|lock)$/i.test(entry))
    .map((path) => ({ path, score: score(path), chance: context.random() }));
  return ranked.toSorted((a, b) => b.score - a.score || a.chance - b.chance).map(({ path }) => path);
}

function patternOf({ pattern, caseInsensitive }: Search): RegExp {
  try {
    return new RegExp(pattern, caseInsensitive ? "iu" : "u");
  } catch {
    return new RegExp(pattern, caseInsensitive ? "i" : "");
  }
}

export function* findFilesPlan(context: PlanContext, intent: IntentOf<"findFiles">): Plan<void> {
  const path = intent.path ?? context.scope ?? "/";
  const outcome = yield* context.call(
    "Glob",
    globInput(intent.glob, path),
    context.say("I look by name.", "By name, then."),
  );
  if (outcome.failed) {
    context.note(failureWords("search", path, outcome));
    return;
  }
  const { items, more } = pathsFromText(outcome.text);
  if (items.length === 0 && (yield* isMissingPlace(context, intent.path))) return;
  const place = path === "/" ? "" : ` in ${path}`;
  const total = (items.length + (more ?? 0)).toLocaleString("en");
  const count = more === undefined ? `at least ${total}` : total;
  context.note(
    items.length === 0
      ? `No file matches ${intent.label}${place}.`
      : `${count} ${count === "1" ? "file matches" : "files match"} ${intent.label}${place}:`,
    items,
    more,
  );
  for (const file of items.slice(0, FILES_NAMED)) context.sources.add(file);
  if (items.length === 1 && items[0] !== undefined) context.lastPath = items[0];
  if (intent.path !== undefined) context.scope = intent.path;
}

function globInput(globPattern: string, path: string): { globPattern: string; targetDirectory?: string } {
  return path === "/" ? { globPattern } : { globPattern, targetDirectory: path };
}

export function* listPlan(context: PlanContext, intent: IntentOf<"list">): Plan<void> {
  const path = intent.path ?? context.scope ?? "/";
  const listing = yield* listFolder(context, path);
  if (!listing) return;
  context.scope = path;
  context.sources.add(path);
  const { items: entries, more, fileCount, cutFolders } = listing;
  const folders = entries.filter((entry) => entry.endsWith("/")).length;
  const shown = entries.map((entry) => {
    const count = cutFolders.get(entry);
    return count === undefined ? entry : `${entry} (${plural(count, "file")})`;
  });
  if (fileCount === 0 && entries.length === 0) context.note(`${path} is empty.`);
  else
    context.note(
      `${path} holds ${plural(fileCount, "file")} and ${more === 0 ? "" : "at least "}${plural(folders, "folder")}.${more === 0 ? "" : " The listing was cut."}`,
      shown,
      more,
    );
}

export function* countFilesPlan(context: PlanContext, intent: IntentOf<"countFiles">): Plan<void> {
  const path = intent.path ?? context.scope ?? "/";
  const outcome = yield* context.call("Glob", globInput(intent.glob, path));
  if (outcome.failed) {
    context.note(failureWords("count", path, outcome));
    return;
  }
  const { items, more } = pathsFromText(outcome.text);
  if (items.length === 0 && (yield* isMissingPlace(context, intent.path))) return;
  const kind = intent.label === "" ? "" : `${intent.label} `;
  const total = items.length + (more ?? 0);
  context.note(
    `${path} holds ${more === undefined ? "at least " : ""}${total.toLocaleString("en")} ${kind}${total === 1 ? "file" : "files"}.`,
  );
  context.sources.add(path);
  if (intent.path !== undefined) context.scope = intent.path;
}

export function* countMatchesPlan(context: PlanContext, intent: IntentOf<"countMatches">): Plan<void> {
  const path =
    intent.path ??
    context.named ??
    (intent.label === "line" || intent.label === "word" ? context.lastPath : undefined) ??
    context.scope ??
    "/";
  if (intent.pattern === WORD) {
    const found = yield* readFile(context, path);
    if (!found) return;
    const words = found.read.lines.join("\n").match(/\S+/g)?.length ?? 0;
    context.note(`${found.path} holds ${found.read.complete ? "" : "at least "}${plural(words, "word")}.`);
    return;
  }
  const place = path.includes("*") ? yield* readFile(context, path) : { path };
  if (!place) return;
  const input = {
    pattern: intent.pattern,
    ...(place.path === "/" ? {} : { path: place.path }),
    ...(intent.glob === undefined ? {} : { glob: intent.glob }),
    outputMode: "count",
    headLimit: limits.demoCountedFiles,
    ...(intent.caseInsensitive ? { caseInsensitive: true } : {}),
  };
  const outcome = yield* context.call("Grep", input, context.say("I count.", "Counting."));
  if (outcome.failed) {
    context.note(failureWords("count", place.path, outcome));
    return;
  }
  const { items, more } = countsFromGrep(outcome.text);
  if (items.length === 0 && (yield* isMissingPlace(context, place.path))) return;
  const total = items.reduce((sum, { count }) => sum + count, 0);
  const where = place.path === "/" ? "" : ` in ${place.path}`;
  const what =
    intent.label === "line"
      ? `${plural(total, "line")}${intent.languages === undefined ? "" : ` of ${intent.languages}`}`
      : `${plural(total, "line")} with ${inCode(intent.label)}`;
  const files = items.length > 1 ? `, in ${plural(items.length, "file")}` : "";
  const most = items.toSorted((a, b) => b.count - a.count).slice(0, CALLS_A_STEP);
  context.note(
    `There ${total === 1 ? "is" : "are"} ${more === 0 ? "" : "at least "}${what}${where}${files}.`,
    items.length > 1 ? most.map((file) => `${file.path}: ${file.count}`) : [],
  );
  if (intent.ignored !== undefined)
    context.note(`I did not understand “${intent.ignored}”, so the count leaves it aside.`);
  for (const file of most) context.sources.add(file.path);
  if (intent.path !== undefined) context.scope = intent.path;
}

export function* readPlan(context: PlanContext, intent: IntentOf<"read">): Plan<void> {
  const last = context.lastPath === undefined ? [] : [context.lastPath];
  const paths = intent.paths.length > 0 ? intent.paths : last;
  if (paths.length === 0) context.note("Which file? Name its path.");
  const patterns = paths.filter((path) => path.includes("*"));
  const plain = paths.filter((path) => !path.includes("*"));
  if (plain.length > 1) {
    const results = yield* readFiles(context, plain, context.say("I read them.", "Reading them."));
    for (const result of results) {
      if ("read" in result) noteRead(context, result.path);
      else context.note(failureWords("read", result.path, result.failed));
    }
  } else if (plain[0] !== undefined) {
    const [path] = plain;
    if (!/\.[^/.]+$/.test(path) && (yield* readFolder(context, path, noteRead))) return;
    // What is asked for again is read again: it may have changed.
    context.reads.delete(path);
    const found = yield* readFile(context, path);
    if (found) noteRead(context, found.path);
  }
  for (const pattern of patterns) {
    if (pattern.startsWith("/") && pattern.includes("*")) {
      yield* readFolder(context, pattern, noteRead);
      continue;
    }
    const found = yield* readFile(context, pattern);
    if (found) noteRead(context, found.path);
  }
}

const LINES_SHOWN = 12;

function noteRead(context: PlanContext, path: string): void {
  const read = context.reads.get(path);
  if (!read) return;
  const { lines, complete } = read;
  if (lines.length === 0) {
    context.note(`${path} is empty.`);
    return;
  }
  const rest = lines.length - LINES_SHOWN;
  const shown = lines.slice(0, LINES_SHOWN).join("\n");
  const tail = rest > 0 || !complete ? `\n… ${complete ? plural(rest, "more line") : "more lines"}` : "";
  const count = `${complete ? "" : "more than "}${plural(lines.length, "line")}`;
  if (context.directives.shortParagraph)
    context.note(`${path} has ${count} and begins with ${inCode(lines.find((line) => line.trim() !== "") ?? "")}.`);
  else context.note(`${path} (${count}):\n\n${fenced(shown + tail)}`);
}

function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
