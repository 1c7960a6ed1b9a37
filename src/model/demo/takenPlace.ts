import { parentOf } from "./lookups";
import type { Plan } from "./plan";
import type { PlanContext } from "./planContext";
import { failureKind, pathsFromText } from "./toolTexts";

/**
 * Whether a file must not be written at a path, since one is there, or since no tool can tell; then a note says so. Write
 * replaces what is there without a word, so nothing is written over unless the person said that it may be.
 */
export function* isTaken(context: PlanContext, path: string, notDone: string): Plan<boolean> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (context.has("Glob") && !/[*?[\]{}()!+@\\]/.test(name)) {
    const folder = parentOf(path);
    const outcome = yield* context.call("Glob", {
      globPattern: name,
      ...(folder === "/" ? {} : { targetDirectory: folder }),
    });
    if (!outcome.failed) return pathsFromText(outcome.text).items.includes(path) && noteTaken(context, path, notDone);
    if (failureKind(outcome) === "missing") return false;
  }
  if (!context.has("Read")) {
    context.note(`I cannot see whether ${path} is there, so ${notDone}. ${HOW_TO_OVERWRITE}`);
    return true;
  }
  const outcome = yield* context.call("Read", { path });
  if (!outcome.failed) return noteTaken(context, path, notDone);
  // What is no file is for Write to refuse, in its own words.
  if (["missing", "not-a-file"].includes(failureKind(outcome))) return false;
  context.note(`I cannot see whether ${path} is there, so ${notDone}. ${HOW_TO_OVERWRITE}`);
  return true;
}

const HOW_TO_OVERWRITE = "Ask again with “and overwrite it” if it may be replaced.";

function noteTaken(context: PlanContext, path: string, notDone: string): true {
  context.note(`${path} is already there; ${notDone}. ${HOW_TO_OVERWRITE}`);
  return true;
}
