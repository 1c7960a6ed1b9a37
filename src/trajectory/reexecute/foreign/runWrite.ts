import { PathError } from "../../../fs";
import type { ForeignEdit, ForeignOperation } from "./foreignOperation";
import { ran, type ForeignRun, type OperationOutcome } from "./foreignRun";
import { patchedText, patchEdits, type PatchedFile } from "./patchEdits";
import { HARNESS_WORDS } from "./recordedReading";
import { textAt } from "./runRead";
import { holdsUnknown } from "./unknownText";

type Write = Extract<ForeignOperation, { kind: "write" | "edit" | "insert" | "delete" | "patch" }>;

/** Writes, edits and deletes as the call did. What a tool says of a write is words; the files are compared. */
export async function runWrite(run: ForeignRun, operation: Write, wasCompleted: boolean): Promise<OperationOutcome> {
  try {
    return await written(run, operation, wasCompleted);
  } catch (error) {
    if (error instanceof PathError) return failed(error.message);
    throw error;
  }
}

async function written(run: ForeignRun, operation: Write, wasCompleted: boolean): Promise<OperationOutcome> {
  switch (operation.kind) {
    case "write":
      return await onPath(run, operation.path, async (path) => {
        await run.tree.write(path, operation.text);
        return done;
      });
    case "edit":
      return await onPath(run, operation.path, (path) => edited(run, path, operation.edits, wasCompleted));
    case "insert":
      return await onPath(run, operation.path, (path) => inserted(run, path, operation));
    case "delete":
      return await onPath(run, operation.path, (path) => deleted(run, path));
    default:
      return await patched(run, operation.text, wasCompleted);
  }
}

const done: OperationOutcome = ran({ status: "completed", expected: "", actual: "", normalisers: [HARNESS_WORDS] });

function failed(message: string): OperationOutcome {
  return ran({ status: "failed", message, expected: "", actual: "", normalisers: [HARNESS_WORDS] });
}

async function onPath(
  run: ForeignRun,
  recorded: string,
  work: (path: string) => Promise<OperationOutcome>,
): Promise<OperationOutcome> {
  const path = run.place(recorded);
  return path === undefined ? { kind: "not run", why: `${recorded} can be no path of a tree.` } : await work(path);
}

async function edited(
  run: ForeignRun,
  path: string,
  edits: readonly ForeignEdit[],
  wasCompleted: boolean,
): Promise<OperationOutcome> {
  const before = await textAt(run, path);
  if (typeof before !== "string") return before;
  let text = before;
  for (const { oldText, newText, all } of edits) {
    const found = fittingText(text, oldText);
    const pieces = text.split(found);
    if (pieces.length === 1) {
      if (holdsUnknown(text))
        return { kind: "not comparable", why: `The edited place lies outside what is known of ${path}.` };
      return failed(`the text to replace is not in ${path}`);
    }
    // Of a file that is known in part nobody can tell how often the text is there.
    if (pieces.length > 2 && !all && !(holdsUnknown(text) && wasCompleted))
      return failed(`the text to replace is ${pieces.length - 1} times in ${path}`);
    text = all ? pieces.join(newText) : text.replace(found, () => newText);
  }
  await run.tree.write(path, text);
  return done;
}

/** The text as it stands in the file: with the file's line ends where the call has others. */
function fittingText(text: string, oldText: string): string {
  if (text.includes(oldText)) return oldText;
  const windows = oldText.replaceAll(/\r?\n/g, "\r\n");
  return text.includes(windows) ? windows : oldText;
}

async function inserted(
  run: ForeignRun,
  path: string,
  { line, text }: Extract<Write, { kind: "insert" }>,
): Promise<OperationOutcome> {
  const before = await textAt(run, path);
  if (typeof before !== "string") return before;
  const lines = before.split("\n");
  if (line > lines.length) {
    if (holdsUnknown(before))
      return { kind: "not comparable", why: `Line ${line} lies outside what is known of ${path}.` };
    return failed(`${path} has no line ${line}`);
  }
  await run.tree.write(path, [...lines.slice(0, line), text.replace(/\n$/, ""), ...lines.slice(line)].join("\n"));
  return done;
}

async function deleted(run: ForeignRun, path: string): Promise<OperationOutcome> {
  if (!(await run.knows(path))) return { kind: "not comparable", why: `The inferred tree does not know ${path}.` };
  await run.tree.delete(path);
  return done;
}

async function patched(run: ForeignRun, text: string, wasCompleted: boolean): Promise<OperationOutcome> {
  const files = patchEdits(text);
  if (files === undefined) return failed("the patch cannot be read");
  // All or nothing: whatever does not fit leaves every file as it is.
  const writes: [path: string, text: string | undefined][] = [];
  for (const file of files) {
    const planned = await plannedWrites(run, file, wasCompleted);
    if (!Array.isArray(planned)) return planned as OperationOutcome;
    writes.push(...(planned as [string, string | undefined][]));
  }
  for (const [path, contents] of writes) {
    if (contents === undefined) await run.tree.delete(path);
    else await run.tree.write(path, contents);
  }
  return done;
}

async function plannedWrites(
  run: ForeignRun,
  file: PatchedFile,
  wasCompleted: boolean,
): Promise<readonly [path: string, text: string | undefined][] | OperationOutcome> {
  const path = run.place(file.path);
  const target = file.kind === "update" && file.movedTo !== undefined ? run.place(file.movedTo) : path;
  if (path === undefined || target === undefined)
    return { kind: "not run", why: `${file.path} can be no path of a tree.` };
  if (file.kind === "add") return [[path, file.text]];
  const before = await textAt(run, path);
  if (typeof before !== "string") return before;
  if (file.kind === "delete") return [[path, undefined]];
  const after = patchedText(before, file.hunks);
  if (after === undefined) {
    if (holdsUnknown(before) && wasCompleted)
      return { kind: "not comparable", why: `The patched place lies outside what is known of ${path}.` };
    return failed(`the patch does not fit ${path}`);
  }
  return target === path
    ? [[path, after]]
    : [
        [path, undefined],
        [target, after],
      ];
}
