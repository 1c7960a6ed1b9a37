import type { FinalFile } from "./compareFiles";
import type { ArmSide, ComparePair, CompareRun } from "./compareState";

/**
 * What was seen on one prompt, in a sentence a person can repeat. It counts and never judges: one prompt shows what
 * happened, not which instructions are better (docs/experiments.md).
 */
export function compareSentence(pair: ComparePair, files: readonly FinalFile[] | undefined): string {
  const { a, b } = pair;
  const open = [a, b].find(({ state }) => state !== "completed" && state !== "failed");
  if (open !== undefined) return openSentence(pair);
  const unlike = unlikePart(files);
  const parts = [callsPart(a, b), unlike === undefined ? alikePart(files) : undefined].filter(
    (part) => part !== undefined,
  );
  const failed = [a, b].filter(({ state }) => state === "failed").map(letter);
  if (failed.length > 0) parts.push(`${failed.join(" and ")} did not complete the turn`);
  return [unlike, parts.join("; ")].flatMap((sentence) => (sentence ? `${sentence}.` : [])).join(" ");
}

function openSentence({ a, b }: ComparePair): string {
  const states = new Set([a.state, b.state]);
  for (const run of [a, b]) {
    if (run.state === "environment")
      return `${letter(run)} could not be run: ${run.message ?? "the reason is unknown"}`;
    if (run.state === "gone") return `The session of ${letter(run)} was deleted.`;
  }
  if (states.has("reading")) return "Reading what was saved of this pair…";
  if (states.has("elsewhere")) return "Another tab runs this pair.";
  if (states.has("running")) return "This pair runs.";
  const stopped = [a, b].filter(({ state }) => state === "stopped").map(letter);
  if (stopped.length > 0)
    return `${stopped.join(" and ")} ${stopped.length > 1 ? "were" : "was"} stopped before the end.`;
  return "This pair has not run yet.";
}

function callsPart(a: CompareRun, b: CompareRun): string | undefined {
  if (a.metrics === undefined || b.metrics === undefined) return undefined;
  const difference = b.metrics.toolCalls - a.metrics.toolCalls;
  if (difference === 0) return `Both made ${counted(a.metrics.toolCalls, "tool call")} on this prompt`;
  const more = difference > 0 ? "more" : "fewer";
  return `B made ${Math.abs(difference)} ${more} tool ${Math.abs(difference) === 1 ? "call" : "calls"} on this prompt`;
}

/** Said before any count: an arm that did not do the task needs fewer calls for it. */
function unlikePart(files: readonly FinalFile[] | undefined): string | undefined {
  const different = files?.filter((file) => !file.isSame).length ?? 0;
  if (files === undefined || different === 0) return undefined;
  const [a, b] = [changedBy(files, "a"), changedBy(files, "b")];
  if (b === 0) return `A changed ${counted(a, "file")}, B changed none`;
  if (a === 0) return `A changed none, B changed ${counted(b, "file")}`;
  return `A changed ${counted(a, "file")}, B changed ${b}; ${counted(different, "file")} ended different`;
}

function alikePart(files: readonly FinalFile[] | undefined): string | undefined {
  if (files === undefined) return undefined;
  return files.length === 0 ? "neither changed a file" : "both ended with the same files";
}

function changedBy(files: readonly FinalFile[], side: ArmSide): number {
  return files.filter((file) => file[side] !== undefined).length;
}

function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}

function letter({ side }: CompareRun): string {
  return side.toUpperCase();
}
