import { QUOTED, VERBS, type Clause } from "./clauses";
import { targetsIn, type Target } from "./targets";

/** Verbs whose plain file names are meant in the folder that is named with them; a search has names as its subject. */
const FILE_VERBS =
  /^(?:read|open|cat|view|print|show|summari[sz]e|explain|describe|delete|remove|rm|erase|rename|move|copy|create|write|make|save|generate|add|append|prepend|insert|put|note|count|how many|replace|change|fix)\b/i;
const SOFT = "(?:(?:please|also|then|now|can you|could you)\\s+)*";
const LEADING = /^(?:in|inside|within|under|for)\s+(?:the\s+)?(?:file\s+|folder\s+|directory\s+)?/i;
const STARTS_WITH_VERB = new RegExp(`^${SOFT}(?:${VERBS})\\b`, "i");

/**
 * Clauses as if each named its place behind its verb: `In /a.md replace …` is `replace … in /a.md`, and
 * `rename a.ts to b.ts in /src` is `rename /src/a.ts to /src/b.ts`. One clause that asks for several things of one kind
 * becomes several.
 */
export function scopedClauses(clauses: readonly Clause[]): Clause[] {
  const scoped: Clause[] = [];
  let pending: string | undefined;
  let folder: string | undefined;
  for (const clause of clauses) {
    const lead = leadingPlace(clause);
    if (lead?.rest === "") {
      pending = lead.place;
      folder = isFolder(lead.path) ? lead.path : undefined;
      continue;
    }
    if (lead !== undefined) folder = isFolder(lead.path) ? lead.path : undefined;
    const place = lead?.place ?? pending;
    pending = undefined;
    const text = lead?.rest ?? clause.text;
    for (const part of separateThings({ ...clause, text })) {
      scoped.push(withFolder(part, folder, place));
    }
  }
  return scoped;
}

interface Leading {
  readonly path: string;
  /** As it was written. */
  readonly place: string;
  readonly rest: string;
}

function leadingPlace(clause: Clause): Leading | undefined {
  const { text } = clause;
  const tie = LEADING.exec(text)?.[0];
  if (tie === undefined) return undefined;
  const target = targetsIn(clause).find(({ start }) => start <= tie.length);
  if (target === undefined || target.end <= tie.length) return undefined;
  const rest = text.slice(target.end).replace(/^\s*(?:file|folder|directory)?\s*[,:]?\s*/i, "");
  if (rest !== "" && !STARTS_WITH_VERB.test(rest)) return undefined;
  return { path: target.path, place: text.slice(target.start, target.end), rest };
}

function isFolder(path: string): boolean {
  return !path.includes("*") && !/\.[^/.]+$/.test(path);
}

/** The clause with its plain file names in the folder, else with the place behind it where it names none. */
function withFolder(clause: Clause, folder: string | undefined, place: string | undefined): Clause {
  const trailing = inTrailingFolder(clause);
  if (trailing !== undefined) return trailing;
  const targets = targetsIn(clause);
  const verb = clause.text.replace(new RegExp(`^${SOFT}`, "i"), "");
  if (folder !== undefined && FILE_VERBS.test(verb)) {
    const plain = targets.filter((target) => isPlainName(clause, target));
    if (plain.length > 0) return { ...clause, text: joined(clause.text, plain, folder) };
  }
  // A text in quotes and a pattern name no place of their own.
  const hasPlace = targets.some(({ path, start, end }) => {
    const written = clause.text.slice(start, end);
    return !written.startsWith("\uE000") && !(path.startsWith("**/") && written.includes("*"));
  });
  if (place === undefined || hasPlace) return clause;
  return /^(?:run|execute|help)\b/i.test(verb) ? clause : { ...clause, text: `${clause.text} in ${place}` };
}

/** `delete a.md in /plans`: names the file in that folder. */
function inTrailingFolder(clause: Clause): Clause | undefined {
  const { text } = clause;
  if (!FILE_VERBS.test(text.replace(new RegExp(`^${SOFT}`, "i"), ""))) return undefined;
  const targets = targetsIn(clause);
  const folder = targets.find(
    ({ path, start }) =>
      text[start] === "/" &&
      isFolder(path) &&
      path !== "/" &&
      /\s(?:in|from|inside|under|within)\s+(?:the\s+)?(?:folder\s+|directory\s+)?$/i.test(text.slice(0, start)),
  );
  if (folder === undefined) return undefined;
  const plain = targets.filter((target) => target.end <= folder.start && isPlainName(clause, target));
  if (plain.length === 0) return undefined;
  const before = text
    .slice(0, folder.start)
    .replace(/\s(?:in|from|inside|under|within)\s+(?:the\s+)?(?:folder\s+|directory\s+)?$/i, "");
  const behind = text.slice(folder.end).replace(/^\s+(?:folder|directory)\b/i, "");
  return { ...clause, text: joined(before, plain, folder.path) + behind };
}

/** A file's name or a path without its beginning, not in quotes and no pattern. */
function isPlainName({ text }: Clause, { path, start, end }: Target): boolean {
  return /^[\p{L}\p{N}_]/u.test(text.slice(start, end)) && !path.includes("*") && /\.[^/.]+$/.test(path);
}

function joined(text: string, names: readonly Target[], folder: string): string {
  let whole = text;
  for (const { path, start, end } of names.toReversed()) {
    whole = `${whole.slice(0, start)}${folder === "/" ? "" : folder}${path}${whole.slice(end)}`;
  }
  return whole;
}

/** A file that begins a piece of its own, with what it is to hold behind it. */
const FILE_WITH = `(?:(?:a |the )?(?:new )?file (?:called |named )?)?(?:${QUOTED}|@?[^\\s,\\uE000]*(?:/|\\.)[^\\s,\\uE000]+)`;
const CONTENT = "(?:with|containing|saying|that says)\\b";
const NEXT = "\\s*(?:,\\s*(?:and\\s+)?|\\band\\s+)";
const NEXT_FILE = new RegExp(`${NEXT}(?=${FILE_WITH}\\s+${CONTENT})`, "giu");
const NEXT_EMPTY = new RegExp(`${NEXT}(?=${FILE_WITH}\\s*(?:,|and\\b|$))`, "giu");
const NEXT_PAIR = new RegExp(`${NEXT}(?=${QUOTED}\\s+(?:with|by|to|into)\\s+${QUOTED})`, "giu");

/** `create A with …, B with … and C with …` as three clauses; pairs to replace likewise, each in the place named last. */
function separateThings(clause: Clause): Clause[] {
  const { text } = clause;
  const verb = new RegExp(`^${SOFT}(create|write|make|save|generate|replace|change|substitute|swap)\\s`, "i").exec(
    text,
  )?.[1];
  if (verb === undefined) return [clause];
  if (/^[rs]|^ch/i.test(verb) && !/^save$/i.test(verb)) {
    const pieces = text.split(NEXT_PAIR);
    if (pieces.length === 1) return [clause];
    const last = pieces.at(-1) ?? "";
    const tail = last.replace(new RegExp(`^${QUOTED}\\s+\\w+\\s+${QUOTED}`, "u"), "");
    return pieces.map((piece, index) => {
      const isLast = index === pieces.length - 1;
      return { ...clause, text: `${index === 0 ? "" : `${verb} `}${piece}${isLast ? "" : tail}` };
    });
  }
  const isBare = !new RegExp(`\\s${CONTENT}|:`, "i").test(text);
  const pieces = text.split(isBare ? NEXT_EMPTY : NEXT_FILE);
  return pieces.map((piece, index) => ({ ...clause, text: index === 0 ? piece : `${verb} ${piece}` }));
}
