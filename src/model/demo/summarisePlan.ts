import { escapeRegex } from "./findingIntent";
import type { Intent } from "./intent";
import { failureWords, listFolder, readFile, readFiles } from "./lookups";
import type { Plan } from "./plan";
import { inCode, plural, type PlanContext } from "./planContext";
import { findHits } from "./searchPlans";
import { summaryOf } from "./summaryOf";

const READ_AT_MOST = 3;

export function* summarisePlan(context: PlanContext, intent: Extract<Intent, { kind: "summarise" }>): Plan<void> {
  if (intent.name !== undefined) {
    yield* explainName(context, intent.name, intent.paths[0]);
    return;
  }
  if (intent.paths.length === 0) {
    const reads = context.reads.size > 0 ? context.reads : context.earlierReads;
    if (reads.size === 0) context.note("I have read nothing yet that I could summarise: name a file or a folder.");
    for (const [path, read] of reads) context.note(summaryOf(path, read));
    return;
  }
  for (const path of intent.paths) {
    if (path.includes("*") || /\.[^/.]+$/.test(path)) {
      const found = yield* readFile(context, path);
      if (found) context.note(summaryOf(found.path, found.read));
    } else yield* summariseFolder(context, path);
  }
}

function* summariseFolder(context: PlanContext, path: string): Plan<void> {
  const listing = yield* listFolder(
    context,
    path,
    context.say("I look at what is there.", "A look at the folder first."),
  );
  if (!listing) return;
  const { items: entries, fileCount, more } = listing;
  const files = entries.filter((entry) => !entry.endsWith("/"));
  // `LICENSE` has no extension and is a file all the same.
  if (entries.length === 0) {
    const [result] = yield* readFiles(context, [path]);
    if (result && "read" in result) context.note(summaryOf(path, result.read));
    else context.note(`${path} is empty.`);
    return;
  }
  context.note(
    `${path} holds ${plural(fileCount, "file")} in ${more === 0 ? "" : "at least "}${plural(entries.length - files.length, "folder")}, most of ${more === 0 ? "them" : "those shown"} ${commonKinds(files)}.`,
  );
  const telling = files.filter((file) => /\/(?:README[^/]*|package\.json|index\.\w+|main\.\w+)$/i.test(file));
  const shallow = telling.toSorted((a, b) => a.split("/").length - b.split("/").length).slice(0, READ_AT_MOST);
  if (!context.has("Read") || shallow.length === 0) return;
  for (const result of yield* readFiles(context, shallow)) {
    context.note(
      "read" in result ? summaryOf(result.path, result.read) : failureWords("read", result.path, result.failed),
    );
  }
}

function commonKinds(files: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const file of files) {
    const kind = /\.[^/.]+$/.exec(file)?.[0] ?? "without extension";
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const ranked = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, READ_AT_MOST);
  return ranked.map(([kind, count]) => `${kind} (${count})`).join(", ") || "none";
}

const LINES_AROUND = 6;

/** Finds where a name is defined and shows the place. */
function* explainName(context: PlanContext, name: string, path: string | undefined): Plan<void> {
  const pattern = String.raw`\b(function|class|const|let|var|interface|type|enum|def|fn|struct|func)\s+${escapeRegex(name)}\b`;
  const findings = yield* findHits(
    context,
    { pattern, label: `the definition of ${name}`, path, caseInsensitive: false },
    name,
  );
  const hit = findings?.hits[0];
  if (!findings || !hit) {
    if (findings) context.note(`I found no definition of ${inCode(name)}.`);
    return;
  }
  const found = yield* readFile(context, hit.path);
  if (!found) return;
  const { lines, firstLine } = found.read;
  const at = hit.lineNumber - firstLine;
  const comment = lines
    .slice(Math.max(0, at - LINES_AROUND), at)
    .findLast((line) => /^\s*(?:\/\/|\/?\*+|#|""")\s*\p{L}/u.test(line) || /\/\*\*.*\*\//.test(line));
  const says =
    comment === undefined ? "" : ` The comment above it says: ${comment.replaceAll(/^[\s/*#"]+|[\s*/"]+$/g, "")}`;
  context.sources.add(`${hit.path}:${hit.lineNumber}`);
  context.note(`${inCode(name)} is defined at ${hit.path}:${hit.lineNumber}: ${inCode(hit.line)}.${says}`);
}
