// A log of 100 MB (10 with --quick) in the built page, in a profile on the disk: imported, opened in Replay and scrubbed, beside
// a plain JSON.parse of its lines in the same page.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { chromium } from "@playwright/test";
import { build } from "vite";
import { chromiumArgs, findChromium } from "../scripts/findChromium.mjs";
import { contentSecurityPolicy, isolationHeaders } from "../scripts/pageHeaders.mjs";
import { claudeCodeLines, ownLines } from "./longTrajectory.mjs";

const MB = 1_000_000;
const SLIDER = 'input[aria-label="Place in the session"]';
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
};

/** @param {string} name @param {number[]} runs @param {string} [unit] */
function figure(name, runs, unit = "ms") {
  const sorted = runs.toSorted((a, b) => a - b);
  return { name, unit, median: sorted[sorted.length >> 1] ?? 0, min: sorted[0], max: sorted.at(-1), runs };
}

/** @param {string} app @param {Map<string, string>} logs */
function serve(app, logs) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const log = logs.get(pathname);
    const file = log ?? join(app, pathname === "/" ? "index.html" : pathname);
    const isThere = existsSync(file);
    const type = TYPES[/** @type {keyof typeof TYPES} */ (extname(file))] ?? "application/octet-stream";
    const headers = { "Content-Type": type, "Content-Security-Policy": contentSecurityPolicy, ...isolationHeaders };
    response.writeHead(isThere ? 200 : 404, headers);
    response.end(isThere ? readFileSync(file) : undefined);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/**
 * @param {{ work: string, isQuick: boolean, app?: string }} options a directory to work in, and the built page where there is one
 * @returns {Promise<ReturnType<typeof figure>[]>}
 */
export async function trajectoryFigures({ work, isQuick, app = join(work, "app") }) {
  const root = join(import.meta.dirname, "..");
  if (!existsSync(app)) await build({ root, logLevel: "warn", build: { outDir: app, emptyOutDir: true } });
  const bytes = (isQuick ? 10 : 100) * MB;
  const logs = new Map();
  for (const [format, lines] of Object.entries({ rootscope: ownLines, "claude-code": claudeCodeLines })) {
    const file = join(work, `${format}.jsonl`);
    writeFileSync(file, `${[...lines({ bytes })].join("\n")}\n`);
    logs.set(`/log/${format}`, file);
  }
  const server = await serve(app, logs);
  const executablePath = findChromium();
  const browser = await chromium.launchPersistentContext(join(work, "trajectory-profile"), {
    ...(executablePath ? { executablePath } : {}),
    args: chromiumArgs,
    viewport: { width: 1_440, height: 900 },
  });
  try {
    const address = `http://127.0.0.1:${server.address().port}/`;
    const figures = [];
    for (const [path, file] of logs)
      figures.push(...(await logFigures(browser, { address, path, file, mb: bytes / MB, runs: 3 })));
    return figures;
  } finally {
    await browser.close();
    server.close();
  }
}

/**
 * @param {import("@playwright/test").BrowserContext} browser
 * @param {{ address: string, path: string, file: string, mb: number, runs: number }} log
 */
async function logFigures(browser, { address, path, file, mb, runs }) {
  const name = `${path.slice(5)} ${mb} MB`;
  const figures = [];
  let page = await replayPage(browser, address);
  const imported = await importedMs(page, file);
  figures.push(
    figure(`trajectory.import ${name}`, [imported.ms]),
    figure(`trajectory.import longest task ${name}`, [imported.longestTaskMs]),
  );
  const count = Number(await page.locator(SLIDER).getAttribute("max"));
  console.log(`${name}: ${count} events imported in ${Math.round(imported.ms)} ms`);
  await page.close();

  /** @type {{ open: number[], parse: number[], indexed: number[], longest: number[] }} */
  const taken = { open: [], parse: [], indexed: [], longest: [] };
  for (let run = 0; run < runs; run++) {
    // A page of its own each time: nothing of the log is in its memory.
    page = await replayPage(browser, address);
    taken.parse.push(await page.evaluate(parsedMs, path));
    await page.reload();
    await showReplay(page);
    const opened = await page.evaluate(openedMs, { slider: SLIDER, count });
    taken.open.push(opened.tailMs);
    taken.indexed.push(opened.indexedMs);
    taken.longest.push(opened.longestTaskMs);
    console.log(`${name}: opened in ${Math.round(opened.tailMs)} ms, all read in ${Math.round(opened.indexedMs)} ms`);
    if (run < runs - 1) await page.close();
  }
  figures.push(
    figure(`trajectory.open ${name}`, taken.open),
    figure(`trajectory.open longest task ${name}`, taken.longest),
    figure(`trajectory.indexed ${name}`, taken.indexed),
    figure(`jsonParseLines ${name}`, taken.parse),
  );
  // The outline and the marks of all of it are on their way.
  await page.waitForTimeout(5_000);
  const { idle, scrubbed } = await page.evaluate(scrubbedFrames, SLIDER);
  const memory = await memoryOf(page);
  figures.push(
    figure(`trajectory.events ${name}`, [count], "events"),
    figure(`trajectory.scrub frames over 50 ms ${name}`, [scrubbed.slowFrames], "frames"),
    figure(`trajectory.scrub frames ${name}`, [scrubbed.frames], "frames"),
    figure(`trajectory.scrub longest frame ${name}`, [scrubbed.longestMs]),
    figure(`trajectory.idle frames over 50 ms ${name}`, [idle.slowFrames], "frames"),
    figure(`trajectory.heap ${name}`, [memory.heapMb], "MB"),
    figure(`trajectory.nodes ${name}`, [memory.nodes], "nodes"),
  );
  await page.close();
  return figures;
}

/** @param {import("@playwright/test").BrowserContext} browser @param {string} address */
async function replayPage(browser, address) {
  const page = await browser.newPage();
  page.on("pageerror", (error) => console.error(error));
  await page.addInitScript(() => localStorage.setItem("rootscope-visited", "yes"));
  await page.goto(address);
  await showReplay(page);
  return page;
}

/** @param {import("@playwright/test").Page} page */
async function showReplay(page) {
  await page.getByRole("radio", { name: "Replay", exact: true }).click();
  await page.locator(".replay").waitFor();
}

/** From the file's being given until its end is shown. @param {import("@playwright/test").Page} page @param {string} file */
async function importedMs(page, file) {
  await page.evaluate(watchTasks);
  const begin = performance.now();
  await page.locator('.replay input[type="file"]').first().setInputFiles(file);
  await page.locator(".replay .chat-item").first().waitFor({ timeout: 600_000 });
  const ms = performance.now() - begin;
  return { ms, longestTaskMs: await page.evaluate(() => /** @type {any} */ (globalThis).longestTaskMs) };
}

function watchTasks() {
  const page = /** @type {any} */ (globalThis);
  page.longestTaskMs = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) page.longestTaskMs = Math.max(page.longestTaskMs, duration);
  }).observe({ entryTypes: ["longtask"] });
}

/** In the page: every line parsed, one after the other. @param {string} path */
async function parsedMs(path) {
  const lines = (await (await fetch(path)).text()).split("\n");
  const begin = performance.now();
  let count = 0;
  for (const line of lines) if (line !== "" && JSON.parse(line) !== null) count++;
  return count > 0 ? performance.now() - begin : Number.NaN;
}

/**
 * In the page: from the click on the session until its last event stands in the timeline and rows of its conversation are
 * drawn, and until all of it was read.
 * @param {{ slider: string, count: number }} what
 */
async function openedMs({ slider, count }) {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const query = (/** @type {string} */ selector) => document.querySelector(selector);
  const rows = [...document.querySelectorAll(".session-list-open")];
  const row = rows.find((each) => each.textContent?.includes(` ${count} events`));
  if (!(row instanceof HTMLElement)) throw new Error(`no session of ${count} events among ${rows.length}`);
  let longestTaskMs = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration);
  });
  observer.observe({ entryTypes: ["longtask"] });
  const begin = performance.now();
  row.click();
  const isShown = () =>
    /** @type {HTMLInputElement | null} */ (query(slider))?.value === String(count) &&
    query(".replay .chat-item") !== null;
  while (!isShown()) await frame();
  // It is drawn with the frame after the one that put it there.
  await frame();
  const tailMs = performance.now() - begin;
  while (query(".replay-indexing") !== null) await frame();
  const indexedMs = performance.now() - begin;
  await frame();
  observer.disconnect();
  return { tailMs, indexedMs, longestTaskMs };
}

/**
 * In the page: the timeline's handle is somewhere else with every frame, from end to end and back, as it is under a person's
 * hand; and as many frames before in which nothing is done, which is what the machine itself takes.
 * @param {string} slider
 */
async function scrubbedFrames(slider) {
  const handle = /** @type {HTMLInputElement} */ (document.querySelector(slider));
  // What React sees of a value is what the element's own setter is given.
  const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  const count = Number(handle.max);
  const moves = 300;
  const frames = async (/** @type {(frame: number) => void} */ act, /** @type {number} */ frameCount) => {
    const taken = { frames: 0, slowFrames: 0, longestMs: 0 };
    let last = await new Promise((resolve) => requestAnimationFrame(resolve));
    for (let frame = 0; frame <= frameCount; frame++) {
      act(frame);
      const now = await new Promise((resolve) => requestAnimationFrame(resolve));
      taken.frames++;
      if (now - last > 50) taken.slowFrames++;
      taken.longestMs = Math.max(taken.longestMs, now - last);
      last = now;
    }
    return taken;
  };
  const idle = await frames(() => undefined, 2 * moves);
  const scrubbed = await frames((frame) => {
    value?.set?.call(handle, String(Math.round(count * Math.abs(1 - frame / moves))));
    handle.dispatchEvent(new Event("input", { bubbles: true }));
  }, 2 * moves);
  return { idle, scrubbed };
}

/** What is in the page's memory and document after a clean-up. @param {import("@playwright/test").Page} page */
async function memoryOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const value = (/** @type {string} */ name) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { heapMb: value("JSHeapUsedSize") / MB, nodes: value("Nodes") };
}
