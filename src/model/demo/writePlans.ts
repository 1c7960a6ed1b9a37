import { limits } from "../../base";
import { applyEdit } from "./applyEdit";
import { exactEdit } from "./exactEdit";
import type { Content, Intent } from "./intent";
import { noFolderWords } from "./intentWords";
import {
  CALLS_A_STEP,
  failureWords,
  filesByName,
  findByName,
  listFolder,
  lookBefore,
  nearestFirst,
  parentOf,
  placeOf,
  projectRoot,
  readFile,
  readFiles,
} from "./lookups";
import type { Plan, PlannedCall } from "./plan";
import { inCode, plural, type PlanContext } from "./planContext";
import { isWritable } from "./requestExamples";
import { isTaken } from "./takenPlace";
import { summaryOf } from "./summaryOf";
import { failureKind, linesFromRead, type ReadLines } from "./toolTexts";

type IntentOf<Kind extends Intent["kind"]> = Extract<Intent, { kind: Kind }>;

export function* createPlan(context: PlanContext, intent: IntentOf<"create">): Plan<void> {
  const fileText = yield* textFromContent(context, intent.content, intent.path);
  if (fileText === undefined) return;
  if (intent.overwrite !== true && (yield* isTaken(context, intent.path, "I did not write it"))) return;
  yield* lookBefore(context, intent.path, false);
  yield* write(context, intent.path, fileText, `I wrote ${intent.path} (${plural(linesOf(fileText), "line")}).`);
}

function* write(context: PlanContext, path: string, fileText: string, done: string): Plan<boolean> {
  const outcome = yield* context.call("Write", { path, fileText });
  if (outcome.failed) {
    context.note(noMountWords(context, path, outcome.text) ?? failureWords("write", path, outcome));
    return false;
  }
  context.note(done);
  context.reads.set(path, { lines: fileText.replace(/\n$/, "").split("\n"), firstLine: 1, complete: true });
  context.sources.add(path);
  context.lastPath = path;
  context.changes.push({ path, words: `Wrote ${path}.` });
  return true;
}

/** Outside all mounts no file can be: where it can, as far as that is known. */
function noMountWords(context: PlanContext, path: string, text: string): string | undefined {
  if (!/\bno mount for path\b/.test(text)) return undefined;
  const places = context.mounts.filter(({ prefix }) => isWritable(context, prefix)).map(({ prefix }) => prefix);
  const [first] = places;
  const where = first === undefined ? "" : ` Files can be under ${places.join(" and ")}, for example ${first}${path}.`;
  return `I could not write ${path}: it is in none of the mounts.${where}`;
}

/** The text a person described; `undefined` when it could not be made, which is then noted. */
function* textFromContent(context: PlanContext, content: Content, path: string): Plan<string | undefined> {
  switch (content.from) {
    case "text":
      return content.text;
    case "nothing": {
      const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
      return path.endsWith(".md") ? `# ${name.charAt(0).toUpperCase()}${name.slice(1)}\n` : "";
    }
    case "summary": {
      if (content.path === undefined && context.reads.size === 0) {
        context.note("I have read nothing yet that I could summarise.");
        return undefined;
      }
      if (content.path !== undefined) return yield* summaries(context, [content.path, ...(content.others ?? [])]);
      const reads = [...context.reads];
      return `${reads.map(([file, read]) => summaryOf(file, read)).join("\n\n")}\n`;
    }
    case "listing": {
      const listing = yield* listFolder(context, content.path ?? context.scope ?? "/");
      return listing && `${listing.items.map((entry) => `- ${entry}`).join("\n")}\n`;
    }
    default: {
      const { findings } = context;
      if (findings)
        return `${[`# ${findings.label}`, "", ...findings.hits.map((hit) => `- ${hit.path}:${hit.lineNumber} ${inCode(hit.line)}`)].join("\n")}\n`;
      const said = context.notes.flatMap(({ text, details = [] }) => [text, ...details.map((detail) => `- ${detail}`)]);
      if (said.length > 0) return `${said.join("\n")}\n`;
      context.note("There are no results yet that I could write down.");
      return undefined;
    }
  }
}

/** `undefined` when one of the files cannot be read, which is then noted. */
function* summaries(context: PlanContext, paths: readonly string[]): Plan<string | undefined> {
  const texts: string[] = [];
  for (const path of paths) {
    const found = yield* readFile(context, path);
    if (!found) return undefined;
    texts.push(summaryOf(found.path, found.read));
  }
  return `${texts.join("\n\n")}\n`;
}

function linesOf(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}

export function* appendPlan(context: PlanContext, intent: IntentOf<"append">): Plan<void> {
  const place = yield* placeOf(context, intent.path);
  if (place === undefined) return;
  const text = yield* textFromContent(context, intent.content, place);
  if (text === undefined) return;
  const [result] = yield* readFiles(context, [place]);
  if (result && "failed" in result) {
    if (failureKind(result.failed) !== "missing") {
      context.note(failureWords("read", place, result.failed));
      return;
    }
    yield* write(
      context,
      place,
      endedLine(text),
      `There was no ${place}, so I made it (${plural(linesOf(text), "line")}).`,
    );
    return;
  }
  if (!result) return;
  const end = yield* readToEnd(context, place, result.read, intent.atStart);
  yield* extend(context, place, end, text, intent.atStart);
}

/** The part of a long file that is to be extended. */
function* readToEnd(context: PlanContext, path: string, read: ReadLines, atStart: boolean): Plan<ReadLines> {
  if (read.complete || atStart) return read;
  const outcome = yield* context.call("Read", { path, offset: -40 });
  return outcome.failed ? read : linesFromRead(outcome.text);
}

function* extend(context: PlanContext, path: string, read: ReadLines, text: string, atStart: boolean): Plan<boolean> {
  const { lines } = read;
  const added = text.replace(/\n$/, "").split("\n");
  if (lines.every((line) => line.trim() === "")) {
    return yield* write(context, path, endedLine(text), `${path} was empty: I wrote ${plural(added.length, "line")}.`);
  }
  const at = atStart ? 0 : lines.findLastIndex((line) => line !== "");
  const line = lines[at] ?? "";
  const end = line.endsWith("\r") ? "\r" : "";
  const more = added.map((piece) => piece + end);
  const edit = exactEdit(lines, at, atStart ? [...more, line] : [line, ...more]);
  const isMade = (yield* applyEdit(context, path, edit)) !== undefined;
  if (isMade) {
    noteAdded(context, path, added.length, atStart);
    context.changes.push({ path, words: `Added to ${path}: ${inCode(text)}.` });
  }
  return isMade;
}

/** One note a file, with the sum of what was added to it in this request. */
function noteAdded(context: PlanContext, path: string, lines: number, atStart: boolean): void {
  const before = context.added.get(path);
  const sum = { lines: lines + (before?.lines ?? 0), atStart: atStart && (before?.atStart ?? true) };
  const words = (count: typeof sum): string =>
    `I added ${plural(count.lines, "line")} to ${path}${count.atStart ? ", at the start" : ""}.`;
  const earlier = before === undefined ? -1 : context.notes.findIndex(({ text }) => text === words(before));
  if (earlier >= 0) context.notes.splice(earlier, 1);
  context.note(words(sum));
  context.added.set(path, sum);
}

function endedLine(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

/** Adds an entry to the changelog: the one nearest to what was changed, or a new one. */
export function* notePlan(context: PlanContext, intent: IntentOf<"note">): Plan<void> {
  const said = intent.text === undefined ? context.changes.map(({ words }) => words) : [intent.text];
  const entries = said.filter((entry) => entry.trim() !== "");
  if (entries.length === 0) {
    context.note(
      intent.text === undefined
        ? "I changed nothing, so there is nothing to note."
        : "There is nothing in that to note.",
    );
    return;
  }
  const near = context.changes[0]?.path ?? context.scope ?? "/";
  const root = projectRoot(near);
  const named = intent.path ?? "**/CHANGELOG*";
  const isPattern = named.includes("*");
  const existing = isPattern && context.has("Glob") ? yield* nearestChangelog(context, named, root, near) : undefined;
  const path = existing ?? (isPattern ? `${root === "/" ? "" : root}/CHANGELOG.md` : named);
  const bullets = entries.map((entry) => `- ${entry.charAt(0).toUpperCase()}${entry.slice(1)}`);
  const fresh = `# Changelog\n\n## Unreleased\n\n${bullets.join("\n")}\n`;
  if (isPattern && existing === undefined && context.has("Glob")) {
    yield* write(context, path, fresh, `There was no changelog, so I began one at ${path}.`);
    return;
  }
  const [result] = yield* readFiles(context, [path], context.say("Now the changelog.", "I note it."));
  if (!result) return;
  if ("failed" in result) {
    if (failureKind(result.failed) === "missing") yield* write(context, path, fresh, `I began ${path} with a note.`);
    else context.note(failureWords("read", path, result.failed));
    return;
  }
  yield* addEntries(context, path, result.read, bullets);
}

/** The project's own, or one at the very top of the tree. */
function* nearestChangelog(context: PlanContext, glob: string, root: string, near: string): Plan<string | undefined> {
  const [own] = nearestFirst(yield* filesByName(context, glob, root), near);
  if (own !== undefined || root === "/") return own;
  return (yield* filesByName(context, glob.replace(/^\*\*\//, ""), "/"))[0];
}

function* addEntries(context: PlanContext, path: string, read: ReadLines, bullets: readonly string[]): Plan<void> {
  const { lines } = read;
  if (lines.length === 0) {
    yield* write(context, path, `# Changelog\n\n## Unreleased\n\n${bullets.join("\n")}\n`, `I noted it in ${path}.`);
    return;
  }
  const end = lines[0]?.endsWith("\r") ? "\r" : "";
  const put = (pieces: readonly string[]): string[] => pieces.map((piece) => piece + end);
  const unreleased = lines.findIndex((line) => /^##+\s*\[?unreleased\]?/i.test(line));
  const release = lines.findIndex((line) => /^##\s/.test(line));
  let edit;
  if (unreleased >= 0) {
    const hasGap = (lines[unreleased + 1] ?? "").trim() === "" && unreleased + 1 < lines.length;
    const at = hasGap ? unreleased + 1 : unreleased;
    edit = exactEdit(lines, at, [lines[at] ?? "", ...put(hasGap ? bullets : ["", ...bullets])]);
  } else if (release >= 0) {
    edit = exactEdit(lines, release, [...put(["## Unreleased", "", ...bullets, ""]), lines[release] ?? ""]);
  } else {
    const last = Math.max(
      0,
      lines.findLastIndex((line) => line.trim() !== ""),
    );
    edit = exactEdit(lines, last, [lines[last] ?? "", ...put(["", "## Unreleased", "", ...bullets])]);
  }
  if (yield* applyEdit(context, path, edit)) context.note(`I noted it in ${path}.`);
}

export function* deletePlan(context: PlanContext, intent: IntentOf<"delete">): Plan<void> {
  const last = context.lastPath;
  const asked = intent.paths.length > 0 ? intent.paths : last === undefined ? [] : [last];
  const paths: string[] = [];
  for (const path of asked) {
    if (!path.includes("*")) paths.push(path);
    else paths.push(...(yield* filesMatching(context, path)));
  }
  if (paths.length === 0) {
    if (asked.length === 0) context.note("I did not understand which file to delete.");
    return;
  }
  for (const path of paths.slice(0, 1)) yield* lookBefore(context, path, paths.length === 1);
  const deleted: string[] = [];
  for (let start = 0; start < paths.length && start < limits.demoFiles; start += CALLS_A_STEP) {
    const batch = paths.slice(start, start + CALLS_A_STEP);
    const outcomes = yield* context.callAll(
      batch.map((path): PlannedCall => ({ toolName: "Delete", input: { path } })),
    );
    for (const [index, outcome] of outcomes.entries()) {
      const path = batch[index] ?? "";
      if (!outcome.failed) deleted.push(path);
      else yield* tellNotDeleted(context, path, outcome);
    }
  }
  for (const path of deleted) context.changes.push({ path, words: `Deleted ${path}.` });
  if (deleted.length === 1) context.note(`I deleted ${deleted[0]}.`);
  else if (deleted.length > 1) context.note(`I deleted ${plural(deleted.length, "file")}:`, deleted);
  if (paths.length > limits.demoFiles)
    context.note(`${plural(paths.length - limits.demoFiles, "file")} are left: ask me again to go on.`);
}

function* tellNotDeleted(context: PlanContext, path: string, outcome: Parameters<typeof failureWords>[2]): Plan<void> {
  const kind = failureKind(outcome);
  if (kind === "missing") {
    const other = yield* findByName(context, path, true);
    // A guess is good enough to read, never to delete.
    context.note(
      other === undefined ? `There is no ${path}.` : `There is no ${path}. Say "delete ${other}" if you mean that one.`,
    );
  } else if (kind === "not-a-file") {
    context.note(
      `I left ${path} as it is: it is a folder, and I delete single files. Say "delete ${path === "/" ? "" : path}/**" for all files in it.`,
    );
  } else {
    context.note(failureWords("delete", path, outcome));
  }
}

function* filesMatching(context: PlanContext, pattern: string): Plan<string[]> {
  const parts = pattern.split("/");
  const first = parts.findIndex((part) => part.includes("*"));
  const directory = parts.slice(0, first).join("/") || "/";
  const files = yield* filesByName(context, parts.slice(first).join("/"), directory);
  if (files.length === 0) context.note(`No file matches ${pattern}.`);
  return files;
}

/** Moves or copies a file by reading it and writing it anew; only one that Read shows whole. */
export function* moveFilePlan(context: PlanContext, intent: IntentOf<"moveFile">): Plan<void> {
  const found = yield* readFile(context, intent.from, "", noFolderWords(intent.keep));
  if (!found) return;
  if (!found.read.complete) {
    context.note(`I left ${found.path} as it is: Read does not show all of it, and I can only write what I see.`);
    return;
  }
  const name = found.path.slice(found.path.lastIndexOf("/") + 1);
  let to =
    /\.[^/.]+$/.test(intent.to) || !/\.[^/.]+$/.test(name)
      ? intent.to
      : `${intent.to === "/" ? "" : intent.to}/${name}`;
  if (intent.beside === true && !intent.keep) to = joinedTo(parentOf(found.path), intent.to);
  if (to === found.path) {
    context.note(`${found.path} is called so already.`);
    return;
  }
  const notDone = `I did not ${intent.keep ? "copy" : "move"} ${found.path}`;
  if (intent.overwrite !== true && (yield* isTaken(context, to, notDone))) return;
  const fileText = found.read.lines.length === 0 ? "" : `${found.read.lines.join("\n")}\n`;
  if (!(yield* write(context, to, fileText, `I copied ${found.path} to ${to}.`)) || intent.keep) return;
  const outcome = yield* context.call("Delete", { path: found.path });
  context.notes.pop();
  context.changes.pop();
  context.changes.push({
    path: to,
    words: outcome.failed ? `Copied ${found.path} to ${to}.` : `Moved ${found.path} to ${to}.`,
  });
  if (outcome.failed) context.note(`${to} is written, but ${failureWords("delete", found.path, outcome)}`);
  else context.note(`I moved ${found.path} to ${to}.`);
}

function joinedTo(folder: string, path: string): string {
  return `${folder === "/" ? "" : folder}${path}`;
}
