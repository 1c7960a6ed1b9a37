/** One file of a patch in the form Codex writes. */
export type PatchedFile =
  | { readonly kind: "add"; readonly path: string; readonly text: string }
  | { readonly kind: "delete"; readonly path: string }
  | { readonly kind: "update"; readonly path: string; readonly movedTo?: string; readonly hunks: readonly PatchHunk[] };

export interface PatchHunk {
  /** The line a hunk is looked for below; empty for none. */
  readonly anchor: string;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
}

/** A patch between `*** Begin Patch` and `*** End Patch`; `undefined` when it is none. */
export function patchEdits(text: string): PatchedFile[] | undefined {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch");
  const end = lines.findIndex((line, index) => index > begin && line.trim() === "*** End Patch");
  if (begin < 0) return undefined;
  const files: PatchedFile[] = [];
  const body = lines.slice(begin + 1, end < 0 ? undefined : end);
  for (let at = 0; at < body.length;) {
    const head = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(body[at] ?? "");
    if (head === null) {
      if ((body[at] ?? "").trim() !== "") return undefined;
      at++;
      continue;
    }
    let next = at + 1;
    while (next < body.length && !/^\*\*\* (?:Add|Update|Delete) File: /.test(body[next] ?? "")) next++;
    files.push(patchedFile(head[1] ?? "", (head[2] ?? "").trim(), body.slice(at + 1, next)));
    at = next;
  }
  return files;
}

function patchedFile(action: string, path: string, body: readonly string[]): PatchedFile {
  if (action === "Delete") return { kind: "delete", path };
  if (action === "Add") {
    const added = body.filter((line) => line.startsWith("+")).map((line) => `${line.slice(1)}\n`);
    return { kind: "add", path, text: added.join("") };
  }
  const movedTo = /^\*\*\* Move to: (.+)$/.exec(body[0] ?? "")?.[1]?.trim();
  const hunks: { anchor: string; oldLines: string[]; newLines: string[] }[] = [];
  for (const line of body.slice(movedTo === undefined ? 0 : 1)) {
    if (line.startsWith("@@")) hunks.push({ anchor: line.slice(2).trim(), oldLines: [], newLines: [] });
    else if (!line.startsWith("*** End of File")) {
      if (hunks.length === 0) hunks.push({ anchor: "", oldLines: [], newLines: [] });
      const hunk = hunks.at(-1);
      if (line.startsWith("-")) hunk?.oldLines.push(line.slice(1));
      else if (line.startsWith("+")) hunk?.newLines.push(line.slice(1));
      else {
        // A blank context line often comes without its space.
        hunk?.oldLines.push(line.slice(1));
        hunk?.newLines.push(line.slice(1));
      }
    }
  }
  const kept = hunks
    .map(withoutTrailingBlank)
    .filter(({ oldLines, newLines }) => oldLines.length + newLines.length > 0);
  return { kind: "update", path, ...(movedTo === undefined ? {} : { movedTo }), hunks: kept };
}

/** The blank line before the next file's head is no context. */
function withoutTrailingBlank(hunk: PatchHunk): PatchHunk {
  const isBlank = hunk.oldLines.at(-1) === "" && hunk.newLines.at(-1) === "" && hunk.oldLines.length > 1;
  return isBlank ? { ...hunk, oldLines: hunk.oldLines.slice(0, -1), newLines: hunk.newLines.slice(0, -1) } : hunk;
}

/** The text with the hunks applied in their order; `undefined` when one does not fit. */
export function patchedText(text: string, hunks: readonly PatchHunk[]): string | undefined {
  const hasEnd = text.endsWith("\n");
  let lines = (hasEnd ? text.slice(0, -1) : text).split("\n");
  let from = 0;
  for (const { anchor, oldLines, newLines } of hunks) {
    const anchored = anchor === "" ? -1 : lines.findIndex((line, index) => index >= from && line.trim() === anchor);
    const start = anchored < 0 ? from : anchored + 1;
    const at = oldLines.length === 0 ? lines.length : placeOf(lines, oldLines, start);
    if (at < 0) return undefined;
    lines = [...lines.slice(0, at), ...newLines, ...lines.slice(at + oldLines.length)];
    from = at + newLines.length;
  }
  return lines.join("\n") + (hasEnd ? "\n" : "");
}

/** Where the lines stand: exactly, else but for blanks at their ends, from `start` or else from the beginning. */
function placeOf(lines: readonly string[], wanted: readonly string[], start: number): number {
  for (const same of [(a: string, b: string) => a === b, (a: string, b: string) => a.trimEnd() === b.trimEnd()]) {
    for (const from of [start, 0]) {
      for (let at = from; at + wanted.length <= lines.length; at++) {
        if (wanted.every((line, index) => same(lines[at + index] ?? "", line))) return at;
      }
    }
  }
  return -1;
}
