import type { CallOutcome } from "./conversation";
import { readAfterEdit, type ExactEdit } from "./exactEdit";
import { CALLS_A_STEP, failureWords, lookBefore, readFiles } from "./lookups";
import type { Plan, PlannedCall } from "./plan";
import type { PlanContext } from "./planContext";
import { failureKind } from "./toolTexts";

export interface EditOptions {
  readonly all?: boolean;
  /** Said before the call. */
  readonly text?: string;
}

/**
 * Makes an exact replacement with StrReplace, or where that is off by reading and writing the whole file.
 * @returns what came of it; `undefined` when it was not made, and then a note says why
 */
export function* applyEdit(
  context: PlanContext,
  path: string,
  edit: ExactEdit,
  options: EditOptions = {},
): Plan<CallOutcome | undefined> {
  yield* lookBefore(context, path, true);
  const outcome =
    context.has("StrReplace") || !context.has("Write")
      ? yield* context.call("StrReplace", { path, ...edit, ...(options.all ? { replaceAll: true } : {}) }, options.text)
      : yield* rewrite(context, path, edit, options);
  return outcome && settled(context, path, edit, options.all ?? false, outcome);
}

/** One edit of several in different files. */
export interface FileEdit {
  readonly path: string;
  readonly edit: ExactEdit;
  readonly all: boolean;
}

/** Makes edits of different files, several in one step; `changed` gets the path of each that was made. */
export function* applyEdits(context: PlanContext, edits: readonly FileEdit[], changed: string[]): Plan<void> {
  if (!context.has("StrReplace")) {
    for (const { path, edit, all } of edits) if (yield* applyEdit(context, path, edit, { all })) changed.push(path);
    return;
  }
  for (const { path } of edits) yield* lookBefore(context, path, true);
  for (let start = 0; start < edits.length; start += CALLS_A_STEP) {
    const batch = edits.slice(start, start + CALLS_A_STEP);
    const outcomes = yield* context.callAll(
      batch.map(({ path, edit, all }): PlannedCall => ({
        toolName: "StrReplace",
        input: { path, ...edit, ...(all ? { replaceAll: true } : {}) },
      })),
    );
    for (const [index, outcome] of outcomes.entries()) {
      const made = batch[index];
      if (made && settled(context, made.path, made.edit, made.all, outcome)) changed.push(made.path);
    }
  }
}

function settled(
  context: PlanContext,
  path: string,
  edit: ExactEdit,
  all: boolean,
  outcome: CallOutcome,
): CallOutcome | undefined {
  if (outcome.failed) {
    context.note(editFailureWords(path, edit, outcome));
    return undefined;
  }
  const read = context.reads.get(path);
  if (read) context.reads.set(path, readAfterEdit(read, edit, all));
  context.sources.add(path);
  context.lastPath = path;
  return outcome;
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
