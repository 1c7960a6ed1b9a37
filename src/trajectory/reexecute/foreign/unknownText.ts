/**
 * Stands, as a line of its own, for lines of an inferred file that nobody saw: a noncharacter no recording holds. Edits move
 * it with the lines around it, so what is unknown stays known to be so.
 */
export const UNKNOWN_LINE = "\u{10FFFE}";

/** From here on nothing is known of where a line stands, nor how many there are. */
export const UNKNOWN_REST = `${UNKNOWN_LINE}${UNKNOWN_LINE}`;

/** Whether a text, or a part of one, holds what nobody saw. */
export function holdsUnknown(text: string): boolean {
  return text.includes(UNKNOWN_LINE);
}
