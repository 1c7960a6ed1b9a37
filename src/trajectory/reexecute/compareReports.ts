import { canonicalJson } from "../../base";
import { resultClasses, type DivergenceReport, type ReexecutedCall, type ResultClass } from "./divergenceReport";

/** A call the two reports do not say the same of. */
export interface ReportChange {
  readonly callId: string;
  readonly toolName: string;
  readonly subject: string;
  /** Absent where the first report does not have the call. */
  readonly before?: ReexecutedCall;
  /** Absent where the second report does not have it. */
  readonly after?: ReexecutedCall;
}

export interface ReportComparison {
  readonly isSame: boolean;
  /** How many more calls of each class the second report has. */
  readonly counts: Readonly<Record<ResultClass, number>>;
  /** In the order of the second report, then those only the first has. */
  readonly changes: readonly ReportChange[];
}

/**
 * What a second re-execution found otherwise than a first. Calls are paired by their id; ids that were given twice are
 * paired in their order. A call says the same when class, difference and files are the same, whatever its number.
 */
export function compareReports(first: DivergenceReport, second: DivergenceReport): ReportComparison {
  const before = callsByKey(first.calls);
  const changes: ReportChange[] = [];
  for (const [key, after] of callsByKey(second.calls)) {
    const known = before.get(key);
    before.delete(key);
    if (known === undefined) changes.push({ ...nameOf(after), after });
    else if (verdictOf(known) !== verdictOf(after)) changes.push({ ...nameOf(after), before: known, after });
  }
  for (const gone of before.values()) changes.push({ ...nameOf(gone), before: gone });
  const counts = Object.fromEntries(
    resultClasses.map((name) => [name, countOf(second, name) - countOf(first, name)]),
  ) as Record<ResultClass, number>;
  return { isSame: changes.length === 0, counts, changes };
}

function callsByKey(calls: readonly ReexecutedCall[]): Map<string, ReexecutedCall> {
  const seen = new Map<string, number>();
  const keyed = new Map<string, ReexecutedCall>();
  for (const call of calls) {
    const id = `${call.taskCallId ?? ""} ${call.callId}`;
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    keyed.set(`${id} ${count}`, call);
  }
  return keyed;
}

function verdictOf({ class: found, why, difference, files }: ReexecutedCall): string {
  return canonicalJson({ found, why, difference, files });
}

function nameOf({ callId, toolName, subject }: ReexecutedCall): Pick<ReportChange, "callId" | "toolName" | "subject"> {
  return { callId, toolName, subject };
}

function countOf(report: DivergenceReport, name: ResultClass): number {
  return report.calls.filter((call) => call.class === name).length;
}
