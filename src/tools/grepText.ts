import { limits, type JsonObject } from "../base";
import { counted } from "./counted";
import type { GrepMatch, GrepOutput, GrepRest } from "./toolOutputs";

export function grepText(value: JsonObject): string | undefined {
  const output = value as unknown as GrepOutput;
  switch (output.type) {
    case "content": {
      if (!Array.isArray(output.matches)) return undefined;
      const cut = output.cutLines ?? 0;
      const notes = [
        ...restNote(output.rest, "match", "matches"),
        ...(cut > 0
          ? [
              `${counted(cut, "line")} cut at ${limits.grepLineCharacters} characters: Read one whole by its number with limit=1`,
            ]
          : []),
      ];
      return page(contentLines(output.matches), output.totalMatches, notes);
    }
    case "files":
      return Array.isArray(output.files)
        ? page([...output.files], output.count, restNote(output.rest, "file", "files"))
        : undefined;
    case "count":
      return Array.isArray(output.counts)
        ? page(
            output.counts.map(({ file, count }) => `${file}:${count}`),
            output.total,
            restNote(output.rest, "file", "files"),
          )
        : undefined;
    default:
      return undefined;
  }
}

function page(lines: readonly string[], total: number, notes: readonly string[]): string {
  if (total === 0) return "(no matches)";
  if (lines.length === 0) return "[no results from this offset on: use a smaller offset]";
  return [...lines, ...(notes.length > 0 ? [`[${notes.join("; ")}]`] : [])].join("\n");
}

function restNote(rest: GrepRest | undefined, singular: string, plural: string): string[] {
  if (rest === undefined) return [];
  const more = counted(rest.count, `more ${singular}`, `more ${plural}`);
  return rest.atLeast === true
    ? [`at least ${more}: continue with offset=${rest.offset}, or narrow pattern, path or glob`]
    : [`${more}: continue with offset=${rest.offset}`];
}

function contentLines(matches: readonly GrepMatch[]): string[] {
  const byFile = new Map<string, GrepMatch[]>();
  for (const match of matches) {
    const ofFile = byFile.get(match.file);
    if (ofFile) ofFile.push(match);
    else byFile.set(match.file, [match]);
  }
  return [...byFile].flatMap(([file, ofFile], index) => [...(index > 0 ? [""] : []), file, ...fileLines(ofFile)]);
}

/** A file's lines in order, each once: a line that is context of one match and a match itself is a match. */
function fileLines(matches: readonly GrepMatch[]): string[] {
  const texts = new Map<number, { text: string; isMatch: boolean }>();
  const put = (from: number, lines: readonly string[], isMatch: boolean) => {
    for (const [index, text] of lines.entries()) {
      if (isMatch || !texts.has(from + index)) texts.set(from + index, { text, isMatch });
    }
  };
  let hasContext = false;
  for (const { lineNumber, line, beforeContext = [], afterContext = [] } of matches) {
    const matched = line.split("\n");
    put(lineNumber - beforeContext.length, beforeContext, false);
    put(lineNumber, matched, true);
    put(lineNumber + matched.length, afterContext, false);
    hasContext ||= beforeContext.length > 0 || afterContext.length > 0;
  }
  const lines: string[] = [];
  let previous: number | undefined;
  for (const [number, { text, isMatch }] of [...texts].toSorted(([a], [b]) => a - b)) {
    // As ripgrep does: groups of lines that do not touch are parted, and only where context is shown.
    if (hasContext && previous !== undefined && number > previous + 1) lines.push("--");
    lines.push(`${number}${isMatch ? ":" : "-"}${text}`);
    previous = number;
  }
  return lines;
}
