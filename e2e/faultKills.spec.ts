import type { Page } from "@playwright/test";
import { FaultPageServer } from "./faults/faultPageServer";
import type { WorkloadName } from "./faults/faultPage";
import { KillableBrowser } from "./killableBrowser";
import { expect, Playground, test } from "./playground";
import { eventsAsShown, eventsFromLog, typesOf } from "./sessionLog";
import { collectShownEvents } from "./shownEvents";

/** Kills in all: a few in every check, 50 by `npm run test:faults`. */
const KILLS = Number(process.env["FAULT_KILLS"] ?? 5);

/** What goes on when the browser is killed; the first ones are in every check. */
const WORKLOADS = [
  "sessionLog",
  "commits",
  "imports",
  "page",
  "largeFiles",
  "twoTabs",
  "singleWrites",
  "projects",
] as const satisfies readonly (WorkloadName | "page" | "twoTabs")[];

/** Milliseconds after the first acknowledgement in which the kill comes. */
const LONGEST_MS = 1_500;

/** Commits after which a disk writes a checkpoint (`limits.checkpointLogRecords`). */
const CHECKPOINT_COMMITS = 500;
/** Milliseconds they are waited for. */
const REACH_MS = 15_000;

const COME_BACK = /The page was closed while this session ran/;

/** What one kill left, for the summary. */
interface Kill {
  readonly acknowledged: number;
  readonly steps: number;
  readonly compared: number;
  readonly losses: readonly string[];
}

/** A machine busy with two browsers is slow: what counts is what comes. */
const patiently = expect.configure({ timeout: 60_000 });

// A second try would hide a loss.
test.describe.configure({ retries: 0, mode: "parallel" });

let server: FaultPageServer;
test.beforeAll(async () => {
  server = await FaultPageServer.start();
});
test.afterAll(() => server[Symbol.asyncDispose]());

for (const [index, workload] of WORKLOADS.entries()) {
  const kills = Math.floor(KILLS / WORKLOADS.length) + (index < KILLS % WORKLOADS.length ? 1 : 0);
  if (kills === 0) continue;
  test(`killed in the middle of its work (${workload}), the browser has all it acknowledged, whole`, async ({
    baseURL,
  }) => {
    test.setTimeout(120_000 + kills * 90_000);
    if (workload === "page") {
      for (let kill = 0; kill < kills; kill++) report(workload, await killedPage(baseURL ?? ""));
      return;
    }
    await using browser = await KillableBrowser.create();
    let from = 0;
    for (let kill = 0; kill < kills; kill++) {
      const after = workload === "twoTabs" ? await killedTabs(browser) : await killedAtWork(browser, workload, from);
      report(workload, after);
      from = after.steps;
    }
  });
}

function report(workload: string, kill: Kill): void {
  test.info().annotations.push({ type: "kill", description: JSON.stringify({ workload, ...kill }) });
  expect(kill.losses).toEqual([]);
  expect(kill.compared).toBeGreaterThan(0);
}

/** Kills the browser somewhere in its work and compares what is there when it is begun again. */
async function killedAtWork(browser: KillableBrowser, workload: WorkloadName, from: number): Promise<Kill> {
  const page = await browser.begin();
  const acknowledged = await acknowledgements(page, from);
  await page.goto(server.address);
  await page.evaluate(([name, steps]) => globalThis.faults.run(name, steps), [workload, from] as const);
  await acknowledged.beyond(from);
  // Far enough for a checkpoint, where there are any, and where the machine gets so far.
  if (workload === "commits") await acknowledged.reach(from + CHECKPOINT_COMMITS * Math.random());
  await killAnyTime(browser);
  const again = await browser.begin();
  await again.goto(server.address);
  const found = await again.evaluate(([name, steps]) => globalThis.faults.check(name, steps), [
    workload,
    acknowledged.last(),
  ] as const);
  await browser.kill();
  return { ...found, acknowledged: acknowledged.last() };
}

/** Two tabs add to one number by compare-and-swap. */
async function killedTabs(browser: KillableBrowser): Promise<Kill> {
  const pages = [await browser.begin(), await browser.newPage()];
  const names = [`a${Date.now()}`, `b${Date.now()}`];
  const told = await Promise.all(pages.map((page) => acknowledgements(page, 0)));
  await pages[0]?.goto(server.address);
  const before = (await pages[0]?.evaluate(() => globalThis.faults.begin())) ?? 0;
  await pages[1]?.goto(server.address);
  await Promise.all(
    pages.map((page, index) => page.evaluate((name) => globalThis.faults.countForEver(name), names[index] ?? "")),
  );
  for (const one of told) await one.beyond(0);
  await killAnyTime(browser);
  const again = await browser.begin();
  await again.goto(server.address);
  const { value, by } = await again.evaluate((tabs) => globalThis.faults.counts(tabs), names);
  await browser.kill();
  const sum = by.reduce((total, count) => total + count, 0);
  const losses = by.flatMap((count, tab) =>
    count < (told[tab]?.last() ?? 0) ? [`tab ${tab} was told of ${told[tab]?.last()} and ${count} are there`] : [],
  );
  if (value !== before + sum) losses.push(`${before} and ${sum} added make ${value}`);
  return {
    losses,
    acknowledged: before + told.reduce((total, one) => total + one.last(), 0),
    steps: value,
    compared: value,
  };
}

/** The product itself, killed while the sample's first session runs: every event that was shown is in the log. */
async function killedPage(address: string): Promise<Kill> {
  await using browser = await KillableBrowser.create();
  const before = new Playground(await browser.begin());
  await before.page.addInitScript(() => localStorage.setItem("rootscope-visited", "yes"));
  await before.page.goto(address);
  await patiently(before.message).toHaveValue(/TODOs/);
  await before.view("Raw");
  const shown = await collectShownEvents(before.page);
  await before.message.press("ControlOrMeta+Enter");
  await patiently
    .poll(() => [...shown.values()].filter((event) => event.type === "action.result").length)
    .toBeGreaterThan(0);
  await patiently.poll(() => [...shown.values()].at(-1)?.type).toMatch(/appended$/);
  await killAnyTime(browser, 300);

  const after = new Playground(await browser.begin());
  await after.page.goto(address);
  await after.waitForRunToEnd();
  const log = await eventsFromLog((await after.saveSession("Find the TODOs", "ndjson")).path);
  expect(eventsAsShown(log, shown)).toEqual([...shown.values()]);
  expect(typesOf(log)).toContain("actions.requested");
  const [end] = typesOf(log).slice(-2);
  // The run may have come to its end just before.
  if (end !== "turn.completed") {
    expect(end).toBe("turn.failed");
    await patiently(after.notice(COME_BACK)).toBeVisible();
  }
  // The disk has what the log says was written: the page would tell of a difference as a change of the person's.
  expect(typesOf(log)).not.toContain("tree.changed");

  await after.run("List /repo/src");
  await patiently(after.answers("createStore.ts")).toBeVisible();
  return { losses: [], acknowledged: shown.size, steps: log.length, compared: shown.size };
}

/** What the page says is stored. */
async function acknowledgements(page: Page, from: number) {
  let last = from;
  await page.exposeFunction("acknowledged", (steps: number) => void (last = steps));
  return {
    last: () => last,
    async reach(steps: number): Promise<void> {
      const end = Date.now() + REACH_MS;
      const isReached = () => last >= steps || Date.now() >= end;
      while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    beyond: (steps: number) => expect.poll(() => last, { intervals: [5], timeout: 60_000 }).toBeGreaterThan(steps),
  };
}

async function killAnyTime(browser: KillableBrowser, longestMs = LONGEST_MS): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.random() * longestMs));
  await browser.kill();
}
