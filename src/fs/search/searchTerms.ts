import { stem } from "./stem";

/** A word of a language that writes without spaces stands alone; all others run over letters, digits and `_`. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}_$]+/gu;
/** Where an identifier falls apart: `readFile`, `HTTPServer`, `base64Text`, `snake_case`. */
const JOINT = /[_$]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})/u;

/** Words that say nothing about what is looked for. */
const STOP_WORDS = new Set(
  "a an and are as at be by for from has have if in is it its of on or that the this to was were will with".split(" "),
);

/**
 * The stems of a text's words, identifiers taken apart. They are split before the case is dropped, or nothing would be left
 * to split at.
 */
export function wordTerms(text: string): string[] {
  const terms: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    for (const part of partsOf(word)) {
      const lower = part.toLowerCase();
      if (!STOP_WORDS.has(lower)) terms.push(stem(lower));
    }
  }
  return terms;
}

/** The identifiers of a text that fall apart, whole. They are indexed by themselves: among its words they would only make the text longer. */
export function identifierTerms(text: string): string[] {
  const terms: string[] = [];
  for (const [word] of text.matchAll(WORD)) if (partsOf(word).length > 1) terms.push(word.toLowerCase());
  return terms;
}

/** What a query is looked for by. */
export function queryTerms(query: string): string[] {
  return [...wordTerms(query), ...identifierTerms(query)];
}

function partsOf(word: string): string[] {
  return word.split(JOINT).filter((part) => part !== "");
}
