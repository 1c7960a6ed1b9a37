/** A piece of a file that is found as one: a declaration with the comment above it, or a section of prose. */
export interface Passage {
  /** What it declares, or the heading it is under; empty when it has neither. */
  readonly name: string;
  /** From 1, inclusive. */
  readonly startLine: number;
  /** From 1, inclusive. */
  readonly endLine: number;
}

/** Lines a passage may have: more is no answer to a question. */
const MAX_LINES = 80;
/** Lines from which a blank line ends a passage of prose or data. */
const PARAGRAPH_LINES = 12;
/** Characters of a line on average past which a text was made by a machine for a machine. */
const MACHINE_LINE_CHARACTERS = 400;

const MODIFIERS =
  /^\s*(?:(?:export|default|declare|pub(?:\([^)]*\))?|public|private|protected|static|abstract|async|final|override|unsafe|readonly)\s+)*/;
const DECLARED =
  /^(?:function\s*\*?|class|interface|enum|type|namespace|module|def|fn|func|struct|impl|trait|object|record|macro_rules!)\s+(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)/u;
const ASSIGNED_FUNCTION =
  /^(?:const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\(|<|[\w$]+\s*=>)/u;
const TOP_LEVEL_VALUE = /^(?:const|let|var|static)\s+([\p{L}_$][\p{L}\p{N}_$]*)/u;
const METHOD = /^(?:get\s+|set\s+|\*\s*)?#?([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:<[^>]*>)?\([^;]*(?:\{|,|\()\s*$/u;
const CONTROL = /^(?:if|for|while|switch|catch|return|else|do|try|await|throw|new|with|function|constructor_)$/;
const COMMENT_OR_ATTRIBUTE = /^\s*(?:\/\/|\/\*|\*|#(?!include|define)|@|--|"""|\[[A-Z])/;
const HEADING = /^(#{1,6})\s+(.*)$/;

/** Splits a text into passages that cover all its lines but blank ends. */
export function passagesOf(path: string, text: string): Passage[] {
  const lines = text.split("\n");
  if (text.length / lines.length > MACHINE_LINE_CHARACTERS) return [{ name: "", startLine: 1, endLine: 1 }];
  const isProse = /\.(?:md|mdx|markdown|rst|txt|adoc|org)$/i.test(path) || !/\.\w+$/.test(path);
  const starts = isProse ? proseStarts(lines) : codeStarts(lines);
  return passagesBetween(lines, starts.length === 0 ? paragraphStarts(lines) : starts);
}

/** A line a passage begins at, from 0, and its name. */
interface Start {
  readonly line: number;
  readonly name: string;
}

function codeStarts(lines: readonly string[]): Start[] {
  const starts: Start[] = [];
  lines.forEach((line, index) => {
    const name = declaredName(line);
    if (name === undefined) return;
    let first = index;
    while (first > 0 && COMMENT_OR_ATTRIBUTE.test(lines[first - 1] ?? "")) first--;
    starts.push({ line: first, name });
  });
  return starts;
}

/** The name a line declares, when it declares something a person would look for. */
function declaredName(line: string): string | undefined {
  const indent = line.length - line.trimStart().length;
  if (indent > 4 || line.length - indent < 4) return undefined;
  const rest = line.replace(MODIFIERS, "");
  const declared =
    DECLARED.exec(rest) ?? ASSIGNED_FUNCTION.exec(rest) ?? (indent === 0 ? TOP_LEVEL_VALUE.exec(rest) : null);
  if (declared !== null) return declared[1];
  const method = indent > 0 ? METHOD.exec(rest) : null;
  return method === null || CONTROL.test(method[1] ?? "") ? undefined : method[1];
}

function proseStarts(lines: readonly string[]): Start[] {
  return lines.flatMap((line, index) => {
    const heading = HEADING.exec(line);
    return heading === null ? [] : [{ line: index, name: heading[2] ?? "" }];
  });
}

function paragraphStarts(lines: readonly string[]): Start[] {
  const starts: Start[] = [];
  let last = 0;
  lines.forEach((line, index) => {
    if (line.trim() !== "" || index - last < PARAGRAPH_LINES) return;
    starts.push({ line: index + 1, name: "" });
    last = index + 1;
  });
  return starts;
}

function passagesBetween(lines: readonly string[], starts: readonly Start[]): Passage[] {
  const passages: Passage[] = [];
  const all = starts[0]?.line === 0 ? starts : [{ line: 0, name: "" }, ...starts];
  all.forEach(({ line, name }, index) => {
    const end = all[index + 1]?.line ?? lines.length;
    for (let first = line; first < end; first += MAX_LINES) {
      const passage = trimmedPassage(lines, first, Math.min(end, first + MAX_LINES), name);
      if (passage !== undefined) passages.push(passage);
    }
  });
  return passages;
}

/** Without blank lines at its ends; `undefined` when there is nothing else. */
function trimmedPassage(lines: readonly string[], from: number, to: number, name: string): Passage | undefined {
  let first = from;
  let last = to - 1;
  while (first <= last && (lines[first] ?? "").trim() === "") first++;
  while (last >= first && (lines[last] ?? "").trim() === "") last--;
  return first > last ? undefined : { name, startLine: first + 1, endLine: last + 1 };
}
