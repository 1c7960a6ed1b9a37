import { beyondIntent } from "./beyondIntent";
import { clausesFromText, QUOTED, type Clause } from "./clauses";
import { noFolderWords } from "./intentWords";
import type { Content, Intent } from "./intent";
import { findingIntent } from "./findingIntent";
import { isOverwrite, overwriting, withoutOverwrite } from "./overwriteWords";
import { scopedClauses } from "./scopedClauses";
import { targetsIn, textWithoutTargets, wholePathAt, type Target } from "./targets";

const SOFTENER =
  /^(?:(?:please|can you|could you|would you|will you|i want you to|i(?:['’]d| would) like you to|go and|let['’]?s|help me|now|then|and|also|first|next|finally|afterwards|you)\b[\s,]*)+/i;
/** A value: quoted, or the words up to the next tie. */
const VALUE = `(${QUOTED}|\\S+?|.+?)`;

/** Reads a request: every clause becomes one intent, `unknown` where no rule fits. */
export function intentsFromText(text: string): Intent[] {
  const intents: Intent[] = [];
  for (const clause of scopedClauses(clausesFromText(text))) {
    const bare = { ...clause, text: clause.text.replace(SOFTENER, "").trim() };
    if (bare.text === "") continue;
    const last = intents.at(-1);
    if (isOverwrite(bare) && (last?.kind === "create" || last?.kind === "moveFile")) {
      intents[intents.length - 1] = overwriting(last);
      continue;
    }
    const { clause: said, overwrite } = withoutOverwrite(bare);
    const intent = intentFromClause(said, intents);
    intents.push(overwrite ? overwriting(intent) : intent);
  }
  return intents;
}

type Rule = (clause: Clause, targets: readonly Target[], before: readonly Intent[]) => Intent | undefined;

function intentFromClause(clause: Clause, before: readonly Intent[]): Intent {
  const targets = targetsIn(clause);
  for (const rule of RULES) {
    const intent = rule(clause, targets, before);
    if (intent) return intent;
  }
  return { kind: "unknown", text: clause.quotes.restore(clause.text) };
}

const help: Rule = ({ text }) =>
  /^(?:help|hi|hello|hey|what can you do|who are you|what are you|what do you understand|what can i (?:ask|do|say)|how do you work|thanks?|thank you)\b.{0,20}$/i.test(
    text,
  )
    ? { kind: "help" }
    : undefined;

const run: Rule = ({ text, quotes }) => {
  const command = /^(?:(?:run|execute)\b|\$)\s*(?:the\s+)?(?:shell\s+)?(?:command\b)?\s*:?\s*(.+)$/i.exec(text)?.[1];
  if (command === undefined) return undefined;
  const said = quotes.restore(command);
  const [, block, ticked] = /```(?:[\w-]*\n)?([\s\S]*?)```|`([^`\n]+)`/.exec(said) ?? [];
  // Quoted as a whole it is what stands in the quotes; otherwise they are the command's own.
  const isQuoted = new RegExp(`^${QUOTED}$`).test(command.trim());
  const bare = block ?? ticked ?? (isQuoted ? (quotes.values(command)[0] ?? "") : said);
  return bare.trim() === "" ? undefined : { kind: "run", command: bare };
};

const rename: Rule = ({ text, quotes }, targets) => {
  const verb = /^(rename|move|copy)\b/i.exec(text)?.[1]?.toLowerCase();
  if (verb === undefined) return undefined;
  const isFolder =
    /^\w+\s+(?:the\s+)?(?:whole\s+|entire\s+)?(?:folder|directory)\b/i.test(text) ||
    /^\w+\s+(?:the\s+)?\S+\s+(?:folder|directory)\s+(?:to|into|as)\b/i.test(text);
  if (isFolder) return { kind: "unclear", why: noFolderWords(verb === "copy") };
  const [from, to] = targets;
  const symbol = new RegExp(
    `^rename\\s+(?:all\\s+)?(?:the\\s+)?(?:function|variable|class|type|constant|method|symbol|word)?\\s*(${QUOTED}|[^\\s/]+)\\s+(?:to|into|as|->|→)\\s+(${QUOTED}|[^\\s/,]+)`,
    "iu",
  ).exec(text);
  if (symbol?.[1] !== undefined && symbol[2] !== undefined) {
    const first = targets.find((target) => target.start >= symbol[0].length);
    const names = [symbol[1], symbol[2]].map((mark) => quotes.unquote(mark).trim());
    // `rename a.ts to b.ts` is about a file.
    if (!targets.some((target) => target.end <= symbol[0].length)) {
      if (names.includes("")) return { kind: "unclear", why: "I renamed nothing: both names must hold something." };
      return { kind: "renameSymbol", from: names[0] ?? "", to: names[1] ?? "", path: first?.path };
    }
  }
  if (!from || !to) return undefined;
  const beside = /^[^/\uE000]+$/.test(text.slice(to.start, to.end)) && /\.[^/.]+$/.test(to.path);
  return { kind: "moveFile", from: from.path, to: to.path, keep: verb === "copy", ...(beside ? { beside } : {}) };
};

const replace: Rule = ({ text, quotes }, targets) => {
  const form =
    new RegExp(
      `^(?:replace|substitute|swap)\\s+(all\\s+|every\\s+|each\\s+)?(?:occurrences?\\s+of\\s+|uses?\\s+of\\s+)?${VALUE}\\s+(?:with|by|for)\\s+(${QUOTED}|.*)$`,
      "isu",
    ).exec(text) ??
    new RegExp(
      `^(?:change|update|turn|set)\\s+(all\\s+|every\\s+)?(?:occurrences?\\s+of\\s+)?(${QUOTED}|[^\\s/]+)\\s+(?:to|into)\\s+(${QUOTED}|\\S+)`,
      "isu",
    ).exec(text);
  const removal = new RegExp(
    `^(?:remove|delete|erase)\\s+(all\\s+|every\\s+)?(?:the\\s+)?(?:text|word|line|string)?\\s*(${QUOTED})\\s+(?:from|in)\\b`,
    "iu",
  ).exec(text);
  const found = form ?? removal;
  if (!found?.[2]) return undefined;
  const place = targets.find((target) => target.start > (found[2]?.length ?? 0));
  const tail = found[3] ?? "";
  // Unquoted new text ends where the place begins.
  const newText =
    new RegExp(`^${QUOTED}`, "u").exec(tail)?.[0] ??
    tail.replace(/\s+(?:in|inside|within|across|everywhere|throughout|under)\b.*$/isu, "");
  // The place, where the new text should be.
  if (
    form !== null &&
    quotes.values(newText).length === 0 &&
    /^(?:(?:in|inside|within|across|under)\s.*)?$/isu.test(newText)
  ) {
    return { kind: "unclear", why: `I replaced nothing: I did not understand with what. ${IN_QUOTES}` };
  }
  return {
    kind: "replace",
    oldText: lineBreaks(quotes.unquote(found[2])),
    newText: lineBreaks(quotes.unquote(newText)),
    path: place?.path,
    ...(place === undefined && /\b(?:in|from|of) (?:it|that|this|the) ?(?:file)?$/i.test(text) ? { inLast: true } : {}),
    all: found[1] !== undefined || /\b(?:everywhere|throughout|all occurrences|each time)\b/i.test(text),
  };
};

const fix: Rule = ({ text, quotes }, targets, before) => {
  const aboutTodos = before.some((intent) => intent.kind === "find" && /TODO|FIXME/.test(intent.pattern));
  const named = /^(?:fix|resolve|address|handle|close|clear|do|remove|delete|finish)\b.*\b(?:todos?|fixmes?)\b/i.test(
    text,
  );
  const referred =
    aboutTodos &&
    /^(?:fix|resolve|address|handle|close|clear|do|remove|delete|finish)\s+(?:the\s+)?(?:one|ones|it|them|those|that|all|first|last)\b/i.test(
      text,
    );
  if (!named && !referred) return undefined;
  const words = quotes.unquote(textWithoutTargets({ text, quotes }, targets));
  const about =
    /\b(?:about|on|regarding|for|concerning|mentioning|(?:that|which) (?:says?|mentions?|is about))\s+(.+)$/i.exec(
      words,
    )?.[1] ??
    /^\w+\s+(?:the\s+)?(.*?)\s*\b(?:todos?|fixmes?)\b/i.exec(words)?.[1] ??
    "";
  const topic = about
    .replace(/^(?:(?:the|all|every|each|any|first|next|one|of)\b\s*)+/i, "")
    .replace(/\b(?:todos?|fixmes?|comments?)\b/gi, "")
    .trim();
  const all = topic === "" && /\b(?:all|every|each|them|those|todos|fixmes|ones)\b/i.test(words);
  return { kind: "fixTodos", topic, all, path: targets[0]?.path };
};

const note: Rule = ({ text, quotes }, targets) => {
  if (!/^(?:note|record|mention|log|document|update|add|write|put|insert)\b/i.test(text)) return undefined;
  const target = targets.at(-1);
  const changelog = target !== undefined && /change|history|news/i.test(target.path);
  // A quoted text is the entry, word for word.
  const [quoted] = targets.length > 0 ? quotes.values(textWithoutTargets({ text, quotes }, targets)) : [];
  const what = quotes
    .unquote(textWithoutTargets({ text, quotes }, targets))
    .replace(/^\w+\s*/, "")
    .replace(/\s+(?:to|in|into)$/, "");
  const saying = new RegExp(`(?:\\b(?:saying|that says|with)\\s*:?\\s*|:\\s*)(.+)$`, "isu").exec(what)?.[1];
  const generic =
    /^(?:down\s+)?(?:it|this|that|them|the (?:change|changes|fix|edit|edits|result)|what (?:you|was|has).*|an? (?:entry|line|note)(?: about it)?|)(?:\s+down)?$/i.test(
      what,
    );
  if (changelog || (/^(?:note|record|log)\b/i.test(text) && generic && target)) {
    return { kind: "note", path: target.path, text: quoted ?? saying ?? (generic ? undefined : what) };
  }
  return /^(?:note|record)\b/i.test(text) && !target
    ? { kind: "note", path: undefined, text: saying ?? (generic ? undefined : what) }
    : undefined;
};

const append: Rule = (clause, targets) => {
  const verb = /^(append|prepend|add|insert|put)\b/i.exec(clause.text)?.[1]?.toLowerCase();
  const target = targets.at(-1);
  if (verb === undefined || !target) return undefined;
  const named = /^add\s+(?:a |an |the )?(?:new |empty )?(?:file|document|page)\b/i.test(clause.text);
  if (named) return undefined;
  const rest = clause.text
    .slice(verb.length)
    .replace(/^\s+(?:an? |the )?(?:new )?(?:line|text|sentence|paragraph|entry)s?\b/i, "");
  const offset = clause.text.length - rest.length;
  const inFront = clause.text
    .slice(offset, target.start)
    .replace(
      /\s*\b(?:to|into|in|at|on|onto)?(?:\s+the (?:end|start|top|bottom|beginning) of)?\s*(?:the )?(?:file)?\s*$/i,
      "",
    )
    .replace(/^\s*:?\s*(?:saying|that says|with)?\s*:?\s*/i, "");
  const behind = clause.text.slice(target.end);
  const content = inFront.trim() === "" ? contentAfter(behind, clause) : contentFrom(inFront, clause);
  const atStart = verb === "prepend" || /\bthe (?:start|top|beginning)\b/i.test(clause.text);
  if (content.from === "nothing") return undefined;
  const isQuoted = new RegExp(QUOTED, "u").test(inFront);
  const other = targets.find(({ start, end }) => isQuoted && start >= offset && end < target.start);
  const lost =
    other !== undefined && !new RegExp(`^${QUOTED}`, "u").test(clause.text.slice(other.start))
      ? clause.text.slice(other.start)
      : inFront.trim() === ""
        ? ""
        : wordsLeft(behind.replace(/^\s*(?:at|to|on)?\s*the (?:end|start|top|bottom|beginning)\b/i, ""));
  return lost === "" ? { kind: "append", path: target.path, content, atStart } : notUnderstood(clause, target, lost);
};

const create: Rule = (clause, targets) => {
  if (!/^(?:create|write|make|save|generate|add|put)\b/i.test(clause.text)) return undefined;
  const into = /\b(?:to|into|in|as|at)\s+(?:a |an |the )?(?:new )?(?:file\s+)?(?:called |named )?$/i;
  const target =
    wholePathAt(clause.text, FILE_TO_CREATE.exec(clause.text)?.[0].length ?? 0) ??
    targets.find((candidate) => into.test(clause.text.slice(0, candidate.start))) ??
    targets[0];
  if (!target || target.path.includes("*")) return undefined;
  const inFront = clause.text
    .slice(0, target.start)
    .replace(/^\w+\s*/, "")
    .replace(into, "")
    .replace(
      /^(?:a |an |the )?(?:new |empty )*(?:text |markdown )?(?:file|document|page)?\s*(?:called|named|at)?\s*$/i,
      "",
    )
    .trim();
  const behind = clause.text.slice(target.end);
  const content = inFront === "" ? contentAfter(behind, clause) : contentFrom(inFront, clause);
  const lost = inFront === "" && content.from !== "nothing" ? "" : wordsLeft(behind);
  return lost === "" ? { kind: "create", path: target.path, content } : notUnderstood(clause, target, lost);
};

/** What leads to the path of a file to create. */
const FILE_TO_CREATE =
  /^\w+\s+(?:a |an |the )?(?:new |empty )*(?:text |markdown )?(?:(?:file|document|page)\s+)?(?:(?:called|named|at)\s+)?/i;

const IN_QUOTES = "Texts, and paths with spaces, are safe in quotes.";

/** The words behind what was understood that mean something: without them a file would be written by guess. */
function wordsLeft(behind: string): string {
  return behind
    .replace(
      /^(?:[\s,.;:!]|\b(?:please|now|for me|file|there|too|as well|again|(?:and )?(?:leave|keep) it empty)\b)+/i,
      "",
    )
    .trim();
}

function notUnderstood({ quotes }: Clause, { path }: Target, lost: string): Intent {
  return {
    kind: "unclear",
    why: `I wrote nothing: I understood ${path}, but not “${quotes.restore(lost).trim()}”. ${IN_QUOTES}`,
  };
}

const remove: Rule = ({ text }, targets) => {
  if (!/^(?:delete|remove|rm|erase)\b/i.test(text)) return undefined;
  const [pattern, place] = targets;
  if (pattern?.path.startsWith("**/") && place && !place.path.includes("*")) {
    return { kind: "delete", paths: [`${place.path === "/" ? "" : place.path}/${pattern.path}`] };
  }
  const files = /\b(?:everything|(?:all|every)\s+(?:of\s+)?(?:the\s+)?(?:files?|contents?))\b/i.test(text);
  const isWhole = targets.some(({ path, start }) => path === "/" && text[start] !== "/");
  if (isWhole) return { kind: "unclear", why: "I deleted nothing. Say “delete /**” if you mean every file there is." };
  const gap = targets.find(({ start }, index) => index > 0 && !AND.test(text.slice(targets[index - 1]?.end, start)));
  if (gap !== undefined) {
    return { kind: "unclear", why: `I deleted nothing: I did not understand which files. ${IN_QUOTES}` };
  }
  if (targets.length > 0) {
    return {
      kind: "delete",
      paths: targets.map(({ path }) => (files && !path.includes("*") ? `${path === "/" ? "" : path}/**` : path)),
    };
  }
  return /\b(?:it|that file|this file|the file|them)\b/i.test(text) ? { kind: "delete", paths: [] } : undefined;
};

/** What may stand between files that are deleted. */
const AND = /^[\s,;&]*(?:(?:and|or|plus|as well as|also|in|from|under|the|files?|folder)\b[\s,]*)*$/i;

const summarise: Rule = ({ text, quotes }, targets) => {
  const asked =
    /^(?:summari[sz]e|explain|describe|give (?:me )?(?:a |an )?(?:short |brief )?(?:summary|overview)|sum up|tell me (?:about|what))\b/i.test(
      text,
    ) ||
    (targets.length > 0 && /^what\b.*\b(?:do|does|say|says|about|for|mean|means)\b/i.test(text));
  const symbol = new RegExp(
    `^(?:explain|describe|what does|tell me what)\\s+(?:the\\s+)?(?:function|class|type|constant)?\\s*(${QUOTED}|[\\p{L}_$][\\p{L}\\p{N}_$]*)(?:\\s+(?:does|do|is))?(?:\\s+in\\b.*)?\\??$`,
    "iu",
  ).exec(text)?.[1];
  const named =
    symbol === undefined || /^(?:it|this|that|them|these|those|what|everything|you)$/i.test(symbol)
      ? undefined
      : quotes.unquote(symbol);
  const isName = named !== undefined && (targets.length === 0 || !/\.[^/.]+$/.test(targets[0]?.path ?? ""));
  if (!asked && !(isName && /^what does\b/i.test(text))) return undefined;
  return {
    kind: "summarise",
    paths: targets.map(({ path }) => path),
    name: isName && !looksLikeTarget(named, targets) ? named : undefined,
  };
};

function looksLikeTarget(name: string, targets: readonly Target[]): boolean {
  return targets.some(({ path }) => path.toLowerCase().includes(name.toLowerCase()));
}

const read: Rule = ({ text }, targets, before) => {
  if (!/^(?:read|open|cat|view|print|display|look at|show|check|what(?:['’]s| is) in)\b/i.test(text)) return undefined;
  const files = targets.filter(
    ({ path }) => path.includes("*") || /\.[^/.]+$/.test(path) || /^(?:read|open|cat|view|print|look at)\b/i.test(text),
  );
  if (files.length > 0 && /\b(?:everything|all|every)\b/i.test(text)) {
    const inFolder = (path: string): boolean => !path.includes("*") && !/\.[^/.]+$/.test(path);
    // `list /plans and read everything` means what is in /plans.
    const spokenOf = before.findLast((intent) => "path" in intent && intent.path !== undefined);
    const scope = spokenOf && "path" in spokenOf ? (spokenOf.path ?? "/") : "/";
    const paths = files.map(({ path, start }) => (path === "/" && text[start] !== "/" ? scope : path));
    return { kind: "read", paths: paths.map((path) => (inFolder(path) ? `${path === "/" ? "" : path}/**` : path)) };
  }
  const isPronoun = /^\w+(?: me)?(?: at)? (?:it|that file|this file|the file)\b/i.test(text);
  return files.length === 0 && !isPronoun ? undefined : { kind: "read", paths: files.map(({ path }) => path) };
};

const list: Rule = ({ text }, targets) => {
  const asked =
    /^(?:ls|tree)\b/i.test(text) ||
    /^(?:list|show(?: me)?)\s*(?:all\s+)?(?:the\s+)?(?:files?|folders?|contents?|directory|everything|tree|what(?:['’]s| is)|\/|\.?$|in\b|under\b|@)/i.test(
      text,
    ) ||
    /^(?:what|which)(?:['’]s| is| are| files are| files do you have| do you have)?\s+(?:the files\s+)?(?:in|under|there|here|inside)\b/i.test(
      text,
    ) ||
    (/^(?:list|show|look (?:around|in))\b/i.test(text) &&
      textWithoutTargets({ text, quotes: NO_QUOTES }, targets).split(" ").length <= 2);
  const isFile = /^show\b/i.test(text) && /\.[^/.]+$|^\*\*\//.test(targets[0]?.path ?? "");
  return asked && !isFile ? { kind: "list", path: targets[0]?.path } : undefined;
};

const NO_QUOTES: Clause["quotes"] = { restore: (text) => text, unquote: (text) => text, values: () => [] };

const RULES: readonly Rule[] = [
  help,
  run,
  beyondIntent.undo,
  beyondIntent.folder,
  beyondIntent.composing,
  findingIntent.count,
  rename,
  replace,
  fix,
  note,
  append,
  create,
  remove,
  findingIntent.findFiles,
  list,
  summarise,
  read,
  findingIntent.find,
  beyondIntent.judging,
];

function contentAfter(text: string, clause: Clause): Content {
  const tie =
    /^\s*(?:file\s*)?(?:with(?: the (?:text|content|contents|line|words))?|containing|saying|that (?:says|contains|lists)|which says|:|=)\s*:?\s*([\s\S]+)$/i.exec(
      text,
    )?.[1];
  if (tie !== undefined) return contentFrom(tie, clause);
  return new RegExp(`^\\s*${QUOTED}`, "u").test(text) ? contentFrom(text, clause) : { from: "nothing" };
}

function contentFrom(text: string, clause: Clause): Content {
  const quoted = clause.quotes.values(text);
  if (quoted[0] !== undefined) return { from: "text", text: lineBreaks(quoted[0]) };
  const words = text.trim();
  if (words === "") return { from: "nothing" };
  if (/^(?:a |an |the )?(?:short |brief )?(?:summary|overview|description)\b/i.test(words)) {
    const [path, ...others] = targetsIn({ ...clause, text: words }).map((target) => target.path);
    return { from: "summary", path, ...(others.length > 0 ? { others } : {}) };
  }
  if (/^(?:a |the )?list of (?:all )?(?:the )?files\b/i.test(words)) {
    return { from: "listing", path: targetsIn({ ...clause, text: words })[0]?.path };
  }
  if (
    /^(?:it|them|that|those|these|(?:a |the )?(?:list|results?|findings?|hits|matches|answer|output|todos?|count|number)(?: of .*)?)$/i.test(
      words,
    )
  )
    return { from: "findings" };
  return { from: "text", text: `${words}\n` };
}

/** People write `\n` in a quoted text for a new line. */
function lineBreaks(text: string): string {
  return text.replaceAll(String.raw`\n`, "\n").replaceAll(String.raw`\t`, "\t");
}
