import { diffArrays } from "diff";
import { limits } from "../base";

export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  /** Without its line end. */
  readonly text: string;
  /** Set on a file's last line where it has no line end. */
  readonly endsWithoutNewline?: boolean;
}

/** Lines shown around each change, as `diff -u` does. */
const CONTEXT_LINES = 3;

/** Every line of both texts in order; texts too far apart come as all removed, then all added. */
export function diffLines(before: string, after: string): DiffLine[] {
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  ) {
    end++;
  }
  const [oldMiddle, newMiddle] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  return [
    ...old.slice(0, start).map((line) => diffLine("same", line)),
    ...middleLines(oldMiddle, newMiddle),
    ...old.slice(old.length - end).map((line) => diffLine("same", line)),
  ];
}

/** The change as unified hunks (`@@ -1,3 +1,4 @@`, no file headers), and how many lines it adds and removes. */
export function lineDiff(
  before: string,
  after: string,
): { diffString: string; linesAdded: number; linesRemoved: number } {
  const lines = diffLines(before, after);
  return {
    diffString: unifiedHunks(lines),
    linesAdded: lines.filter(({ kind }) => kind === "added").length,
    linesRemoved: lines.filter(({ kind }) => kind === "removed").length,
  };
}

function middleLines(old: string[], now: string[]): DiffLine[] {
  const changes = diffArrays(old, now, { maxEditLength: limits.diffEdits });
  if (changes === undefined) {
    return [...old.map((line) => diffLine("removed", line)), ...now.map((line) => diffLine("added", line))];
  }
  return changes.flatMap(({ value, added, removed }) =>
    value.map((line) => diffLine(added ? "added" : removed ? "removed" : "same", line)),
  );
}

/** Lines with their ends, so that a lost last line end is a difference. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function diffLine(kind: DiffLine["kind"], line: string): DiffLine {
  return line.endsWith("\n") ? { kind, text: line.slice(0, -1) } : { kind, text: line, endsWithoutNewline: true };
}

interface NumberedLine {
  readonly line: DiffLine;
  readonly oldNumber: number;
  readonly newNumber: number;
}

function unifiedHunks(lines: readonly DiffLine[]): string {
  let oldNumber = 1;
  let newNumber = 1;
  const numbered = lines.map((line) => {
    const result = { line, oldNumber, newNumber };
    if (line.kind !== "added") oldNumber++;
    if (line.kind !== "removed") newNumber++;
    return result;
  });
  return hunkRanges(lines)
    .map(([from, to]) => hunkText(numbered.slice(from, to)))
    .join("\n");
}

/** Index ranges of the changes with their context; those that touch are one. */
function hunkRanges(lines: readonly DiffLine[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const [index, { kind }] of lines.entries()) {
    if (kind === "same") continue;
    const from = Math.max(0, index - CONTEXT_LINES);
    const to = Math.min(lines.length, index + CONTEXT_LINES + 1);
    const last = ranges.at(-1);
    if (last && from <= last[1]) last[1] = to;
    else ranges.push([from, to]);
  }
  return ranges;
}

function hunkText(lines: readonly NumberedLine[]): string {
  const first = lines[0];
  if (first === undefined) return "";
  const oldCount = lines.filter(({ line }) => line.kind !== "added").length;
  const newCount = lines.filter(({ line }) => line.kind !== "removed").length;
  // A side without lines names the line before it, as `diff -u` does.
  const oldRange = `${oldCount === 0 ? first.oldNumber - 1 : first.oldNumber},${oldCount}`;
  const newRange = `${newCount === 0 ? first.newNumber - 1 : first.newNumber},${newCount}`;
  const texts = lines.flatMap(({ line }) => [
    `${line.kind === "added" ? "+" : line.kind === "removed" ? "-" : " "}${line.text}`,
    ...(line.endsWithoutNewline === true ? ["\\ No newline at end of file"] : []),
  ]);
  return [`@@ -${oldRange} +${newRange} @@`, ...texts].join("\n");
}
