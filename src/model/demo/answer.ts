import type { Directives } from "./directives";
import type { Note } from "./planContext";

const DETAILS_AT_MOST = 12;
const INLINE_DETAILS = 3;

/** The final text, in the form the instructions ask for. */
export function answerFromNotes(notes: readonly Note[], sources: Iterable<string>, directives: Directives): string {
  const said = notes.length === 0 ? [{ text: "There was nothing to do." }] : notes;
  const cited = directives.citePaths ? withoutBare([...sources]) : [];
  if (directives.shortParagraph) {
    // A paragraph that tells of several things names no details.
    const sentences = said.map((note) => inlineNote(said.length > 2 ? { text: note.text } : note));
    if (cited.length > 0) sentences.push(`Paths: ${shortList(cited, DETAILS_AT_MOST, ", ")}.`);
    return sentences.join(" ");
  }
  const blocks = said.map(blockNote);
  if (cited.length > 0) blocks.push(`Paths: ${shortList(cited, DETAILS_AT_MOST, ", ")}`);
  return blocks.join("\n\n");
}

/** A path that is named with a line is not named again without one. */
function withoutBare(sources: readonly string[]): string[] {
  return sources.filter((source) => !sources.some((other) => other.startsWith(`${source}:`)));
}

function blockNote({ text, details = [], hidden = 0 }: Note): string {
  if (details.length === 0) return text;
  const rest = Math.max(0, details.length - DETAILS_AT_MOST) + hidden;
  const rows = details.slice(0, DETAILS_AT_MOST).map((detail) => `- ${detail}`);
  return [text, "", ...rows, ...(rest > 0 ? [`- … and ${rest.toLocaleString("en")} more`] : [])].join("\n");
}

function inlineNote({ text, details = [], hidden = 0 }: Note): string {
  const sentence = text.replaceAll(/\s*\n+\s*/g, " ");
  if (details.length === 0) return sentence;
  return `${sentence.replace(/[:.]$/, "")}: ${shortList(details, INLINE_DETAILS, "; ", hidden)}.`;
}

function shortList(items: readonly string[], atMost: number, separator: string, hidden = 0): string {
  const rest = Math.max(0, items.length - atMost) + hidden;
  return items.slice(0, atMost).join(separator) + (rest > 0 ? `${separator}and ${rest.toLocaleString("en")} more` : "");
}
