/** All characters that change with case: only these can be equal to another one when case is ignored. */
let cased: string | undefined;

/** The codes that are equal to a code when case is ignored, itself among them. */
export function caseVariants(code: number): number[] {
  if (code < 0x80 && !/[a-z]/i.test(String.fromCharCode(code))) return [code];
  return [...new Set([code, ...foldedRange(code, code)])];
}

/** The codes that are equal to one of a range when case is ignored. */
export function foldedRange(from: number, to: number): number[] {
  if (to < 0x41) return [];
  cased ??= casedCharacters();
  const folded = new RegExp(`[\\u{${from.toString(16)}}-\\u{${to.toString(16)}}]`, "giu");
  return [...cased.matchAll(folded)].map(([character]) => character.codePointAt(0) ?? 0);
}

function casedCharacters(): string {
  const changes = /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u;
  let characters = "";
  // No script with cases lies further up.
  for (let code = 0; code < 0x1f_000; code++) {
    const isSurrogate = code >= 0xd8_00 && code < 0xe0_00;
    const character = String.fromCodePoint(code);
    if (!isSurrogate && changes.test(character)) characters += character;
  }
  return characters;
}
