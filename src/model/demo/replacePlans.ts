import { limits } from "../../base";
import { applyEdit, applyEdits, type FileEdit } from "./applyEdit";
import { exactEdit, occurrences } from "./exactEdit";
import { escapeRegex } from "./findingIntent";
import type { Intent } from "./intent";
import { failureWords, findByName, lookBefore, placeOf, readFiles, readWhole, type ReadResult } from "./lookups";
import type { Plan } from "./plan";
import { inCode, plural, type PlanContext } from "./planContext";
import { findHits } from "./searchPlans";
import { failureKind } from "./toolTexts";

type IntentOf<Kind extends Intent["kind"]> = Extract<Intent, { kind: Kind }>;

/** Replaces a text in one file straight away, or in a folder wherever it is found. */
export function* replacePlan(context: PlanContext, intent: IntentOf<"replace">): Plan<void> {
  if (intent.oldText === "") {
    context.note("I did not understand which text to replace.");
    return;
  }
  const last = intent.inLast === true ? context.lastPath : undefined;
  const path = intent.path ?? last ?? context.named ?? context.lastPath ?? context.scope ?? "/";
  const place = yield* placeOf(context, path);
  if (place === undefined) return;
  if (/\.[^/.]+$/.test(place)) yield* replaceInFile(context, intent, place);
  else yield* replaceInFolder(context, intent, place);
}

function* replaceInFile(context: PlanContext, intent: IntentOf<"replace">, path: string): Plan<void> {
  const edit = { oldText: intent.oldText, newText: intent.newText };
  if (context.directives.searchFirst && context.has("Grep")) {
    yield* context.call(
      "Grep",
      { pattern: linePattern(intent.oldText), path },
      context.say("I search first.", "First a search."),
    );
    context.searched.add(path);
  }
  yield* lookBefore(context, path, false);
  if (context.directives.lookFirst || context.directives.readWidely || !context.has("StrReplace")) {
    const found = yield* readExisting(context, path);
    if (found === undefined) return;
    yield* editAndTell(context, found, edit, intent.all);
    return;
  }
  const outcome = yield* context.call("StrReplace", { path, ...edit, ...(intent.all ? { replaceAll: true } : {}) });
  if (!outcome.failed) {
    tell(context, path, edit, outcome.text);
    return;
  }
  switch (failureKind(outcome)) {
    case "text-ambiguous":
      yield* editAndTell(context, path, edit, true);
      return;
    case "missing": {
      const other = yield* findByName(context, path);
      if (other === undefined) context.note(`There is no ${path}.`);
      else yield* editAndTell(context, other, edit, intent.all);
      return;
    }
    case "not-a-file":
      yield* replaceInFolder(context, intent, path);
      return;
    case "text-missing":
      yield* tellNearMiss(context, intent, path);
      return;
    default:
      context.note(failureWords("change", path, outcome));
  }
}

function* readExisting(context: PlanContext, path: string): Plan<string | undefined> {
  const [result] = yield* readFiles(context, [path]);
  if (!result) return undefined;
  if ("read" in result) return path;
  const other = failureKind(result.failed) === "missing" ? yield* findByName(context, path) : undefined;
  if (other === undefined) context.note(failureWords("read", path, result.failed));
  else yield* readFiles(context, [other]);
  return other;
}

function* editAndTell(
  context: PlanContext,
  path: string,
  edit: { oldText: string; newText: string },
  all: boolean,
): Plan<void> {
  const read = context.reads.get(path);
  // A text named for one file is meant wherever it stands.
  const everywhere = all || !read || occurrences(read.lines.join("\n"), edit.oldText) > 1;
  const outcome = yield* applyEdit(context, path, edit, { all: everywhere });
  if (outcome) tell(context, path, edit, outcome.text);
}

function tell(context: PlanContext, path: string, edit: { oldText: string; newText: string }, result: string): void {
  const count = /Replaced (\d+)/.exec(result)?.[1];
  const places = count === undefined || count === "1" ? "" : ` in ${count} places`;
  context.sources.add(path);
  context.lastPath = path;
  context.note(
    edit.newText === ""
      ? `I took ${inCode(edit.oldText)} out of ${path}${places}.`
      : `I replaced ${inCode(edit.oldText)} with ${inCode(edit.newText)} in ${path}${places}.`,
  );
  context.changes.push({ path, words: `Replaced ${inCode(edit.oldText)} with ${inCode(edit.newText)} in ${path}.` });
}

/** The text is not there as it was written: it may stand there in other letters. */
function* tellNearMiss(context: PlanContext, intent: IntentOf<"replace">, path: string): Plan<void> {
  context.note(`I left ${path} as it is: it does not hold ${inCode(intent.oldText)}.`);
  if (!context.has("Grep")) return;
  const outcome = yield* context.call("Grep", { pattern: linePattern(intent.oldText), path, caseInsensitive: true });
  const line = /^\d+:(.*)$/m.exec(outcome.text)?.[1];
  if (!outcome.failed && line !== undefined) context.note(`The nearest is ${inCode(line)}, in other letters.`);
}

function* replaceInFolder(context: PlanContext, intent: IntentOf<"replace">, path: string): Plan<void> {
  const search = {
    pattern: linePattern(intent.oldText),
    label: intent.oldText,
    path,
    caseInsensitive: false,
    isExhaustive: true,
  };
  const findings = yield* findHits(context, search, "");
  if (!findings) return;
  const files = [...new Set(findings.hits.map((hit) => hit.path))];
  if (files.length === 0) {
    context.note(`I found no ${inCode(intent.oldText)} in ${path}.`);
    return;
  }
  const edit = { oldText: intent.oldText, newText: intent.newText };
  const changed: string[] = [];
  try {
    const results = yield* readFiles(context, files.slice(0, limits.demoFiles));
    const edits = readable(context, results).map((file) => ({ path: file, edit, all: true }));
    yield* applyEdits(context, edits, changed);
  } finally {
    const what = `I replaced ${inCode(intent.oldText)} with ${inCode(intent.newText)}`;
    tellFiles(context, what, changed, files.length, findings.more);
    const [first] = changed;
    if (first !== undefined) context.changes.push({ path: first, words: `${what.slice(2).replace(/^r/, "R")}.` });
  }
}

/** The files that could be read; a note about each that could not. */
function readable(context: PlanContext, results: readonly ReadResult[]): string[] {
  return results.flatMap((result) => {
    if ("read" in result) return [result.path];
    context.note(failureWords("read", result.path, result.failed));
    return [];
  });
}

/** Renames a name wherever it stands as a whole word; longer names that hold it stay as they are. */
export function* renameSymbolPlan(context: PlanContext, intent: IntentOf<"renameSymbol">): Plan<void> {
  const { from, to } = intent;
  // `\b` knows only the letters of English.
  const isAscii = /^\w+$/.test(from);
  const pattern = isAscii ? String.raw`\b${escapeRegex(from)}\b` : escapeRegex(from);
  const findings = yield* findHits(
    context,
    { pattern, label: from, path: intent.path, caseInsensitive: false, isExhaustive: true },
    from,
  );
  if (!findings) return;
  const files = [...new Set(findings.hits.map((hit) => hit.path))];
  if (files.length === 0) {
    context.note(`I found no ${inCode(from)}${findings.path === "/" ? "" : ` in ${findings.path}`}.`);
    return;
  }
  const changed: string[] = [];
  try {
    const text = context.say("I read each of them.", "Reading each of them.");
    const results = yield* readFiles(context, files.slice(0, limits.demoFiles), text);
    yield* renameInFiles(context, readable(context, results), from, to, changed);
  } finally {
    const [first] = changed;
    if (first !== undefined) context.changes.push({ path: first, words: `Renamed ${inCode(from)} to ${inCode(to)}.` });
    tellFiles(context, `I renamed ${inCode(from)} to ${inCode(to)}`, changed, files.length, findings.more);
  }
}

/** One call does for a file, unless the name is also part of a longer one in it. */
function* renameInFiles(
  context: PlanContext,
  paths: readonly string[],
  from: string,
  to: string,
  changed: string[],
): Plan<void> {
  const simple: FileEdit[] = [];
  const mixed: string[] = [];
  for (const path of paths) {
    const read = yield* readWhole(context, path);
    if (!read?.complete) context.note(`Read does not show all of ${path}: what is beyond stays as it is.`);
    const text = read?.lines.join("\n") ?? "";
    const whole = wholeWords(text, from);
    if (whole === 0) continue;
    if (read?.complete && whole === occurrences(text, from)) {
      simple.push({ path, edit: { oldText: from, newText: to }, all: whole > 1 });
    } else mixed.push(path);
  }
  yield* applyEdits(context, simple, changed);
  for (const path of mixed) if (yield* renameAmongLonger(context, path, from, to)) changed.push(path);
}

/**
 * Renames a name that is also part of longer ones in the same file: each pair of signs it stands between is one
 * replacement everywhere, so that few calls do for many places.
 */
function* renameAmongLonger(context: PlanContext, path: string, from: string, to: string): Plan<boolean> {
  let isChanged = false;
  const text = context.reads.get(path)?.lines.join("\n") ?? "";
  for (const { before, after } of surroundings(text, from)) {
    const edit = { oldText: before + from + after, newText: before + to + after };
    if (!(yield* applyEdit(context, path, edit, { all: true }))) return isChanged;
    isChanged = true;
  }
  // What is left stands at an end of the file, or shares a sign with one that was replaced.
  const word = wholeWord(from);
  for (let index = 0; !wholeWord(from).test(to) && index < (context.reads.get(path)?.lines.length ?? 0); index++) {
    const lines = context.reads.get(path)?.lines ?? [];
    const line = lines[index] ?? "";
    const renamed = line.includes(from) ? line.replaceAll(word, () => to) : line;
    if (renamed === line) continue;
    if (!(yield* applyEdit(context, path, exactEdit(lines, index, [renamed])))) return isChanged;
    isChanged = true;
  }
  return isChanged;
}

function wholeWord(name: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}_$])${escapeRegex(name)}(?![\p{L}\p{N}_$])`, "gu");
}

/** How often a name stands in a text as a whole word. Looks at the places only: every step counts anew. */
function wholeWords(text: string, name: string): number {
  const isPart = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}_$]/u.test(sign);
  let count = 0;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1);
    const after = Array.from(text.slice(at + name.length, at + name.length + 2))[0];
    if (!isPart(before) && !isPart(after)) count += 1;
  }
  return count;
}

/** The different pairs of signs a name stands between as a whole word; places at an end of the text are left out. */
function surroundings(text: string, name: string): { readonly before: string; readonly after: string }[] {
  const place = new RegExp(String.raw`([^\p{L}\p{N}_$])${escapeRegex(name)}(?=([^\p{L}\p{N}_$]))`, "gu");
  const pairs = new Map<string, { before: string; after: string }>();
  const around = 2;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const near = text.slice(Math.max(0, at - around), at + name.length + around);
    for (const [, before = "", after = ""] of near.matchAll(place)) pairs.set(before + after, { before, after });
  }
  return [...pairs.values()];
}

function tellFiles(
  context: PlanContext,
  what: string,
  changed: readonly string[],
  found: number,
  more: number | undefined,
): void {
  if (changed.length > 0)
    context.note(`${what} in ${plural(changed.length, "file")}.`, changed.length > 1 ? changed : [changed[0] ?? ""]);
  const left = found - changed.length;
  if (left > 0)
    context.note(
      `${plural(left, "file")} ${left === 1 ? "is" : "are"} left as ${left === 1 ? "it was" : "they were"}.`,
    );
  if (more !== 0) context.note("There are more hits than I was shown: ask me again to go on.");
}

/** Grep goes line by line: a text of several lines is found by its longest. */
function linePattern(text: string): string {
  const [longest = text] = text.split("\n").toSorted((a, b) => b.length - a.length);
  return escapeRegex(longest);
}
