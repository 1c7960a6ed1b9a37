// `npm run bench [-- --quick] [-- --only=disk,scale,trees,loop,search,grep,shell,trajectory]`: measures everything in headless Chromium on a
// production build, side by side with its peers, prints the ratios with their bars and keeps them in bench/results.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { cpus, loadavg, release, tmpdir, totalmem } from "node:os";
import { extname, join } from "node:path";
import { chromium } from "@playwright/test";
import { build } from "vite";
import { findChromium } from "../scripts/findChromium.mjs";
import { isolationHeaders } from "../scripts/pageHeaders.mjs";
import { labelledSet } from "./labelledSet.mjs";
import { realTexts } from "./corpus.mjs";
import { nativeGrep } from "./nativeGrep.mjs";
import { nodeBuiltins } from "./nodeBuiltins.mjs";
import { growthTable, ratiosOf, ratioTable } from "./ratios.mjs";
import { searchSet } from "./searchSet.mjs";
import { trajectoryFigures } from "./trajectoryBench.mjs";

const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const packages = join(here, "..", "node_modules");
/** Of this run alone: another may be going on. */
const work = mkdtempSync(join(tmpdir(), "rootscope-bench-"));
const dist = join(work, "dist");
const isQuick = process.argv.includes("--quick");
const only = process.argv
  .find((argument) => argument.startsWith("--only="))
  ?.slice(7)
  .split(",");
const isWanted = (/** @type {string} */ part) => only === undefined || only.includes(part);
const MIB = 1024 * 1024;
const loadAtStart = loadavg()[0];

/** @type {readonly { name: string, pattern: string, caseInsensitive?: boolean }[]} */
const GREP_CASES = [
  { name: "rare literal", pattern: "ERR_PACKAGE_PATH_NOT_EXPORTED" },
  { name: "common literal", pattern: "export" },
  { name: "absent literal", pattern: "zqxjkv_nowhere" },
  { name: "case-insensitive", pattern: "deprecated", caseInsensitive: true },
  { name: "function", pattern: "export\\s+(async\\s+)?function\\s+\\w+" },
  { name: "error class", pattern: "\\b[A-Z]\\w+Error\\b" },
  { name: "no literal in it", pattern: "[a-z]+_[a-z]+_\\d+" },
  { name: "alternation", pattern: "TODO|FIXME|HACK" },
];

function installPeers() {
  const { dependencies } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  if (Object.keys(dependencies).every((name) => existsSync(join(here, "node_modules", name)))) return;
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const flags = ["ci", "--no-audit", "--no-fund"];
  const { status } = spawnSync(npm, flags, { cwd: here, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) throw new Error("the peers could not be installed");
}

async function buildPage() {
  await build({
    root: here,
    configFile: false,
    base: "./",
    logLevel: "warn",
    worker: { format: "es" },
    plugins: [nodeBuiltins()],
    build: {
      target: "es2022",
      outDir: dist,
      emptyOutDir: true,
      chunkSizeWarningLimit: 4_096,
      rollupOptions: { input: join(here, "page.html") },
    },
  });
}

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".json": "application/json" };

/** Serves the built page and what it fetches. @param {Map<string, Buffer | string>} data */
function serve(data) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = join(dist, pathname);
    const body = data.get(pathname) ?? (existsSync(file) ? readFileSync(file) : undefined);
    const type = TYPES[/** @type {keyof typeof TYPES} */ (extname(pathname))] ?? "application/octet-stream";
    response.writeHead(body === undefined ? 404 : 200, { "Content-Type": type, ...isolationHeaders });
    response.end(body);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** @param {number[]} runs @param {string} name */
function figure(name, runs) {
  const sorted = runs.toSorted((a, b) => a - b);
  return { name, unit: "ms", median: sorted[sorted.length >> 1] ?? 0, min: sorted[0], max: sorted.at(-1), runs };
}

/** @param {import("@playwright/test").Page} page @param {ReturnType<typeof realTexts>} texts */
async function grepFigures(page, texts) {
  const native = nativeGrep(texts);
  if (native === undefined) console.log("skipped 8 comparisons with ripgrep: rg is not on the path");
  const figures = [];
  await page.evaluate(() => globalThis.bench.loadCorpus());
  for (const searched of GREP_CASES) {
    /** @type {Record<string, number[]>} */
    const runs = { grep: [], lineByLine: [], "rg-j2": [] };
    const once = (/** @type {"grep" | "lineByLine"} */ way) =>
      page.evaluate(([name, one]) => globalThis.bench[name](one), /** @type {const} */ ([way, searched]));
    const { hits } = await once("grep");
    const isSame = await page.evaluate((one) => globalThis.bench.isSameGrep(one), searched);
    native?.run(searched);
    console.log(`grep ${searched.name}: ${hits} hits, ${isSame ? "the same" : "NOT the same"} line by line`);
    for (let run = 0; run < (isQuick ? 5 : 9); run++) {
      runs["grep"]?.push((await once("grep")).ms);
      if (native) runs["rg-j2"]?.push(native.run(searched));
      if (run < 5) runs["lineByLine"]?.push((await once("lineByLine")).ms);
    }
    for (const [way, taken] of Object.entries(runs))
      if (taken.length > 0) figures.push(figure(`${way} ${searched.name}`, taken));
  }
  native?.dispose();
  return { figures, version: native?.version };
}

/** @param {{ newPage(): Promise<import("@playwright/test").Page> }} browser @param {any} server */
async function openPage(browser, server) {
  const page = await browser.newPage();
  page.on("console", (message) => console.log(message.text()));
  page.on("pageerror", (error) => console.error(error));
  await page.goto(`http://127.0.0.1:${server.address().port}/page.html`);
  await page.waitForFunction(() => "bench" in globalThis);
  return page;
}

/** In a profile on the disk: pages of a browser without one keep what they store in memory. @param {any} server */
async function scaleFigures(server) {
  const executablePath = findChromium();
  const options = { ...(executablePath ? { executablePath } : {}), args: ["--no-sandbox"] };
  const browser = await chromium.launchPersistentContext(join(work, "profile"), options);
  try {
    const page = await openPage(browser, server);
    console.log("measuring scale: a tree of 1 GiB");
    return await page.evaluate((quick) => globalThis.bench.scale(quick), isQuick);
  } finally {
    await browser.close();
  }
}

async function main() {
  installPeers();
  await buildPage();
  const data = new Map();
  const texts = isWanted("grep") ? realTexts(packages, (isQuick ? 10 : 100) * MIB) : [];
  data.set("/corpus.json", JSON.stringify(texts.map(({ path, bytes }) => [`/${path}`, bytes.length])));
  data.set("/corpus.bin", Buffer.concat(texts.map(({ bytes }) => bytes)));
  if (isWanted("search")) {
    data.set("/search.json", JSON.stringify(searchSet(packages)));
    data.set("/labelled.json", JSON.stringify(labelledSet(packages)));
  }
  const server = await serve(data);
  const executablePath = findChromium();
  const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ["--no-sandbox"] });
  const figures = [];
  let grepVersion;
  try {
    const page = await openPage(browser, server);
    if (isWanted("trees")) figures.push(...(await page.evaluate((quick) => globalThis.bench.trees(quick), isQuick)));
    if (isWanted("loop")) figures.push(...(await page.evaluate(() => globalThis.bench.loop())));
    if (isWanted("search")) {
      figures.push(...(await page.evaluate(() => globalThis.bench.search())));
      figures.push(...(await page.evaluate(() => globalThis.bench.labelled())));
    }
    if (isWanted("grep")) {
      const grep = await grepFigures(page, texts);
      figures.push(...grep.figures);
      grepVersion = grep.version;
    }
    // What the others left in memory would be cleaned up at the disks' cost.
    await page.close();
    if (isWanted("disk")) {
      const diskPage = await openPage(browser, server);
      figures.push(...(await diskPage.evaluate((quick) => globalThis.bench.disk(quick), isQuick)));
    }
    if (isWanted("shell")) {
      const shellPage = await openPage(browser, server);
      figures.push(...(await shellPage.evaluate((quick) => globalThis.bench.shell(quick), isQuick)));
    }
    if (isWanted("trajectory")) figures.push(...(await trajectoryFigures({ work, isQuick })));
    if (isQuick ? only?.includes("scale") : isWanted("scale")) figures.push(...(await scaleFigures(server)));
    report(figures, { chromium: browser.version(), ...(grepVersion ? { ripgrep: grepVersion } : {}) }, texts);
  } finally {
    await browser.close();
    server.close();
    rmSync(work, { recursive: true, force: true });
  }
}

/** @param {any[]} figures @param {Record<string, string>} versions @param {ReturnType<typeof realTexts>} texts */
function report(figures, versions, texts) {
  const ratios = ratiosOf(figures);
  const peers = JSON.parse(readFileSync(join(here, "package.json"), "utf8")).dependencies;
  const own = JSON.parse(readFileSync(join(here, "..", "package.json"), "utf8"));
  const versionOf = (/** @type {string} */ name) => own.dependencies[name] ?? own.devDependencies[name];
  const used = Object.fromEntries(
    ["idb-keyval", "minimatch", "minisearch", "just-bash"].map((name) => [name, versionOf(name)]),
  );
  const result = {
    machine: {
      processor: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      memoryBytes: totalmem(),
      // A machine busy with something else gives figures that are worth little.
      loadAverage: loadAtStart,
      system: `${process.platform} ${release()}`,
    },
    versions: { node: process.version, ...versions, ...used, ...peers, commit: commit() },
    sizes: {
      quick: isQuick,
      grepFiles: texts.length,
      grepBytes: texts.reduce((sum, { bytes }) => sum + bytes.length, 0),
    },
    figures,
    ratios,
  };
  for (const { name, median, min, max, unit } of figures) {
    console.log(`${name}: ${median.toPrecision(4)} ${unit} (${min.toPrecision(3)} – ${max.toPrecision(3)})`);
  }
  console.log(`\n${growthTable(figures)}\n\n${ratioTable(ratios)}`);
  const name = `${new Date().toISOString().slice(0, 10)}${isQuick ? "-quick" : ""}${only ? `-${only.join("-")}` : ""}.json`;
  mkdirSync(join(here, "results"), { recursive: true });
  writeFileSync(join(here, "results", name), `${JSON.stringify(result, undefined, 1)}\n`);
  console.log(`\nbench/results/${name}`);
}

function commit() {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: here, encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}

await main();
