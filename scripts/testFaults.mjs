// `npm run test:faults [-- --kills=50]`: kills a real Chromium in the middle of its work, again and again, and reads what
// is there when it is begun again. Keeps the counts in bench/results; ends with 1 when anything acknowledged was lost.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { ensureChromium } from "./ensureChromium.mjs";
import { runNpm } from "./runNpm.mjs";

/** @typedef {{ workload: string, acknowledged: number, steps: number, compared: number, losses: string[] }} Kill */

const kills = Number(process.argv.find((argument) => argument.startsWith("--kills="))?.slice(8) ?? 50);
const loadAtStart = loadavg()[0];

const report = runTests();
const results = tests(report).map(killsOf);
const done = results.flatMap(({ kills: each }) => each);
const failed = results.filter(({ passed }) => !passed);
printSummary();
if (done.length > 0) console.log(`\n${keepResult()}`);
if (done.length < kills && failed.length === 0) console.error(`only ${done.length} of ${kills} kills were made`);
process.exit(failed.length > 0 || done.length < kills || done.some(({ losses }) => losses.length > 0) ? 1 : 0);

/** Builds, kills and compares; answers the runner's report. */
function runTests() {
  if (!runNpm(["run", "--silent", "build"])) process.exit(1);
  process.env.CHROMIUM_PATH = ensureChromium();
  process.env.FAULT_KILLS = String(kills);
  process.env.OWN_SERVER = "1";
  const reportFile = join(mkdtempSync(join(tmpdir(), "rootscope-faults-")), "report.json");
  process.env.PLAYWRIGHT_JSON_OUTPUT_FILE = reportFile;
  runNpm(["run", "--silent", "test:e2e", "--", "e2e/faultKills.spec.ts", "--reporter=list,json"]);
  return JSON.parse(readFileSync(reportFile, "utf8"));
}

/** @param {any} suite @returns {any[]} */
function tests(suite) {
  return [
    ...(suite.specs ?? []).flatMap((/** @type {any} */ spec) => spec.tests),
    ...(suite.suites ?? []).flatMap(tests),
  ];
}

/** @param {any} test @returns {{ passed: boolean, kills: Kill[] }} */
function killsOf(test) {
  const annotations = test.annotations.filter((/** @type {any} */ { type }) => type === "kill");
  return {
    passed: test.status === "expected",
    kills: annotations.map((/** @type {any} */ { description }) => JSON.parse(description)),
  };
}

/** @returns {{ workload: string, kills: number, acknowledged: number, there: number, compared: number, losses: number }[]} */
function summary() {
  return [...new Set(done.map(({ workload }) => workload))].map((workload) => {
    const own = done.filter((kill) => kill.workload === workload);
    const sum = (/** @type {(kill: Kill) => number} */ of) => own.reduce((total, kill) => total + of(kill), 0);
    return {
      workload,
      kills: own.length,
      acknowledged: sum((kill) => kill.acknowledged),
      there: sum((kill) => kill.steps),
      compared: sum((kill) => kill.compared),
      losses: sum((kill) => kill.losses.length),
    };
  });
}

function printSummary() {
  console.log(`\n${"killed while".padEnd(16)}kills  acknowledged  there  compared  lost or half`);
  for (const row of summary()) {
    const cells = [row.kills, row.acknowledged, row.there, row.compared, row.losses];
    const widths = [5, 14, 7, 10, 14];
    console.log(
      row.workload.padEnd(16) + cells.map((cell, index) => String(cell).padStart(widths[index] ?? 8)).join(""),
    );
  }
  for (const { workload, losses } of done) for (const loss of losses) console.error(`${workload}: ${loss}`);
  const lost = done.reduce((total, { losses }) => total + losses.length, 0);
  console.log(`\n${done.length} kills, ${lost} losses, ${failed.length} tests failed`);
}

function keepResult() {
  const name = `bench/results/faults-${new Date().toISOString().slice(0, 10)}.json`;
  const machine = {
    processor: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryBytes: totalmem(),
    loadAverage: loadAtStart,
    system: `${process.platform} ${release()}`,
  };
  const chromium = spawnSync(process.env.CHROMIUM_PATH ?? "", ["--version"], { encoding: "utf8" }).stdout?.trim();
  const commit = spawnSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).stdout?.trim();
  const result = { machine, versions: { node: process.version, chromium, commit }, summary: summary(), kills: done };
  mkdirSync("bench/results", { recursive: true });
  writeFileSync(name, `${JSON.stringify(result, undefined, 1)}\n`);
  return name;
}
