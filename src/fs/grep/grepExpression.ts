import type { GrepQuery } from "../fileSystem";
import { normalizeFsPath } from "../path";
import { InvalidGrepPatternError } from "../pathError";
import { isAsciiOnly } from "./asciiSource";
import { parsePattern } from "./parsePattern";
import type { PatternNode } from "./patternNode";
import { PatternSyntaxError } from "./patternSyntaxError";
import { regexFromPattern } from "./regexSource";
import { requiredLiterals, wholeLiteral } from "./requiredLiteral";
import { trimmedPattern } from "./trimmedPattern";

/** Ways to match at one place up to which a pattern may be searched on the page's own thread, in a small tree. */
const MAX_BOUNDED_WAYS = 64;

/** A pattern made ready to search texts. Its expressions are global and keep `lastIndex`: one search at a time. */
export interface GrepExpression {
  readonly isMultiline: boolean;
  /** The string all matches are, when the pattern is plain letters. */
  readonly literal: string | undefined;
  /** Every match holds one of these strings; empty when nothing is sure. */
  readonly required: readonly string[];
  /** Its time cannot explode: there are few ways to match at one place. */
  readonly isBounded: boolean;
  /** How the pattern is written for a text; `hasLoneReturn` is whether a CR in it ends no line. */
  forms(hasLoneReturn: boolean): RegexForms;
}

/** A pattern for a text that is ASCII, and for any; one and the same where that comes to the same. */
export interface RegexForms {
  readonly ascii: RegExp;
  readonly full: RegExp;
}

/**
 * Compiles a query's pattern as ripgrep reads it.
 * @throws InvalidGrepPatternError about the search root
 */
export function grepExpression(query: GrepQuery): GrepExpression {
  try {
    return compiled(query);
  } catch (error) {
    // A SyntaxError is the engine's own: an expression too large for it.
    if (!(error instanceof PatternSyntaxError) && !(error instanceof SyntaxError)) throw error;
    throw new InvalidGrepPatternError(normalizeFsPath(query.path ?? "/"), query.pattern);
  }
}

function compiled(query: GrepQuery): GrepExpression {
  const parsed = parsePattern(query.pattern, query.caseInsensitive ?? false);
  // When nothing in the pattern can match a line feed, line by line comes to the same and is faster.
  const isMultiline = (query.multiline ?? false) && canSpanLines(parsed);
  const node = isMultiline ? parsed : trimmedPattern(parsed);
  // What trimming dropped must be legal too.
  if (!isMultiline) regexFromPattern(parsed, { isMultiline, isAsciiText: true, hasLoneReturn: false });
  const usual = formsOf(node, isMultiline, false);
  let withLoneReturn: RegexForms | undefined;
  const literal = isMultiline ? undefined : wholeLiteral(node);
  return {
    isMultiline,
    literal: literal === "" ? undefined : literal,
    required: requiredLiterals(node),
    isBounded: waysOf(node) <= MAX_BOUNDED_WAYS,
    forms: (hasLoneReturn) => (hasLoneReturn ? (withLoneReturn ??= formsOf(node, isMultiline, true)) : usual),
  };
}

function formsOf(node: PatternNode, isMultiline: boolean, hasLoneReturn: boolean): RegexForms {
  const ascii = regexFromPattern(node, { isMultiline, isAsciiText: true, hasLoneReturn });
  if (isAsciiOnly(node)) return { ascii, full: ascii };
  return { ascii, full: regexFromPattern(node, { isMultiline, isAsciiText: false, hasLoneReturn }) };
}

function canSpanLines(node: PatternNode): boolean {
  switch (node.kind) {
    case "literal":
      return node.code === 10;
    case "set":
      return regexFromPattern(node, { isMultiline: true, isAsciiText: true, hasLoneReturn: false }).test("\n");
    case "sequence":
      return node.parts.some(canSpanLines);
    case "alternation":
      return node.options.some(canSpanLines);
    case "repeat":
      return canSpanLines(node.body);
    case "assertion":
      return node.assertion === "textStart" || node.assertion === "textEnd";
    case "empty":
    default:
      return false;
  }
}

/** In how many ways an expression may match at one place, at worst: so often it may go back. */
function waysOf(node: PatternNode): number {
  switch (node.kind) {
    case "repeat": {
      const ways = waysOf(node.body);
      if (node.max === Infinity) return Infinity;
      return ways === 1 ? node.max - node.min + 1 : (node.max - node.min + 1) * ways ** node.max;
    }
    case "sequence":
      return node.parts.reduce((product, part) => product * waysOf(part), 1);
    case "alternation":
      return node.options.reduce((sum, option) => sum + waysOf(option), 0);
    case "literal":
    case "set":
    case "assertion":
    case "empty":
    default:
      return 1;
  }
}
