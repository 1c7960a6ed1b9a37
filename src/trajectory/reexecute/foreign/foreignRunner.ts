import type { JsonObject } from "../../../base";
import { diffTrees } from "../../../fs";
import type { FileChange } from "../../../session";
import type { CallRunner, RunOutcome } from "../callRunner";
import type { RecordedCall } from "../recordedCalls";
import { foreignOperation, ranAsTool, type ForeignOperation } from "./foreignOperation";
import type { ForeignRun, ForeignRunnerOptions, OperationOutcome } from "./foreignRun";
import { placedPath } from "./placement";
import { recordedReading } from "./recordedReading";
import { runRead, snippetDifference } from "./runRead";
import { runSearch } from "./runSearch";
import { runShell } from "./runShell";
import { runWrite } from "./runWrite";

/** Runs calls of other programs' file tools by tools of ours that do the same (docs/trajectory.md, section 5). */
export function foreignRunner(options: ForeignRunnerOptions): CallRunner {
  return {
    beginTurn: () => undefined,
    run: (call, signal) => runCall(options, call, signal),
  };
}

async function runCall(options: ForeignRunnerOptions, call: RecordedCall, signal: AbortSignal): Promise<RunOutcome> {
  const { action, result } = call;
  const operation = foreignOperation(action.toolName, call.input, action.inputText);
  if (operation === undefined) return { kind: "not run", why: whyUnknown(action.toolName, call.input) };
  if (result === undefined) return { kind: "not comparable", why: "The recording holds no result of this call." };
  if (result.status === "failed" && isWrite(operation) && !isAboutFile(result))
    return { kind: "not run", why: "The recording's tool refused it by a rule or for want of a right of its own." };
  const before = await options.tree.snapshot();
  const run: ForeignRun = {
    ...options,
    signal,
    recorded: recordedReading(operation, result.result.output),
    place: (path) => placedPath(options.placement, path),
    knows: async (path) =>
      options.absent === undefined || options.absent.has(path) || (await options.tree.stat(path)).kind !== "missing",
  };
  const outcome = await runOperation(run, operation, result.status === "completed");
  if (outcome.kind !== "ran") return outcome;
  const changes: FileChange[] = diffTrees(before, await options.tree.snapshot()).map(
    ({ kind: _kind, ...change }) => change,
  );
  return { ...outcome, kind: "reading", ranAs: ranAsTool[operation.kind], changes };
}

async function runOperation(
  run: ForeignRun,
  operation: ForeignOperation,
  wasCompleted: boolean,
): Promise<OperationOutcome> {
  switch (operation.kind) {
    case "read":
      return await runRead(run, operation, wasCompleted);
    case "glob":
    case "list":
    case "grep":
      return await runSearch(run, operation, wasCompleted);
    case "shell":
      return await runShell(run, operation);
    default: {
      const outcome = await runWrite(run, operation, wasCompleted);
      return outcome.kind === "ran" && wasCompleted && outcome.status === "completed" && "path" in operation
        ? await snippetDifference(run, operation.path, outcome)
        : outcome;
    }
  }
}

function isWrite({ kind }: ForeignOperation): boolean {
  return kind === "write" || kind === "edit" || kind === "insert" || kind === "delete" || kind === "patch";
}

/** Whether a write failed for what the file holds, or for not being there: a tree can tell that again. */
function isAboutFile({ error, result }: NonNullable<RecordedCall["result"]>): boolean {
  const text = `${error?.message ?? ""} ${typeof result.output === "string" ? result.output : ""}`.slice(0, 2_000);
  return /not found|no match|no such file|does not exist|did not appear|0 occurrences|no occurrence|could not find|failed to find|multiple|not unique|occurrences|is a directory|ENOENT|EISDIR|Expected \d+/i.test(
    text,
  );
}

function whyUnknown(toolName: string, input: JsonObject): string {
  const names = Object.keys(input).join(", ");
  return `No file tool of ours stands in for ${toolName} with the arguments ${names === "" ? "it was given" : names}.`;
}
