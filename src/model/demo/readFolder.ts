import { CALLS_A_STEP, failureWords, readFiles } from "./lookups";
import type { Plan } from "./plan";
import { plural, type PlanContext } from "./planContext";
import { pathsFromText } from "./toolTexts";

/**
 * Reads the files of a folder, or those of a pattern, as many as can be followed. `false` when it is no folder, and then
 * nothing is said.
 */
export function* readFolder(
  context: PlanContext,
  path: string,
  tell: (context: PlanContext, path: string) => void,
): Plan<boolean> {
  if (!context.has("Glob")) return false;
  const isPattern = path.includes("*");
  const parts = path.split("/");
  const first = parts.findIndex((part) => part.includes("*"));
  const folder = isPattern ? parts.slice(0, first).join("/") || "/" : path;
  const globPattern = isPattern ? parts.slice(first).join("/") : "**";
  const outcome = yield* context.call("Glob", {
    globPattern,
    ...(folder === "/" ? {} : { targetDirectory: folder }),
  });
  if (outcome.failed) return false;
  const { items, more } = pathsFromText(outcome.text);
  if (items.length === 0) {
    if (isPattern) context.note(`No file matches ${path}.`);
    return isPattern;
  }
  const results = yield* readFiles(context, items.slice(0, CALLS_A_STEP), context.say("I read them.", "Reading them."));
  for (const result of results) {
    if ("read" in result) tell(context, result.path);
    else context.note(failureWords("read", result.path, result.failed));
  }
  const left = items.length - Math.min(items.length, CALLS_A_STEP) + (more ?? 0);
  if (left > 0 || more === undefined) {
    const count = more === undefined ? `at least ${plural(left, "file")}` : plural(left, "file");
    context.note(`I left ${count} of ${folder} unread: name those you want.`);
  }
  return true;
}
