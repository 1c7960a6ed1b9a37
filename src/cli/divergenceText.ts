import { resultClasses, type Difference, type DivergenceReport, type ReexecutedCall } from "../trajectory";
import { oneLine } from "./oneLine";

/** A report of a re-execution for reading: where it began, the figures, then every call that did not come to the same. */
export function* divergenceText(report: DivergenceReport): Generator<string, void, undefined> {
  const { start, outcome, policy, counts, calls, normalisers } = report;
  const figures = resultClasses.filter((name) => counts[name] > 0).map((name) => `${counts[name]} ${name}`);
  const inferred =
    start.inferred === undefined ? "" : `, ${start.inferred.length} file${start.inferred.length === 1 ? "" : "s"}`;
  yield `start       ${start.kind}${inferred}\n`;
  yield `outcome     ${outcome}; after a divergence: ${policy}\n`;
  yield `calls       ${[String(calls.length), ...figures].join(", ")}\n`;
  const used = new Set(calls.flatMap((call) => call.normalisers ?? []));
  for (const { name, about } of normalisers) if (used.has(name)) yield `normaliser  ${name}: ${oneLine(about)}\n`;
  for (const call of calls)
    if (call.class !== "equal" && call.class !== "equal after normalisation") yield callText(call);
}

function callText({ number, toolName, subject, ...call }: ReexecutedCall): string {
  const follows = call.followsFrom === undefined ? "" : `, follows from #${call.followsFrom}`;
  const lines = [`#${number} ${oneLine(toolName)} ${oneLine(subject)}: ${call.class}${follows}`];
  if (call.why !== undefined) lines.push(`    ${oneLine(call.why)}`);
  if (call.difference !== undefined) lines.push(...differenceLines(call.difference));
  for (const { path, class: found } of call.files ?? [])
    if (found !== "equal") lines.push(`    file ${oneLine(path)}: ${found}`);
  return `${lines.join("\n")}\n`;
}

function differenceLines({ path, pointer, line, expected, actual }: Difference): string[] {
  const place = [path, pointer, line === undefined ? undefined : `line ${line}`].filter((each) => each !== undefined);
  return [
    `    at ${oneLine(place.join(", "))}`,
    ...(expected === undefined ? [] : [`      recorded ${oneLine(expected)}`]),
    ...(actual === undefined ? [] : [`      now      ${oneLine(actual)}`]),
  ];
}
