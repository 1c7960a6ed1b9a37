/** @typedef {{ name: string, unit: string, median: number, min: number, max: number, runs: number[] }} Figure */

/** The bars of docs/performance.md; a ratio without one is reported only. */
export const bars = new Map([
  ["idbFs.writeAll/idbKeyval.setMany", ["<=", 0.34]],
  ["idbFs.writeAll/lightningFs", ["<=", 0.05]],
  ["idbFs.writeAll/zenFs", ["<=", 0.01]],
  ["idbFs.listAll/tempFs", ["<=", 2]],
  ["idbFs.statAll/tempFs", ["<=", 2]],
  ["idbFs.readAllCold/singleGet", ["<=", 2.5]],
  ["idbFs.writeAll/singlePut", ["<=", 4]],
  ["grep.geomean/rg-j2", ["<=", 0.5]],
  ["grep.worst/rg-j2", ["<=", 1.2]],
  ["grep.worst/lineByLine", ["<=", 0.5]],
  ["fork/100k-vs-1k", ["<=", 3]],
  ["snapshot/100k-vs-1k", ["<=", 3]],
  ["diffTrees/100k-vs-1k", ["<=", 3]],
  ["union.list/tempFs.list", ["<=", 2.5]],
  ["glob.worst/minimatchCompiled", ["<=", 1.5]],
  ["idbFs.writeOneAwaited/emptyTransaction", ["<=", 1.5]],
  ["idbFs.openCold50k/metaGetAll", ["<=", 0.15]],
  ["open/100k-vs-10k", ["<=", 12]],
  ["loop.overheadPerCall/echo", ["<=", 2]],
  ["trajectory.open100MB/jsonParseLines", ["<=", 1.5]],
  ["trajectory.open100MB.claude-code/jsonParseLines", ["<=", 1.5]],
  ["trajectory.scrub100k", ["<=", 0]],
  ["search.mrr10", [">=", 0.58]],
  ["search.mrr10/minisearch", [">=", 2.5]],
]);

/**
 * The ratios that the figures at hand allow.
 * @param {Figure[]} figures
 */
export function ratiosOf(figures) {
  /** @type {{ name: string, value: number }[]} */
  const ratios = [];
  const median = (/** @type {string} */ start) => figures.find(({ name }) => name.startsWith(start))?.median;
  const divide = (/** @type {string} */ name, /** @type {string} */ above, /** @type {string} */ below) => {
    const [a, b] = [median(above), median(below)];
    if (a !== undefined && b !== undefined) ratios.push({ name, value: a / b });
  };
  divide("idbFs.writeAll/idbKeyval.setMany", "idbFs.writeAll", "idbKeyval.setMany");
  divide("idbFs.writeAll/lightningFs", "idbFs.writeAll ", "lightningFs.writeAll");
  divide("idbFs.writeAll/zenFs", "idbFs.writeAll ", "zenFs.writeAll");
  divide("idbFs.listAll/tempFs", "idbFs.listAll", "tempFs.listAll");
  divide("idbFs.statAll/tempFs", "idbFs.statAll", "tempFs.statAll");
  divide("idbFs.readAllCold/singleGet", "idbFs.readAllCold", "singleGet");
  divide("idbFs.writeAll/singlePut", "idbFs.writeAll", "singlePut");
  pairRatios(figures, "grep ", "rg-j2 ", ratios, ["grep.geomean/rg-j2", "grep.worst/rg-j2"]);
  pairRatios(figures, "grep ", "lineByLine ", ratios, [undefined, "grep.worst/lineByLine"]);
  for (const name of ["fork", "snapshot", "diffTrees"]) sizeRatio(figures, name, ratios);
  divide("union.list/tempFs.list", "union.list", "tempFs.list");
  pairRatios(figures, "glob ", "minimatchCompiled ", ratios, [undefined, "glob.worst/minimatchCompiled"]);
  for (const what of ["find", "grep -r", "ls -R", "rg"])
    divide(`shell.${what}/inMemoryFs`, `shell ${what}`, `inMemoryFs ${what}`);
  divide("idbFs.writeOneAwaited/emptyTransaction", "idbFs.writeOneAwaited", "emptyTransaction");
  divide("idbFs.openCold50k/metaGetAll", "idbFs.openCold", "metaGetAll");
  const opened = figures.filter(({ name }) => name.startsWith("idbFs.open "));
  if (opened[0] && opened[1]) ratios.push({ name: "open/100k-vs-10k", value: opened[0].median / opened[1].median });
  divide("loop.overheadPerCall/echo", "loop 20 steps of one call", "bare function and put");
  divide("loop.callsOfOneStep/echo", "loop one step", "bare function and put");
  for (const mb of [10, 100]) {
    for (const format of ["rootscope", "claude-code"]) {
      const name = format === "rootscope" ? `trajectory.open${mb}MB` : `trajectory.open${mb}MB.${format}`;
      divide(`${name}/jsonParseLines`, `trajectory.open ${format} ${mb} MB`, `jsonParseLines ${format} ${mb} MB`);
    }
  }
  const scrubbed = median("trajectory.scrub frames over 50 ms rootscope 100 MB");
  if (scrubbed !== undefined) ratios.push({ name: "trajectory.scrub100k", value: scrubbed });
  const reciprocal = median("search.mrr10");
  if (reciprocal !== undefined) ratios.push({ name: "search.mrr10", value: reciprocal });
  divide("search.mrr10/minisearch", "search.mrr10", "minisearch.mrr10");
  for (const measured of ["search.ndcg10", "search.recall10"]) {
    const value = median(measured);
    if (value !== undefined) ratios.push({ name: measured, value });
    divide(`${measured}/minisearch`, measured, measured.replace("search", "minisearch"));
  }
  return ratios;
}

/**
 * Of figures that come in pairs: the geometric mean of their ratios and the worst.
 * @param {Figure[]} figures @param {string} above @param {string} below
 * @param {{ name: string, value: number }[]} ratios @param {[string | undefined, string]} names
 */
function pairRatios(figures, above, below, ratios, [meanName, worstName]) {
  const values = figures
    .filter(({ name }) => name.startsWith(above))
    .flatMap(({ name, median }) => {
      const other = figures.find((figure) => figure.name === below + name.slice(above.length));
      return other === undefined ? [] : [median / other.median];
    });
  if (values.length === 0) return;
  const mean = Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
  if (meanName !== undefined) ratios.push({ name: meanName, value: mean });
  ratios.push({ name: worstName, value: Math.max(...values) });
}

/** @param {Figure[]} figures @param {string} name @param {{ name: string, value: number }[]} ratios */
function sizeRatio(figures, name, ratios) {
  const [large, small] = figures.filter((figure) => figure.name.startsWith(`${name} ×`));
  if (large && small) ratios.push({ name: `${name}/100k-vs-1k`, value: large.median / small.median });
}

/**
 * What grows with a tree, by its number of files; empty when nothing of it was measured.
 * @param {Figure[]} figures
 */
export function growthTable(figures) {
  /** @type {Map<string, Map<number, number>>} */
  const rows = new Map();
  for (const { name, median } of figures) {
    const [, what, fileCount] =
      /^(?:growth )?((?:fork|snapshot|diffTrees) ×\d+(?= of )|(?<=growth ).*)(?: of)? (\d+)$/.exec(name) ?? [];
    if (what === undefined) continue;
    rows.set(what, (rows.get(what) ?? new Map()).set(Number(fileCount), median));
  }
  const sizes = [...new Set([...rows.values()].flatMap((row) => [...row.keys()]))].toSorted((a, b) => a - b);
  if (sizes.length === 0) return "";
  const cells = [...rows].map(([what, row]) => [what, ...sizes.map((size) => row.get(size)?.toPrecision(3) ?? "")]);
  return aligned([["ms, by files", ...sizes.map((size) => size.toLocaleString("en"))], ...cells]);
}

/** @param {{ name: string, value: number }[]} ratios */
export function ratioTable(ratios) {
  const rows = ratios.map(({ name, value }) => {
    const bar = bars.get(name);
    const isMet = bar === undefined || (bar[0] === "<=" ? value <= Number(bar[1]) : value >= Number(bar[1]));
    const barText = bar === undefined ? "" : `${bar[0] === "<=" ? "≤" : "≥"} ${bar[1]}`;
    return [name, value.toPrecision(3), barText, bar === undefined ? "" : isMet ? "met" : "MISSED"];
  });
  return aligned(rows);
}

/** @param {string[][]} rows */
function aligned(rows) {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
