/** What the instructions ask for, as far as these rules can obey it (docs/models.md, Directives). */
export interface Directives {
  /** Search with Grep before any Read, and read only what it found. */
  readonly searchFirst: boolean;
  /** List the folder and read the file before changing anything in it. */
  readonly lookFirst: boolean;
  /** Survey by listing and reading instead of searching. */
  readonly readWidely: boolean;
  readonly citePaths: boolean;
  readonly shortParagraph: boolean;
  readonly neverWrite: boolean;
  readonly neverDelete: boolean;
  readonly confirmFirst: boolean;
  readonly explainFirst: boolean;
  readonly maxCalls: number | undefined;
  /** Where nothing may be changed. */
  readonly forbiddenPaths: readonly string[];
  /** Where alone something may be changed; empty means anywhere. */
  readonly allowedPaths: readonly string[];
}

/** Characters of a sentence that are read: a longer one is no instruction of this kind. */
const SENTENCE_CHARACTERS = 600;

const NUMBER_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const CHANGE = "(?:write|edit|change|modify|touch|alter|update|create|overwrite)";
const NEVER = "(?:never|do not|don['’]t|must not|may not|should not|cannot|avoid)";
const PATH = "(/[^\\s,;\"'`]*[^\\s,;.\"'`])";
const ASKING = /\b(?:ask|asking|confirm|confirming|confirmation|permission|approval|check(?:ing)? with)\b/i;

export function directivesFromInstructions(instructions: string): Directives {
  const sentences = instructions.split(/(?<=[.!?;])\s+|\n+/).map((sentence) => sentence.slice(0, SENTENCE_CHARACTERS));
  const has = (pattern: RegExp): boolean => sentences.some((sentence) => pattern.test(sentence));
  const never = sentences.filter((sentence) => new RegExp(`\\b${NEVER}\\b`, "i").test(sentence));
  const confirmFirst = sentences.some(
    (sentence) => ASKING.test(sentence) && /\b(?:before|first|without|unless|until)\b/i.test(sentence),
  );
  const restricted = pathsAfter(
    never,
    `\\b${CHANGE}\\b[^/]*?\\b(?:in|to|under|inside|into|anything in|files in)?\\s*${PATH}`,
  );
  const outside = pathsAfter(
    sentences,
    `\\b(?:outside(?: of)?|except (?:in|under)|only (?:in|under|inside))\\s+${PATH}`,
  );
  return {
    searchFirst: has(/\b(?:grep|search)\b.*\b(?:before|first)\b|\bfirst\b.*\b(?:grep|search)\b/i),
    lookFirst: has(LOOK_FIRST),
    readWidely: has(
      /\bread (?:all |every |the )?(?:the )?(?:relevant )?files? (?:that )?(?:you|it) needs?\b|\bread (?:every|all)\b.*\bfiles?\b/i,
    ),
    citePaths: has(
      /\b(?:cite|name|mention|give|quote|include|state)\b.{0,40}\b(?:paths?|files?|sources?|line numbers?)\b/i,
    ),
    shortParagraph: has(/\b(?:one|a|single|1)\s+(?:single\s+)?(?:short\s+)?paragraph\b/i),
    neverWrite: neverWrites(never) || has(/\bread[- ]only (?:assistant|agent|mode|helper)\b|\bmake no changes\b/i),
    neverDelete: never.some((sentence) => /\b(?:delete|remove)\b/i.test(sentence) && !ASKING.test(sentence)),
    confirmFirst,
    explainFirst: has(/\b(?:think (?:aloud|step by step)|(?:explain|say|state) your plan)\b/i),
    maxCalls: maxCalls(instructions),
    forbiddenPaths: restricted.filter((path) => !outside.includes(path)),
    allowedPaths: outside,
  };
}

const LOOK_FIRST =
  /\blook\b.*\b(?:before|first)\b|\b(?:list|read|inspect|check)\b[^.]*\bbefore\b[^.]*\b(?:edit|chang|writ|modif|delet)|\bbefore\b[^.]*\b(?:edit|chang|writ|modif)\w*\b[^.]*\b(?:look|list|read|inspect)\b/i;

/** A ban on all changes: not one that names a place, an exception or a question to ask first. */
function neverWrites(sentences: readonly string[]): boolean {
  const ban = new RegExp(`\\b${NEVER}\\s+(?:\\w+\\s+){0,2}?${CHANGE}\\b`, "i");
  return sentences.some(
    (sentence) =>
      ban.test(sentence) && !/\s\/\S/.test(sentence) && !/\b(?:without|unless|until|before|outside)\b/i.test(sentence),
  );
}

function pathsAfter(sentences: readonly string[], pattern: string): string[] {
  return sentences.flatMap((sentence) =>
    [...sentence.matchAll(new RegExp(pattern, "gi"))].flatMap((match) =>
      match[1] === undefined ? [] : [match[1].replace(/\/$/, "")],
    ),
  );
}

function maxCalls(instructions: string): number | undefined {
  const count = `(\\d+|${NUMBER_WORDS.join("|")})`;
  const forms = [
    `(?:at most|no more than|max(?:imum)?(?: of)?|up to|within|limit yourself to|use only)\\s+${count}\\s+(?:tool\\s+)?calls?\\b`,
    `\\b${count}\\s+(?:tool\\s+)?calls?\\s+(?:at most|or (?:fewer|less)|max(?:imum)?)\\b`,
  ];
  for (const form of forms) {
    const found = new RegExp(form, "i").exec(instructions)?.[1]?.toLowerCase();
    if (found !== undefined) return /^\d+$/.test(found) ? Number(found) : NUMBER_WORDS.indexOf(found);
  }
  return undefined;
}
