import type { ReadLines } from "./toolTexts";

/** An exact replacement that hits one place only. */
export interface ExactEdit {
  readonly oldText: string;
  readonly newText: string;
}

/**
 * The edit that puts `replacement` (no line: deletes it) in place of the line at `index`, with as many lines around it
 * as make it unique among the lines known.
 */
export function exactEdit(lines: readonly string[], index: number, replacement: readonly string[]): ExactEdit {
  const whole = lines.join("\n");
  let start = index;
  let end = index + 1;
  // To delete a line its line end must go too, so a neighbour has to be part of the text.
  if (replacement.length === 0) {
    if (end < lines.length) end += 1;
    else if (start > 0) start -= 1;
  }
  for (;;) {
    const oldText = lines.slice(start, end).join("\n");
    if ((oldText !== "" && occurrences(whole, oldText) === 1) || (start === 0 && end === lines.length)) {
      const newText = [...lines.slice(start, index), ...replacement, ...lines.slice(index + 1, end)].join("\n");
      return { oldText, newText };
    }
    if (start > 0) start -= 1;
    if (end < lines.length) end += 1;
  }
}

/** How often a text stands in another, overlaps not counted. */
export function occurrences(text: string, part: string): number {
  return part === "" ? 0 : text.split(part).length - 1;
}

/** What is known of a file after an edit, so that the next edit finds the text as it is now. */
export function readAfterEdit(read: ReadLines, edit: ExactEdit, all: boolean): ReadLines {
  const text = read.lines.join("\n");
  const edited = all ? text.split(edit.oldText).join(edit.newText) : replaceFirst(text, edit);
  return { ...read, lines: edited.split("\n") };
}

function replaceFirst(text: string, { oldText, newText }: ExactEdit): string {
  const at = text.indexOf(oldText);
  return at < 0 ? text : text.slice(0, at) + newText + text.slice(at + oldText.length);
}
