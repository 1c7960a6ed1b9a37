/** A word of a language that writes without spaces stands alone; all others run over letters, digits and `_`. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}_$]+/gu;
/** Where an identifier falls apart: `readFile`, `HTTPServer`, `base64Text`, `snake_case`. */
const JOINT = /[_$]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})/u;

/** Words that say nothing about what is looked for. */
const STOP_WORDS = new Set(
  "a an and are as at be by for from has have if in is it its of on or that the this to was were will with".split(" "),
);

/**
 * The terms of a text, for the index and for a query alike. An identifier gives its parts and itself; it is split before
 * the case is dropped, or nothing would be left to split at.
 */
export function searchTerms(text: string): string[] {
  const terms: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    const parts = word.split(JOINT).filter((part) => part !== "");
    for (const part of parts) addTerm(terms, part);
    if (parts.length > 1) terms.push(word.toLowerCase());
  }
  return terms;
}

function addTerm(terms: string[], part: string): void {
  const lower = part.toLowerCase();
  if (!STOP_WORDS.has(lower)) terms.push(stem(lower));
}

/** A light stem: plurals, `-ing`, `-ed`. Enough that `parses`, `parsing` and `parsed` meet. */
function stem(word: string): string {
  if (word.length < 4) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("s") && !/(?:ss|us|is)$/.test(word)) return withoutFinalE(word.slice(0, -1));
  if (word.endsWith("ing") && word.length > 5) return undoubled(word.slice(0, -3));
  if (word.endsWith("ed") && word.length > 4) return undoubled(word.slice(0, -2));
  return withoutFinalE(word);
}

function withoutFinalE(word: string): string {
  return word.length > 3 && word.endsWith("e") ? word.slice(0, -1) : word;
}

/** `stopp` as `stop`, but not `pass` or `call`. */
function undoubled(word: string): string {
  return /([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}
