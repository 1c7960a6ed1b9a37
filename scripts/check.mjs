// Everything a change must pass, on a fresh machine: `npm test`. Ends with one line, `N passed, N failed`.
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { npmOutput, runNpm } from "./runNpm.mjs";

const reports = mkdtempSync(join(tmpdir(), "rootscope-check-"));
const unitReport = join(reports, "unit.json");
const browserReport = join(reports, "browser.json");
const endToEndReport = join(reports, "end-to-end.json");
const counts = { passed: 0, failed: 0, skipped: 0 };

/** @typedef {() => { passed: number, failed: number, skipped: number }} Report */

/** Seconds each step took, in the order they ended. */
const times = /** @type {string[]} */ ([]);

/**
 * Counts a step: one that runs tests by its report, any other as one.
 * @param {string} title
 * @param {boolean} ok
 * @param {number} begunMs
 * @param {Report} [report]
 */
function count(title, ok, begunMs, report) {
  const counted = report?.();
  counts.passed += counted ? counted.passed : ok ? 1 : 0;
  counts.skipped += counted?.skipped ?? 0;
  // A runner that fails without a failed test (it never started, an error outside a test) still counts.
  counts.failed += Math.max(counted?.failed ?? 0, ok ? 0 : 1);
  times.push(`${title} ${Math.round((Date.now() - begunMs) / 1000)} s`);
  if (!ok) console.error(`== failed: ${title}`);
}

/**
 * Runs one step by itself, its output shown as it comes.
 * @param {string} title
 * @param {() => boolean} run
 * @param {Report} [report]
 */
function step(title, run, report) {
  console.log(`\n== ${title}`);
  const begunMs = Date.now();
  const ok = run();
  count(title, ok, begunMs, report);
  return ok;
}

/**
 * Runs an npm script beside others, its output shown whole when it has ended.
 * @param {string} title
 * @param {[string, ...string[]]} args the script and what it is given
 * @param {Report} [report]
 */
async function beside(title, args, report) {
  const begunMs = Date.now();
  const { ok, output } = await npmOutput(scriptArgs(...args));
  console.log(`\n== ${title}\n${output.trimEnd()}`);
  count(title, ok, begunMs, report);
}

/** @param {string} file */
function vitestCounts(file) {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  const report = JSON.parse(readFileSync(file, "utf8"));
  return { passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests };
}

function playwrightCounts() {
  if (!existsSync(endToEndReport)) return { passed: 0, failed: 1, skipped: 0 };
  const { stats } = JSON.parse(readFileSync(endToEndReport, "utf8"));
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
}

/** @param {string} name @param {string[]} args */
const scriptArgs = (name, ...args) => ["run", "--silent", name, ...(args.length > 0 ? ["--", ...args] : [])];
/** @param {string} name @param {string[]} args */
const script = (name, ...args) => runNpm(scriptArgs(name, ...args));
/** @param {string} file */
const vitestReporters = (file) => ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];

async function checkAll() {
  if (!step("install", () => runNpm(["ci"]))) return;
  console.log("\n== a server for the tests of shared stores");
  const { ensureLighttpd } = await import("./ensureLighttpd.mjs");
  ensureLighttpd();
  const { ensureChromium } = await import("./ensureChromium.mjs");
  const found = step("Chromium", () => {
    try {
      process.env.CHROMIUM_PATH = ensureChromium();
      return true;
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      return false;
    }
  });
  // By itself and first: a unit test builds as well, into the same folder.
  const built = step("build", () => script("build"));
  if (built) step("size budget", () => script("check:size"));

  // Unit tests take one of two cores (vitest leaves one free); the other does the rest meanwhile.
  console.log("\n== unit tests, static checks and browser tests, side by side");
  await Promise.all([
    beside("unit tests", ["test:unit", ...vitestReporters(unitReport)], () => vitestCounts(unitReport)),
    staticChecks().then(() => (found ? browserTests() : undefined)),
  ]);
  if (!built || !found) return;
  process.env.PLAYWRIGHT_JSON_OUTPUT_FILE = endToEndReport;
  // A server somebody left running may serve another build.
  process.env.OWN_SERVER = "1";
  step("end-to-end tests", () => script("test:e2e", "--reporter=list,json"), playwrightCounts);
}

async function staticChecks() {
  await beside("format", ["check:format"]);
  await beside("lint", ["check:lint"]);
  await beside("types", ["check:types"]);
  await beside("unused code", ["check:unused"]);
}

const browserTests = () =>
  beside("browser tests", ["test:browser", ...vitestReporters(browserReport)], () => vitestCounts(browserReport));

const begunMs = Date.now();
await checkAll();
console.log(`\n${times.join(", ")}; in all ${Math.round((Date.now() - begunMs) / 1000)} s`);
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
console.log(`\n${counts.passed} passed, ${counts.failed} failed${skipped}`);
process.exit(counts.failed > 0 ? 1 : 0);
