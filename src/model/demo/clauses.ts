/** One part of a request that asks for one thing; quoted texts stand in it as marks. */
export interface Clause {
  readonly text: string;
  readonly quotes: Quotes;
}

/** The quoted texts of a request, out of the way of the grammar. */
export interface Quotes {
  /** The text with each mark replaced by what was quoted, quotes and all. */
  restore(text: string): string;
  /** The text with each mark replaced by the bare quoted value. */
  unquote(text: string): string;
  /** The values of the marks in the text, in order. */
  values(text: string): string[];
}

const OPEN = "\uE000";
const CLOSE = "\uE001";
const MARK = /\uE000(\d+)\uE001/g;

/** Matches one mark; for use inside other patterns. */
export const QUOTED = "\uE000\\d+\uE001";

/** The verbs a clause may begin with, as alternatives of a pattern. */
export const VERBS =
  "find|search|grep|look|locate|list|ls|show|read|open|cat|view|print|display|count|how many|rename|move|copy|replace|" +
  "substitute|swap|change|fix|resolve|address|create|write|make|save|generate|add|append|prepend|insert|put|note|record|" +
  "mention|log|update|delete|remove|erase|rm|mkdir|undo|revert|summari[sz]e|explain|describe|run|execute|tell|what|where|which|give";
const SOFTENERS = "(?:(?:please|also|finally|next|now|you|can you)\\s+)*";

const SPANS = [
  /```(?:[\w-]*\n)?([\s\S]*?)```/,
  /"((?:[^"\\\n]|\\.)*)"/,
  /“([^”\n]*)”/,
  /`([^`\n]+)`/,
  /(?<=^|[\s(:=])'((?:[^'\\\n]|\\.|(?<=\w)'(?=\w))*)'(?![\p{L}\p{N}])/u,
];
const SPAN = new RegExp(SPANS.map(({ source }) => source).join("|"), "gu");

/** Splits a request where a new sentence, `and`, `then` or a comma leads to another verb; never inside quotes. */
export function clausesFromText(text: string): Clause[] {
  const { masked, quotes } = mask(text);
  const separator = new RegExp(
    `(?:[.!?;]+\\s+|\\s*\\n\\s*(?:[-*]\\s+|\\d+[.)]\\s+)?|,?\\s*\\b(?:and|then|after that|afterwards)\\b[\\s,]*|,\\s*)+(?=${SOFTENERS}(?:${VERBS})\\b)|[.!?]+\\s+(?=\\p{Lu})`,
    "giu",
  );
  return masked
    .split(separator)
    .map((part) => part.replace(/^[\s,.;!?-]+|[\s,;!?]+$/g, "").replace(/(?<!\.)\.$/, ""))
    .filter((part) => part !== "")
    .map((part) => ({ text: part, quotes }));
}

function mask(text: string): { masked: string; quotes: Quotes } {
  const whole: string[] = [];
  const values: string[] = [];
  let masked = text.replaceAll(/[\uE000\uE001]/g, "");
  // What begins first is quoted: quotes within a command in backticks are the command's.
  masked = masked.replace(SPAN, (match: string, ...groups: readonly (string | undefined)[]) => {
    const value = groups.slice(0, SPANS.length).find((group) => group !== undefined) ?? "";
    whole.push(match);
    values.push(match.startsWith("`") ? value : value.replaceAll(/\\(["'\\])/g, "$1"));
    return `${OPEN}${whole.length - 1}${CLOSE}`;
  });
  const put = (from: readonly string[], marked: string): string =>
    marked.replaceAll(MARK, (_match, index: string) => from[Number(index)] ?? "");
  return {
    masked,
    quotes: {
      restore: (marked) => put(whole, marked),
      unquote: (marked) => put(values, marked),
      values: (marked) => [...marked.matchAll(MARK)].map((match) => values[Number(match[1])] ?? ""),
    },
  };
}
