/** Up to `count` lines that end before `start`, in order, without their ends. */
export function linesBefore(text: string, start: number, count: number): string[] {
  const lines: string[] = [];
  let end = start;
  while (lines.length < count && end > 0) {
    const begin = end < 2 ? 0 : text.lastIndexOf("\n", end - 2) + 1;
    lines.push(withoutReturn(text.slice(begin, end - 1)));
    end = begin;
  }
  return lines.toReversed();
}

/** Up to `count` lines behind the line that ends at `end` (at its CR or LF), in order, without their ends. */
export function linesAfter(text: string, end: number, count: number): string[] {
  const lines: string[] = [];
  let feed = text.indexOf("\n", end);
  while (lines.length < count && feed >= 0 && feed + 1 < text.length) {
    const begin = feed + 1;
    feed = text.indexOf("\n", begin);
    lines.push(withoutReturn(text.slice(begin, feed < 0 ? text.length : feed)));
  }
  return lines;
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
