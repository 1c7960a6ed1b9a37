import { limits } from "../base";

/** A text on one line, its control characters shown: they could move the cursor of whoever reads it. */
export function oneLine(text: string): string {
  const cut =
    text.length > limits.trajectoryTextCharacters ? `${text.slice(0, limits.trajectoryTextCharacters)}…` : text;
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  return cut.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, " ").trimEnd();
}
