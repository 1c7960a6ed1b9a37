/**
 * Characters that are not seen but change what is: control characters, line ends, and the marks that turn the direction
 * of the text around them.
 */
const UNSEEN = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/** A name as it is shown: what would not be seen in it is written out, e.g. `\u202E`. */
export function shownName(name: string): string {
  return name.replace(UNSEEN, escaped);
}

/** A sentence that holds names and may hold line ends of its own, as it is shown. */
export function shownSentence(text: string): string {
  return text.replace(UNSEEN, (character) =>
    character === "\n" || character === "\t" ? character : escaped(character),
  );
}

/** Why a person cannot give this name, or `undefined` when nothing in it is unseen. */
export function unseenProblem(name: string): string | undefined {
  const character = name.match(UNSEEN)?.[0];
  return character === undefined
    ? undefined
    : `This cannot be used: it holds a character that is not seen (U+${codeOf(character)}), such as a line end or a mark of direction.`;
}

function escaped(character: string): string {
  return character === "\n"
    ? "\\n"
    : character === "\t"
      ? "\\t"
      : character === "\r"
        ? "\\r"
        : `\\u${codeOf(character)}`;
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}
