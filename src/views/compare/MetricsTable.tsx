import type { ReactNode } from "react";
import { useStore } from "zustand";
import { endedAlike, isWholePair, pairMetrics, type ComparePair } from "../../store";
import { durationText } from "../session/durationText";
import { useWorkbench } from "../workbenchContext";
import { useShownPair } from "./useShownPair";

type MetricRow = ReturnType<typeof pairMetrics>[number];
type Metric = MetricRow["metric"];

/** The figures of the pair shown, and the means over all whole pairs. */
export function MetricsTable() {
  const { compare } = useWorkbench();
  const pair = useShownPair();
  const pairs = useStore(compare, (state) => state.pairs);
  const plan = useStore(compare, (state) => state.record?.plan);
  const whole = pairs.filter(isWholePair);
  const rows = pairMetrics(pair === undefined ? [] : [pair]);
  const means = pairMetrics(whole);
  const known = { a: pair?.a.metrics !== undefined, b: pair?.b.metrics !== undefined };
  const anyMeans = { a: whole.length > 0, b: whole.length > 0 };
  const withMeans = pairs.length > 1;
  // Fewer calls for other files are not less work.
  const alike = pair !== undefined && endedAlike(pair);
  const allAlike = whole.every(endedAlike);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by key
    <section className="compare-panel scroll" aria-label="Figures" tabIndex={0}>
      <table className={withMeans ? "metrics with-means" : "metrics"}>
        <thead>
          <tr>
            <th scope="col">Metric</th>
            <th scope="col" className="n">
              A
            </th>
            <th scope="col" className="n">
              B
            </th>
            <th scope="col" className="n">
              B − A
            </th>
            {withMeans ? (
              <MeanHeads />
            ) : (
              <th scope="col" className="metric-note">
                {plan === undefined ? <span className="visually-hidden">Note</span> : "order and seeds: the plan’s"}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row.metric.id}>
              <th scope="row">
                {row.metric.label}
                {isNoise(row.metric) && !withMeans ? <span className="dim"> one run’s time is noise</span> : null}
                {alike && !withMeans && row.metric.better && !isNoise(row.metric) ? (
                  <span className="dim">{` ${betterWords(row.metric)} is better`}</span>
                ) : null}
              </th>
              <Figures row={row} known={known} isMean={false} isJudged={alike} />
              {withMeans && means[index] ? (
                <Figures row={means[index]} known={anyMeans} isMean isJudged={allAlike} />
              ) : (
                <td className="metric-note dim">{pair === undefined ? null : noteOf(row.metric, pair)}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {plan === undefined ? null : (
        <p className="metrics-plan dim small" title={`Seed ${plan.seed}`}>
          {alike || pair === undefined || !isWholePair(pair)
            ? ""
            : "The arms ended with different files, so no figure is better or worse. "}
          {withMeans ? `Means over ${whole.length} of ${pairs.length} pairs. One run’s time is noise. ` : ""}
          Order shuffled by the seed of the plan; both runs of a pair got the same seed. Counts differ or not: nothing
          here says whether by chance.
        </p>
      )}
    </section>
  );
}

function MeanHeads() {
  return ["mean A", "mean B", "mean B − A"].map((words) => (
    <th key={words} scope="col" className="n">
      {words}
    </th>
  ));
}

interface FiguresProps {
  readonly row: MetricRow;
  /** Whether the arms have told anything yet. */
  readonly known: { readonly a: boolean; readonly b: boolean };
  readonly isMean: boolean;
  /** Whether the arms ended with the same files, so that one figure can be better than the other. */
  readonly isJudged: boolean;
}

function Figures({ row, known, isMean, isJudged }: FiguresProps) {
  const { metric, means } = row;
  const [a, b] = means;
  return (
    <>
      <td className="n">{known.a ? figureOf(metric, a, isMean) : <NotYet />}</td>
      <td className="n">{known.b ? figureOf(metric, b, isMean) : <NotYet />}</td>
      <td className={`n ${isJudged ? toneOf(metric, a, b) : ""}`}>{differenceOf(metric, a, b, isMean)}</td>
    </>
  );
}

/** Not unknown: nothing has run. */
function NotYet() {
  return <span className="dim">–</span>;
}

function figureOf(metric: Metric, value: number | undefined, isMean: boolean): ReactNode {
  if (value === undefined) return <span className="dim">unknown</span>;
  if (metric.unit === "ms") return durationText(value);
  if (metric.unit === "USD") return `$${value.toFixed(4)}`;
  if (metric.unit === "%") return isMean ? `${Math.round(value)} %` : value === 100 ? "yes" : "no";
  return numberText(value, isMean);
}

function numberText(value: number, isMean: boolean): string {
  return value.toLocaleString("en", isMean ? { minimumFractionDigits: 1, maximumFractionDigits: 1 } : {});
}

function betterWords({ better, unit, id }: Metric): string {
  if (better === "higher") return "more";
  return unit === undefined && !id.endsWith("Tokens") ? "fewer" : "less";
}

function differenceOf(metric: Metric, a: number | undefined, b: number | undefined, isMean: boolean): string {
  if (a === undefined || b === undefined) return "–";
  if (metric.unit === "%" && !isMean) return a === b ? "same" : "differs";
  const difference = b - a;
  const sign = difference === 0 ? "" : difference > 0 ? "+" : "−";
  const size = Math.abs(difference);
  if (metric.unit === "ms") return sign + durationText(size);
  if (metric.unit === "USD") return `${sign}$${size.toFixed(4)}`;
  return sign + numberText(size, isMean);
}

/** What else the machine did is in it. */
function isNoise({ unit }: Metric): boolean {
  return unit === "ms";
}

/** Which way is better is known of the metric; whether the difference is more than chance is not. Only counts get a colour. */
function toneOf(metric: Metric, a: number | undefined, b: number | undefined): string {
  const { better } = metric;
  if (isNoise(metric) || better === undefined || a === undefined || b === undefined || a === b) return "";
  return b < a === (better === "lower") ? "ok" : "bad";
}

function noteOf(metric: Metric, { a, b }: ComparePair): string {
  switch (metric.id) {
    case "toolCalls":
      return [a, b]
        .flatMap(({ metrics, side }) => {
          const tools = [...(metrics?.callsByTool ?? [])].map(([name, count]) => `${name} ${count}`);
          return tools.length === 0 ? [] : [`${side.toUpperCase()}: ${tools.join(", ")}`];
        })
        .join(" · ");
    case "inputTokens":
      return a.metrics !== undefined && a.metrics.inputTokens === undefined ? "the model reports none" : "";
    default:
      return "";
  }
}
