import MiniSearch from "minisearch";
import { inlineEngine, tempFs } from "../src/fs";
import { passagesOf } from "../src/fs/search/passages";
import { figureFromRuns, timedMs, type Figure } from "./measure";

/** A question with its one right answer: the declaration whose comment it was taken from. */
export interface SearchCase {
  readonly query: string;
  readonly path: string;
  readonly line: number;
}

export interface SearchSet {
  /** Sources without their doc comments. */
  readonly files: Record<string, string>;
  readonly functions: readonly {
    readonly name: string;
    readonly path: string;
    readonly line: number;
    readonly text: string;
  }[];
  readonly cases: readonly SearchCase[];
}

/** Questions with graded answers (labelledSet.mjs): 3 is the best, a path that is not named is worth nothing. */
export interface LabelledSet {
  readonly files: Record<string, string>;
  readonly cases: readonly { readonly query: string; readonly grades: Readonly<Record<string, number>> }[];
}

const SHOWN = 10;
/** The grade from which a file counts as an answer. */
const ANSWER_GRADE = 2;

/** How well search ranks the documentation and the source of one package, and minisearch as it comes the same passages. */
export async function labelledFigures({ files, cases }: LabelledSet): Promise<Figure[]> {
  const tree = tempFs(files, { engine: inlineEngine });
  const passages = Object.entries(files).flatMap(([path, text]) => {
    const lines = text.split("\n");
    return passagesOf(path, text).map(({ name, startLine, endLine }) => ({
      name,
      path,
      text: lines.slice(startLine - 1, endLine).join("\n"),
    }));
  });
  const plain = new MiniSearch({ fields: ["name", "path", "text"] });
  plain.addAll(passages.map((passage, id) => ({ ...passage, id })));
  const gains: number[] = [];
  const recalls: number[] = [];
  const plainGains: number[] = [];
  const plainRecalls: number[] = [];
  for (const { query, grades } of cases) {
    const shown: string[] = [];
    for await (const { path } of tree.search({ query, maxResults: SHOWN })) shown.push(path);
    const plainShown = plain
      .search(query)
      .slice(0, SHOWN)
      .map(({ id }) => passages[id as number]?.path ?? "");
    gains.push(discountedGain(shown, grades));
    recalls.push(recall(shown, grades));
    plainGains.push(discountedGain(plainShown, grades));
    plainRecalls.push(recall(plainShown, grades));
  }
  return [
    figureFromRuns("search.ndcg10", "share", [mean(gains)]),
    figureFromRuns("search.recall10", "share", [mean(recalls)]),
    figureFromRuns("minisearch.ndcg10", "share", [mean(plainGains)]),
    figureFromRuns("minisearch.recall10", "share", [mean(plainRecalls)]),
    figureFromRuns("search.labelledCases", "queries", [cases.length]),
    figureFromRuns("search.labelledFiles", "files", [Object.keys(files).length]),
  ];
}

/**
 * The gain of the paths shown, discounted by their rank, against that of the best order (nDCG). A file counts where its
 * first passage is shown.
 */
function discountedGain(shown: readonly string[], grades: Readonly<Record<string, number>>): number {
  const gainOf = (grade: number, rank: number) => (2 ** grade - 1) / Math.log2(rank + 2);
  const gained = shown.map((path, rank) => (shown.indexOf(path) === rank ? gainOf(grades[path] ?? 0, rank) : 0));
  const best = Object.values(grades)
    .toSorted((a, b) => b - a)
    .slice(0, SHOWN)
    .map(gainOf);
  return sum(gained) / sum(best);
}

/** Which share of the answers is among the paths shown. */
function recall(shown: readonly string[], grades: Readonly<Record<string, number>>): number {
  const answers = Object.keys(grades).filter((path) => (grades[path] ?? 0) >= ANSWER_GRADE);
  return answers.filter((path) => shown.includes(path)).length / answers.length;
}

function mean(values: readonly number[]): number {
  return sum(values) / Math.max(1, values.length);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** How well search finds what a doc comment describes, and minisearch as it comes on the same functions. */
export async function searchFigures({ files, functions, cases }: SearchSet): Promise<Figure[]> {
  const tree = tempFs(files, { engine: inlineEngine });
  const buildMs = await timedMs(() => firstRank(tree, cases[0] ?? { query: "x", path: "", line: 0 }));
  const ranks: number[] = [];
  const times: number[] = [];
  for (const searched of cases) {
    times.push(await timedMs(async () => ranks.push(await firstRank(tree, searched))));
  }
  const plain = new MiniSearch({ fields: ["name", "path", "text"] });
  plain.addAll(functions.map((one, id) => ({ ...one, id })));
  const plainRanks = cases.map(
    ({ query, path, line }) =>
      1 +
      plain
        .search(query)
        .slice(0, SHOWN)
        .findIndex(({ id }) => functions[id as number]?.path === path && functions[id as number]?.line === line),
  );
  return [
    figureFromRuns("search.mrr10", "share", [meanReciprocal(ranks)]),
    figureFromRuns("search.hit10", "share", [ranks.filter((rank) => rank > 0).length / ranks.length]),
    figureFromRuns("minisearch.mrr10", "share", [meanReciprocal(plainRanks)]),
    figureFromRuns("search.cases", "queries", [cases.length]),
    figureFromRuns("search.functions", "functions", [functions.length]),
    figureFromRuns("search.build", "ms", [buildMs]),
    figureFromRuns("search.query", "ms", times.slice(0, 200)),
  ];
}

/** The rank of the passage that holds the line, from 1; 0 when it is not shown. */
async function firstRank(tree: ReturnType<typeof tempFs>, { query, path, line }: SearchCase): Promise<number> {
  let rank = 0;
  for await (const result of tree.search({ query, maxResults: SHOWN })) {
    rank++;
    if (result.path === path && result.startLine <= line && result.endLine >= line) return rank;
  }
  return 0;
}

function meanReciprocal(ranks: readonly number[]): number {
  return mean(ranks.map((rank) => (rank > 0 ? 1 / rank : 0)));
}
