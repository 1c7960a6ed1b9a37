import type { ForeignOperation } from "./foreignOperation";
import { ran, type ForeignRun, type OperationOutcome } from "./foreignRun";
import { placedText } from "./placement";
import { readOnlyCommand } from "./readOnlyCommand";
import { LAST_LINE_END } from "./recordedReading";
import { holdsUnknown } from "./unknownText";

type Shell = Extract<ForeignOperation, { kind: "shell" }>;

/** Runs a command that surely only reads on the caller's shell; any other one is served from the recording. */
export async function runShell(run: ForeignRun, operation: Shell): Promise<OperationOutcome> {
  const {
    shell,
    recorded,
    signal,
    placement: { root },
  } = run;
  const parsed = readOnlyCommand(operation.command);
  if (parsed === undefined)
    return {
      kind: "not run",
      why: "The command is not one of those that surely only read; its recorded result stands.",
    };
  if (shell === undefined) return { kind: "not run", why: "There is no shell here; the recorded result stands." };
  if (recorded.isCut || recorded.text === undefined)
    return { kind: "not comparable", why: "The recorded output was cut." };
  const cwd = run.place(operation.cwd ?? ".") ?? "/";
  if (run.absent !== undefined) {
    const unknown = parsed.looksAround ? cwd : await unknownPath(run, cwd, parsed.paths);
    if (unknown !== undefined)
      return {
        kind: "not comparable",
        why: `The tree is inferred: it does not know what the command found at ${unknown}.`,
      };
  }
  let outcome;
  try {
    outcome = await shell(root === undefined ? operation.command : placedText(root, operation.command), run.tree, {
      cwd,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    return {
      kind: "not run",
      why: `The shell here could not run it: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  if (holdsUnknown(outcome.stdout))
    return { kind: "not comparable", why: "The output holds lines that are not known of the inferred tree." };
  const hasErrors = outcome.stderr !== "" && !/2>\s?\/dev\/null/.test(operation.command);
  const actual = outcome.stdout + (hasErrors ? outcome.stderr : "");
  const code = recorded.exitCode;
  const [expectedText, actualText] = [recorded.text.replace(/\n+$/, ""), actual.replace(/\n+$/, "")];
  const hasOtherEnd = recorded.text !== actual && expectedText === actualText;
  return ran({
    // A command that ends with an error has still run.
    status: "completed",
    expected: code === undefined ? { output: expectedText } : { output: expectedText, exitCode: code },
    actual: code === undefined ? { output: actualText } : { output: actualText, exitCode: outcome.exitCode },
    normalisers: [...recorded.normalisers, ...(hasOtherEnd ? [LAST_LINE_END] : [])],
  });
}

async function unknownPath(run: ForeignRun, cwd: string, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const placed = run.place(path.startsWith("/") || path.startsWith("~") ? path : `${cwd}/${path}`);
    if (placed !== undefined && !(await run.knows(placed))) return placed;
  }
  return undefined;
}
