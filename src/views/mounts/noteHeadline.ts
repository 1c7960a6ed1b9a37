/** Characters of a note that are read at a glance; a longer one begins with its first sentence. */
const GLANCE_CHARACTERS = 150;

/** What of a note is read at a glance, a whole sentence at least, and what is folded below it. */
export function noteHeadline(words: string): readonly [headline: string, further: string] {
  const end = words.length <= GLANCE_CHARACTERS ? -1 : words.search(/\. [A-Za-z]/);
  return end < 0 ? [words, ""] : [words.slice(0, end + 1), words.slice(end + 2)];
}
