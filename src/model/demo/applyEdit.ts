import type { CallOutcome } from "./conversation";
import { readAfterEdit, type ExactEdit } from "./exactEdit";
import { failureWords, lookBefore, readFiles } from "./lookups";
import type { Plan } from "./plan";
import type { PlanContext } from "./planContext";
import { failureKind } from "./toolTexts";

export interface EditOptions {
  readonly all?: boolean;
  /** Said before the call. */
  readonly text?: string;
}

/**
 * Makes an exact replacement with StrReplace, or where that is off by reading and writing the whole file.
 * @returns whether it was made; if not, a note says why
 */
export function* applyEdit(
  context: PlanContext,
  path: string,
  edit: ExactEdit,
  options: EditOptions = {},
): Plan<boolean> {
  yield* lookBefore(context, path, true);
  const outcome =
    context.has("StrReplace") || !context.has("Write")
      ? yield* context.call("StrReplace", { path, ...edit, ...(options.all ? { replaceAll: true } : {}) }, options.text)
      : yield* rewrite(context, path, edit, options);
  if (outcome === undefined) return false;
  if (outcome.failed) {
    context.note(editFailureWords(path, edit, outcome));
    return false;
  }
  const read = context.reads.get(path);
  if (read) context.reads.set(path, readAfterEdit(read, edit, options.all ?? false));
  context.sources.add(path);
  context.lastPath = path;
  return true;
}

function* rewrite(
  context: PlanContext,
  path: string,
  edit: ExactEdit,
  options: EditOptions,
): Plan<CallOutcome | undefined> {
  const [result] = yield* readFiles(context, [path], options.text);
  if (!result || "failed" in result) {
    if (result) context.note(failureWords("read", path, result.failed));
    return undefined;
  }
  if (!result.read.complete) {
    context.note(
      `I left ${path} as it is: StrReplace is not offered, and I cannot see the whole file to write it anew.`,
    );
    return undefined;
  }
  const edited = readAfterEdit(result.read, edit, options.all ?? false);
  return yield* context.call("Write", { path, fileText: `${edited.lines.join("\n")}\n` });
}

function editFailureWords(path: string, edit: ExactEdit, outcome: CallOutcome): string {
  switch (failureKind(outcome)) {
    case "text-missing":
      return `I left ${path} as it is: it does not hold the text ${JSON.stringify(edit.oldText.slice(0, 80))}.`;
    case "text-ambiguous":
      return `I left ${path} as it is: the text stands in it more than once. Say "replace all" to change every place.`;
    default:
      return failureWords("change", path, outcome);
  }
}
