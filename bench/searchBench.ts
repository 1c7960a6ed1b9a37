import MiniSearch from "minisearch";
import { inlineEngine, tempFs } from "../src/fs";
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

const SHOWN = 10;

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
  return ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / Math.max(1, ranks.length);
}
