import { QUOTED, type Clause } from "./clauses";
import type { Intent } from "./intent";
import { languageLines } from "./languageLines";
import { stemsOf } from "./stemsOf";
import { textWithoutTargets, type Target } from "./targets";

const KINDS: Readonly<Record<string, string>> = {
  markdown: "**/*.md",
  typescript: "**/*.{ts,tsx}",
  javascript: "**/*.{js,jsx,mjs,cjs}",
  python: "**/*.py",
  json: "**/*.json",
  css: "**/*.css",
  html: "**/*.html",
  yaml: "**/*.{yml,yaml}",
  text: "**/*.txt",
  image: "**/*.{png,jpg,jpeg,gif,webp,svg}",
  test: "**/*.{test,spec}.*",
  rust: "**/*.rs",
  go: "**/*.go",
};

const LEAD =
  /^(?:find|search(?: for)?|grep(?: for)?|look for|look up|locate|show(?: me)?|list|where (?:is|are|do (?:we|i)|does)|which files?|what files?|get|count|how many)\s*/i;
const FILLER =
  /^(?:all|the|everything|every|any|how|why|when|each|a|an|out|me|of|for|times|places|lines|occurrences? of|uses? of|usages? of|references? to|mentions? of|calls? to|where|that|which|files?(?: that)?|contain(?:s|ing)?|mention(?:s|ing)?|us(?:e|es|ing)|with|say(?:s|ing)?|there are|are there|does|do|is|are|word|string|text|pattern|regex|symbol|function|variable|class)\b\s*/i;
const TRAIL =
  /\s*\b(?:is|are|was|gets?)?\s*(?:used|mentioned|called|referenced|there|appears?|occurs?|exists?|defined|declared|implemented|are there|is there)\b.*$/i;

/** What asks for an explanation is searched by its words: nobody wrote the question down. */
const QUESTION = /^(?:\w+\s+){0,2}(?:for\s+)?(?:how|why|when)\b(?! many\b)/i;

interface Search {
  readonly pattern: string;
  readonly label: string;
  readonly caseInsensitive: boolean;
}

/** Counted by reading: Grep counts lines. */
export const WORD = String.raw`\S+`;

/** The rules for what is searched and counted. */
export const findingIntent = {
  count(
    this: void,
    { text, quotes }: Clause,
    targets: readonly Target[],
    before: readonly Intent[],
  ): Intent | undefined {
    if (!/^(?:count|how many|what is the number of|tell me how many|give me the number of)\b/i.test(text))
      return undefined;
    const clause = { text: text.replace(/^(?:tell me|give me)\s+/i, ""), quotes };
    const shift = text.length - clause.text.length;
    const moved = targets.map((target) => ({ ...target, start: target.start - shift, end: target.end - shift }));
    const path = targets[0]?.path;
    const words = textWithoutTargets(clause, moved);
    if (/\blines?\b(?! (?:with|contain|mention|that))/i.test(words)) {
      const { ignored, ...languages } = languageLines(words);
      return {
        kind: "countMatches",
        pattern: "^",
        label: "line",
        path,
        caseInsensitive: false,
        ...languages,
        ...(ignored === undefined ? {} : { ignored: quotes.restore(ignored) }),
      };
    }
    if (/\bwords\b/i.test(words))
      return { kind: "countMatches", pattern: WORD, label: "word", path, caseInsensitive: false };
    const files = fileSearch(words, targets, quotes);
    if (files) return { kind: "countFiles", ...files, path: path?.includes("*") ? undefined : path };
    const search = searchFrom(words, quotes);
    if (search.pattern !== "") return { kind: "countMatches", ...search, path };
    // `find the TODOs and tell me how many` means those.
    const found = before.findLast((intent) => intent.kind === "find");
    if (found !== undefined && quotes.values(words).length === 0) {
      const { pattern, label, caseInsensitive } = found;
      return { kind: "countMatches", pattern, label, caseInsensitive, path: path ?? found.path };
    }
    return {
      kind: "unclear",
      why: "I counted nothing: I count what is named, as in “how many TODOs are in /src”.",
    };
  },

  findFiles(this: void, { text, quotes }: Clause, targets: readonly Target[]): Intent | undefined {
    if (!/^(?:find|search|look for|locate|list|show|which|what|where|get)\b/i.test(text)) return undefined;
    const words = textWithoutTargets({ text, quotes }, targets);
    const pattern = targets.find(({ path }) => path.includes("*"));
    const place = targets.find(({ path }) => !path.includes("*"))?.path;
    // `show me the readme` is about what it says.
    const isNamed = pattern !== undefined && !text.slice(pattern.start, pattern.end).includes("*");
    if (
      pattern &&
      !(isNamed && /^show\b/i.test(text)) &&
      /^(?:find|locate|list|search|look|where|show)\b/i.test(text)
    ) {
      return {
        kind: "findFiles",
        glob: pattern.path.replace(/^\//, ""),
        label: pattern.path.replace(/^\*\*\//, ""),
        path: place,
      };
    }
    const file = targets[0];
    if (
      file &&
      file.path !== "/" &&
      /^(?:find|locate|where(?:['’]s| is))\s+(?:the\s+)?(?:file\s*)?$/i.test(text.slice(0, file.start))
    ) {
      const name = file.path.slice(file.path.lastIndexOf("/") + 1);
      return { kind: "findFiles", glob: `**/${name}`, label: name, path: targets[1]?.path };
    }
    if (/\b(?:contain|mention|us(?:e|ing)\b|with\b(?! (?:the )?(?:extension|name))|say)/i.test(words)) return undefined;
    const files = fileSearch(words, targets, quotes);
    // `list the files` is a listing; a kind or a name makes it a search.
    return files && files.glob !== "**/*" ? { kind: "findFiles", ...files, path: place } : undefined;
  },

  find(this: void, { text, quotes }: Clause, targets: readonly Target[]): Intent | undefined {
    if (!LEAD.test(text)) return undefined;
    const words = textWithoutTargets(
      { text, quotes },
      targets.filter(({ path }) => !path.includes("*")),
    );
    const path = targets.find((target) => !target.path.includes("*"))?.path;
    const search = searchFrom(words, quotes);
    if (search.pattern === "") return undefined;
    const byFile = /^(?:find|list|show|which|what)\s+(?:me\s+)?(?:all\s+|the\s+|any\s+)*files?\b/i.test(text);
    return { kind: "find", ...search, path, ...(byFile ? { byFile } : {}) };
  },
};

function fileSearch(
  words: string,
  targets: readonly Target[],
  quotes: Clause["quotes"],
): { glob: string; label: string } | undefined {
  const pattern = targets.find(({ path }) => path.includes("*"));
  if (pattern && /^(?:count|how many)/i.test(words))
    return { glob: pattern.path.replace(/^\//, ""), label: pattern.path.replace(/^\*\*\//, "") };
  const named = new RegExp(
    `\\bfiles?\\s+(?:that are |are )?(?:named|called|matching|ending (?:in|with)|with (?:the )?extension)\\s+(${QUOTED}|\\S+)`,
    "iu",
  ).exec(words)?.[1];
  if (named !== undefined) {
    const name = quotes.unquote(named).replace(/^\*?\.(?=\w+$)/, "*.");
    if (name.trim() === "") return undefined;
    return {
      glob: name.includes("/") ? name : `**/${name.includes("*") || name.includes(".") ? name : `*${name}*`}`,
      label: name,
    };
  }
  const kind = /(\*?\.?[\w*]+)\s+(?:files?|documents?)\b/i.exec(words)?.[1]?.toLowerCase();
  if (kind === undefined)
    return /\bfiles?\b/i.test(words) && !/\b(?:contain|mention|use)/i.test(words)
      ? { glob: "**/*", label: "" }
      : undefined;
  const known = KINDS[kind];
  if (known !== undefined) return { glob: known, label: kind };
  if (/^\*?\.\w+$/.test(kind))
    return { glob: `**/*.${kind.replace(/^\*?\./, "")}`, label: `.${kind.replace(/^\*?\./, "")}` };
  if (/^(?:ts|tsx|js|jsx|md|py|rs|css|html|json|yml|yaml|txt|csv|svg|png)$/.test(kind))
    return { glob: `**/*.${kind}`, label: `.${kind}` };
  return /\b(?:contain|mention|use)/i.test(words) ? undefined : { glob: "**/*", label: "" };
}

function searchFrom(words: string, quotes: Clause["quotes"]): Search {
  const quoted = quotes.values(words)[0];
  const isRegex = /\b(?:regex|regexp|regular expression|pattern)\b/i.test(words);
  if (quoted !== undefined) {
    const delimited = /^\/(.+)\/([a-z]*)$/.exec(quoted);
    if (delimited?.[1] !== undefined)
      return { pattern: delimited[1], label: quoted, caseInsensitive: (delimited[2] ?? "").includes("i") };
    // A backslash is how a person shows that they mean a pattern.
    const pattern = isRegex || /\\\W|\\[bswdBSWD]/.test(quoted) ? quoted : escapeRegex(quoted);
    return { pattern, label: quoted, caseInsensitive: false };
  }
  const todo = /\bto-?dos?\b/i.test(words);
  const fixme = /\bfixmes?\b/i.test(words);
  if (todo || fixme) {
    const names = [...(todo ? ["TODO"] : []), ...(fixme ? ["FIXME"] : [])];
    return { pattern: names.join("|"), label: names.join(" or "), caseInsensitive: false };
  }
  let rest = words.replace(LEAD, "");
  for (let before = ""; before !== rest;) {
    before = rest;
    rest = rest.replace(FILLER, "");
  }
  const defined = /\b(?:defined|declared|implemented|definition of)\b/i.test(words);
  const name = rest
    .replace(TRAIL, "")
    .replace(/^definition of\s+/i, "")
    .replace(/[?.!,]+$/, "")
    .trim();
  if (name === "") return { pattern: "", label: "", caseInsensitive: false };
  if (defined && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) {
    const pattern = String.raw`\b(function|class|const|let|var|interface|type|enum|def|fn|struct|func)\s+${escapeRegex(name)}\b`;
    return { pattern, label: `the definition of ${name}`, caseInsensitive: false };
  }
  if (QUESTION.test(words)) {
    const topic = name.replace(/\s+(?:works?|happens?|is done)$/i, "");
    const stems = stemsOf(topic);
    if (stems.length > 0) return { pattern: stems.join("|"), label: topic, caseInsensitive: true };
  }
  // A name is searched as a whole word, prose in any case.
  const isName = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) && /[\p{Lu}_$\d]/u.test(name.slice(1));
  if (isName) return { pattern: String.raw`\b${escapeRegex(name)}\b`, label: name, caseInsensitive: false };
  return { pattern: escapeRegex(name), label: name, caseInsensitive: !/\p{Lu}/u.test(name) };
}

/** The text as a pattern that matches it and nothing else. */
export function escapeRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
