import { QUOTED, VERBS, type Clause } from "./clauses";

/** A file or folder a clause names, and where. */
export interface Target {
  /** Absolute, or a Glob pattern starting with `**` for a name without a place. */
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

const EXTENSIONS =
  "md|mdx|txt|ts|tsx|mts|cts|js|jsx|mjs|cjs|json|jsonl|ndjson|css|scss|html?|py|rs|go|java|kt|c|h|cc|cpp|hpp|cs|rb|php|sh|ya?ml|toml|csv|tsv|xml|svg|sql|log|ini|env|lock|png|jpe?g|gif|webp|pdf|tmp|bak";
const STOP = "and|then|with|to|in|into|for|from|about|by|as|is|are|using|containing|saying|that|which|on|of|the";

const ABSOLUTE = new RegExp(
  // A folder with spaces in it is taken whole when a file name ends it: `/docs/My notes/plan b.md`.
  `(?<![\\p{L}\\p{N}_:/.~>])@?/(?:(?![^\\s,;]*\\.(?:${EXTENSIONS})(?![\\p{L}\\p{N}]))[^\\s,;:!?"'\`()\\uE000]*(?: (?!(?:${STOP}|${VERBS})\\b(?!\\.(?:${EXTENSIONS})(?![\\p{L}\\p{N}])))[^\\s,;:!?"'\`()\\uE000]+){1,5}\\.(?:${EXTENSIONS})(?![\\p{L}\\p{N}])|[^\\s,;:!?"'\`()<>\\uE000]*)`,
  "giu",
);
const RELATIVE = new RegExp(
  `(?<![\\p{L}\\p{N}_/.:*@-])@?(?:(?:\\.{1,2}/)?(?:[\\p{L}\\p{N}_.*@-]+/)*[\\p{L}\\p{N}_*-][\\p{L}\\p{N}_.*-]*\\.(?:${EXTENSIONS})|(?:[\\p{L}\\p{N}_.-]+/)+)(?![\\p{L}\\p{N}_/])`,
  "giu",
);
const FOLDER_AFTER =
  /\b(?:in|under|inside|within|from|of|at|across)\s+(?:the\s+)?((?:[\p{L}\p{N}_.-]+\/)+[\p{L}\p{N}_.-]+|[\p{L}\p{N}_.-]+(?=\s+(?:folder|directory)\b))/giu;
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:the\s+)?change ?logs?\b/gi, "**/CHANGELOG*"],
  [/\b(?:the\s+)?read ?me(?: file)?\b(?!\.)/gi, "**/README*"],
  [/\b(?:the\s+)?licen[sc]e(?: file)?\b(?!\.)/gi, "**/LICENSE*"],
  [
    /\b(?:the\s+root(?: folder| directory)?|everything|this (?:project|repo(?:sitory)?)|the (?:whole )?(?:project|repo(?:sitory)?|tree))\b/gi,
    "/",
  ],
];

const ENDING = `\\.(?:${EXTENSIONS})(?![\\p{L}\\p{N}])`;
const CONTENT_TIE = "(?:with|containing|saying|that|which)\\b";
const WHOLE_PATH = `@?/(?:(?!${ENDING}|\\s/|\\s${CONTENT_TIE})[^,;:!?"'\`()\\uE000\\n])*${ENDING}(?=\\s*$|\\s*[:=]|\\s+${CONTENT_TIE})`;
/** What ties a place to a word such as `everything`. */
const WITHIN = /^\s+(?:in|under|below|inside|within|from|of|at)\s+(?:the\s+)?(?:folder\s+|directory\s+)?$/i;

/** Characters of a clause in which files are looked for: what is longer is content, and belongs in quotes. */
const READ_CHARACTERS = 4_000;

/** Every file or folder the clause names, in order; quoted texts that look like paths are taken too. */
export function targetsIn(clause: Clause): Target[] {
  const found: Target[] = [];
  const text = clause.text.slice(0, READ_CHARACTERS);
  const add = (path: string, start: number, end: number): void => {
    if (!found.some((other) => start < other.end && other.start < end)) found.push({ path, start, end });
  };
  for (const match of text.matchAll(new RegExp(QUOTED, "g"))) {
    const value = clause.quotes.unquote(match[0]);
    if (looksLikePath(value)) add(normalPath(value), match.index, match.index + match[0].length);
  }
  for (const match of text.matchAll(ABSOLUTE)) {
    const path = match[0].replace(/(?:['’]s|[.…])+$/u, "");
    if (path !== "") add(normalPath(path), match.index, match.index + path.length);
  }
  for (const match of text.matchAll(RELATIVE)) {
    const path = match[0];
    const name = path.replace(/^@/, "");
    // A bare name says no place: it is looked for at the root first, then anywhere.
    add(
      name.includes("*") && !name.includes("/") ? `**/${name}` : normalPath(name),
      match.index,
      match.index + path.length,
    );
  }
  for (const match of text.matchAll(FOLDER_AFTER)) {
    const path = match[1] ?? "";
    const start = match.index + match[0].length - path.length;
    if (path !== "" && !/^(?:the|a|this|that|each|all)$/i.test(path)) add(normalPath(path), start, start + path.length);
  }
  for (const [pattern, path] of NAMES) {
    for (const match of text.matchAll(pattern)) add(path, match.index, match.index + match[0].length);
  }
  const inOrder = found.toSorted((a, b) => a.start - b.start);
  // `everything in /src` names one place.
  return inOrder.filter(({ path, end }, index) => {
    const next = inOrder[index + 1];
    return path !== "/" || next === undefined || !WITHIN.test(text.slice(end, next.start));
  });
}

/** The clause's text without its targets and the words that tie them in. */
export function textWithoutTargets(clause: Clause, targets: readonly Target[]): string {
  let text = clause.text;
  for (const target of targets.toReversed()) {
    const before = text
      .slice(0, target.start)
      .replace(
        /\s*\b(?:in|under|inside|within|from|at|across|through|throughout|of|to|into)?\s*(?:all of\s+)?(?:the\s+)?(?:files?\s+|folder\s+|directory\s+)?$/i,
        " ",
      );
    text = `${before} ${text.slice(target.end).replace(/^\s*(?:folder|directory|file)\b/i, "")}`;
  }
  return text.replaceAll(/\s+/g, " ").trim();
}

/**
 * The path that begins at `start` and goes to its file ending, whatever words are in it; only where the clause ends there
 * or goes on with what the file is to hold, so that nothing else can be meant.
 */
export function wholePathAt(text: string, start: number): Target | undefined {
  const found = new RegExp(WHOLE_PATH, "iuy");
  found.lastIndex = start;
  const path = found.exec(text.slice(0, READ_CHARACTERS))?.[0];
  return path === undefined ? undefined : { path: normalPath(path), start, end: start + path.length };
}

function looksLikePath(value: string): boolean {
  if (value.includes("\n") || value === "") return false;
  if (/^\/[^/\s*]*(?:\/|$)/.test(value) && !/^\/.*\/[a-z]*$/.test(value)) return true;
  if (/^\/[^\n]*[^/]$/.test(value) && /^\/[\p{L}\p{N}_. -]/u.test(value)) return true;
  return new RegExp(`^(?:[\\p{L}\\p{N}_. -]+/)*[\\p{L}\\p{N}_. *-]+\\.(?:${EXTENSIONS})$`, "iu").test(value);
}

/** Absolute, single slashes, no trailing one; a leading `./` or `@` goes. */
export function normalPath(path: string): string {
  const parts = path
    .replace(/^@/, "")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  return `/${parts.join("/")}`;
}
