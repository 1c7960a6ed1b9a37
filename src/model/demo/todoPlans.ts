import { limits } from "../../base";
import { applyEdit } from "./applyEdit";
import { exactEdit } from "./exactEdit";
import type { Intent } from "./intent";
import { readFile } from "./lookups";
import type { Plan } from "./plan";
import { inCode, plural, type PlanContext } from "./planContext";
import { findHits } from "./searchPlans";
import { stemsOf } from "./stemsOf";
import { resetFunction, todoCommentIn } from "./todoComment";
import { linesFromRead, type Hit, type ReadLines } from "./toolTexts";

/** Finds TODO comments, reads around them and takes out those asked for; says plainly what it did and did not do. */
export function* fixTodosPlan(context: PlanContext, intent: Extract<Intent, { kind: "fixTodos" }>): Plan<void> {
  const known = context.findings;
  const fits = known && /TODO|FIXME/.test(known.pattern) && (intent.path === undefined || intent.path === known.path);
  const search = { pattern: "TODO|FIXME", label: "TODO", path: intent.path, caseInsensitive: false };
  const findings = fits ? known : yield* findHits(context, search, intent.topic);
  if (!findings) return;
  const chosen = chooseTodos(findings.hits, intent);
  if (chosen.length === 0) {
    const place = findings.path === "/" ? "" : ` in ${findings.path}`;
    if (findings.hits.length === 0) context.note(`There is no TODO to fix${place}.`);
    else context.note(`None of the ${plural(findings.hits.length, "TODO")} I found${place} is about ${intent.topic}.`);
    return;
  }
  let fixed = 0;
  for (const hit of chosen) if (yield* fixTodo(context, hit)) fixed += 1;
  if (intent.all) {
    const left = findings.hits.length - fixed + (findings.more ?? 0);
    if (left > 0)
      context.note(
        `${plural(left, "TODO")} ${left === 1 ? "is" : "are"} left as ${left === 1 ? "it is" : "they are"}.`,
      );
  }
}

function chooseTodos(
  hits: readonly Hit[],
  { topic, all }: { readonly topic: string; readonly all: boolean },
): readonly Hit[] {
  if (all) return hits.slice(0, limits.demoFiles);
  const stems = stemsOf(topic);
  if (topic === "") return hits.slice(0, 1);
  const score = (hit: Hit): number => {
    const comment = hit.line.slice(Math.max(0, hit.line.search(/TODO|FIXME/))).toLowerCase();
    const whole = `${hit.path} ${hit.line}`.toLowerCase();
    return stems.reduce((sum, stem) => sum + (comment.includes(stem) ? 3 : whole.includes(stem) ? 1 : 0), 0);
  };
  const [best] = hits.map((hit) => ({ hit, score: score(hit) })).toSorted((a, b) => b.score - a.score);
  return best && best.score > 0 ? [best.hit] : [];
}

function* fixTodo(context: PlanContext, hit: Hit): Plan<boolean> {
  const found = yield* readFile(context, hit.path);
  if (!found) return false;
  const { lines, at } = yield* linesAround(context, hit, found.read);
  const line = lines[at];
  if (line === undefined) {
    context.note(`I left ${hit.path} as it is: line ${hit.lineNumber} no longer says this.`);
    return false;
  }
  const bare = line.replace(/\r$/, "");
  const comment = todoCommentIn(bare);
  if (!comment) {
    context.note(
      `I left ${hit.path}:${hit.lineNumber} as it is: the TODO is not a comment of its own that I can take out safely.`,
    );
    return false;
  }
  const end = line.slice(bare.length);
  const extra = comment.remaining === undefined ? undefined : resetFunction(comment.remaining, comment.words);
  const replacement = [comment.remaining, extra].flatMap((text) => (text === undefined ? [] : [text + end]));
  const edit = exactEdit(lines, at, replacement);
  const words = comment.words === "" ? "a TODO" : `the TODO ${inCode(comment.words)}`;
  const text = context.say(`Now ${words} in ${baseOf(hit.path)}.`, `I take out ${words}.`);
  if (!(yield* applyEdit(context, hit.path, edit, { text }))) return false;
  context.sources.add(`${hit.path}:${hit.lineNumber}`);
  context.note(
    extra === undefined
      ? `I took out ${words} at ${hit.path}:${hit.lineNumber}; whether the code does what it asked for, I cannot judge.`
      : `I resolved ${words} at ${hit.path}:${hit.lineNumber}: the comment is gone and ${inCode(extra)} is there; nothing calls it yet.`,
  );
  context.changes.push({ path: hit.path, words: `Resolved ${words} in ${baseOf(hit.path)}.` });
  return true;
}

const LINES_AROUND = 30;

/** The lines the hit is in, and which of them it is; a long file is read once more at that place. */
function* linesAround(
  context: PlanContext,
  hit: Hit,
  read: ReadLines,
): Plan<{ readonly lines: readonly string[]; readonly at: number }> {
  const at = lineOf(read.lines, hit, read.firstLine);
  if (at >= 0 || read.nextLine === undefined) return { lines: read.lines, at };
  const offset = Math.max(1, hit.lineNumber - LINES_AROUND);
  const outcome = yield* context.call("Read", { path: hit.path, offset, limit: 2 * LINES_AROUND });
  const near = linesFromRead(outcome.text);
  return { lines: near.lines, at: lineOf(near.lines, hit, near.firstLine) };
}

/** The index of the hit's line among those read: by number, or where edits have moved it, by its text. */
function lineOf(lines: readonly string[], hit: Hit, firstLine: number): number {
  const at = hit.lineNumber - firstLine;
  const same = (line: string | undefined): boolean => line?.replace(/\r$/, "") === hit.line.replace(/\r$/, "");
  return same(lines[at]) ? at : lines.findIndex(same);
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
