import { parse, printParseErrorCode, type ParseError } from "jsonc-parser";

/** What a text of JSON says, or where it stops being JSON. */
export type ParsedJson = { readonly value: unknown } | { readonly problem: JsonProblem };

export interface JsonProblem {
  /** One sentence, without where. */
  readonly words: string;
  /** The same with where. */
  readonly sentence: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

const WORDS: { readonly [code: string]: string } = {
  PropertyNameExpected: "A name in quotes is missing.",
  ValueExpected: "A value is missing.",
  ColonExpected: "A : is missing.",
  CommaExpected: "A comma is missing.",
  CloseBraceExpected: "A } is missing.",
  CloseBracketExpected: "A ] is missing.",
  EndOfFileExpected: "There is more after the end.",
  InvalidCommentToken: "JSON has no comments.",
  UnexpectedEndOfString: "A text has no end.",
  UnexpectedEndOfNumber: "A number has no end.",
  InvalidNumberFormat: "This is no number.",
  InvalidUnicode: "This is no character.",
  InvalidEscapeCharacter: "This is no escape of JSON.",
};

export function parsedJson(text: string): ParsedJson {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first === undefined) return { value: JSON.parse(text) as unknown };
  const before = text.slice(0, first.offset).split("\n");
  const words = WORDS[printParseErrorCode(first.error)] ?? "This is no JSON.";
  const [line, column] = [before.length, (before.at(-1) ?? "").length + 1];
  const sentence = `agent.json is no JSON: line ${line}, column ${column}: ${words}`;
  return { problem: { words, sentence, line, column, offset: first.offset } };
}
