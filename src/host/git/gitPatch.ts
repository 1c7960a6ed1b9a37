import { structuredPatch, type StructuredPatchHunk } from "diff";
import { limits } from "../../base";
import { quotedPath } from "./gitPaths";
import { shortOid } from "./gitRepository";
import type { FileDifference } from "./gitStatus";

/** A changed file with what it held and holds. */
export interface FilePatch extends FileDifference {
  readonly oldBytes: Uint8Array;
  readonly newBytes: Uint8Array;
}

/** Bytes of which a zero says that a file is not text, as git looks. */
const BINARY_LOOK_BYTES = 8_000;
const NO_OID = "0".repeat(40);

/** The change of a file as `git diff` prints it. */
export function patchText(patch: FilePatch, contextLines = 3): string {
  const { path, before, after } = patch;
  const [a, b] = [quotedPath(`a/${path}`), quotedPath(`b/${path}`)];
  const lines = [`diff --git ${a} ${b}`, ...modeLines(patch)];
  if (before?.oid !== after?.oid) {
    const mode = before !== undefined && before.mode === after?.mode ? ` ${before.mode}` : "";
    lines.push(`index ${shortOid(before?.oid ?? NO_OID)}..${shortOid(after?.oid ?? NO_OID)}${mode}`);
    lines.push(
      ...contentLines(
        patch,
        before === undefined ? "/dev/null" : a,
        after === undefined ? "/dev/null" : b,
        contextLines,
      ),
    );
  }
  return `${lines.join("\n")}\n`;
}

function modeLines({ before, after }: FileDifference): string[] {
  if (before === undefined) return [`new file mode ${after?.mode ?? "100644"}`];
  if (after === undefined) return [`deleted file mode ${before.mode}`];
  return before.mode === after.mode ? [] : [`old mode ${before.mode}`, `new mode ${after.mode}`];
}

function contentLines(patch: FilePatch, from: string, to: string, contextLines: number): string[] {
  if (isBinary(patch)) return [`Binary files ${from} and ${to} differ`];
  const hunks = hunksOf(patch, contextLines);
  if (hunks.length === 0) return [];
  // git ends a name that has a space with a tab, so that a reader of the patch knows where it ends.
  const named = (name: string) => (name.includes(" ") && !name.startsWith('"') ? `${name}\t` : name);
  const oldLines = new TextDecoder().decode(patch.oldBytes).split("\n");
  return [
    `--- ${named(from)}`,
    `+++ ${named(to)}`,
    ...hunks.flatMap((hunk) => [hunkHead(hunk, oldLines), ...hunk.lines]),
  ];
}

function isBinary({ oldBytes, newBytes }: FilePatch): boolean {
  return [oldBytes, newBytes].some((bytes) => bytes.subarray(0, BINARY_LOOK_BYTES).includes(0));
}

function hunksOf({ path, oldBytes, newBytes }: FilePatch, contextLines: number): StructuredPatchHunk[] {
  const [oldText, newText] = [new TextDecoder().decode(oldBytes), new TextDecoder().decode(newBytes)];
  const patch = structuredPatch(path, path, oldText, newText, undefined, undefined, {
    context: contextLines,
    timeout: limits.gitDiffMs,
  });
  return patch?.hunks ?? [wholeHunk(oldText, newText)];
}

/** Two files that take too long to compare: all of one goes, all of the other comes. */
function wholeHunk(oldText: string, newText: string): StructuredPatchHunk {
  const [gone, come] = [linesOf(oldText), linesOf(newText)];
  return {
    oldStart: 1,
    newStart: 1,
    oldLines: gone.length,
    newLines: come.length,
    lines: [...marked("-", gone), ...marked("+", come)],
  };
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

function marked(sign: string, lines: readonly string[]): string[] {
  return lines.map((line) => sign + line);
}

/** With the last line before it that begins like the head of something, which is where git says a reader is. */
function hunkHead(hunk: StructuredPatchHunk, oldLines: readonly string[]): string {
  const range = (start: number, count: number) => {
    const first = count === 0 ? start - 1 : start;
    return count === 1 ? String(first) : `${first},${count}`;
  };
  const before = oldLines.slice(0, Math.max(0, hunk.oldStart - 1));
  const place = before.findLast((line) => /^[\p{L}$_]/u.test(line));
  const words = place === undefined ? "" : ` ${place.slice(0, 80).trimEnd()}`;
  return `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@${words}`;
}

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
  readonly isBinary: boolean;
}

export function lineCounts(patch: FilePatch): LineCounts {
  if (patch.before?.oid === patch.after?.oid) return { added: 0, removed: 0, isBinary: false };
  if (isBinary(patch)) return { added: 0, removed: 0, isBinary: true };
  const lines = hunksOf(patch, 0).flatMap((hunk) => hunk.lines);
  return {
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
    isBinary: false,
  };
}

const STAT_WIDTH = 80;

/** `git diff --stat`: a bar a file and the sums. */
export function statText(patches: readonly FilePatch[]): string {
  if (patches.length === 0) return "";
  const rows = patches.map((patch) => ({ patch, name: quotedPath(patch.path), counts: lineCounts(patch) }));
  const most = Math.max(...rows.map(({ counts }) => counts.added + counts.removed));
  const numberWidth = Math.max(String(most).length, rows.some(({ counts }) => counts.isBinary) ? 3 : 0);
  const [nameWidth, barWidth] = widths(Math.max(...rows.map(({ name }) => name.length)), numberWidth, most);
  const lines = rows.map(({ patch, name, counts }) => {
    const head = ` ${cutName(name, nameWidth).padEnd(nameWidth)} | `;
    if (counts.isBinary)
      return `${head}${"Bin".padStart(numberWidth)} ${patch.oldBytes.length} -> ${patch.newBytes.length} bytes`;
    const total = counts.added + counts.removed;
    return `${head}${String(total).padStart(numberWidth)}${total === 0 ? "" : ` ${bar(counts, barWidth, most)}`}`;
  });
  return `${lines.join("\n")}\n${shortStatText(rows.map(({ counts }) => counts))}`;
}

/** As git shares eighty columns between names and bars. */
function widths(longest: number, numberWidth: number, most: number): readonly [number, number] {
  let [name, graph] = [longest, most];
  if (name + numberWidth + 6 + graph > STAT_WIDTH) {
    const share = Math.max(6, Math.floor((STAT_WIDTH * 3) / 8) - numberWidth - 6);
    if (graph > share) graph = share;
    if (name > STAT_WIDTH - numberWidth - 6 - graph) name = STAT_WIDTH - numberWidth - 6 - graph;
    else graph = STAT_WIDTH - numberWidth - 6 - name;
  }
  return [name, graph];
}

function cutName(name: string, width: number): string {
  if (name.length <= width) return name;
  const rest = name.slice(name.length - (width - 3));
  const slash = rest.indexOf("/");
  return `...${slash === -1 ? rest : rest.slice(slash)}`;
}

function bar({ added, removed }: LineCounts, width: number, most: number): string {
  let [plus, minus] = [added, removed];
  if (width <= most) {
    const scaled = (count: number) => (count === 0 ? 0 : 1 + Math.floor((count * (width - 1)) / most));
    const total = Math.max(scaled(added + removed), added > 0 && removed > 0 ? 2 : 0);
    if (added < removed) {
      plus = scaled(added);
      minus = total - plus;
    } else {
      minus = scaled(removed);
      plus = total - minus;
    }
  }
  return "+".repeat(plus) + "-".repeat(minus);
}

/** ` 2 files changed, 3 insertions(+), 1 deletion(-)` */
export function shortStatText(counts: readonly LineCounts[]): string {
  const added = counts.reduce((sum, one) => sum + one.added, 0);
  const removed = counts.reduce((sum, one) => sum + one.removed, 0);
  const parts = [` ${counts.length} file${counts.length === 1 ? "" : "s"} changed`];
  if (added > 0 || removed === 0) parts.push(`${added} insertion${added === 1 ? "" : "s"}(+)`);
  if (removed > 0 || added === 0) parts.push(`${removed} deletion${removed === 1 ? "" : "s"}(-)`);
  return `${parts.join(", ")}\n`;
}

/** ` create mode 100644 path` and ` delete mode …`, which follow the sums of a commit. */
export function summaryText(differences: readonly FileDifference[]): string {
  return differences
    .map(({ path, before, after }) => {
      if (before === undefined) return ` create mode ${after?.mode ?? ""} ${quotedPath(path)}\n`;
      if (after === undefined) return ` delete mode ${before.mode} ${quotedPath(path)}\n`;
      return before.mode === after.mode ? "" : ` mode change ${before.mode} => ${after.mode} ${quotedPath(path)}\n`;
    })
    .join("");
}
