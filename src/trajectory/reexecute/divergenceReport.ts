import { canonicalJson, type JsonValue } from "../../base";
import { TrajectoryError } from "../trajectoryError";

/** The number of the report's own shape; a report with a higher one is refused with a typed error. */
export const REPORT_SCHEMA = 1;

/**
 * What running a recorded call again came to (docs/trajectory.md, section 5). `extra` and `missing` are calls that only
 * one of two logs has, and files that only one of two calls changed.
 */
export const resultClasses = [
  "equal",
  "equal after normalisation",
  "differs",
  "status differs",
  "not run",
  "not comparable",
  "extra",
  "missing",
] as const;

export type ResultClass = (typeof resultClasses)[number];

/** What goes on after a call that came to something else: the recorded result, the real one, or nothing. */
export type DivergencePolicy = "recorded" | "real" | "stop";

/** The first place where two results are not the same. */
export interface Difference {
  /** The file it is about, else the directory or the tool. */
  readonly path: string;
  /** JSON Pointer into the result; absent where a file, a status or a whole text differs. */
  readonly pointer?: string;
  /** From 1, where a text differs. */
  readonly line?: number;
  /** What was recorded, cut to `limits.divergenceExcerptCharacters`; absent where there was nothing. */
  readonly expected?: string;
  /** What came now, cut alike. */
  readonly actual?: string;
}

/** A file one of the two calls changed, by the hash of what it holds afterwards; no hash: the file is gone. */
export interface ComparedFile {
  readonly path: string;
  readonly class: "equal" | "differs" | "extra" | "missing";
  readonly expected?: string;
  readonly actual?: string;
}

/** One recorded call, run again. */
export interface ReexecutedCall {
  /** From 1, in the order the calls ran; what `followsFrom` names. */
  readonly number: number;
  readonly callId: string;
  readonly toolName: string;
  /** The tool of ours that stood in for another program's. */
  readonly ranAs?: string;
  /** What the call is about: a path, a pattern, a command. */
  readonly subject: string;
  readonly turnId: string;
  readonly stepIndex: number;
  /** Index in the log of the event that holds the recorded result; of the request where there is none. */
  readonly eventIndex: number;
  /** The call of `task` whose subagent made it. */
  readonly taskCallId?: string;
  readonly class: ResultClass;
  /** Why it was not run or cannot be compared. */
  readonly why?: string;
  /** What of the recording stood in for a person: an approval or a refusal. */
  readonly answered?: "approved" | "denied";
  /** Names of the normalisers without which the results would differ. */
  readonly normalisers?: readonly string[];
  readonly difference?: Difference;
  /** The number of the call this divergence comes from. */
  readonly followsFrom?: number;
  /** The files either of the two changed, where both are known. */
  readonly files?: readonly ComparedFile[];
}

/** A normaliser as a report names it. */
export interface DeclaredNormaliser {
  readonly name: string;
  /** What it takes for the same, in words. */
  readonly about: string;
  /** The tools it is for, by our names for other programs' tools; every tool that does not answer exactly where absent. */
  readonly tools?: readonly string[];
}

/** Where the tree came from that the calls ran on. */
export interface ReportedStart {
  readonly kind: "snapshot" | "mounts" | "inferred";
  readonly rootHash: string;
  /** The files of an inferred tree, and how much of each is known. */
  readonly inferred?: readonly InferredFile[];
}

export interface InferredFile {
  readonly path: string;
  /** `whole`: every line · `ranges`: some lines by their numbers · `fragments`: pieces whose place is unknown. */
  readonly evidence: "whole" | "ranges" | "fragments";
  /** Numbers of the first and the last line of each known range, from 1. */
  readonly ranges?: readonly (readonly [first: number, last: number])[];
}

/** The whole re-execution as a value that can be saved as JSON and compared with another. */
export interface DivergenceReport {
  readonly format: "rootscope.divergence";
  readonly schema: number;
  readonly sessionId: string;
  readonly start: ReportedStart;
  readonly policy: DivergencePolicy;
  /** `stopped`: by the policy, at the first divergence · `cancelled`: by a person. */
  readonly outcome: "completed" | "stopped" | "cancelled";
  readonly normalisers: readonly DeclaredNormaliser[];
  readonly counts: Readonly<Record<ResultClass, number>>;
  /** The number of the first call that diverged. */
  readonly firstDivergence?: number;
  /** Numbers of the calls that diverged by themselves: one for each path. */
  readonly roots: readonly number[];
  readonly calls: readonly ReexecutedCall[];
}

/** Whether a call came to something else than was recorded. */
export function isDivergence({ class: found }: Pick<ReexecutedCall, "class">): boolean {
  return found === "differs" || found === "status differs" || found === "extra" || found === "missing";
}

export type ReportHead = Pick<DivergenceReport, "sessionId" | "start" | "policy" | "outcome" | "normalisers">;

/** The report over calls in their order; counts and roots are theirs. */
export function divergenceReport(head: ReportHead, calls: readonly ReexecutedCall[]): DivergenceReport {
  const counts = Object.fromEntries(resultClasses.map((name) => [name, 0])) as Record<ResultClass, number>;
  for (const call of calls) counts[call.class]++;
  const diverged = calls.filter(isDivergence);
  const first = diverged[0]?.number;
  return {
    format: "rootscope.divergence",
    schema: REPORT_SCHEMA,
    ...head,
    counts,
    ...(first === undefined ? {} : { firstDivergence: first }),
    roots: diverged.filter(({ followsFrom }) => followsFrom === undefined).map(({ number }) => number),
    calls,
  };
}

/** The report as the text of a file; equal reports have equal texts. */
export function reportText(report: DivergenceReport): string {
  return `${canonicalJson(report)}\n`;
}

/**
 * A saved report.
 * @throws TrajectoryError `newer-schema` · `not-a-report`
 */
export function reportFromText(text: string): DivergenceReport {
  const refusal = new TrajectoryError("not-a-report", "The file is no report of a re-execution.");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal;
  }
  if (!isObject(value) || value["format"] !== "rootscope.divergence") throw refusal;
  const { schema } = value;
  if (typeof schema === "number" && schema > REPORT_SCHEMA) {
    throw new TrajectoryError(
      "newer-schema",
      `The report was saved by a newer version (report format ${schema}; this version reads up to ${REPORT_SCHEMA}).`,
    );
  }
  const calls = value["calls"];
  const isWhole = typeof schema === "number" && Array.isArray(calls) && calls.every(isCall) && isObject(value["start"]);
  if (!isWhole) throw refusal;
  return value as unknown as DivergenceReport;
}

function isCall(value: JsonValue): boolean {
  return (
    isObject(value) &&
    typeof value["number"] === "number" &&
    typeof value["callId"] === "string" &&
    typeof value["toolName"] === "string" &&
    resultClasses.some((name) => name === value["class"])
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
