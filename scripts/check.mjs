// Everything a change must pass, on a fresh machine: `npm test`. Ends with one line, `N passed, N failed`.
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runNpm } from "./runNpm.mjs";

const reports = mkdtempSync(join(tmpdir(), "rootscope-check-"));
const unitReport = join(reports, "unit.json");
const browserReport = join(reports, "browser.json");
const endToEndReport = join(reports, "end-to-end.json");
const counts = { passed: 0, failed: 0, skipped: 0 };

/**
 * Runs one step; a step that runs tests counts by its report, any other as one.
 * @param {string} title
 * @param {() => boolean} run
 * @param {() => { passed: number, failed: number, skipped: number }} [report]
 */
function step(title, run, report) {
  console.log(`\n== ${title}`);
  const ok = run();
  const counted = report?.();
  counts.passed += counted ? counted.passed : ok ? 1 : 0;
  counts.skipped += counted?.skipped ?? 0;
  // A runner that fails without a failed test (it never started, an error outside a test) still counts.
  counts.failed += Math.max(counted?.failed ?? 0, ok ? 0 : 1);
  if (!ok) console.error(`== failed: ${title}`);
  return ok;
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
const script = (name, ...args) => runNpm(["run", "--silent", name, ...(args.length > 0 ? ["--", ...args] : [])]);
/** @param {string} file */
const vitestReporters = (file) => ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];

async function checkAll() {
  if (!step("install", () => runNpm(["ci"]))) return;
  step("format", () => script("check:format"));
  step("lint", () => script("check:lint"));
  step("types", () => script("check:types"));
  step("unused code", () => script("check:unused"));
  console.log("\n== a server for the tests of shared stores");
  const { ensureLighttpd } = await import("./ensureLighttpd.mjs");
  ensureLighttpd();
  step(
    "unit tests",
    () => script("test:unit", ...vitestReporters(unitReport)),
    () => vitestCounts(unitReport),
  );
  const built = step("build", () => script("build"));
  if (built) step("size budget", () => script("check:size"));
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
  if (!found) return;
  step(
    "browser tests",
    () => script("test:browser", ...vitestReporters(browserReport)),
    () => vitestCounts(browserReport),
  );
  if (!built) return;
  process.env.PLAYWRIGHT_JSON_OUTPUT_FILE = endToEndReport;
  // A server somebody left running may serve another build.
  process.env.OWN_SERVER = "1";
  step("end-to-end tests", () => script("test:e2e", "--reporter=list,json"), playwrightCounts);
}

await checkAll();
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
console.log(`\n${counts.passed} passed, ${counts.failed} failed${skipped}`);
process.exit(counts.failed > 0 ? 1 : 0);
