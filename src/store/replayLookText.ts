/** A text of its own: a piece of a string keeps all of the string in memory. Lone halves of a letter stay what they are. */
export function ownText(text: string): string {
  return Array.from({ length: text.length }, (_, at) => text[at]).join("");
}
